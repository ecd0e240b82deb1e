import { StorageError } from '../sqlite/sql.ts';
import { type Param, type Sqlite, statementInfo } from '../sqlite/sqlite.ts';

/*
 * A change is recorded as its statements: [text, parameters, rows changed]. They are replayed after a crash on the state before the change, so
 * they must not depend on the time or on random numbers. The number of rows detects replays with other results.
 */
type Stored = string | number | null | { bytes: string };
type Line = [sql: string, params: Stored[], changes: number];

/** A statement as it is recorded: a {@link Line} as JSON. */
function recorded(sql: string, params: readonly Param[], sqlite: Sqlite): string {
  const { kind, json } = statementInfo(sql);
  return `[${json},${JSON.stringify(params.map(stored))},${kind === 'rows' ? sqlite.changes : 0}]`;
}

/** Replays a recorded change. Throws if the number of changed rows differs. */
export function replay(change: string, sqlite: Sqlite): void {
  for (const [sql, params, changes] of JSON.parse(change) as Line[]) {
    sqlite.run(
      sql,
      params.map((value) => (value !== null && typeof value === 'object' ? Buffer.from(value.bytes, 'base64') : value)),
    );
    if (statementInfo(sql).kind === 'rows' && sqlite.changes !== changes)
      throw new Error(`expected ${changes} changed rows, got ${sqlite.changes}: ${sql}`);
  }
}

/** Replays all changes of a log in one transaction. */
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

/** Maximum length of a logged change, in UTF-16 code units. For a larger one the whole file is written instead. */
export const maxLoggedLength = 4 << 20;

/** The statements of the current change, as the log records them. */
export class ChangeRecord {
  /** Undefined if they are too long to be logged. */
  #statements: string[] | undefined = [];
  #size = 0;

  /** `maxLength` is in UTF-16 code units. */
  constructor(private readonly maxLength = maxLoggedLength) {}

  /** Number of statements, for `cut`. */
  get length(): number {
    return this.#statements?.length ?? 0;
  }

  /** Adds a statement that `sqlite` has just run. */
  add(sql: string, params: readonly Param[], sqlite: Sqlite): void {
    if (this.#statements === undefined) return;
    const statement = recorded(sql, params, sqlite);
    this.#statements.push(statement);
    this.#size += statement.length;
    if (this.#size > this.maxLength) this.#statements = undefined;
  }

  /** Drops the statements after an earlier `length`, which were rolled back. */
  cut(length: number): void {
    for (const statement of this.#statements?.splice(length) ?? []) this.#size -= statement.length;
  }

  /** The line for the log; undefined if the change is too large for it. */
  get line(): string | undefined {
    return this.#statements && `[${this.#statements.join(',')}]`;
  }

  clear(): void {
    this.#statements = [];
    this.#size = 0;
  }
}
