import { expect, it } from 'vitest';
import { loadSqlite } from '../../../src/store/sqlite/engine.ts';
import { type Param, Sqlite } from '../../../src/store/sqlite/sqlite.ts';

const sqlite = new Sqlite(await loadSqlite(), undefined, {});

it.each<[string, Param, unknown?]>([
  ['an empty text', ''],
  ['a short text', 'Opening night'],
  ['a short text with accents', 'Café ☕ 🎉'],
  ['a long text', 'ä'.repeat(100_000)],
  ['a text with a zero', 'a\0b'],
  ['a lone surrogate', 'a\ud800', 'a\ufffd'],
  ['a whole number', -42],
  ['a large whole number', 2 ** 40],
  ['a fraction', 0.1],
  ['true', true, 1],
  ['null', null],
  ['bytes', Uint8Array.of(0, 1, 255)],
  ['no bytes', new Uint8Array()],
])('A statement stores and returns %s', (_, value, stored = value) => {
  expect(sqlite.rows('select ? as value', [value])).toEqual([{ value: stored }]);
});

it('Drops the parameters after a run', () => {
  expect(sqlite.rows('select ? as value', ['a'])).toEqual([{ value: 'a' }]);
  expect(sqlite.rows('select ? as value', [])).toEqual([{ value: null }]);
});

it('Throws the message of SQLite for an invalid statement and a failed one', () => {
  expect(() => sqlite.rows('select unknown', [])).toThrow('no such column: unknown');
  sqlite.run('create table one (value integer unique)');
  sqlite.run('insert into one values (?)', [1]);
  expect(() => sqlite.run('insert into one values (?)', [1])).toThrow('UNIQUE constraint failed: one.value');
});

it('Throws for a value that is not a parameter', () => {
  expect(() => sqlite.rows('select ? as value', [undefined as unknown as Param])).toThrow('tried to bind a value of an unknown type');
});
