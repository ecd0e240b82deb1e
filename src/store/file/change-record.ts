import { recorded } from './replay.ts';
import type { Param, Sqlite } from './sqlite.ts';

/** A change whose record is larger than this is not logged: the whole file is written instead. In UTF-16 code units. */
export const maxLoggedLength = 4 << 20;

/** The statements of the change under way, as the log records them. */
export class ChangeRecord {
  /** Undefined when they are too many to be logged. */
  #statements: string[] | undefined = [];
  #size = 0;
  #written = false;

  /** Whether the change has written anything. */
  get written(): boolean {
    return this.#written;
  }

  /** How many statements there are, for `cut`. */
  get length(): number {
    return this.#statements?.length ?? 0;
  }

  /** Notes that something was written that no log will hold. */
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

  /** Drops the statements from an earlier `length` on, which were undone. */
  cut(length: number): void {
    if (this.#statements) this.#statements.length = length;
  }

  /** The line for the log; undefined when the change is too big for it. */
  get line(): string | undefined {
    return this.#statements && `[${this.#statements.join(',')}]`;
  }

  clear(): void {
    this.#statements = [];
    this.#size = 0;
    this.#written = false;
  }
}
