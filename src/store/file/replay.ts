import { known, type Param, type Sqlite } from './sqlite.ts';
import { StorageError } from './storage-error.ts';

/*
 * A change is recorded as the statements that made it: [text, parameters, rows changed]. They are run again after a crash, on the very state
 * that they were first run on, so they must not ask for the time or for chance; the number of rows tells when they come to something else.
 */
type Stored = string | number | null | { bytes: string };
type Line = [sql: string, params: Stored[], changes: number];

/** One statement of a change as it is recorded: a {@link Line} as JSON. */
export function recorded(sql: string, params: readonly Param[], sqlite: Sqlite): string {
  const { kind, json } = known(sql);
  return `[${json},${JSON.stringify(params.map(stored))},${kind === 'rows' ? sqlite.changes : 0}]`;
}

/** Makes a recorded change again. Throws when it comes to something else than the first time. */
export function replay(change: string, sqlite: Sqlite): void {
  for (const [sql, params, changes] of JSON.parse(change) as Line[]) {
    sqlite.run(
      sql,
      params.map((value) => (value !== null && typeof value === 'object' ? Buffer.from(value.bytes, 'base64') : value)),
    );
    if (known(sql).kind === 'rows' && sqlite.changes !== changes)
      throw new Error(`expected ${changes} changed rows, got ${sqlite.changes}: ${sql}`);
  }
}

/** Makes all the changes of a log again, as one transaction. */
export function replayAll(sqlite: Sqlite, changes: readonly string[], file: string): void {
  if (changes.length === 0) return;
  sqlite.begin(0);
  for (const [i, change] of changes.entries())
    try {
      replay(change, sqlite);
    } catch (error) {
      throw new StorageError(
        'damaged',
        `${file}-log: cannot replay change ${i + 1} of ${changes.length}: ${(error as Error).message}`,
        'Nothing was written. Keep the file and its log, and report this error.',
        error,
      );
    }
  sqlite.commit(0);
}

function stored(value: Param): Stored {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  return value;
}
