import type { SqlFunction } from '../sqlite/sqlite.ts';
import type { Sql } from './sql.ts';

/** A kind of file: how it is recognized and migrated, and the hints of its failures. */
export interface FileKind {
  /** Name of the content in messages: `calendar`. */
  noun: string;
  /** The `application_id`, by which SQLite and `file` recognize the files. */
  applicationId: number;
  /** The `user_version` that this program writes. */
  schema: number;
  /** Called in a transaction if the file is older; `from` is 0 for a new file. */
  migrate(db: Sql, from: number): void;
  /** Called in a transaction on every opening, after `migrate`. For readers it changes only the copy in memory. */
  complete?(db: Sql, mode: 'read' | 'write'): void;
  /** SQL functions. They must be deterministic, because changes are replayed after a crash. */
  functions?: Record<string, SqlFunction>;
  hints: Hints;
}

/** Hints of the failures of a file. */
export interface Hints {
  /** Another process owns the file. */
  locked: string;
  /** The file or its log is damaged. */
  damaged: string;
  /** The file is damaged and the intact parts are known. */
  restore: string;
  /** The log is damaged, and the changes before the damage are intact. */
  repair: string;
  /** The file was replaced or changed while it was open. */
  replaced: string;
  /** The file or its folder was removed while it was open. */
  removed: string;
}
