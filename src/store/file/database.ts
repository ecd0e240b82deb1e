import { existsSync, rmSync, statSync } from 'node:fs';
import type { SqlJsStatic } from 'sql.js';
import { loadSqlite } from '../sqlite/engine.ts';
import { type Param, Sqlite, type StoredRow, statementInfo } from '../sqlite/sqlite.ts';
import { ChangeRecord, replayAll } from './change-record.ts';
import { canonical, replaceFile, sameFile, storageError } from './files.ts';
import { type FileKind, versionFault, withChecksums } from './format.ts';
import type { Lock } from './lock.ts';
import type { Owner } from './owner-card.ts';
import {
  missing,
  noticesOf,
  otherProgram,
  type RecoveredState,
  recover,
  refuseDamage,
  refuseIllFormed,
  refuseOpenTransaction,
} from './recovery.ts';
import type { ChangeListener, Database, DatabaseInfo, Durability } from './sql.ts';
import { StorageError } from './sql.ts';
import { type Memory, WalWriter } from './wal-writer.ts';

export interface OpenOptions {
  mode: 'write' | 'read';
  kind: FileKind;
  durability?: Durability;
  /** Time to wait for the owner of the file, in ms (default 5000). */
  timeout?: number;
  /** Initial state of an in-memory database: the result of {@link Database.bytes}, of the same kind and schema. */
  bytes?: Uint8Array;
  /** Called with messages for the user, such as a dropped incomplete record. `failing` is true if callers get the same message as a failure of their change. */
  notice?(text: string, failing?: boolean): void;
}

/** Opens or creates a database. Throws a StorageError. */
export async function openDatabase(file: string, options: OpenOptions): Promise<Database> {
  const engine = loadSqlite();
  // The file is read first, which may fail too.
  engine.catch(() => {});
  const lock = file !== ':memory:' && options.mode === 'write' ? await acquired(file, options) : undefined;
  const db = new SqliteDatabase(file === ':memory:' ? undefined : (lock?.file ?? canonical(file)), options, lock);
  try {
    await db.open(engine);
  } catch (error) {
    await db.close().catch(() => {});
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : storageError(error, file);
  }
  return db;
}

/** Acquires the lock of a file. Loaded only for writers. */
const acquired = async (file: string, { timeout = 5000, kind }: OpenOptions): Promise<Lock> =>
  (await import('./lock.ts')).acquire(file, timeout, kind.hints.locked);

/** Copies bytes; `slice` of a Buffer would share them. */
const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

class SqliteDatabase implements Database, Memory {
  readonly file: string | undefined;
  isNew = false;
  version = 0;
  /** Set when it is opened. */
  #engine!: SqlJsStatic;
  readonly #options: OpenOptions;
  readonly #lock: Lock | undefined;
  readonly #notice: (text: string, failing?: boolean) => void;
  #sqlite: Sqlite | undefined;
  #unusable: StorageError | undefined;
  #writer: WalWriter | undefined;
  #depth = 0;
  readonly #record = new ChangeRecord();
  #opening = true;
  #watched: { statements: readonly string[]; listener: ChangeListener } | undefined;
  /** The database that has the triggers. */
  #watchedIn: Sqlite | undefined;

  constructor(file: string | undefined, options: OpenOptions, lock: Lock | undefined) {
    this.file = file;
    this.#options = options;
    this.#lock = lock;
    this.#notice = options.notice ?? (() => {});
  }

  /** Opens the file or the memory. SQLite may still be loading, while the file is read. */
  async open(engine: Promise<SqlJsStatic>): Promise<void> {
    const { file } = this;
    const state = file === undefined ? undefined : this.#recover(file);
    this.#engine = await engine;
    if (file === undefined || state === undefined)
      this.#sqlite = new Sqlite(this.#engine, this.#options.bytes && copyOf(this.#options.bytes), this.#options.kind.functions ?? {});
    else {
      this.load(state);
      this.#rejectOthers();
      for (const notice of noticesOf(file, state)) this.#notice(notice);
      if (this.#lock !== undefined)
        this.#writer = new WalWriter(file, this.#options.kind, this.#options.durability ?? 'full', this, state, this.#notice);
    }
    await this.#upgrade();
    this.#opening = false;
  }

  /** Reads the file and its log. */
  #recover(file: string): RecoveredState {
    refuseOpenTransaction(file);
    this.isNew = this.#lock !== undefined && !existsSync(file) && !existsSync(`${file}-log`);
    const state = recover(file, this.#options.kind);
    if (this.#lock === undefined && state.file === undefined && state.log === undefined) throw missing(file, this.#options.kind);
    return state;
  }

  all<T>(sql: string, ...params: Param[]): T[] {
    return this.#read(sql, params) as T[];
  }

  get<T>(sql: string, ...params: Param[]): T | undefined {
    return this.#read(sql, params, 1)[0] as T | undefined;
  }

  run(sql: string, ...params: Param[]): number {
    return this.#depth === 0 ? this.change(() => this.#write(sql, params)) : this.#write(sql, params);
  }

  insert(sql: string, ...params: Param[]): number {
    return this.change(() => {
      this.#write(sql, params);
      return this.#usable().lastId;
    });
  }

  change<T>(work: () => T): T {
    const depth = this.#depth;
    if (depth === 0) this.#assertWritable();
    const sqlite = this.#usable();
    if (depth === 0) this.#createTriggers(sqlite);
    const { length } = this.#record;
    sqlite.begin(depth);
    this.#depth += 1;
    try {
      const result = work();
      if (result instanceof Promise) throw new TypeError('A change must be synchronous, but it returned a promise.');
      sqlite.commit(depth);
      this.#depth = depth;
      if (depth === 0 && this.#record.hasWritten) this.#committed();
      return result;
    } catch (error) {
      const { hasWritten } = this.#record;
      this.#depth = depth;
      if (depth === 0) this.#record.clear();
      else this.#record.cut(length);
      sqlite.rollback(depth);
      if (hasWritten) this.#watched?.listener.undone(depth === 0);
      throw error;
    }
  }

  synced(version = this.version): Promise<void> {
    return this.#writer?.synced(version) ?? Promise.resolve();
  }

  checkpoint(): Promise<void> {
    return this.#writer?.checkpoint() ?? Promise.resolve();
  }

  async backup(file: string): Promise<void> {
    if (this.file !== undefined && sameFile(file, this.file))
      throw new StorageError('conflict', `${file} is the calendar itself`, 'Use another name for the copy.');
    const bytes = this.bytes();
    try {
      await replaceFile(file, [bytes, withChecksums(bytes, 0).trailer]);
    } catch (error) {
      throw storageError(error, file);
    }
  }

  info(): DatabaseInfo {
    const one = (sql: string) => Object.values(this.get<Record<string, number>>(sql) ?? {})[0] ?? 0;
    const size = (end: string) => (this.file === undefined ? 0 : (statSync(this.file + end, { throwIfNoEntry: false })?.size ?? 0));
    return {
      file: this.file,
      durability: this.#writer === undefined ? undefined : (this.#options.durability ?? 'full'),
      schema: this.#schema(),
      pageSize: one('pragma page_size'),
      pages: one('pragma page_count'),
      version: this.version,
      ...(this.#writer?.info() ?? { fileBytes: size(''), logBytes: size('-log'), checkpoints: 0, failure: undefined }),
    };
  }

  watch(statements: readonly string[], listener: ChangeListener): void {
    this.#watched = { statements, listener };
  }

  announce(url: string, token: string, clock?: Pick<Owner, 'now' | 'ahead'>): void {
    this.#lock?.announce(url, token, clock);
  }

  async close(unused?: number): Promise<void> {
    const isUnused = this.isNew && this.#sqlite !== undefined && this.version === unused;
    try {
      await this.#writer?.close();
      if (isUnused) rmSync(this.file!, { force: true });
    } finally {
      this.#sqlite?.close();
      this.#sqlite = undefined;
      this.#unusable = new StorageError('closed', `${this.file ?? `The in-memory ${this.#options.kind.noun}`} is closed`);
      await this.#lock?.release();
    }
  }

  bytes(): Uint8Array {
    return this.#usable().bytes();
  }

  replace(bytes: Uint8Array): void {
    if (this.#depth > 0) throw new TypeError('A state cannot be replaced within a change.');
    this.#assertWritable();
    const before = this.#usable();
    this.#sqlite = new Sqlite(this.#engine, copyOf(bytes), this.#options.kind.functions ?? {});
    before.close();
    this.version += 1;
    this.#watched?.listener.replaced();
    this.#writer?.record(undefined);
  }

  drop(reason: StorageError): void {
    this.#sqlite?.close();
    this.#sqlite = undefined;
    this.#unusable = reason;
    this.version += 1;
    this.#watched?.listener.replaced();
  }

  load(state: RecoveredState): void {
    const file = this.file!;
    refuseDamage(file, state, this.#options.kind);
    const bytes = state.file?.memory;
    // The flag of SQLite's write-ahead log, which an in-memory database cannot have.
    if (bytes !== undefined && bytes[18] === 2) bytes.fill(1, 18, 20);
    const sqlite = new Sqlite(this.#engine, bytes, this.#options.kind.functions ?? {});
    try {
      if (state.file !== undefined && state.file.trailer !== 'intact') refuseIllFormed(sqlite, file, this.#options.kind);
      replayAll(sqlite, state.changes, file);
    } catch (error) {
      sqlite.close();
      throw error;
    }
    this.#sqlite?.close();
    this.#sqlite = sqlite;
    this.#unusable = undefined;
    this.version += 1;
    this.#watched?.listener.replaced();
  }

  /** Throws for files of other programs and of versions that this one can't open, before anything is written. */
  #rejectOthers(): void {
    const { kind } = this.#options;
    const version = this.#schema();
    if (this.#hasTables() && this.get<{ application_id: number }>('pragma application_id')?.application_id !== kind.applicationId)
      throw otherProgram(this.file!);
    const fault = versionFault(this.file!, version, kind);
    if (fault) throw new StorageError(fault.reason, fault.text, fault.hint);
  }

  async #upgrade(): Promise<void> {
    const { kind, mode } = this.#options;
    const from = this.#schema();
    if (from !== kind.schema || !this.#hasTables()) {
      if (from > 0 && this.#writer !== undefined) await this.backup(`${this.file}.v${from}.bak`);
      this.change(() => {
        kind.migrate(this, from);
        this.run(`pragma application_id = ${kind.applicationId}`);
        this.run(`pragma user_version = ${kind.schema}`);
      });
    }
    if (kind.complete !== undefined) this.change(() => kind.complete?.(this, mode));
    await this.synced();
  }

  #schema(): number {
    return this.get<{ user_version: number }>('pragma user_version')!.user_version;
  }

  #hasTables(): boolean {
    return this.get('select 1 from sqlite_schema limit 1') !== undefined;
  }

  #usable(): Sqlite {
    if (this.#sqlite === undefined && this.#unusable?.reason !== 'closed') this.#writer?.assertWritable();
    if (this.#sqlite === undefined) throw this.#unusable ?? new StorageError('closed', `${this.file} is closed`);
    return this.#sqlite;
  }

  #assertWritable(): void {
    if (this.#writer !== undefined) this.#writer.assertWritable();
    else if (this.file !== undefined && !this.#opening) throw new StorageError('read-only', `${this.file} is open read-only`);
  }

  /** Creates the triggers in this database, unless they exist. */
  #createTriggers(sqlite: Sqlite): void {
    if (this.#watched === undefined || this.#watchedIn === sqlite) return;
    for (const sql of this.#watched.statements) sqlite.run(sql);
    this.#watchedIn = sqlite;
  }

  #committed(): void {
    this.version += 1;
    this.#writer?.record(this.#record.line);
    this.#record.clear();
    this.#watched?.listener.committed();
  }

  #read(sql: string, params: readonly Param[], limit?: number): StoredRow[] {
    if (statementInfo(sql).kind !== 'read') throw new TypeError(`Not a statement that only reads: ${sql}`);
    return this.#usable().rows(sql, params, limit);
  }

  /** Runs a statement within a change and returns the number of changed rows. */
  #write(sql: string, params: readonly Param[]): number {
    const sqlite = this.#usable();
    sqlite.run(sql, params);
    if (this.#writer === undefined) this.#record.touch();
    else this.#record.add(sql, params, sqlite);
    return sqlite.changes;
  }
}
