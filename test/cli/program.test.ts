import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { folder, run, words } from '../support/transcript.ts';

const place = folder();
const at = (line: string, given = {}) => run(words(line), { cwd: place.path, ...given });
afterAll(place.remove);

beforeAll(async () => {
  await at("events create --title Concert --start-date '2026-12-01 20:00' --end-date '2026-12-01 23:00' --tags jazz");
  await at("venues create --venue 'City Hall' --city Springfield");
});

describe.each([
  ['list', 'events list', ''],
  ['get', 'events get', 'concert'],
  ['update', 'events update --title Concert', 'concert'],
])('--json of %s', (_, command, name) => {
  const membersOf = async (line: string) => {
    const { stdout, exit } = await at(`${command} ${line}`);
    expect([line, exit]).toEqual([line, 0]);
    return Object.keys([JSON.parse(stdout)].flat()[0]);
  };

  it('prints whole records', async () => {
    expect(await membersOf(`${name} --json`)).toEqual(expect.arrayContaining(['id', 'title', 'description']));
    expect(await membersOf(`--json ${name}`)).toContain('description');
  });

  it.each([
    ['--json title,id', ['title', 'id']],
    ['--json=title', ['title']],
    ['--json=title,venue.city', ['title', 'venue']],
  ])('selects fields with %s', async (option, members) => {
    expect(await membersOf(`${name} ${option}`)).toEqual(members);
    expect(await membersOf(`${option} ${name}`)).toEqual(members);
  });

  it('is not followed by the name of one field', async () => {
    const { stdout, stderr, exit } = await at(`${command} --json title`);
    expect({ stdout, exit }).toEqual({ stdout: '', exit: name === '' ? 2 : 3 });
    expect(JSON.parse(stderr)).toMatchObject(
      name === '' ? { hint: 'To select fields, use --json=title.' } : { message: expect.stringContaining('"title"') },
    );
  });

  it('can be followed by an ID', async () => {
    const { stdout, stderr, exit } = await at(`${command} --json 8`);
    if (name === '') expect([exit, JSON.parse(stderr).message]).toEqual([2, expect.stringContaining('Unexpected argument "8"')]);
    else expect([exit, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ id: 8, title: 'Concert' })]);
  });
});

describe('missing things', () => {
  it.each([
    ['events get 999', '999', undefined],
    ['venues get 999', 'No venue has the ID 999', 'See: calendar venues list'],
    ['events get 99999999999999999999', 'No event has the ID 99999999999999999999', 'See: calendar events list'],
    ['tags get 9007199254740993', 'No tag has the ID 9007199254740993', 'See: calendar tags list'],
    ['venues get city-hal', 'No venue has the slug or name "city-hal"', 'Did you mean city-hall (9)?'],
    ['tags delete 999', 'No tag has the ID 999', 'See: calendar tags list'],
    ['venues update nowhere --city x', 'No venue has the slug or name "nowhere"', undefined],
    ['request GET /nothing', 'GET /nothing returned 404', undefined],
  ])('%s', async (line, message, hint) => {
    const { stderr, exit } = await at(line);
    expect(exit).toBe(3);
    expect(stderr).toContain(message);
    if (hint) expect(stderr).toContain(hint);
  });

  it('tells programs in JSON', async () => {
    const { stdout, stderr, exit } = await at('venues get 999 --json');
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 3 });
    expect(JSON.parse(stderr)).toEqual({
      code: 'not-found',
      message: 'No venue has the ID 999',
      data: { status: 404 },
      hint: 'See: calendar venues list',
    });
  });
});

describe('help', () => {
  it.each([
    ['', 'calendar events list --from now'],
    ['--help', 'Usage: calendar [options] [command]'],
    ['events', 'Usage: calendar events'],
    ['events list --help', 'calendar events list --from now'],
    ['help events create', '--title <text>'],
    ['events', 'calendar events delete 12 --dry-run'],
    ['events help', 'Usage: calendar events'],
    ['events help list', '--starts-after <date>'],
    ['db help backup', 'Write a consistent copy'],
    ['settings set --help', 'timezone, title, per_page, home, radius, currency,'],
    ['help exit-codes', '  8    Partial failure'],
    ['help environment', 'CALENDAR_URL'],
    ['help formats', 'ndjson'],
    ['help dates', 'tomorrow 9am'],
    ['help dates', '--from now'],
    ['-V', project.version],
    ['version', project.version],
  ])('calendar %s', async (line, text) => {
    const { stdout, stderr, exit } = await at(line);
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 });
    expect(stdout).toContain(text);
  });

  it('shows examples first, commands before options', async () => {
    const { stdout } = await at('--help');
    const places = ['Examples:', 'Usage:', 'Records:', 'Views:', 'Global options:'].map((heading) => stdout.indexOf(heading));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it.each([
    ['events list', ['--db', '--url', '--profile', '--namespace', '--user', '--password-stdin', '--timeout', '--now']],
    ['db info', ['--db', '--profile', '--timeout', '--now']],
    ['serve', ['--db', '--profile', '--namespace', '--user', '--password-stdin', '--timeout', '--now']],
    ['diff', ['--db', '--profile', '--namespace', '--user', '--password-stdin', '--timeout', '--now']],
    ['completion', []],
  ])('%s names the calendar by %j', async (line, flags) => {
    const { stdout } = await at(`${line} --help`);
    const all = ['--db', '--url', '--profile', '--namespace', '--user', '--password-stdin', '--timeout', '--now'];
    const block = stdout.slice(stdout.indexOf('Global options'));
    expect(all.filter((flag) => block.includes(`${flag} `) || block.includes(`${flag}\n`))).toEqual(flags);
    expect(stdout).not.toContain('Global options:');
  });

  it('lists each choice once, the default first', async () => {
    expect((await at('events update --help')).stdout).toMatch(/--status <status> +Publication status: publish, future/);
    expect((await at('serve --help --all')).stdout).toMatch(/\(none\)[^-]*\(default full\)/);
    expect((await at('completion --help')).stdout).toContain('Shell: bash, zsh, fish, powershell');
  });

  it.each(['serve', 'exec'])('lists the common options of %s, and all with --all', async (name) => {
    const rows = (text: string) =>
      [...text.split('Global options')[0]!.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)(?: <\w+>)? {2}/gm)].map(([, flag]) => flag!);
    const { stdout } = await at(`${name} --help`);
    const common = rows(stdout);
    expect(stdout).toContain(`\nMore options: calendar ${name} --help --all\n`);
    expect(common).toEqual(expect.arrayContaining(['--memory', '--port', '--seed', '--fail']));
    expect(common.length).toBeLessThanOrEqual(12);
    const all = (await at(`${name} --help --all`)).stdout;
    expect(rows(all)).toEqual(expect.arrayContaining([...common, '--header-prefix', '--world-ttl', '--no-page']));
    expect(all).not.toContain('More options');
    expect((await at(`help ${name} --all`)).stdout).toBe(all);
  });
});
