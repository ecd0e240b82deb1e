import type { Owner } from './owner-card.ts';
import type { Param, WrittenRows } from './sqlite.ts';

/** Every {@link Durability}, the safest first. */
export const durabilities = ['full', 'os', 'none'] as const;

/** How far a change has got when `synced` resolves: on the disk, with the system, or nowhere before the close. */
export type Durability = (typeof durabilities)[number];

/** SQL against a database. Statements are prepared once per text. */
export interface Sql {
  all<T>(sql: string, ...params: Param[]): T[];
  get<T>(sql: string, ...params: Param[]): T | undefined;
  /** `lastId` is to be read before the next statement. */
  run(sql: string, ...params: Param[]): { changes: number; readonly lastId: number };
}

/** A database in a file or in memory; everything but the disk is synchronous. */
export interface Database extends Sql {
  /** The path of the file; undefined in memory. */
  readonly file: string | undefined;
  /** Grows with every committed change, and whenever the state is read again from the disk. */
  readonly version: number;
  /** One synchronous transaction. Nested calls join it; what a nested call did is undone when it throws, and everything when the outer one does. */
  change<T>(work: () => T): T;
  /**
   * Resolves once everything committed so far, or up to a `version` read after the change, is as durable as was asked for; rejects with a
   * StorageError when the disk refused it, and the change is then undone.
   */
  synced(version?: number): Promise<void>;
  /** Writes everything that the log holds into the file. */
  checkpoint(): Promise<void>;
  /** Writes a consistent copy to another file. */
  backup(file: string): Promise<void>;
  /** The whole state as the bytes of a database, between two changes. */
  bytes(): Uint8Array;
  /**
   * Puts a state that `bytes` gave, of this or another database of the same kind and schema, in the place of this one. It is one change, which the disk takes as a whole file:
   * whatever stops it leaves the state before or after. `taken` says when the bytes were, as who watches counts: where that tells which few rows were written since, and all
   * is in memory, only those are put back.
   */
  replace(bytes: Uint8Array, taken?: number): void;
  info(): DatabaseInfo;
  /**
   * Runs statements on the state in memory before its first change, and again whenever it was read again from the disk: for temporary triggers, which neither the file
   * nor the log holds, and which take longer to make than a calendar that is only read takes to open.
   */
  watch(statements: readonly string[], listener: ChangeListener): void;
  /** Tells other processes of the same user where the server of this file listens, and how its clock differs from the system's. */
  announce(url: string, token: string, clock?: Pick<Owner, 'now' | 'ahead'>): void;
  /** Writes everything into the file, releases it and drops the state. */
  close(): Promise<void>;
}

/** Hears what triggers cannot tell, and knows what they told. */
export interface ChangeListener {
  /** The state was read again, dropped, or replaced by that of an earlier time, and no trigger told. */
  returned(to: number | undefined): void;
  /** The rows that may be other than at an earlier time; undefined where that is not known, or they are more than `most`. */
  writtenSince(time: number, most: number): WrittenRows[] | undefined;
  /** A change was undone after it had written something; when not `whole`, a part of one. */
  undone(whole: boolean): void;
  /** A change that wrote something is done. */
  committed(): void;
}

/** Figures about an open database. */
export interface DatabaseInfo {
  file: string | undefined;
  /** Undefined when the database is in memory or open for reading only. */
  durability: Durability | undefined;
  /** The `user_version` of the file. */
  schema: number;
  pageSize: number;
  pages: number;
  version: number;
  fileBytes: number;
  logBytes: number;
  /** How many checkpoints there were since the opening. */
  checkpoints: number;
  /** Why changes are refused at present. */
  failure: string | undefined;
}
