import type { Database } from '../file/sql.ts';

/** The highest suffix below which all are taken, by slug, for one version of a database. A change that creates thousands of records with the same name checks each number once. */
const caches = new WeakMap<Database, { version: number; lastNumbers: Map<string, number> }>();

/** Returns the taken suffixes by table and slug; callers add to them. */
export function takenNumbers(db: Database): Map<string, number> {
  const last = caches.get(db);
  if (last?.version === db.version) return last.lastNumbers;
  const lastNumbers = new Map<string, number>();
  caches.set(db, { version: db.version, lastNumbers: lastNumbers });
  return lastNumbers;
}

/** IDs of existing records by table and reference, during a change of many records. */
const references = new WeakMap<Database, Map<string, number>>();

/** Runs the work of a change, in which each reference is looked up once. */
export function withReferences<T>(db: Database, work: () => T): T {
  references.set(db, new Map());
  try {
    return work();
  } finally {
    references.delete(db);
  }
}

/** Returns the ID of the record that a reference means, as `find` returns it; undefined for none. */
export function referenceIn(db: Database, table: string, ref: string | number, find: () => number | undefined): number | undefined {
  const ids = references.get(db);
  const key = `${table} ${ref}`;
  const id = ids?.get(key) ?? find();
  if (id !== undefined) ids?.set(key, id);
  return id;
}

/** Called by every write that may free a slug, remove a record or change what a reference means. */
export function forgetLookups(db: Database): void {
  caches.delete(db);
  references.get(db)?.clear();
}
