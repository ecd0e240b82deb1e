import { expect, it } from 'vitest';
import { ChangeRecord } from '../../../src/store/file/change-record.ts';
import type { Sqlite } from '../../../src/store/sqlite/sqlite.ts';

const sqlite = { changes: 1 } as Sqlite;
const sql = 'update events set title = ? where id = ?';
/** The length of a statement with a title of one letter, as it is recorded. */
const size = JSON.stringify([sql, ['a', 1], 1]).length;
const add = (record: ChangeRecord, times: number) => {
  for (let count = 0; count < times; count++) record.add(sql, ['a', 1], sqlite);
};

it.each([
  [3, 3 * size, true],
  [3, 3 * size - 1, false],
])('%d statements in a record of at most %d characters: %s', (times, maxLength, isLogged) => {
  const record = new ChangeRecord(maxLength);
  add(record, times);
  expect(record.line !== undefined).toBe(isLogged);
  record.clear();
  expect(record.line).toBe('[]');
  add(record, times);
  expect(record.line !== undefined).toBe(isLogged);
});

it('counts statements that were rolled back no longer', () => {
  const record = new ChangeRecord(3 * size);
  add(record, 3);
  record.cut(1);
  expect(record.length).toBe(1);
  add(record, 2);
  expect(record.length).toBe(3);
  add(record, 1);
  expect([record.line, record.length]).toEqual([undefined, 0]);
  record.cut(0);
  expect(record.line).toBeUndefined();
});
