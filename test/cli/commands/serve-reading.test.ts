import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { operations } from '../../../src/model/operations/all.ts';
import { type Serving, servers } from '../../support/serving.ts';
import { limit } from '../../support/timeouts.ts';
import { folder, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const at = (line: string) => run(words(line), { cwd: place.path });
const inPlace = (name: string) => join(place.path, name);

const serve = servers(place.path);

const send = async (url: string, method = 'GET', body?: unknown) => {
  const headers = body === undefined ? undefined : { 'Content-Type': 'application/json' };
  const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  return { status: answer.status, allow: answer.headers.get('allow'), body: (await answer.json()) as Record<string, unknown> };
};
const originOf = ({ said }: Serving) => new URL(said.url).origin;

/** All files of a folder, with what is in them and when they were written. */
const files = (path: string) =>
  Object.fromEntries(
    readdirSync(path).map((name) => [name, [readFileSync(join(path, name), 'latin1'), statSync(join(path, name)).mtimeMs]]),
  );

describe('serve --read-only', () => {
  it.each(['of a file', 'in memory'])('serves reads and changes nothing %s', async (where) => {
    let options = '--memory --seed minimal';
    if (where === 'of a file') {
      await at('seed minimal --db kept.db');
      // Due since long: a reader does not publish it.
      await at(
        'events create --title Later --start-date 2026-12-01 --end-date 2026-12-01 --date 2026-11-21 --db kept.db --now 2026-11-20T00:00:00Z',
      );
      options = '--db kept.db --control';
    }
    const before = files(place.path);
    const server = await serve(`--read-only --now 2027-01-01T00:00:00Z ${options}`);
    const { url } = server.said;
    const listed = await send(`${url}/venues`);
    expect([listed.status, listed.allow, listed.body.total]).toEqual([200, 'GET', 1]);
    const refused = { status: 403, body: { code: 'read-only', message: expect.stringContaining('read-only'), data: { status: 403 } } };
    for (const [method, path] of [
      ['POST', '/tags'],
      ['PUT', '/venues/9'],
      ['POST', '/events?_method=DELETE'],
      ['DELETE', '/events/8'],
    ] as const)
      expect(await send(`${url}${path}`, method, { name: 'x' }), `${method} ${path}`).toMatchObject(
        path.includes('_method') ? { status: 404 } : refused,
      );
    for (const { id, method, path, access, changes } of Object.values(operations)) {
      if (!changes || access === 'owner' || access === 'trusted') continue;
      // The users of a file are its owner's.
      if (access === 'users' && where === 'of a file') continue;
      const inputs: Record<string, unknown> = {
        seed: { seed: 'demo' },
        import: { text: '[]' },
        shift: { by: 'P1D' },
        keepSnapshot: { what: 'x' },
        resolveConflicts: { prefer: 'ours' },
        addUser: { name: 'eve', role: 'author', password: 'x' },
        changeUser: { role: 'author' },
        addField: { resource: 'events', name: 'x', type: 'string' },
      };
      const input = inputs[id] ?? (id === 'changeSettings' ? { title: 'x' } : {});
      const got = await send(`${originOf(server)}/_calendar${path.replace(/\{\w+\}/, 'x')}`, method, input);
      expect(got, id).toMatchObject({ status: 403, body: { code: 'read-only', hint: expect.any(String) } });
    }
    expect((await send(`${originOf(server)}/_calendar/health`)).body).toMatchObject({ records: { venues: 1, tags: 1 } });
    expect((await send(`${originOf(server)}/_calendar/clock/advance`, 'POST', { by: 'P1D' })).status).toBe(200);
    expect((await send(`${originOf(server)}/_calendar/export`)).status).toBe(200);
    expect((await at(`tags create --name x --url ${url}`)).exit).toBe(4);
    await server.stop();
    expect(files(place.path)).toEqual(before);
  });

  it.each([
    ['--db nowhere.db', 3, 'nowhere.db'],
    ['--db kept.db --seed demo', 2, "Can't use --seed with --read-only"],
    ['--db kept.db --users users.json', 2, "Can't use --users with --read-only"],
  ])('refuses %s', async (options, exit, message) => {
    expect(await at(`serve --read-only --port 0 ${options}`)).toMatchObject({ stdout: '', exit, stderr: expect.stringContaining(message) });
  });
});

describe('serve --watch', () => {
  const fixture = (...names: string[]) => JSON.stringify({ tags: Object.fromEntries(names.map((name) => [name, { name }])) }, null, 2);
  const tags = async ({ said }: Serving) =>
    ((await send(`${said.url}/tags?hide_empty=false`)).body.tags as { id: number; name: string }[]).map(({ id, name }) => `${id} ${name}`);

  it('restarts with the new content, whether an editor writes or replaces the file', async () => {
    const path = inPlace('fixture.json');
    writeFileSync(path, fixture('a'));
    const server = await serve('--memory --seed fixture.json --watch');
    const [first] = await tags(server);
    const id = Number.parseInt(first!, 10);
    const see = (...names: string[]) =>
      expect.poll(() => tags(server), { timeout: limit(15_000) }).toEqual(names.map((name, i) => `${id + i} ${name}`));
    await send(`${server.said.url}/tags`, 'POST', { name: 'of a test' });
    // In place, and in steps.
    writeFileSync(path, fixture('a', 'b').slice(0, 20));
    appendFileSync(path, fixture('a', 'b').slice(20));
    await see('a', 'b');
    // Beside it, and renamed.
    writeFileSync(`${path}~`, fixture('c'));
    renameSync(`${path}~`, path);
    await see('c');
    await send(`${server.said.url}/tags`, 'POST', { name: 'of a test' });
    await see('c', 'of a test');
    expect((await send(`${originOf(server)}/_calendar/reset`, 'POST')).status).toBe(200);
    await see('c');
    // Removed, and made again.
    rmSync(path);
    writeFileSync(path, fixture('d'));
    await see('d');
  });

  it('keeps its records when the new content is invalid, and reports the place', async () => {
    const path = inPlace('wrong.json');
    writeFileSync(path, fixture('a'));
    const stderr = new PassThrough({ encoding: 'utf8' });
    let said = '';
    stderr.on('data', (text) => {
      said += text;
    });
    const says = (what: RegExp) => expect.poll(() => said, { timeout: limit(15_000) }).toMatch(what);
    const server = await serve('--memory --seed wrong.json --watch', { stderr });
    const before = await tags(server);
    await send(`${server.said.url}/tags`, 'POST', { name: 'of a test' });
    writeFileSync(path, '{\n  "tags": {\n    "a": {"name": "a",,}\n  }\n}');
    await says(/calendar: wrong\.json: invalid JSON at line 3, column 23: .*\. The calendar is unchanged\.\n/);
    writeFileSync(path, '{"tags": {\n "b": {"name": "b"},\n "a": {"nam": "a"}}}');
    await says(
      /^tags\.a\.nam: unknown field.*\n(.*\n)*calendar: wrong\.json: 2 problems.*, the first on line 3. The calendar is unchanged.\n/m,
    );
    writeFileSync(path, '{"tags": {\n "b": {"slug": "b"}}}');
    await says(/calendar: wrong\.json: tags\.b\.name: is required, on line 2. The calendar is unchanged.\n/);
    expect(await tags(server)).toHaveLength(2);
    await send(`${originOf(server)}/_calendar/reset`, 'POST');
    expect(await tags(server)).toEqual(before);
  });

  it.each([
    ['--memory', '--watch requires a fixture file'],
    ['--memory --seed demo', '--watch requires a fixture file'],
    ['--db kept.db --seed wrong.json', '--watch requires --memory'],
  ])('refuses %s', async (options, message) => {
    expect(await at(`serve --watch --port 0 ${options}`)).toMatchObject({ stdout: '', exit: 2, stderr: expect.stringContaining(message) });
  });
});
