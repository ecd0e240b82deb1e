import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from '../../support/served.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
let server: Served;

beforeAll(async () => {
  server = await served({ basePath: '/wp-json' });
  await at('tags create --name here');
  await at('tags create --name there --db other.db');
  await server.store.change((desk) => desk.tags.create({ name: 'served' }));
  await server.store.change(() => server.store.users.add({ name: 'ada', role: 'editor', password: 'pässword' }));
});
afterAll(async () => {
  await server.close();
  place.remove();
});

const names = '--no-hide-empty --template {{name}}';
const config = (value: unknown, mode = 0o600, folders: string[] = []) => {
  const home = join(place.path, 'home', ...folders);
  mkdirSync(join(home, '.config', 'calendar'), { recursive: true });
  const file = join(home, '.config', 'calendar', 'config.json');
  writeFileSync(file, JSON.stringify(value));
  chmodSync(file, mode);
  return { HOME: home };
};

describe('which calendar', () => {
  it('takes the option before the environment, a URL before a file, and this folder last', async () => {
    const base = `${server.url}/wp-json`;
    const CALENDAR_DB = 'other.db';
    const CALENDAR_URL = base;
    const home = config({ profile: 'mine', profiles: { mine: { db: '../../../other.db' }, far: { url: base } } });
    const rows: [string, Record<string, string>, string][] = [
      ['', {}, 'here'],
      ['', { CALENDAR_DB }, 'there'],
      ['', { CALENDAR_URL, CALENDAR_DB }, 'served'],
      ['--db other.db', { CALENDAR_URL }, 'there'],
      [`--url ${base}`, { CALENDAR_DB }, 'served'],
      ['', home, 'there'],
      ['--profile far', home, 'served'],
      ['', { ...home, CALENDAR_PROFILE: 'far' }, 'served'],
      ['--profile far', { ...home, CALENDAR_DB }, 'served'],
      ['--db calendar.db', home, 'here'],
      ['', { ...home, CALENDAR_DB: 'calendar.db' }, 'here'],
    ];
    for (const [options, env, expected] of rows) {
      const { stdout, stderr } = await at(`tags list ${names} ${options}`, { env });
      expect([options, Object.keys(env), stdout + stderr]).toEqual([options, Object.keys(env), `${expected}\n`]);
    }
  });

  it.each(['/wp-json', '/wp-json/', '/wp-json/calendar/events/v1', '/wp-json/calendar/events/v1/'])(
    'takes the address %s',
    async (path) => {
      expect(await at(`tags list ${names} --url ${server.url}${path}`)).toEqual({ stdout: 'served\n', stderr: '', exit: 0 });
    },
  );

  it.each(['127.0.0.1:PORT/wp-json', 'localhost:PORT/wp-json', ':PORT/wp-json'])('takes this machine as %s', async (address) => {
    const url = address.replace('PORT', new URL(server.url).port);
    expect(await at(`tags list ${names} --url ${url}`)).toEqual({ stdout: 'served\n', stderr: '', exit: 0 });
  });

  it.each([
    ['calendar.invalid', 'https://calendar.invalid'],
    ['calendar.invalid:81/wp-json', 'https://calendar.invalid:81'],
    ['far:81', 'https://far:81'],
    ['[::1]:9', 'http://[::1]:9'],
    ['127.0.0.1:9', 'http://127.0.0.1:9'],
  ])('takes %s for %s', async (text, origin) => {
    const { stderr } = await at(`tags list --url ${text} --timeout 5`);
    expect(stderr).toContain(`Cannot reach ${origin}: `);
  });

  it('finds the profiles of a project from below it', async () => {
    const below = join(place.path, 'a', 'b');
    mkdirSync(below, { recursive: true });
    writeFileSync(join(place.path, 'a', 'calendar.config.json'), JSON.stringify({ profile: 'p', profiles: { p: { db: '../other.db' } } }));
    expect((await run(words(`tags list ${names} -v`), { cwd: below })).stderr).toBe(
      `calendar: ${join(place.path, 'other.db')} (profile "p" in ${join(place.path, 'a', 'calendar.config.json')})\n`,
    );
  });

  it('names the selected one with -v', async () => {
    expect((await at('tags list -v')).stderr).toBe(`calendar: ${join(place.path, 'calendar.db')} (this folder)\n`);
    const root = `${server.url}/wp-json/calendar/events/v1`;
    const { stderr } = await at(`tags list -v --url ${server.url}/wp-json`);
    expect(stderr.replace(/\d+ ms/, 'x ms')).toBe(
      `calendar: ${root} (--url)\ncalendar: GET ${root}/tags?hide_empty=false&per_page=50 200 in x ms\n`,
    );
  });

  it.each([
    ['tags list --db nowhere.db', 3, /.*nowhere\.db: no such calendar\n {2}Create one/],
    ['tags list --url http://127.0.0.1:9 --timeout 2', 5, /Cannot reach http:\/\/127\.0\.0\.1:9: connection refused/],
    ['tags list --url http://127.0.0.1:9 --timeout 1s500ms', 5, /Cannot reach http:\/\/127\.0\.0\.1:9: connection refused/],
    ['tags list --url ftp://example.org', 2, /Invalid URL/],
    ['tags list --url nonsense', 2, /Invalid URL/],
    ['tags list --url http://a:b@example.org', 2, /is visible to every user/],
    ['tags list --url http://example.org --user a:b', 2, /is visible to every user/],
    ['tags list --url http://a --db b', 2, /Use either/],
    ['tags list --profile unknown', 2, /Unknown profile "unknown"/],
    ['tags list --timeout soon', 2, /Expected a number of seconds/],
    ['tags list --now later', 2, /Invalid instant "later"/],
    ['tags list --password-stdin --url http://127.0.0.1:9', 2, /--password-stdin requires --user/],
    ['tags list --user ada --url http://127.0.0.1:9', 2, /Missing password for "ada"/],
  ])('%s', async (line, exit, message) => {
    const result = await at(line);
    expect(result).toMatchObject({ stdout: '', exit });
    expect(result.stderr).toMatch(message);
  });
});

describe('as whom', () => {
  const create = () => `tags create --name t${Math.floor(performance.now() * 1000)} --quiet --url ${server.url}/wp-json`;

  it('is a visitor without credentials', async () => {
    expect(await at(create())).toMatchObject({ exit: 4, stderr: expect.stringContaining('--user NAME') });
  });

  it.each([
    ['the environment', '', { CALENDAR_USER: 'ada', CALENDAR_PASSWORD: 'pässword' }, undefined, 0],
    ['--user and the environment', '--user ada', { CALENDAR_PASSWORD: 'pässword' }, undefined, 0],
    ['stdin', '--user ada --password-stdin', {}, 'pässword\n', 0],
    ['a wrong password', '--user ada --password-stdin', {}, 'wrong', 4],
    ['a stranger', '--user eve --password-stdin', {}, 'pässword', 4],
  ])('takes %s', async (_, options, env, stdin, exit) => {
    expect((await at(`${create()} ${options}`, { env, stdin })).exit).toBe(exit);
  });

  it('saves a profile to a file that only its owner may read', async () => {
    const profiles = { far: { url: `${server.url}/wp-json`, user: 'ada', password: 'pässword' } };
    const line = `${create().replace(/ --url .*/, '')} --profile far`;
    expect((await at(line, { env: config({ profiles }) })).exit).toBe(0);
    const open = await at(line, { env: config({ profiles }, 0o644, ['open']) });
    expect(open).toMatchObject({ exit: 2, stderr: expect.stringMatching(/is readable by others\n {2}Run: chmod 600/) });
  });

  it.each([
    ['pull --profile far --db pulled.db', 0, /^calendar: Pulled from http\S+: /m],
    ['diff --profile far --db pulled.db', 0, /^$/],
    ['push --profile far --db pulled.db', 0, /^calendar: Pushed to http\S+: /m],
    ['push --db pulled.db', 2, /^calendar: Missing URL\n {2}The calendar is a copy of http/],
    ['pull --profile file --db pulled.db', 2, /^calendar: Missing URL\n/],
  ])('%s takes the address from the profile', async (line, exit, stderr) => {
    const far = { url: `${server.url}/wp-json`, user: 'ada', password: 'pässword' };
    const answer = await at(line, { env: config({ profiles: { far, file: { db: 'other.db' } } }) });
    expect(answer).toMatchObject({ exit, stderr: expect.stringMatching(stderr) });
  });

  it('verifies the password of a named user of a file', async () => {
    const env = { CALENDAR_PASSWORD: 'secret' };
    expect(await at('users add bob --role contributor --db roles.db', { env })).toMatchObject({
      exit: 0,
      stdout: 'Added contributor bob (ID 2)\n',
    });
    expect((await at('tags create --name x --db roles.db')).exit).toBe(0);
    expect((await at('tags create --name y --db roles.db --user bob', { env })).exit).toBe(4);
    expect((await at('tags list --db roles.db --user bob', { env: { CALENDAR_PASSWORD: 'wrong' } })).exit).toBe(4);
    expect((await at('request DELETE /tags/3 --db roles.db --user bob', { env })).exit).toBe(4);
    // The variable counts like the option.
    const named = { ...env, CALENDAR_USER: 'bob' };
    expect((await at('tags create --name y --db roles.db', { env: named })).exit).toBe(4);
    expect((await at('tags list --db roles.db', { env: named })).exit).toBe(0);
    expect(await at('tags list --db roles.db', { env: { ...named, CALENDAR_PASSWORD: 'wrong' } })).toMatchObject({ exit: 4, stdout: '' });
    expect(await at('tags list --db roles.db', { env: { CALENDAR_USER: 'bob' } })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Missing password for "bob"'),
    });
    // Work on the file itself is its owner's.
    expect((await at('users list --db roles.db', { env: { CALENDAR_USER: 'bob' } })).exit).toBe(0);
    // An author is named, too.
    const event = 'events create --title x --start-date tomorrow --end-date tomorrow --db roles.db --json=author';
    expect((await at(`${event} --author bob`)).stdout).toContain('"author": "2"');
    expect(await at(`${event} --author bo`)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('"hint":"Did you mean bob (2)?"'),
    });
  });
});

it.each([
  ['{', '', /config\.json: invalid JSON at line 1, column 2: unexpected end of the text\n$/],
  ['[]', '', /expected object/],
  ['{"profil": "a"}', '', /calendar\.config\.json: Unknown key "profil"\n {2}Did you mean profile/],
  ['{"profiles": {"a": {"ulr": "x"}}}', '--profile a', /profiles\.a: Unknown key "ulr"\n {2}Did you mean url or user\?/],
  ['{"profiles": {"a": {"color": "x"}}}', '--profile a', /Unknown key "color"\n {2}Keys are url, db, namespace, user, password, headers\./],
  ['{"profiles": {"a": {"url": 7}}}', '--profile a', /calendar\.config\.json: profiles\.a\.url: .*expected string/],
  ['{"profiles": {"a": {"ulr": "x"}, "good": {"db": "good.db"}}}', '--profile goood', /Unknown profile "goood"\n {2}Did you mean good\?/],
  ['{"profiles": {"a": {}}}', '--profile other', /Unknown profile "other"\n {2}Profiles are a \(.*calendar\.config\.json\)\./],
  ['{"profile": "lost"}', '', /calendar\.config\.json: Unknown profile "lost"\n {2}Add it to .*calendar\.config\.json\./],
])('refuses a file of profiles like %s with %s', async (text, options, message) => {
  const cwd = mkdtempSync(join(place.path, 'config-'));
  writeFileSync(join(cwd, 'calendar.config.json'), text);
  const { exit, stderr } = await run(words(`tags list ${options}`), { cwd });
  expect(stderr).toMatch(message);
  expect(exit).toBe(2);
});

it('a mistake in one profile does not affect the others, nor does an unused password', async () => {
  const cwd = mkdtempSync(join(place.path, 'config-'));
  const profiles = { bad: { ulr: 'x' }, secret: { url: 'http://127.0.0.1:9', user: 'a', password: 'b' }, good: { db: '../other.db' } };
  writeFileSync(join(cwd, 'calendar.config.json'), JSON.stringify({ profiles }), { mode: 0o644 });
  expect(await run(words(`tags list ${names} --profile good`), { cwd })).toEqual({ stdout: 'there\n', stderr: '', exit: 0 });
  expect((await run(words('tags list --profile secret'), { cwd })).stderr).toContain('is readable by others');
});

describe('an address in the project’s file', () => {
  const base = () => `${server.url}/wp-json`;
  const profiles = (url: string, more: object = {}) => JSON.stringify({ profile: 'p', profiles: { p: { url, ...more } } });
  /** A folder with a project's file in it, or with the user's own. */
  const folderWith = (text: string, whose: 'project' | 'user') => {
    const cwd = mkdtempSync(join(place.path, 'secrets-'));
    const file = whose === 'project' ? join(cwd, 'calendar.config.json') : join(cwd, 'config', 'calendar', 'config.json');
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text, { mode: 0o600 });
    return { cwd, env: { XDG_CONFIG_HOME: join(cwd, 'config') } };
  };
  const ada = { CALENDAR_USER: 'ada', CALENDAR_PASSWORD: 'pässword' };

  it.each([
    ['user and password', {}, ada, 'CALENDAR_USER'],
    ['the password of the user that it names', { user: 'ada' }, { CALENDAR_PASSWORD: 'pässword' }, 'CALENDAR_PASSWORD'],
  ])('is not sent %s of the environment', async (_what, more, secrets, name) => {
    const { cwd, env } = folderWith(profiles(base(), more), 'project');
    const { exit, stdout, stderr } = await run(words('tags list'), { cwd, env: { ...env, ...secrets } });
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`${name} to ${base()}`);
    expect(stderr).toContain(`Pass --url ${base()}`);
  });
  it('is not sent a control token of the environment', async () => {
    const { cwd, env } = folderWith(profiles(base()), 'project');
    const { exit, stderr } = await run(words('users list'), { cwd, env: { ...env, CALENDAR_CONTROL_TOKEN: 'secret' } });
    expect([exit, stderr]).toEqual([2, expect.stringContaining('Refusing to send CALENDAR_CONTROL_TOKEN')]);
  });
  it('sends the password of the profile, the one typed, or none', async () => {
    const own = folderWith(profiles(base(), { user: 'ada', password: 'pässword' }), 'project');
    const list = (options: string, { cwd, env }: typeof own, more: object = {}, stdin?: string) =>
      run(words(`tags list ${options}`), { cwd, env: { ...env, ...more }, stdin });
    expect((await list('', own, { CALENDAR_PASSWORD: 'wrong' })).exit).toBe(0);
    const bare = folderWith(profiles(base()), 'project');
    expect((await list('', bare)).exit).toBe(0);
    expect((await list('--user ada --password-stdin', bare, {}, 'pässword\n')).exit).toBe(0);
    expect((await list(`--url ${base()}`, bare, ada)).exit).toBe(0);
  });
  it('receives them if it is in the user’s own file', async () => {
    const { cwd, env } = folderWith(profiles(base()), 'user');
    expect((await run(words('tags list'), { cwd, env: { ...env, ...ada } })).exit).toBe(0);
    expect((await run(words('tags list'), { cwd, env: { ...env, ...ada, CALENDAR_PASSWORD: 'wrong' } })).exit).toBe(4);
  });
  it('is not read from a file of another user', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'needs the right to change owners');
    const { cwd, env } = folderWith(profiles('http://127.0.0.1:9'), 'project');
    chownSync(join(cwd, 'calendar.config.json'), 12_345, 12_345);
    const { exit, stderr } = await run(words('tags create --name a'), { cwd, env });
    expect([exit, stderr]).toEqual([0, expect.stringContaining('which belongs to another user')]);
  });
});
