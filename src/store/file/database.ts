import { existsSync, rmSync, statSync } from 'node:fs';
import type { SqlJsStatic } from 'sql.js';
import { machine } from '../../machine.ts';
import { MemoryDatabase } from '../sqlite/memory-database.ts';
import { type Database, type DatabaseInfo, type OpenOptions, StorageError, versionFault } from '../sqlite/sql.ts';
import type { Param, Sqlite } from '../sqlite/sqlite.ts';
import { ChangeRecord, replayAll } from './change-record.ts';
import { canonical, replaceFile, sameFile, storageError } from './files.ts';
import { withChecksums } from './format.ts';
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
import { type Memory, WalWriter } from './wal-writer.ts';

/** Opens or creates a database in a file. Throws a StorageError. */
export async function openDatabase(file: string, options: OpenOptions): Promise<Database> {
  const engine = machine.loadSqlite();
  // The file is read first, which may fail too.
  engine.catch(() => {});
  const lock = options.mode === 'write' ? await acquired(file, options) : undefined;
  const db = new FileDatabase(lock?.file ?? canonical(file), options, lock);
  try {
    await db.read(engine);
  } catch (error) {
    await db.close().catch(() => {});
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : storageError(error, file);
  }
  return db;
}

/** Writes the bytes of a database to a file, with checksums. Throws a StorageError. */
export async function writeDatabase(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await replaceFile(file, [bytes, withChecksums(bytes, 0).trailer]);
  } catch (error) {
    throw storageError(error, file);
  }
}

/** Acquires the lock of a file. Loaded only for writers. */
const acquired = async (file: string, { timeout = 5000, kind }: OpenOptions): Promise<Lock> =>
  (await import('./lock.ts')).acquire(file, timeout, kind.hints.locked);

class FileDatabase extends MemoryDatabase implements Memory {
  override readonly file: string;
  readonly #options: OpenOptions;
  readonly #lock: Lock | undefined;
  readonly #notice: (text: string, failing?: boolean) => void;
  readonly #record = new ChangeRecord();
  #unusable: StorageError | undefined;
  #writer: WalWriter | undefined;
  #opening = true;

  constructor(file: string, options: OpenOptions, lock: Lock | undefined) {
    super(options.kind);
    this.file = file;
    this.#options = options;
    this.#lock = lock;
    this.#notice = options.notice ?? (() => {});
  }

  /** Reads the file, while SQLite may still be loading. */
  async read(engine: Promise<SqlJsStatic>): Promise<void> {
    const { file } = this;
    const state = this.#recover();
    this.engine = await engine;
    this.load(state);
    this.#rejectOthers();
    for (const notice of noticesOf(file, state)) this.#notice(notice);
    if (this.#lock !== undefined)
      this.#writer = new WalWriter(file, this.kind, this.#options.durability ?? 'full', this, state, this.#notice);
    const from = this.schema;
    if (from > 0 && from !== this.kind.schema && this.#writer !== undefined) await this.backup(`${file}.v${from}.bak`);
    this.upgrade(this.#options.mode);
    await this.synced();
    this.#opening = false;
  }

  /** Reads the file and its log. */
  #recover(): RecoveredState {
    const { file, kind } = this;
    refuseOpenTransaction(file);
    this.isNew = this.#lock !== undefined && !existsSync(file) && !existsSync(`${file}-log`);
    const state = recover(file, kind);
    if (this.#lock === undefined && state.file === undefined && state.log === undefined) throw missing(file, kind);
    return state;
  }

  override synced(version = this.version): Promise<void> {
    return this.#writer?.synced(version) ?? Promise.resolve();
  }

  override checkpoint(): Promise<void> {
    return this.#writer?.checkpoint() ?? Promise.resolve();
  }

  override async backup(file: string): Promise<void> {
    if (sameFile(file, this.file)) throw new StorageError('conflict', `${file} is the calendar itself`, 'Use another name for the copy.');
    await writeDatabase(file, this.bytes());
  }

  override info(): DatabaseInfo {
    const size = (end: string) => statSync(this.file + end, { throwIfNoEntry: false })?.size ?? 0;
    return {
      ...super.info(),
      durability: this.#writer === undefined ? undefined : (this.#options.durability ?? 'full'),
      ...(this.#writer?.info() ?? { fileBytes: size(''), logBytes: size('-log') }),
    };
  }

  override announce(url: string, token: string, clock?: Pick<Owner, 'now' | 'ahead'>): void {
    this.#lock?.announce(url, token, clock);
  }

  override async close(unused?: number): Promise<void> {
    const isUnused = this.isNew && this.sqlite !== undefined && this.version === unused;
    try {
      await this.#writer?.close();
      if (isUnused) rmSync(this.file, { force: true });
    } finally {
      await super.close();
      this.#unusable = new StorageError('closed', `${this.file} is closed`);
      await this.#lock?.release();
    }
  }

  override replace(bytes: Uint8Array): void {
    super.replace(bytes);
    this.#writer?.record(undefined);
  }

  drop(reason: StorageError): void {
    this.sqlite?.close();
    this.sqlite = undefined;
    this.#unusable = reason;
    this.version += 1;
    this.watched?.listener.replaced();
  }

  load(state: RecoveredState): void {
    const { file, kind } = this;
    refuseDamage(file, state, kind);
    const bytes = state.file?.memory;
    // The flag of SQLite's write-ahead log, which an in-memory database cannot have.
    if (bytes !== undefined && bytes[18] === 2) bytes.fill(1, 18, 20);
    const sqlite = this.opened(bytes);
    try {
      if (state.file !== undefined && state.file.trailer !== 'intact') refuseIllFormed(sqlite, file, kind);
      replayAll(sqlite, state.changes, file);
    } catch (error) {
      sqlite.close();
      throw error;
    }
    this.sqlite?.close();
    this.sqlite = sqlite;
    this.#unusable = undefined;
    this.version += 1;
    this.watched?.listener.replaced();
  }

  /** Throws for files of other programs and of versions that this one can't open, before anything is written. */
  #rejectOthers(): void {
    const { kind } = this;
    if (this.hasTables && this.get<{ application_id: number }>('pragma application_id')?.application_id !== kind.applicationId)
      throw otherProgram(this.file);
    const fault = versionFault(this.file, this.schema, kind);
    if (fault) throw new StorageError(fault.reason, fault.text, fault.hint);
  }

  protected override usable(): Sqlite {
    if (this.sqlite === undefined && this.#unusable?.reason !== 'closed') this.#writer?.assertWritable();
    return super.usable();
  }

  protected override closed(): StorageError {
    return this.#unusable ?? new StorageError('closed', `${this.file} is closed`);
  }

  protected override assertWritable(): void {
    if (this.#writer !== undefined) this.#writer.assertWritable();
    else if (!this.#opening) throw new StorageError('read-only', `${this.file} is open read-only`);
  }

  protected override record(sql: string, params: readonly Param[], sqlite: Sqlite): void {
    if (this.#writer !== undefined) this.#record.add(sql, params, sqlite);
  }

  protected override get recorded(): number {
    return this.#record.length;
  }

  protected override dropRecord(length: number | undefined): void {
    if (length === undefined) this.#record.clear();
    else this.#record.cut(length);
  }

  protected override stored(): void {
    this.#writer?.record(this.#record.line);
    this.#record.clear();
  }
}
