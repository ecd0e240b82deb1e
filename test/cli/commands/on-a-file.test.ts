import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { attended } from '../../support/attended.ts';
import { folder, type Given, run, words } from '../../support/transcript.ts';

const place = folder();
const at = (line: string, given: Given = {}) => run(words(line), { cwd: place.path, ...given });
const path = (name: string) => join(place.path, name);
afterAll(place.remove);
beforeAll(async () => {
  await at('tags create --name One');
});

describe('settings', () => {
  it.each([
    ['settings get timezone', 'UTC\n'],
    ['settings set timezone Europe/Paris', ''],
    ['settings get timezone', 'Europe/Paris\n'],
    ['events create --title x --start-date 2027-07-01 --end-date 2027-07-01 --json=timezone', '{\n  "timezone": "Europe/Paris"\n}\n'],
    ['settings set per_page 1', ''],
    ['events list --format ids --status publish', '8\n'],
  ])('%s', async (line, stdout) => {
    expect(await at(line)).toEqual({ stdout, stderr: '', exit: 0 });
  });

  it('lists them all', async () => {
    expect((await at('settings list')).stdout).toMatch(/^timezone +Europe\/Paris +Time zone of the calendar/m);
    expect(JSON.parse((await at('settings list --json')).stdout)).toMatchObject({ timezone: 'Europe/Paris', per_page: '1' });
  });

  it.each([
    ['settings get timezon', 2, 'Invalid setting "timezon"\n  Did you mean timezone?'],
    ['settings set timezone Nowhere', 2, 'must be a time zone'],
    ['settings set per_page 51', 2, 'must be a whole number'],
    ['settings get title --db nowhere.db', 3, 'no such calendar'],
  ])('refuses %s', async (line, exit, message) => {
    const result = await at(line);
    expect(result).toMatchObject({ stdout: '', exit });
    expect(result.stderr).toContain(message);
  });
});

describe('shift', () => {
  it.each(['-P99999Y', '-P2027Y', 'P99999Y'])('by %s moves nothing: no calendar keeps days of such years', async (by) => {
    const days = async () => (await at('events list --status publish --json=start_date --start-date 2000-01-01')).stdout;
    const before = await days();
    expect(await at(`shift --by=${by}`)).toMatchObject({
      stdout: '',
      stderr: expect.stringMatching(/^calendar: The date \S+ \S+ is outside the years 1 to 9999\n/),
      exit: 2,
    });
    expect(await days()).toBe(before);
  });
});

it.each(['next monday 5', '2027-02-30', '12'])('--now %j is refused', async (now) => {
  expect(await run(['events', 'list', '--now', now], { cwd: place.path })).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining(`Invalid instant ${JSON.stringify(now)}`),
    exit: 2,
  });
});

it('a failure as JSON holds nothing that a terminal obeys', async () => {
  const { stderr } = await run(['events', 'get', '\u202egnp\u009b31m', '--json'], { cwd: place.path });
  expect(stderr).toContain('\\u202egnp\\u009b31m');
  expect(JSON.parse(stderr).message).toContain('\u202egnp\u009b31m');
});

describe('users', () => {
  it('adds, lists and removes', async () => {
    expect(await at('users add ada --role editor', { stdin: 'secret\n' })).toMatchObject({
      stdout: 'Added editor ada (ID 2)\n',
      exit: 0,
    });
    expect((await at('users add bob --role author --json', { env: { CALENDAR_PASSWORD: 'p' } })).stdout).toBe(
      '{"id":3,"name":"bob","role":"author"}\n',
    );
    expect((await at('users list')).stdout).toBe('2  ada  editor\n3  bob  author\n');
    expect((await at('users remove ada')).stdout).toBe('Removed ada\n');
    expect(JSON.parse((await at('users list --json')).stdout)).toEqual([{ id: 3, name: 'bob', role: 'author' }]);
    expect(readFileSync(path('calendar.db')).includes('secret')).toBe(false);
  });

  it.each([
    ['users add bob --role author', 6, 'User "bob" already exists'],
    ['users add eve --role edtor', 2, 'Did you mean editor?'],
    ['users add eve', 2, 'Missing required option --role <role>'],
    ["users add 'e ve' --role editor", 2, 'must be 1 to 60 characters without spaces or colons'],
    ['users remove eve', 3, 'User "eve" not found'],
    ['users passwd eve', 3, 'User "eve" not found'],
    ['users set-role eve editor', 3, 'User "eve" not found'],
    ['users set-role bob boss', 2, 'Expected one of administrator'],
  ])('refuses %s', async (line, exit, message) => {
    const result = await at(line, { stdin: 'p' });
    expect(result).toMatchObject({ stdout: '', exit });
    expect(result.stderr).toContain(message);
  });

  it('changes password and role', async () => {
    const as = (password: string, line: string) => at(`${line} --db who.db --user eve`, { env: { CALENDAR_PASSWORD: password } });
    await at('users add eve --role contributor --db who.db', { env: { CALENDAR_PASSWORD: 'old' } });
    expect((await as('old', 'tags create --name a')).exit).toBe(4);
    expect(await at('users set-role eve editor --db who.db')).toMatchObject({ stdout: 'Changed the role of eve to editor\n', exit: 0 });
    expect((await as('old', 'tags create --name a')).exit).toBe(0);
    expect(await at('users passwd eve --db who.db', { stdin: 'new\n' })).toMatchObject({
      stdout: 'Changed the password of eve\n',
      exit: 0,
    });
    expect((await as('old', 'tags list')).exit).toBe(4);
    expect((await as('new', 'tags list')).exit).toBe(0);
    expect((await at('users list --db who.db')).stdout).toBe('2  eve  editor\n');
  });

  it.each([
    ['the same', 'seen', 'seen', 0, 'Changed the password of eve\n'],
    ['another', 'seen', 'sean', 2, ''],
  ])('prompts twice, since the input is hidden: %s', async (_, first, second, exit, says) => {
    const { terminal, type, sees } = attended(place.path);
    await at('users add eve --role editor --db typed.db', { stdin: 'p' });
    const done = main(['users', 'passwd', 'eve', '--db', 'typed.db'], terminal);
    await sees('Password: ');
    type(`${first}\r`);
    await sees('Repeat password: ');
    type(`${second}\r`);
    expect(await done).toBe(exit);
    expect(terminal.stdout.read() ?? '').toBe(says);
    await at('users remove eve --db typed.db');
  });

  it('wants a password', async () => {
    expect(await at('users add eve --role editor')).toMatchObject({ exit: 2, stderr: expect.stringContaining('Missing password') });
  });
});

describe('db', () => {
  it('reports the state of the file', async () => {
    expect(await at('db check')).toEqual({ stdout: `${path('calendar.db')}: no damage found\n`, stderr: '', exit: 0 });
    expect(JSON.parse((await at('db check --json')).stdout)).toMatchObject({ ok: true, findings: [] });
    expect((await at('db info')).stdout).toMatch(/^tags +1$/m);
    expect(JSON.parse((await at('db info --json')).stdout)).toMatchObject({ file: path('calendar.db'), records: { events: 1, tags: 1 } });
    expect(await at('db checkpoint')).toEqual({ stdout: '', stderr: '', exit: 0 });
  });

  it('backs up and restores', async () => {
    expect(await at('db backup copy.db')).toEqual({ stdout: `${path('copy.db')}\n`, stderr: '', exit: 0 });
    expect(await at('db backup copy.db')).toMatchObject({ exit: 6, stderr: expect.stringContaining('already exists') });
    expect((await at('db backup copy.db --force')).exit).toBe(0);
    await at('tags create --name Two');
    expect(await at('db restore copy.db')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') });
    const { stdout } = await at('db restore copy.db --yes');
    expect(stdout).toMatch(/The old file is .*before-restore/);
    expect((await at('tags list --no-hide-empty --format ids --all')).stdout.trim().split('\n')).toHaveLength(1);
    expect(existsSync(/The old file is (.*)\n/.exec(stdout)![1]!)).toBe(true);
    expect(await at('db restore nowhere.db --yes')).toMatchObject({ exit: 3 });
  });

  it('names damage, and ends with 7', async () => {
    const bytes = readFileSync(path('copy.db'));
    bytes[bytes.length >> 1]! ^= 255;
    writeFileSync(path('hurt.db'), bytes);
    const { stdout, exit } = await at('db check --db hurt.db');
    expect(stdout).toContain('is damaged');
    expect(exit).toBe(7);
    expect(await at('tags list --db hurt.db')).toMatchObject({ stdout: '', exit: 7 });
  });

  it('refuses a file that is not a calendar', async () => {
    writeFileSync(path('text.db'), 'This is a text and no database at all.'.repeat(40));
    const { stdout, exit } = await at('tags list --db text.db');
    expect(stdout).toBe('');
    expect(exit).toBeGreaterThan(1);
  });
});
