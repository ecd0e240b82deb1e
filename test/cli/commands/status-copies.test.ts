import { expect, it } from 'vitest';
import { copiesOfSite } from '../../support/copies.ts';
import { served } from '../../support/served.ts';
import { run, words } from '../../support/transcript.ts';

const { cwd, serve, here, there, url, row } = copiesOfSite();

it('status names the records that the site deleted, until a pull deletes them, and what one with --only did', async () => {
  expect((await here(`pull ${url()} --only tags`)).stderr).toMatch(
    /\ncalendar: Not copied completely yet: .*; only tags pulled just now\n$/,
  );
  await here(`pull ${url()}`);
  await there('events delete 69 --yes');
  await here(`pull ${url()}`);
  const { stdout, exit } = await here('status');
  expect([exit, stdout]).toEqual([
    0,
    expect.stringMatching(/^site +Not in step with .*: 1 change of the site not copied\n +events 69 \(.*\): deleted on the site; .*\n/m),
  ]);
  await here(`pull ${url()} --delete`);
  expect(await row()).toBe('In step with SITE, just now');
});

it('status of a server that pulls shows the state of the copy, also by its address', async () => {
  const serving = await serve(`--pull ${url()} --db served.db`);
  for (const target of ['--db served.db', `--url ${serving.said.url}`])
    expect((await run(words(`status ${target}`), { cwd })).stdout).toMatch(
      /^copy +Nothing is requested from 127\.0\.0\.1:\d+, because the clock is stopped\.$/m,
    );
});

it('a pull of another site is not that of the server', async () => {
  const other = await served();
  try {
    await serve(`--pull ${url()} --db both.db`, { env: { CALENDAR_NOW: '' } });
    const { stderr, exit } = await run(words(`pull ${other.url} --db both.db`), { cwd, env: { CALENDAR_NOW: '' } });
    expect([stderr, exit]).toEqual([expect.not.stringContaining('The server pulled from'), 0]);
  } finally {
    await other.close();
  }
});
