import type { Database } from '../file/sql.ts';

/**
 * The highest number behind each slug up to which all numbers are taken, at one version of a database: a change that creates thousands of records
 * with the same name checks each number once.
 */
const known = new WeakMap<Database, { version: number; taken: Map<string, number> }>();

/** Returns the numbers that are known to be taken, by table and slug; to be added to. */
export function takenNumbers(db: Database): Map<string, number> {
  const last = known.get(db);
  if (last?.version === db.version) return last.taken;
  const taken = new Map<string, number>();
  known.set(db, { version: db.version, taken });
  return taken;
}

/** Called by every update and deletion that may free a slug. */
export const forgetSlugNumbers = (db: Database): void => {
  known.delete(db);
};
