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

/** Called by every update and deletion that may free a slug. */
export const forgetSlugNumbers = (db: Database): void => {
  caches.delete(db);
};
