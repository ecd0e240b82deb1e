import { expect, it } from 'vitest';
import { loadSqlite } from '../../../src/store/sqlite/engine.ts';
import { Sqlite } from '../../../src/store/sqlite/sqlite.ts';

const engine = await loadSqlite();

/** Returns a database with a row of 100 KB. */
function bytesOfDatabase(): Uint8Array {
  const db = new Sqlite(engine, undefined, {});
  db.run('create table notes (text text)');
  db.run('insert into notes values (?)', ['a'.repeat(100_000)]);
  const bytes = db.bytes();
  db.close();
  return bytes;
}

const pageBytes = 4096;

it.each([1, 3, 40, 200])('ignores the pages after a database, and overwrites them when it grows by %i pages', (pages) => {
  const database = bytesOfDatabase();
  const memory = Buffer.concat([database, Buffer.alloc(12 * pageBytes, 'x')]);
  const db = new Sqlite(engine, memory, {});
  expect(Buffer.compare(db.bytes(), database)).toBe(0);
  db.begin(0);
  db.run('insert into notes values (?)', ['b'.repeat(pages * pageBytes)]);
  db.rollback(0);
  expect(db.rows('select count(*) as n from notes', [])).toEqual([{ n: 1 }]);
  db.run('insert into notes values (?)', ['b'.repeat(pages * pageBytes)]);
  expect(db.rows('pragma integrity_check', [])).toEqual([{ integrity_check: 'ok' }]);
  const grown = db.bytes();
  db.close();
  expect(grown.length).toBe(Buffer.from(grown).readUInt32BE(28) * pageBytes);
  expect(grown.length).toBeGreaterThanOrEqual(database.length + pages * pageBytes);
  const reopened = new Sqlite(engine, Uint8Array.from(grown), {});
  expect(reopened.rows('pragma integrity_check', [])).toEqual([{ integrity_check: 'ok' }]);
  expect(reopened.rows('select length(text) as n from notes', [])).toEqual([{ n: 100_000 }, { n: pages * pageBytes }]);
  reopened.close();
});
