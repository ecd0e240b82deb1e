import type { Columns } from '../../model/calendar.ts';
import type { Database } from '../sqlite/sql.ts';

/** The highest suffix below which all are taken, by slug, for one version of a database. A change that creates thousands of records with the same name checks each number once. */
const caches = new WeakMap<Database, { version: number; lastNumbers: Map<string, number> }>();

/** The taken suffixes by table and slug; callers add to them. */
export function takenNumbers(db: Database): Map<string, number> {
  const last = caches.get(db);
  if (last?.version === db.version) return last.lastNumbers;
  const lastNumbers = new Map<string, number>();
  caches.set(db, { version: db.version, lastNumbers });
  return lastNumbers;
}

/** The sequences of IDs. */
type Sequence = 'posts' | 'terms';

/** The columns that identify a row. */
const keys = ['slug', 'uid', 'lineage'] as const;
type Key = (typeof keys)[number];

/** The results of lookups in a change of many records. */
interface Lookups {
  /** IDs of existing records by table and reference. */
  ids: Map<string, number>;
  lastIds: Map<Sequence, number>;
  /** All rows of tables that were empty: IDs by column and value. Undefined for other tables. */
  rows: Map<string, Map<string, number> | undefined>;
}

const changes = new WeakMap<Database, Lookups>();

/** Runs the work of a change, in which each reference is looked up once, and the last IDs are stored at its end. */
export function withLookups<T>(db: Database, work: () => T): T {
  const lastIds = new Map<Sequence, number>();
  changes.set(db, { ids: new Map(), lastIds, rows: new Map() });
  try {
    const result = work();
    for (const [sequence, last] of lastIds) storeLastId(db, sequence, last);
    return result;
  } finally {
    changes.delete(db);
  }
}

const storeLastId = (db: Database, sequence: Sequence, last: number) =>
  db.run('update sequences set last = ? where name = ?', last, sequence);

export const lastId = (db: Database, sequence: Sequence): number =>
  changes.get(db)?.lastIds.get(sequence) ?? db.get<{ last: number }>('select last from sequences where name = ?', sequence)!.last;

/** Sets the last ID of a sequence. */
export function setLastId(db: Database, sequence: Sequence, last: number): void {
  const change = changes.get(db);
  if (change) change.lastIds.set(sequence, last);
  else storeLastId(db, sequence, last);
}

/** The ID of the record that a reference means, as `find` returns it; undefined for none. */
export function referenceIn(db: Database, table: string, ref: string | number, find: () => number | undefined): number | undefined {
  const ids = changes.get(db)?.ids;
  const key = `${table} ${ref}`;
  const id = ids?.get(key) ?? find();
  if (id !== undefined) ids?.set(key, id);
  return id;
}

/** The lowest ID of a row with a value in the first of the columns that contains it, as `find` returns it; undefined for none. A table that was empty before the change is not read. */
export function rowWith(db: Database, table: string, columns: readonly Key[], value: string, find: () => number | undefined) {
  const tables = changes.get(db)?.rows;
  if (!tables) return find();
  if (!tables.has(table)) tables.set(table, db.get(`select 1 from ${table} limit 1`) ? undefined : new Map());
  const rows = tables.get(table);
  if (!rows) return find();
  for (const column of columns) if (rows.has(`${column} ${value}`)) return rows.get(`${column} ${value}`);
  return undefined;
}

/** Called by every insertion. */
export function addToLookups(db: Database, table: string, columns: Columns): void {
  const rows = changes.get(db)?.rows.get(table);
  if (rows)
    for (const column of keys) {
      if (!columns[column]) continue;
      const key = `${column} ${columns[column]}`;
      rows.set(key, Math.min(rows.get(key) ?? Number.POSITIVE_INFINITY, Number(columns.id)));
    }
}

/** Called by every write that changes what a reference means. */
export const forgetReferences = (db: Database): void => changes.get(db)?.ids.clear();

/** Called by every write that may free a slug or remove a record. */
export function forgetLookups(db: Database): void {
  caches.delete(db);
  forgetReferences(db);
  changes.get(db)?.rows.clear();
}
