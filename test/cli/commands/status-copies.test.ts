import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { type Served, served } from '../../support/served.ts';
import { servers } from '../../support/serving.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
const serve = servers(cwd);
let site: Served;
beforeEach(async () => {
  site = await served();
  await run(words(`seed demo --url ${site.url}`), { cwd });
});
afterEach(() => site.close());
afterAll(remove);

const here = (line: string) => run(words(`${line} --db copy.db`), { cwd });
const there = (line: string) => run(words(`${line} --url ${site.url}`), { cwd });
const row = async () => /^(?:pulled|pushed) .*?: (.*)$/m.exec((await here('status')).stdout.replace(/localhost:\d+/, ''))?.[1];
const state = async () => JSON.parse((await here('status --json')).stdout).sites[0];

it('status shows the last pull and push, local and remote changes, and conflicts', async () => {
  await here(`pull ${site.url}`);
  expect(await row()).toBe('no changes here');
  expect(await state()).toMatchObject({
    pulled: expect.any(String),
    pushed: null,
    local: { created: 0, updated: 0, deleted: 0 },
    conflicts: 0,
  });
  await here('events update 69 --title Local');
  await here('tags create --name New');
  await here('events delete 70');
  expect(await row()).toBe('1 created, 1 updated, 1 deleted here, not pushed');
  await there('events update 69 --title Remote');
  await here(`pull ${site.url}`);
  expect(await row()).toBe('1 created, 1 updated, 1 deleted here, not pushed; 1 conflict');
  await there('events update 72 --title Remote');
  await here(`push ${site.url}`);
  expect((await here('status')).stdout).toMatch(
    /UTC, pushed .* UTC: 1 updated, 1 deleted here, not pushed; 1 changed there at the last push; 1 conflict/,
  );
  expect(await state()).toMatchObject({ pushed: expect.any(String), remote_changes: 1, conflicts: 1 });
});

it('status of a server that pulls shows the state of the copy, also by its address', async () => {
  const serving = await serve(`--pull ${site.url} --db served.db`);
  for (const target of ['--db served.db', `--url ${serving.said.url}`])
    expect((await run(words(`status ${target}`), { cwd })).stdout).toMatch(
      /^copy +Nothing is requested from 127\.0\.0\.1:\d+, because the clock is stopped\.$/m,
    );
});
