import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCalendar } from '../../../src/testing/create.ts';
import { openForTests } from '../../../src/testing/world-source.ts';
import { servers } from '../../support/serving.ts';
import { folder, run, words } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const inside = join(place.path, 'project');
const file = join(inside, 'calendar.config.json');
beforeEach(() => mkdirSync(inside, { recursive: true }));
afterEach(() => rmSync(inside, { recursive: true }));
const configure = (config: object) => writeFileSync(file, JSON.stringify(config));
const at = (line: string, env: Record<string, string> = {}) => run(words(line), { cwd: inside, env });
const serve = servers(inside);

describe('serve in calendar.config.json', () => {
  const shape = { basePath: '/wp-json', namespace: 'brand/events/v1', headerPrefix: 'X-Brand', timezone: 'Europe/Paris' };

  it('sets the options of serve', async () => {
    configure({ serve: { ...shape, memory: true, seed: 'minimal', settings: { title: 'Our town' } } });
    const { said } = await serve('');
    expect(said).toMatchObject({ url: `http://127.0.0.1:${said.port}/wp-json/brand/events/v1`, file: null });
    const response = await fetch(`${said.url}/events`);
    expect([response.headers.get('x-brand-total'), await response.json()]).toEqual(['1', expect.objectContaining({ total: 1 })]);
    const root = await (await fetch(`http://127.0.0.1:${said.port}/wp-json/`)).json();
    expect(root).toMatchObject({ name: 'Our town', timezone_string: 'Europe/Paris' });
  });

  it('yields to the command line, the environment and a profile', async () => {
    configure({
      profile: 'near',
      profiles: { near: { db: 'near.db', namespace: 'near/events/v1' } },
      serve: { ...shape, file: 'far.db' },
    });
    const near = await serve('--base-path /api');
    expect(near.said).toMatchObject({ url: `http://127.0.0.1:${near.said.port}/api/near/events/v1`, file: join(inside, 'near.db') });
    await near.stop();
    const memory = await serve('--memory --namespace own/events/v1');
    expect(memory.said).toMatchObject({ url: `http://127.0.0.1:${memory.said.port}/wp-json/own/events/v1`, file: null });
    await memory.stop();
    const other = await serve('', { env: { CALENDAR_NAMESPACE: 'env/events/v1', CALENDAR_DB: 'env.db' } });
    expect(other.said).toMatchObject({ url: `http://127.0.0.1:${other.said.port}/wp-json/env/events/v1`, file: join(inside, 'env.db') });
  });

  it('resolves paths against the file', async () => {
    configure({ serve: { file: 'data/site.db', seed: 'town.json' } });
    writeFileSync(join(inside, 'town.json'), JSON.stringify({ tags: { jazz: { name: 'Jazz' } } }));
    mkdirSync(join(inside, 'data', 'below'), { recursive: true });
    const { said } = await servers(join(inside, 'data', 'below'))('');
    expect(said).toMatchObject({ file: join(inside, 'data', 'site.db') });
    expect(await (await fetch(`${said.url}/tags?hide_empty=false`)).json()).toMatchObject({ total: 1 });
  });

  it('says which of its options open the server to others', async () => {
    configure({ serve: { memory: true, host: '0.0.0.0', cors: ['*'] } });
    const { stop } = await serve('--quiet');
    expect((await stop()).stderr).toContain(`calendar: Using host 0.0.0.0 and cors * from ${file}\n`);
  });

  it('gives a copy no time zone, which is that of its site', async () => {
    configure({ serve: { memory: true, timezone: 'Asia/Tokyo' } });
    await using site = await createCalendar({ seed: 'minimal' });
    const { said, stop } = await serve(`--pull ${site.url} --quiet`);
    expect(await (await fetch(new URL('/_calendar/settings', said.url))).text()).not.toContain('Asia/Tokyo');
    await stop();
  });

  it('gives exec only the shape of the site', async () => {
    configure({ serve: { ...shape, file: 'far.db', port: 1, host: '0.0.0.0', seed: 'nope.json' } });
    const line = [
      'exec',
      '--',
      process.execPath,
      '-e',
      'process.exit(/^http:..127.0.0.1:\\d{3,}.wp-json.brand.events.v1$/.test(process.env.CALENDAR_URL) ? 0 : 7)',
    ];
    expect(await run(line, { cwd: inside })).toMatchObject({ exit: 0, stderr: '' });
  });

  it('gives tests only the shape of the site', async () => {
    configure({ serve: { ...shape, file: 'far.db', port: 1, seed: 'nope.json' } });
    const before = process.cwd();
    process.chdir(inside);
    try {
      await using plain = await createCalendar();
      expect(plain.url).toMatch(/\/calendar\/events\/v1$/);
      await using shaped = await createCalendar({ config: true, namespace: 'own/events/v1' });
      expect(shaped.url).toMatch(/:\d+\/wp-json\/own\/events\/v1$/);
      const { calendar, close } = await openForTests({}, undefined, () => {});
      expect(calendar.url).toMatch(/:\d+\/wp-json\/brand\/events\/v1$/);
      await close();
      const without = await openForTests({ config: false }, undefined, () => {});
      expect(without.calendar.url).toMatch(/\/calendar\/events\/v1$/);
      await without.close();
      rmSync(file);
      await expect(createCalendar({ config: true })).rejects.toThrow(`No calendar.config.json in ${process.cwd()} or above it`);
    } finally {
      process.chdir(before);
    }
  });

  it.each([
    [{ memory: true, watch: true }, '', '--watch requires a fixture file', 'Pass --seed FILE. watch is set in FILE.'],
    [
      { seed: 'demo', readOnly: true, file: 'a.db' },
      '',
      "Can't use --seed with --read-only on a file",
      'Add --memory, or omit one of them. seed and readOnly are set in FILE.',
    ],
    [
      { seed: 'demo' },
      '--read-only --db a.db',
      "Can't use --seed with --read-only on a file",
      'Add --memory, or omit one of them. seed is set in FILE.',
    ],
    [
      { seed: 'demo', memory: true },
      '--pull http://127.0.0.1:9',
      'Use either --pull or --seed, not both',
      'The records are those of the site. seed is set in FILE.',
    ],
    [{ memory: true, maxUpload: 5 }, '', '--max-upload requires --media', 'Pass --media FOLDER. maxUpload is set in FILE.'],
    [{ memory: true, every: '5m' }, '', '--every requires --pull', 'Pass --pull URL. every is set in FILE.'],
    [{ memory: true }, '--watch', '--watch requires a fixture file', 'Pass --seed FILE.'],
  ])('%j with serve %j: a message about an option of the file says so', async (options, more, message, hint) => {
    configure({ serve: options });
    const { exit, stdout, stderr } = await at(`serve ${more}`);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`calendar: ${message}\n  ${hint.replace(/set in FILE/, `set in ${file}`)}\n`);
  });

  it.each([
    [{ require: 'x.js' }, "serve: require can't be set in a file", 'Pass --require on the command line.'],
    [{ controlToken: 'x' }, "serve: controlToken can't be set in a file", 'Pass --control-token on the command line.'],
    [{ 'base-path': '/x' }, 'serve: Unknown key "base-path"', 'It is basePath here.'],
    [{ basepath: '/x' }, 'serve: Unknown key "basepath"', 'Did you mean basePath?'],
    [{ port: 99_999 }, 'serve.port: ', 'See: calendar help environment'],
    [{ fail: ['nonsense'] }, 'serve.fail: ', 'See: calendar serve --help --all'],
    [{ timezone: 'Mars' }, 'serve.timezone: Unknown time zone "Mars"', 'See: calendar serve --help --all'],
  ])('%j is an error', async (options, message, hint) => {
    configure({ serve: options });
    const { exit, stdout, stderr } = await at('serve --memory');
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`calendar: ${file}: ${message}`);
    expect(stderr).toContain(`\n  ${hint}\n`);
  });

  it("belongs to a project, not to a user's own file", async () => {
    mkdirSync(join(inside, '.config/calendar'), { recursive: true });
    writeFileSync(join(inside, '.config/calendar/config.json'), JSON.stringify({ serve: { port: 1 } }));
    const { exit, stderr } = await at('serve --memory');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('serve belongs to a project\n  Move it to its calendar.config.json.')]);
  });

  it('is listed by config list, and described by config schema', async () => {
    configure({ serve: { port: 9000, without: ['tickets'] } });
    const { stdout } = await at('config list --show-origin');
    expect(stdout).toContain(`${file}  serve.port=9000\n`);
    expect(stdout).toContain(`${file}  serve.without=["tickets"]\n`);
    const { properties } = JSON.parse((await at('config schema')).stdout);
    expect(properties.serve.properties).toMatchObject({ port: { type: 'integer', maximum: 65_535 }, basePath: { type: 'string' } });
    expect(Object.keys(properties.serve.properties)).not.toContain('hooks');
    expect(Object.keys(properties)).toEqual(['$schema', 'profile', 'profiles', 'serve', 'fields']);
  });
});

describe('config detect', () => {
  const shape = {
    basePath: '/wp-json',
    namespace: 'brand/events/v1',
    headerPrefix: 'X-Brand',
    timezone: 'Europe/Paris',
    settings: { title: 'Rotterdam, week by week' },
  };
  const flags = '--memory --seed demo --base-path /wp-json --namespace brand/events/v1 --header-prefix X-Brand --timezone Europe/Paris';

  it.each(['', '/', '/wp-json', '/wp-json/brand/events/v1'])('writes what makes serve look like the site at %j', async (path) => {
    const { said } = await servers(place.path)(flags);
    const { exit, stdout, stderr } = await at(`config detect http://127.0.0.1:${said.port}${path}`);
    expect([exit, stdout]).toEqual([0, '']);
    expect(stderr).toContain('  serve.namespace: "brand/events/v1"\n');
    expect(stderr).toContain(`calendar: Wrote ${file}\n`);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ serve: shape });
    expect((await at(`config detect http://127.0.0.1:${said.port}`)).stderr).toBe(`calendar: ${file} has these options already\n`);
  });

  it('keeps other keys, and replaces values only with --yes', async () => {
    const { said } = await servers(place.path)(flags);
    const mine = { profiles: { a: { db: 'a.db' } }, serve: { port: 9000, headerPrefix: 'X-Other' } };
    configure(mine);
    const url = `http://127.0.0.1:${said.port}`;
    const refused = await at(`config detect ${url}`);
    expect(refused).toMatchObject({ exit: 2, stderr: expect.stringContaining('  serve.headerPrefix: "X-Other" -> "X-Brand"\n') });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(mine);
    expect(JSON.parse((await at(`config detect ${url} --print`)).stdout)).toEqual({ serve: shape });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(mine);
    expect(await at(`config detect ${url} --yes`)).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...mine, serve: { port: 9000, ...shape } });
  });

  it('with --profile, writes the address to a profile of the user, whose other keys stay', async () => {
    const { said } = await servers(place.path)(flags);
    const env = { XDG_CONFIG_HOME: join(inside, 'xdg') };
    const own = join(env.XDG_CONFIG_HOME, 'calendar/config.json');
    const url = `http://127.0.0.1:${said.port}/wp-json/brand/events/v1`;
    const detect = `config detect http://127.0.0.1:${said.port}/ --profile town`;
    expect(JSON.parse((await at(`${detect} --print`, env)).stdout)).toEqual({ profiles: { town: { url } } });
    expect(await at(detect, env)).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: expect.stringContaining(`Wrote ${own}. Use it with --profile town`),
    });
    expect(JSON.parse(readFileSync(own, 'utf8'))).toEqual({ profiles: { town: { url } } });
    expect((await at(detect, env)).stderr).toBe(`calendar: ${own} has this address already\n`);
    expect(await at('tags list --format ids --profile town', env)).toMatchObject({ exit: 0, stderr: '' });
    const old = { profiles: { town: { url: `http://127.0.0.1:${said.port}/old`, namespace: 'brand/events/v1' } } };
    writeFileSync(own, JSON.stringify(old));
    expect((await at(detect, env)).exit).toBe(2);
    expect((await at(`${detect} --yes`, env)).exit).toBe(0);
    expect(JSON.parse(readFileSync(own, 'utf8'))).toEqual({ profiles: { town: { ...old.profiles.town, url } } });
  });

  /** A site: the status, the headers and the body of each path. */
  type Site = Record<string, [status: number, body: string, headers?: Record<string, string>]>;
  const seen: string[] = [];
  async function detect(site: Site, more = '') {
    seen.length = 0;
    const server = createServer(({ url = '' }, response) => {
      seen.push(url);
      const [status, body, headers] = site[url] ?? [404, '<!doctype html>Not found', { 'content-type': 'text/html' }];
      response.writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html', ...headers }).end(body);
    });
    await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    try {
      return await at(`config detect http://127.0.0.1:${port} --print ${more}`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }
  const index = (...namespaces: string[]) => {
    const routes = namespaces.flatMap((each) => ['events', 'venues', 'organizers'].map((name) => [`/${each}/${name}`, {}]));
    return JSON.stringify({
      name: 'Caf&eacute;',
      timezone_string: '',
      gmt_offset: 5.5,
      namespaces,
      routes: { '/wp/v2/events': {}, ...Object.fromEntries(routes) },
    });
  };
  const list: [number, string, Record<string, string>] = [200, '{"events":[]}', { 'x-wp-total': '0', 'x-brand-total': '0' }];
  const page: [number, string] = [200, '<!doctype html><title>A site</title>'];

  it('finds the root by guesses, also without rewriting, in four requests', async () => {
    const site: Site = {
      '/': page,
      '/?rest_route=/': [200, index('brand/events/v1')],
      '/?rest_route=/brand/events/v1/events&per_page=50': list,
    };
    const { exit, stdout, stderr } = await detect(site);
    expect([exit, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).serve).toEqual({
      basePath: '/wp-json',
      namespace: 'brand/events/v1',
      headerPrefix: 'X-Brand',
      timezone: 'UTC+5.5',
      settings: { title: 'Café' },
    });
    expect(seen).toEqual(['/', '/wp-json/', '/?rest_route=/', '/?rest_route=/brand/events/v1/events&per_page=50']);
  });

  it.each<[string, Site, string, number, string]>([
    [
      'several namespaces',
      { '/': page, '/wp-json/': [200, index('a/events/v1', 'b/events/v1')] },
      '',
      2,
      'several namespaces with events: a/events/v1, b/events/v1\n  Pass --namespace with one of them.',
    ],
    [
      'an unknown namespace',
      { '/': page, '/wp-json/': [200, index('a/events/v1')] },
      '--namespace x/events/v1',
      2,
      'has no events in the namespace x/events/v1',
    ],
    ['no calendar', { '/': page, '/wp-json/': [200, index()] }, '', 5, 'has no namespace with events, venues, organizers'],
    ['no API', { '/': page }, '', 5, 'returned 404 with text/html'],
    ['a challenge', { '/': [403, '<title>Attention Required! | Cloudflare</title>'] }, '', 4, 'Cloudflare'],
    [
      'an API for members only',
      { '/': page, '/wp-json/': [401, '{"code":"rest_disabled","message":"Members only","data":{"status":401}}'] },
      '',
      4,
      'Members only',
    ],
    ['maintenance', { '/': [503, '<h1>Maintenance mode</h1>'] }, '', 5, 'returned 503 with a maintenance page'],
    ['another host', { '/': [302, '', { location: 'https://other.example/' }] }, '', 5, 'redirects to https://other.example/'],
    [
      'an API elsewhere',
      { '/': [200, page[1], { link: '<https://other.example/wp-json/>; rel="https://api.w.org/"' }] },
      '',
      5,
      'has its API at https://other.example/wp-json/, on another host',
    ],
    [
      'a list without totals',
      { '/': page, '/wp-json/': [200, index('a/events/v1')], '/wp-json/a/events/v1/events?per_page=50': [200, '{"events":[]}'] },
      '',
      5,
      'returned no header with the number of events',
    ],
  ])('%s', async (_what, site, more, code, message) => {
    const { exit, stdout, stderr } = await detect(site, more);
    expect([exit, stdout]).toEqual([code, '']);
    expect(stderr).toContain(message);
  });
});
