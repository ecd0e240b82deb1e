import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openCalendar } from '../../../src/store/calendar.ts';
import { assets } from '../../../src/web/assets.ts';
import { folder, run } from '../../support/transcript.ts';

const { path: root, remove } = folder();
afterAll(remove);

let cwd: string;
let number = 0;
// Compiling the page takes most of the time.
beforeAll(assets);
beforeEach(() => {
  cwd = join(root, `${++number}`);
  mkdirSync(join(cwd, 'program', 'web'), { recursive: true });
  for (const name of ['calendar.js', 'web/single.mjs', 'web/sqlite.wasm']) writeFileSync(join(cwd, 'program', name), `content of ${name}`);
});

const build = (...args: string[]) =>
  run(['build', ...args], { cwd, self: [process.execPath, join(cwd, 'program', 'calendar.js')], env: { CALENDAR_NOW: '' } });

/** The files of a folder, as paths from it. */
const filesIn = (name = 'site') =>
  readdirSync(join(cwd, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(cwd, name).length + 1))
    .sort();
const read = (name: string, site = 'site') => readFileSync(join(cwd, site, name), 'utf8');
const configuration = (site = 'site') => JSON.parse(/serveSite\((.*)\)/.exec(read('calendar-worker.js', site))![1]!);

/** Writes a file with a user, and with records that visitors do not see. Returns the texts that are not for everyone. */
async function writeCalendar() {
  const store = await openCalendar(join(cwd, 'calendar.db'), { mode: 'write', now: Date.now });
  const event = { title: 'Event', start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' };
  await store.change(({ users, events, tags }) => {
    users.add({ name: 'zelda', role: 'editor', password: 'secret of zelda' });
    events.create(event);
    const { id } = tags.create({ name: 'Erased' }) as { id: number };
    tags.delete({ id });
    events.create({ ...event, status: 'draft', title: 'A draft' });
    events.create({ ...event, post_password: 'secret of a record', title: 'Protected' });
  });
  const hashes = store.db.all<{ password: string }>('select password from users').map(({ password }) => password);
  await store.close();
  return ['zelda', 'secret of', 'Erased', ...hashes];
}

describe('calendar build', () => {
  it('writes a site with a seed, whose files have the hashes of their content in their names', async () => {
    expect(await build('site', '--seed', 'minimal')).toEqual({ stdout: `${join(cwd, 'site')}\n`, stderr: '', exit: 0 });
    expect(
      filesIn()
        .map((name) => name.replace(/-[\da-zA-Z]{8,16}\./, '-HASH.'))
        .sort(),
    ).toEqual([
      '.nojekyll',
      '404.html',
      ...['calendar-HASH.js', 'icon-HASH.svg', 'main-HASH.css', 'main-HASH.js', 'site.json', 'sqlite-HASH.wasm'].map(
        (name) => `calendar-files/${name}`,
      ),
      'calendar-worker.js',
      'index.html',
    ]);
    expect(configuration()).toMatchObject({
      options: { seed: 'minimal', basePath: '/wp-json', namespace: 'calendar/events/v1', journal: 500 },
      seed: 'minimal',
    });
    expect(read('index.html')).toBe(read('404.html'));
  });

  it('writes the same files for the same content, and another version for each other', async () => {
    await writeCalendar();
    const contents = async (...args: string[]) => {
      rmSync(join(cwd, 'site'), { recursive: true, force: true });
      await build('site', ...args);
      return Object.fromEntries(filesIn().map((name) => [name, read(name)]));
    };
    const first = await contents();
    expect(await contents()).toEqual(first);
    const versions = [
      first,
      await contents('--namespace', 'brand/events/v1'),
      await contents('--seed', 'demo'),
      await contents('--delay', '100'),
    ];
    expect(new Set(versions.map((files) => /"version":"(\w+)"/.exec(files['calendar-worker.js']!)![1])).size).toBe(versions.length);
  });

  it('publishes the calendar of a file without users, passwords and what was deleted, and says what it contains', async () => {
    const secrets = await writeCalendar();
    const { stderr, exit } = await build('site');
    expect([exit, stderr.split('\n')]).toEqual([
      0,
      [
        'calendar: Left out 1 user: everyone may read and change everything in their own copy',
        'calendar: The site contains 2 records that visitors do not see on a live site: drafts, private, scheduled and protected ones, and the trash',
        '',
      ],
    ]);
    const name = filesIn().find((each) => each.endsWith('.db'))!;
    const whole = filesIn()
      .map((each) => readFileSync(join(cwd, 'site', each), 'latin1'))
      .join();
    expect(['A draft', ...secrets].filter((text) => whole.includes(text))).toEqual(['A draft']);
    expect(secrets).toHaveLength(4);
    const image = new Uint8Array(readFileSync(join(cwd, 'site', name)));
    const store = await openCalendar(':memory:', { mode: 'write', now: Date.now, image });
    const rows = store.db.all('select title, post_password as password from events order by id');
    const users = store.users.list();
    await store.close();
    expect([users, rows]).toEqual([
      [],
      [
        { title: 'Event', password: '' },
        { title: 'A draft', password: '' },
        { title: 'Protected', password: 'password' },
      ],
    ]);
  });

  it('publishes a fixture without users and passwords, whose dates follow the clock of the browser', async () => {
    const fixture = {
      users: [{ name: 'zelda', role: 'editor', password: 'secret of zelda' }],
      events: { a: { title: 'A', start_date: 'tomorrow 10:00', end_date: 'tomorrow 11:00', post_password: 'secret of a record' } },
    };
    writeFileSync(join(cwd, 'ours.json'), JSON.stringify(fixture));
    const { exit, stderr } = await build('site', '--seed', 'ours.json', '--timezone', 'Europe/Paris');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('Left out 1 user')]);
    const name = filesIn().find((each) => each.endsWith('.json') && each.includes('calendar-files/calendar'))!;
    expect(JSON.parse(read(name))).toEqual({ events: { a: { ...fixture.events.a, post_password: 'password' } } });
    expect(configuration()).toMatchObject({ options: { timezone: 'Europe/Paris' }, seed: 'ours.json' });
  });

  it('takes the shape of a site from the configuration of the project; the folder is where the site is published', async () => {
    writeFileSync(
      join(cwd, 'calendar.config.json'),
      JSON.stringify({ serve: { basePath: '/blog/wp-json', namespace: 'brand/events/v1', port: 9000 } }),
    );
    await build('site', '--seed', 'minimal');
    expect(configuration().options).toMatchObject({ basePath: '/wp-json', namespace: 'brand/events/v1' });
  });

  it('replaces its own files and removes those that it no longer needs, and leaves others', async () => {
    await build('site', '--seed', 'minimal');
    const before = filesIn();
    writeFileSync(join(cwd, 'site', 'own.txt'), 'own');
    writeFileSync(join(cwd, 'program', 'web', 'single.mjs'), 'another program');
    expect((await build('site', '--seed', 'minimal')).exit).toBe(0);
    const after = filesIn();
    expect(after.filter((name) => !before.includes(name))).toEqual([expect.stringMatching(/calendar-files\/calendar-\w+\.js/), 'own.txt']);
    expect(before.filter((name) => !after.includes(name))).toEqual([expect.stringMatching(/calendar-files\/calendar-\w+\.js/)]);
  });

  it('adds its files to those of an app with --force, and keeps the pages of the app', async () => {
    mkdirSync(join(cwd, 'site'));
    writeFileSync(join(cwd, 'site', 'index.html'), 'the app');
    const refused = await build('site', '--seed', 'minimal');
    expect(refused).toEqual({
      stdout: '',
      stderr: `calendar: ${join(cwd, 'site')} is not empty\n  Choose another folder, or pass --force to add the site to its files.\n`,
      exit: 6,
    });
    expect(filesIn()).toEqual(['index.html']);
    const { exit, stderr } = await build('site', '--seed', 'minimal', '--force');
    expect([exit, stderr]).toEqual([0, 'calendar: Kept index.html. The page of the calendar is at _calendar/page/\n']);
    expect(read('index.html')).toBe('the app');
    expect(filesIn()).toContain('404.html');
    // It is still that of the app, also without --force.
    expect((await build('site', '--seed', 'demo')).exit).toBe(0);
    expect(read('index.html')).toBe('the app');
  });

  it('keeps a page that was changed since', async () => {
    await build('site', '--seed', 'minimal');
    writeFileSync(join(cwd, 'site', 'index.html'), 'the app');
    expect((await build('site', '--seed', 'minimal')).stderr).toContain('Kept index.html');
    expect(read('index.html')).toBe('the app');
  });

  it.each([
    ['a worker of another program', ['site', '--seed', 'minimal', '--force'], 'calendar-worker.js is another file', 6],
    ['a seed and a file', ['site', '--seed', 'minimal', '--db', 'x.db'], 'Use either --seed or --db, not both', 2],
    ['a missing file', ['site', '--db', 'x.db'], 'x.db: no such calendar\n  Create one with calendar seed, or pass --db FILE.', 3],
    ['a server', ['site', '--profile', 'live'], 'is a server, and this command needs a file', 2],
    ['an invalid fixture', ['site', '--seed', 'bad.json'], 'bad.json', 2],
    ['an invalid namespace', ['site', '--seed', 'minimal', '--namespace', '../x'], 'Invalid API path', 2],
    ['a file in place of the folder', ['bad.json', '--seed', 'minimal'], 'bad.json is not a folder', 6],
    ['a folder that cannot be created', ['bad.json/site', '--seed', 'minimal'], 'bad.json/site', 3],
  ])('refuses %s, and writes nothing', async (_, args, message, exit) => {
    mkdirSync(join(cwd, 'site'));
    writeFileSync(join(cwd, 'site', 'calendar-worker.js'), 'another worker');
    writeFileSync(join(cwd, 'bad.json'), '{"events": 1}');
    writeFileSync(join(cwd, 'calendar.config.json'), JSON.stringify({ profiles: { live: { url: 'https://example.org/wp-json' } } }));
    const result = await build(...args, ...(args.includes('--force') ? [] : ['--force']));
    expect([result.stderr, result.stdout]).toEqual([expect.stringContaining(message), '']);
    expect(result.exit).toBe(exit);
    expect(filesIn()).toEqual(['calendar-worker.js']);
    expect(read('calendar-worker.js')).toBe('another worker');
  });

  it('needs the web build of the package beside the program', async () => {
    rmSync(join(cwd, 'program', 'web'), { recursive: true });
    const { stderr, exit, stdout } = await build('site', '--seed', 'minimal');
    expect([exit, stdout, stderr]).toEqual([
      3,
      '',
      expect.stringMatching(
        /^calendar: .*program\/web is missing.*\n {2}Run the calendar of the installed package.*: npx calendar build\.\n$/,
      ),
    ]);
    expect(existsSync(join(cwd, 'site'))).toBe(false);
  });
});
