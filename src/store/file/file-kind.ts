import type { Sql } from './sql.ts';
import type { SqlFunction } from './sqlite.ts';

/** The kind of file that a program keeps: how it is known, how it is brought up to date, and what failures advise. */
export interface FileKind {
  /** What a file holds, as messages say it: `calendar`. */
  noun: string;
  /** The `application_id` of its files, by which SQLite and `file` tell them from others. */
  applicationId: number;
  /** The `user_version` that this program writes. */
  schema: number;
  /** Called in one transaction when the file is older; `from` is 0 for a new file. */
  migrate(db: Sql, from: number): void;
  /** Called in one transaction at every opening, after `migrate`; of a file that is open for reading it changes the copy in memory only. */
  complete?(db: Sql, mode: 'read' | 'write'): void;
  /** Functions for SQL. Rule: the same arguments give the same value for ever, for changes are replayed after a crash. */
  functions?: Record<string, SqlFunction>;
  hints: Hints;
}

/** What a user of the program can do about failures of a file. */
export interface Hints {
  /** Another process owns the file. */
  locked: string;
  /** The file or its log is damaged. */
  damaged: string;
  /** The file is damaged, and it is known what is intact. */
  restore: string;
  /** The log is damaged, and the changes before the damage are intact. */
  repair: string;
  /** The file was replaced or changed while it was open. */
  replaced: string;
  /** The file or its folder was removed while it was open. */
  removed: string;
}
