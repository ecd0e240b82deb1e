import { expect, it } from 'vitest';
import { copiesOfSite } from '../../support/copies.ts';
import { run, words } from '../../support/transcript.ts';

const { cwd, serve, here, there, url, row } = copiesOfSite();
const state = async () => JSON.parse((await here('status --json')).stdout).sites[0];

it('status and the end of pull and push say whether the file is in step, with local and remote changes and conflicts', async () => {
  expect((await here(`pull ${url()}`)).stderr).toMatch(/\ncalendar: In step with localhost:\d+, just now\n$/);
  expect(await row()).toBe('In step with SITE, just now');
  expect(await state()).toMatchObject({
    pulled: expect.any(String),
    pushed: null,
    local: { created: 0, updated: 0, deleted: 0 },
    conflicts: 0,
    in_step: true,
    left: [],
  });
  await here('events update 69 --title Local');
  await here('tags create --name New');
  await here('events delete 70');
  expect(await row()).toBe('Not in step with SITE: 3 edits not sent');
  await there('events update 69 --title Remote');
  await here(`pull ${url()}`);
  expect(await row()).toBe('Not in step with SITE: 1 conflict, 2 edits not sent: calendar conflicts list');
  await there('events update 72 --title Remote');
  await here(`push ${url()}`);
  expect(await row()).toBe('Not in step with SITE: 1 conflict, 1 edit not sent, 1 change of the site not copied: calendar conflicts list');
  expect(await state()).toMatchObject({ pushed: expect.any(String), remote_changes: 1, conflicts: 1, in_step: false });
});

it('a copy is served with the namespace of its site, which comes before that of the environment', async () => {
  const first = await serve(`--pull ${url()} --db named.db`, { env: { CALENDAR_NOW: '' } });
  while (JSON.parse((await run(words('status --db named.db --json'), { cwd })).stdout).sites?.[0]?.pulled == null);
  await first.stop();
  const env = { CALENDAR_NAMESPACE: 'other/events/v1' };
  const again = await serve('--db named.db', { env });
  expect(new URL(again.said.url).pathname).toBe(new URL(first.said.url).pathname);
  await again.stop();
  const other = await serve('--db named.db --namespace other/events/v1');
  expect(new URL(other.said.url).pathname).toBe('/other/events/v1');
});

it('a plain pull of a served file is that of its server, with its deletions', async () => {
  const clock = { env: { CALENDAR_NOW: '' } };
  await serve(`--pull ${url()} --db served.db`, clock);
  const pull = async (line: string, id: number) => {
    await there(`events delete ${id} --yes`);
    const { stderr } = await run(words(`pull ${line} --db served.db`), { cwd, ...clock });
    const { exit } = await run(words(`events get ${id} --db served.db`), { cwd });
    return [stderr.includes('The server pulled from'), exit];
  };
  while (JSON.parse((await run(words('status --db served.db --json'), { cwd })).stdout).sites?.[0]?.pulled == null);
  expect(await pull('', 69)).toEqual([true, 3]);
  expect(await pull(url(), 70)).toEqual([true, 3]);
  expect(await pull(`${url()} --only venues`, 72)).toEqual([false, 0]);
});
