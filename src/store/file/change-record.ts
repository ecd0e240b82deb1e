import { recorded } from './replay.ts';
import type { Param, Sqlite } from './sqlite.ts';

/** Maximum length of a logged change, in UTF-16 code units. For a larger one the whole file is written instead. */
export const maxLoggedLength = 4 << 20;

/** The statements of the current change, as the log records them. */
export class ChangeRecord {
  /** Undefined if they are too long to be logged. */
  #statements: string[] | undefined = [];
  #size = 0;
  #written = false;

  /** True if the change has written anything. */
  get hasWritten(): boolean {
    return this.#written;
  }

  /** Number of statements, for `cut`. */
  get length(): number {
    return this.#statements?.length ?? 0;
  }

  /** Marks the change as written without recording a statement. */
  touch(): void {
    this.#written = true;
  }

  /** Adds a statement that `sqlite` has just run. */
  add(sql: string, params: readonly Param[], sqlite: Sqlite): void {
    this.#written = true;
    if (this.#statements === undefined) return;
    const statement = recorded(sql, params, sqlite);
    this.#statements.push(statement);
    this.#size += statement.length;
    if (this.#size > maxLoggedLength) this.#statements = undefined;
  }

  /** Drops the statements after an earlier `length`, which were rolled back. */
  cut(length: number): void {
    if (this.#statements) this.#statements.length = length;
  }

  /** The line for the log; undefined if the change is too large for it. */
  get line(): string | undefined {
    return this.#statements && `[${this.#statements.join(',')}]`;
  }

  clear(): void {
    this.#statements = [];
    this.#size = 0;
    this.#written = false;
  }
}
