import { Failure, type FailureCode } from '../../model/error.ts';
import type { Owner } from '../file/owner-card.ts';
import type { Param, SqlFunction } from './sqlite.ts';

/** Durability of a change when `synced` resolves: on disk, in the operating system, or only in memory. */
export type Durability = 'full' | 'os' | 'none';

/** Runs SQL. Statements are prepared once per text. */
export interface Sql {
  all<T>(sql: string, ...params: Param[]): T[];
  get<T>(sql: string, ...params: Param[]): T | undefined;
  /** Runs a statement that writes, and returns the number of changed rows. */
  run(sql: string, ...params: Param[]): number;
  /** Inserts a row and returns its ID. */
  insert(sql: string, ...params: Param[]): number;
}

/** A database in a file or in memory. Everything but disk access is synchronous. */
export interface Database extends Sql {
  /** The path of the file; undefined in memory. */
  readonly file: string | undefined;
  /** True if opening created the file. */
  readonly isNew: boolean;
  /** Incremented by every committed change, and when the state is read from disk again. */
  readonly version: number;
  /** Runs a synchronous transaction. Nested calls join it: an exception rolls back the nested call, and everything if it leaves the outer one. */
  change<T>(work: () => T): T;
  /**
   * Resolves when everything committed so far, or up to a `version`, is as durable as configured. Rejects with a StorageError if writing failed; the
   * change is then rolled back.
   */
  synced(version?: number): Promise<void>;
  /** Writes the log into the file. */
  checkpoint(): Promise<void>;
  /** Writes a consistent copy to another file. */
  backup(file: string): Promise<void>;
  /** The whole state as the bytes of a database. Not allowed within a change. */
  bytes(): Uint8Array;
  /**
   * Replaces the state with a copy of the result of `bytes`, of a database of the same kind and schema, as one change: a crash leaves the state before
   * or after.
   */
  replace(bytes: Uint8Array): void;
  info(): DatabaseInfo;
  /**
   * Creates temporary triggers before the first change, and again after the state was read from disk. They are not in the file or the log, and
   * creating them takes longer than opening a calendar for reading.
   */
  watch(statements: readonly string[], listener: ChangeListener): void;
  /** Publishes the address of the server of this file, and the offset of its clock, for processes of the same user. */
  announce(url: string, token: string, clock?: Pick<Owner, 'now' | 'ahead'>): void;
  /** Writes everything into the file and releases it. Removes a new file to which nothing was written after the {@link version} `unused`. */
  close(unused?: number): Promise<void>;
}

/** A kind of file: how it is recognized and migrated, and the hints of its failures. */
export interface FileKind {
  /** Name of the content in messages: `calendar`. */
  noun: string;
  /** The `application_id`, by which SQLite and `file` recognize the files. */
  applicationId: number;
  /** The `user_version` that this program writes. */
  schema: number;
  /** The `user_version` of the first release; older files are rejected. */
  firstSchema?: number;
  /** Called in a transaction if the file is older; `from` is 0 for a new file. */
  migrate(db: Sql, from: number): void;
  /** Called in a transaction on every opening, after `migrate`. For readers it changes only the copy in memory. */
  complete?(db: Sql, mode: 'read' | 'write'): void;
  /** SQL functions. They must be deterministic, because changes are replayed after a crash. */
  functions?: Record<string, SqlFunction>;
  hints: Hints;
}

/** Hints of the failures of a file. */
interface Hints {
  /** Another process owns the file. */
  locked: string;
  /** The file is from before the first release. */
  older?: string;
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

/** A saved state: when, and its size in bytes. `automatic` is true for one that the program saved before a change. */
interface SnapshotFile {
  name: string;
  taken: string;
  bytes: number;
  automatic: boolean;
}

/** Hashes of the rows of a database, by table and key. */
export type Fingerprint = Record<string, Record<string, string>>;

/** Stores snapshots. */
export interface SnapshotStore {
  list(): SnapshotFile[];
  put(name: string, image: Uint8Array): Promise<void>;
  /** Stores the state after the change that a snapshot was saved before. */
  putAfter(name: string, after: Fingerprint): Promise<void>;
  /** Undefined if the end of the change is not known: it was interrupted. */
  getAfter(name: string): Promise<Fingerprint | undefined>;
  get(name: string): Promise<Uint8Array>;
  drop(name: string): void;
  removeIncomplete(): void;
}

/** Options of a database in a file. */
export interface OpenOptions {
  mode: 'write' | 'read';
  kind: FileKind;
  durability?: Durability;
  /** Time to wait for the owner of the file, in ms (default 5000). */
  timeout?: number;
  /** Called with messages for the user, such as a dropped incomplete record. `failing` is true if callers get the same message as a failure of their change. */
  notice?(text: string, failing?: boolean): void;
}

/** Receives changes that triggers don't see. */
export interface ChangeListener {
  /** The state was read again, dropped, or replaced. */
  replaced(): void;
  /** A change that had written something was rolled back; if not `whole`, a nested part of it. */
  undone(whole: boolean): void;
  /** A change that wrote something was committed. */
  committed(): void;
}

/** Figures about an open database. */
export interface DatabaseInfo {
  file: string | undefined;
  /** Undefined in memory and for readers. */
  durability: Durability | undefined;
  /** The `user_version` of the file. */
  schema: number;
  pageSize: number;
  pages: number;
  version: number;
  fileBytes: number;
  logBytes: number;
  /** Number of checkpoints since the file was opened. */
  checkpoints: number;
  /** The current failure, while changes are rejected. */
  failure: string | undefined;
}

/** The reasons of storage failures, with their failure codes. */
const reasons = {
  /** Another process owns the file. */
  locked: 'store-locked',
  /** The file or its folder does not exist. */
  missing: 'store-missing',
  /** The file is of another kind. */
  foreign: 'store-foreign',
  /** The file was written by a later version of this program. */
  newer: 'store-newer',
  /** The file was written before the first release of this program. */
  older: 'store-older',
  /** The content doesn't match its checksums. */
  damaged: 'store-damaged',
  /** Another program changed the file while the log contained changes. */
  conflict: 'store-changed',
  /** The file was removed or replaced while it was open. */
  gone: 'store-gone',
  'disk-full': 'store-full',
  /** The file, its folder or the file system is read-only. */
  'read-only': 'store-read-only',
  /** The system reported an error while reading or writing. */
  io: 'store-io',
  /** The database was used after it was closed. */
  closed: 'store-io',
} as const satisfies Record<string, FailureCode>;

export type StorageReason = keyof typeof reasons;

/** A failure of the storage. */
export class StorageError extends Failure {
  readonly reason: StorageReason;

  constructor(reason: StorageReason, message: string, hint?: string, cause?: unknown) {
    super(reasons[reason], message, hint);
    this.name = 'StorageError';
    this.reason = reason;
    if (cause !== undefined) this.cause = cause;
  }
}

/** Why this program can't open a file of a version: it is of a later one, or from before the first release. */
export function versionFault(
  file: string,
  version: number,
  { schema, firstSchema = 0, hints }: FileKind,
): { reason: 'newer' | 'older'; text: string; hint: string } | undefined {
  const text = (by: string, range: string) => `${file} was written by a ${by} (format ${version}; this version supports ${range})`;
  if (version > schema)
    return { reason: 'newer', text: text('later version of this program', `up to ${schema}`), hint: 'Install a later version.' };
  if (version === 0 || version >= firstSchema) return undefined;
  const range = schema === firstSchema ? `${schema}` : `${firstSchema} to ${schema}`;
  return {
    reason: 'older',
    text: text('version of this program from before its first release', range),
    hint: hints.older ?? hints.restore,
  };
}
