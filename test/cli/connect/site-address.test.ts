import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LiveSite, liveSite, namespace } from '../../support/live-site.ts';
import { folder, run, words } from '../../support/transcript.ts';

const { path: cwd, remove } = folder();
let site: LiveSite;
let count = 0;
let db = '';
beforeAll(async () => {
  site = await liveSite('minimal');
});
beforeEach(async () => {
  await site.reset();
  db = `copy-${++count}.db`;
});
afterAll(async () => {
  await site.close();
  remove();
});
const origin = () => new URL(site.url).origin;
const calendar = (line: string, env = {}) => run(words(`${line} --db ${db}`), { cwd, env });
const root = () => `${site.url}/${namespace}`;

describe.each([
  ['its host', ''],
  ['its API', '/wp-json'],
  ['a list', `/wp-json/${namespace}/events?per_page=5`],
  ['its namespace', `/wp-json/${namespace}/`],
  ['the page of an event', '/event/summer-concert/'],
  ['plain permalinks', '/?rest_route=/'],
])('a site is found by the address of %s', (_, path) => {
  it.each([
    ['pull', /: 5 created\n/, 0],
    ['push', /: 0 |: nothing|Pushed to /, 0],
    ['diff', /^(calendar: The API is at [^\n]*\n)?$/, 0],
  ])('by %s', async (command, said, exit) => {
    if (command !== 'pull') await calendar(`pull ${root()}`);
    const done = await calendar(`${command} ${origin()}${path}`);
    expect([done.exit, done.stderr]).toEqual([exit, expect.stringMatching(said)]);
  });

  it('by --url and status', async () => {
    const list = await run(words(`events list --format ids --url ${origin()}${path}`), { cwd });
    const status = await run(words(`status --url ${origin()}${path}`), { cwd });
    expect([list.exit, list.stdout.trim().split('\n').length, status.stdout]).toEqual([0, 1, expect.stringMatching(/^events +1$/m)]);
  });
});

it.each(['check', 'shape'])('%s looks for a host only, and says which address it used', async (command) => {
  const found = await run(words(`${command} ${origin()}`), { cwd });
  expect([found.exit === 5, found.stdout + found.stderr]).toEqual([
    false,
    expect.stringContaining(command === 'check' ? root() : '"endpoints"'),
  ]);
  expect(await run(words(`${command} ${origin()}/wp-json`), { cwd })).toMatchObject({ exit: 5 });
});

it('a namespace replaces that of the address, but not one for all addresses', async () => {
  expect(await calendar(`pull ${root()}`, { CALENDAR_NAMESPACE: 'other/events/v1' })).toMatchObject({ exit: 0 });
  expect(await calendar(`pull ${site.url} --namespace other/events/v1`)).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('other/events/v1'),
  });
});

it('request and wait never look for a site', async () => {
  const { exit } = await run(words(`request GET /events --url ${origin()}`), { cwd });
  expect([exit, site.log.length]).toEqual([3, 1]);
});

describe('credentials', () => {
  let proxy: Server;
  const requests: IncomingMessage[] = [];
  let answer: (request: IncomingMessage) => { status: number; headers?: Record<string, string>; body?: string };
  const json = (body: object) => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  beforeAll(async () => {
    proxy = createServer((request, response) => {
      requests.push(request);
      const { status, headers = {}, body = '' } = answer(request);
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  });
  afterEach(() => requests.splice(0));
  afterAll(() => proxy.close());
  const env = () => ({
    http_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    https_proxy: 'http://127.0.0.1:9',
    CALENDAR_PASSWORD: 'x',
  });
  const sent = () => requests.map(({ url, headers }) => `${headers.authorization ? 'secret' : 'bare'} ${url}`);

  it('are sent over http only after a request without them', async () => {
    answer = () => json({ tags: [{ id: 5 }], total: 1, total_pages: 1 });
    await run(words('tags list --format ids --url http://site.test --user ada'), { cwd, env: env() });
    expect(sent()).toEqual([
      expect.stringMatching(/^bare http:\/\/site.test\/calendar\/events\/v1\/tags/),
      expect.stringMatching(/^secret http:\/\/site.test\/calendar\/events\/v1\/tags/),
    ]);
  });

  it('are not sent over http to a site that redirects to https', async () => {
    answer = ({ url }) => ({ status: 301, headers: { location: String(url).replace('http:', 'https:') } });
    const { stderr } = await run(words('tags list --format ids --url http://site.test --user ada --timeout 1'), { cwd, env: env() });
    expect(stderr).toContain('calendar: Using https://site.test in place of http://site.test\n');
    expect(sent().filter((each) => each.startsWith('secret'))).toEqual([]);
  });

  it('stay on the typed host when a page names another one', async () => {
    answer = () => ({
      status: 404,
      headers: { 'content-type': 'text/html', link: '<http://other.test/wp-json/>; rel="https://api.w.org/"' },
      body: '<html>',
    });
    const { exit, stderr } = await run(words('tags list --url http://site.test --user ada'), { cwd, env: env() });
    expect([exit, stderr]).toEqual([5, expect.stringContaining('calendar config detect http://other.test/wp-json/')]);
    expect(sent().filter((each) => !each.includes('//site.test/'))).toEqual([]);
  });
});

it('a found address is kept in the file, and looked for again when it fails', async () => {
  const line = `calendar: The API is at ${root()}. To use it without a search: calendar config detect ${root()} --profile NAME\n`;
  expect((await calendar(`pull ${origin()}`)).stderr).toContain(line);
  site.log.length = 0;
  const again = await calendar(`pull ${origin()}`);
  expect(again).toMatchObject({
    exit: 0,
    stderr: expect.stringMatching(/^calendar: Pulled from \S+: 5 unchanged\ncalendar: In step with .*\n$/),
  });
  expect(site.log.filter((line) => !line.includes('per_page='))).toEqual([]);
  expect(JSON.parse((await calendar('status --json')).stdout).sites).toMatchObject([{ address: root() }]);
});

describe('without an address', () => {
  it('pull and diff use the one site of the file', async () => {
    await calendar(`pull ${origin()}`);
    expect(await calendar('pull')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining(`calendar: Pulled from ${root()}: 5 unchanged\n`),
    });
    expect(await calendar('diff')).toMatchObject({ exit: 0, stderr: '' });
  });

  it.each(['pull', 'push --yes', 'diff'])('%s needs one if the file has none', async (command) => {
    expect(await calendar(command)).toMatchObject({ exit: 2, stderr: expect.stringContaining('Missing URL') });
  });

  it('push names it, and ends without a terminal, with --yes too', async () => {
    await calendar(`pull ${root()}`);
    site.log.length = 0;
    for (const command of ['push', 'push --yes'])
      expect(await calendar(command)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(`a copy of ${root()}. Pass that address.`),
      });
    expect(site.log).toEqual([]);
  });

  it('no secret of the environment goes to an address of a file', async () => {
    await calendar(`pull ${root()}`);
    site.log.length = 0;
    for (const [line, env] of [
      ['pull', { CALENDAR_USER: 'ada', CALENDAR_PASSWORD: 'x' }],
      ['pull --user ada', { CALENDAR_PASSWORD: 'x' }],
      ["pull --header 'X-Key: ${KEY}'", { KEY: 'x' }],
    ] as const)
      expect(await calendar(line, env)).toMatchObject({ exit: 2, stderr: expect.stringMatching(/Refusing to send .* an address from /) });
    expect(site.log).toEqual([]);
  });

  it.each([
    ['serve', { CALENDAR_USER: 'ada', CALENDAR_PASSWORD: 'x' }],
    ['serve --user ada', { CALENDAR_PASSWORD: 'x' }],
    ["serve --header 'X-Key: ${KEY}'", { KEY: 'x' }],
  ])('no secret of the environment goes to serve.pull of a project by %s', async (line, env) => {
    const project = folder();
    writeFileSync(join(project.path, 'calendar.config.json'), JSON.stringify({ serve: { pull: origin(), memory: true, port: 0 } }));
    site.log.length = 0;
    const done = await run(words(line), { cwd: project.path, env });
    expect(done).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(
        /Refusing to send .* an address from .*calendar\.config\.json\n {2}If you trust that address, pass it: --pull http/,
      ),
    });
    expect(site.log).toEqual([]);
    project.remove();
  });

  it.each(['push URL --yes', 'sync URL --yes', 'push URL --dry-run', 'sync URL --dry-run', 'diff URL', 'pull', 'conflicts list'])(
    '%s creates no file',
    async (line) => {
      const done = await calendar(line.replace('URL', root()));
      expect([done.exit > 0, existsSync(join(cwd, db))]).toEqual([true, false]);
    },
  );

  it('neither a world nor CALENDAR_URL is one', async () => {
    await calendar(`pull ${root()}`);
    expect(await calendar('push --yes', { CALENDAR_URL: root() })).toMatchObject({ exit: 2 });
    expect(await run(words(`pull --url ${origin()} --world a`), { cwd })).toMatchObject({ exit: 2 });
  });
});
