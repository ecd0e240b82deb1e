import '../../bin/machine/here.ts';
import { openDatabase } from '../../src/store/file/database.ts';
import type { Database, FileKind } from '../../src/store/sqlite/sql.ts';
import { itemFile } from '../support/items.ts';
import { limit } from '../support/timeouts.ts';

/* A record is three rows in two tables that must agree, so that half a change shows. */
const recordFile: FileKind = {
  ...itemFile,
  noun: 'list of records',
  migrate(db) {
    db.run('create table record (key text primary key, value text not null, filler text not null)');
    db.run('create table part (key text not null, number int not null, value text not null, primary key (key, number))');
    db.run('create index part_value on part (value)');
    db.run('create table padding (bytes blob)');
  },
};

export function openRecords(file: string, mode: 'write' | 'read' = 'write', notice: (text: string) => void = () => {}): Promise<Database> {
  return openDatabase(file, { mode, timeout: limit(20_000), kind: recordFile, notice });
}

/** Makes a file so large that small changes stay in its log at a close. */
export async function enlarge(file: string): Promise<void> {
  const db = await openRecords(file);
  db.change(() => db.run('insert into padding values (zeroblob(6000000))'));
  await db.close();
}

/** Puts `value` under `key`, or nothing, as one change. */
export function put(db: Database, key: string, value: string | undefined): void {
  db.change(() => {
    db.run('delete from record where key = ?', key);
    db.run('delete from part where key = ?', key);
    if (value === undefined) return;
    db.run('insert into record values (?, ?, ?)', key, value, value.repeat(20));
    for (const number of [1, 2]) db.run('insert into part values (?, ?, ?)', key, number, value);
  });
}

/** Everything in the store; throws when a record is only half there or SQLite finds the file ill-formed. */
export function everything(db: Database): Map<string, string> {
  const { integrity_check } = db.get<{ integrity_check: string }>('pragma integrity_check')!;
  if (integrity_check !== 'ok') throw new Error(integrity_check);
  const halves = db.all(
    `select key, value from record where (select count(*) from part where part.key = record.key and part.value = record.value) <> 2
     union all select key, value from part where key not in (select key from record)`,
  );
  if (halves.length > 0) throw new Error(`half there: ${JSON.stringify(halves)}`);
  return new Map(db.all<{ key: string; value: string }>('select key, value from record').map(({ key, value }) => [key, value]));
}
