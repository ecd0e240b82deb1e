import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calendarFile } from '../../../src/store/records/schema.ts';
import { loadSqlite } from '../../../src/store/sqlite/engine.ts';
import { Server } from '../../crash/served.ts';
import { command } from '../../support/command.ts';
import { limit } from '../../support/timeouts.ts';
import type { Transcript } from '../../support/transcript.ts';

const folder = mkdtempSync(join(tmpdir(), 'calendar-db-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string) => join(folder, name);
const db = (name: string, ...args: string[]): Promise<Transcript> => command('db', ...args, '--db', path(name));
const tags = async (name: string) => (await command('tags', 'list', '--no-hide-empty', '--format', 'count', '--db', path(name))).stdout;

/** Runs SQL on a file as another SQLite program does: in place, with the change counter raised. */
async function edited(name: string, sql: string): Promise<void> {
  const sqlite = await loadSqlite();
  const bytes = readFileSync(path(name));
  const other = new sqlite.Database(bytes.subarray(0, bytes.readUInt32BE(28) * 4096));
  other.run(sql);
  const image = Buffer.from(other.export());
  other.close();
  writeFileSync(path(name), Buffer.concat([image, bytes.subarray(image.length)]));
}

function flipped(name: string, at: number): void {
  const bytes = readFileSync(path(name));
  bytes[at]! ^= 4;
  writeFileSync(path(name), bytes);
}

/** Intact, damaged and foreign files. Each has two records, some two more in the log. */
beforeAll(async () => {
  for (const name of ['a', 'b']) await command('tags', 'create', '--name', name, '--db', path('whole.db'));
  for (const name of ['flipped.db', 'newer.db', 'edited.db', 'cut.db', 'crashed.db']) copyFileSync(path('whole.db'), path(name));
  flipped('flipped.db', 10 * 4096 + 4000);
  truncateSync(path('cut.db'), 50_000);
  await edited('newer.db', 'pragma user_version = 99');
  await edited('edited.db', `insert into users (name, role, password) values ('by another program', 'editor', '')`);
  const server = new Server(path('crashed.db'));
  await server.ready();
  for (const name of ['c', 'd']) await server.send('POST', '/tags', { name });
  await server.stop('SIGKILL');
  for (const name of ['torn.db', 'logflip.db']) for (const end of ['', '-log']) copyFileSync(path('crashed.db') + end, path(name) + end);
  truncateSync(path('torn.db-log'), readFileSync(path('torn.db-log')).length - 9);
  flipped('logflip.db-log', 150);
  writeFileSync(path('text.db'), 'This is a text and no database.\n'.repeat(200));
  writeFileSync(path('empty.db'), '');
  mkdirSync(path('folder.db'));
  const sqlite = await loadSqlite();
  const other = new sqlite.Database();
  other.run('create table other (a)');
  writeFileSync(path('other.db'), other.export());
  other.close();
}, limit(60_000));

/** The exit code and stderr of every command that fails on the file. */
const failing: [name: string, exit: number, said: string][] = [
  ['flipped.db', 7, 'page 11 of'],
  ['cut.db', 7, 'is truncated'],
  ['logflip.db', 7, 'record 1 at byte 44 of the log is damaged'],
  ['newer.db', 6, 'written by a later version'],
  ['text.db', 2, 'not a SQLite database'],
  ['other.db', 2, 'a SQLite database of another program'],
  ['folder.db', 2, 'it is a folder'],
  ['none.db', 3, 'no such calendar'],
];

describe.each(failing)('calendar db on %s', (name, exit, said) => {
  it.each([['info'], ['checkpoint'], ['backup', path(`copy of ${name}`)]])(
    '%s fails with one line, a hint and the same exit code, and changes nothing',
    async (...args) => {
      const before = existsSync(path(name)) && name !== 'folder.db' ? readFileSync(path(name)) : undefined;
      const result = await db(name, ...args);
      expect(result).toMatchObject({ stdout: '', exit });
      expect(result.stderr).toMatch(/^calendar: .*\n {2}\S.*\n$/);
      expect(result.stderr).toContain(said);
      expect(existsSync(path(`copy of ${name}`))).toBe(false);
      if (before) expect(readFileSync(path(name)).equals(before)).toBe(true);
    },
  );
});

describe('calendar db check', () => {
  it.each([
    ['whole.db', 0, /: no damage found\n$/],
    ['crashed.db', 0, /no damage found\n {2}the log has 2 changes/],
    ['torn.db', 0, /no damage found\n.*incomplete record, left by a crash[\s\S]*the log has 1 change/],
    ['edited.db', 0, /no damage found\n.*changed by another SQLite program/],
    ['newer.db', 0, /no damage found\n[\s\S]*a later version of this program/],
    ['flipped.db', 7, /is damaged\n {2}file: 1 of \d+ pages do not match their checksums\n {4}Restore a backup/],
    ['cut.db', 7, /is damaged\n.*is truncated/],
    ['logflip.db', 7, /is damaged\n.*record 1 at byte 44[\s\S]*db repair/],
  ])('says of %s what is the matter', async (name, exit, said) => {
    const result = await db(name, 'check');
    expect(result).toMatchObject({ exit, stderr: '' });
    expect(result.stdout).toMatch(said);
  });

  it.each([
    ['text.db', 2, 'not a SQLite database'],
    ['other.db', 2, 'another program'],
    ['folder.db', 2, 'a folder'],
    ['empty.db', 3, 'is empty'],
    ['none.db', 3, 'no such calendar'],
  ])('fails on %s', async (name, exit, said) => {
    expect(await db(name, 'check')).toMatchObject({ stdout: '', exit, stderr: expect.stringContaining(said) });
  });
});

describe('calendar db on a file that opens', () => {
  it.each([
    ['whole.db', '2\n', ''],
    ['crashed.db', '4\n', ''],
    ['torn.db', '3\n', 'incomplete record'],
    ['edited.db', '2\n', 'changed by another SQLite program'],
  ])('%s: info, backup and checkpoint do their work and say what was found', async (name, count, said) => {
    const figures = JSON.parse((await db(name, 'info', '--json')).stdout);
    expect(figures).toMatchObject({ records: { tags: Number(count) }, schema: calendarFile.schema });
    expect(figures.fileBytes).toBe(readFileSync(path(name)).length);
    expect(figures.logBytes > 0).toBe(existsSync(path(`${name}-log`)));
    const copy = path(`copy of ${name}`);
    expect(await db(name, 'backup', copy)).toMatchObject({ stdout: `${copy}\n`, exit: 0, stderr: expect.stringContaining(said) });
    expect(await tags(`copy of ${name}`)).toBe(count);
    expect(await db(name, 'checkpoint')).toMatchObject({ stdout: '', exit: 0 });
    expect(existsSync(path(`${name}-log`))).toBe(false);
    expect(await db(name, 'check')).toEqual({ stdout: `${path(name)}: no damage found\n`, stderr: '', exit: 0 });
    expect(await tags(name)).toBe(count);
  });

  it('repair cuts the damage off and keeps it', async () => {
    const result = await db('logflip.db', 'repair', '--yes');
    expect(result.stdout).toMatch(/^Cut the log. The damaged log is .*logflip\.db-log\.damaged/);
    expect(await tags('logflip.db')).toBe('2\n');
  });
});

describe('calendar db restore', () => {
  it('puts a copy by a damaged file, which it keeps', async () => {
    await db('whole.db', 'backup', path('good.db'));
    const result = await db('flipped.db', 'restore', path('good.db'), '--yes');
    expect(result).toMatchObject({ exit: 0, stderr: '' });
    expect(existsSync(/The old file is (.*)\n/.exec(result.stdout)![1]!)).toBe(true);
    expect(await tags('flipped.db')).toBe('2\n');
    expect((await db('flipped.db', 'check')).exit).toBe(0);
  });

  it.each([
    ['cut.db', 7],
    ['newer.db', 6],
    ['text.db', 2],
    ['other.db', 2],
    ['empty.db', 3],
    ['none.db', 3],
  ])('refuses %s and leaves the file alone', async (name, exit) => {
    const before = readFileSync(path('whole.db'));
    expect(await db('whole.db', 'restore', path(name), '--yes')).toMatchObject({ stdout: '', exit });
    expect(readFileSync(path('whole.db')).equals(before)).toBe(true);
  });
});
