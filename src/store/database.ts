import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SqlJsStatic } from 'sql.js';
import { canonical, replaceFile, storageError } from './disk.ts';
import { seal } from './image.ts';
import { bigChange, Keeper, type Memory } from './keeper.ts';
import type { Lock } from './lock.ts';
import { recorded, replayAll } from './record.ts';
import { known, loadSqlite, type Param, type SqlFunction, Sqlite } from './sqlite.ts';
import { noCalendar, otherProgram, readState, refuseDamage, refuseForeignJournal, refuseIllFormed, type State } from './state.ts';
import { StorageError } from './storage-error.ts';

/** How far a change has got when `synced` resolves: on the disk, with the system, or nowhere before the close. */
export type Durability = 'full' | 'os' | 'none';

/** What a program says when it opens a file. */
export interface OpenOptions {
  mode: 'write' | 'read';
  durability?: Durability;
  /** Milliseconds to wait for the owner of the file; 5,000 unless told. */
  timeout?: number;
  /** The `user_version` that this program writes. */
  schema: number;
  /** Called in one transaction when the file is older; `from` is 0 for a new file. */
  migrate(db: Sql, from: number): void;
  /** Called in one transaction at every opening, after `migrate`; of a file that is open for reading it changes the copy in memory only. */
  complete?(db: Sql): void;
  /** Functions for SQL. Rule: the same arguments give the same value for ever, for changes are replayed after a crash. */
  functions?: Record<string, SqlFunction>;
  /** Whether the process ends soon. */
  brief?: boolean;
  /** Told what the user should know, such as a torn tail that was dropped; `failing` when those who asked for a change are told the same as its failure. */
  notice?(text: string, failing?: boolean): void;
}

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
  /** Folds the log into the file. */
  checkpoint(): Promise<void>;
  /** Writes a consistent copy to another file. */
  backup(file: string): Promise<void>;
  info(): DatabaseInfo;
  /**
   * Runs statements on the state in memory, now and whenever it is read again from the disk: for temporary triggers, which neither the file
   * nor the log holds.
   */
  watch(statements: readonly string[], told: Watcher): void;
  /** Tells others of the same user where the server of this file listens, and where its clock stands still. */
  announce(url: string, token: string, now?: string): void;
  /** Folds the log, gives up the file and forgets the state. */
  close(): Promise<void>;
}

/** Who watches a database. */
export interface Watcher {
  /** The state was read again, or dropped. */
  replaced(): void;
  /** A change, or a part of one, was undone after it had written something. */
  undone(): void;
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
  /** How often the log was folded into the file since the opening. */
  folds: number;
  /** Why changes are refused at present. */
  failure: string | undefined;
}

/** The first four bytes of an application's own: what `file` and `pragma application_id` say of a calendar. */
export const application = 0x63616c31;

/** Opens or makes a database. Fails with a StorageError. */
export async function openDatabase(file: string, options: OpenOptions): Promise<Database> {
  // A limit on the size of files shall be an error of the write, not the end of the process.
  if (options.mode === 'write' && process.listenerCount('SIGXFSZ' as NodeJS.Signals) === 0)
    process.on('SIGXFSZ' as NodeJS.Signals, () => {});
  const [engine, lock] = await Promise.all([
    loadSqlite(options.brief),
    file !== ':memory:' && options.mode === 'write' ? acquired(file, options.timeout ?? 5000) : undefined,
  ]);
  const db = new SqliteDatabase(engine, file === ':memory:' ? undefined : (lock?.file ?? canonical(file)), options, lock);
  try {
    await db.open();
  } catch (error) {
    await db.close().catch(() => {});
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : storageError(error, file);
  }
  return db;
}

/** The lock of a file; who only reads loads nothing of it. */
const acquired = async (file: string, timeout: number): Promise<Lock> => (await import('./lock.ts')).acquire(file, timeout);

class SqliteDatabase implements Database, Memory {
  readonly file: string | undefined;
  version = 0;
  readonly #engine: SqlJsStatic;
  readonly #options: OpenOptions;
  readonly #lock: Lock | undefined;
  readonly #notice: (text: string, failing?: boolean) => void;
  #sqlite: Sqlite | undefined;
  #unusable: StorageError | undefined;
  #keeper: Keeper | undefined;
  #depth = 0;
  /** The statements of the change under way; undefined when they are too many to be logged. */
  #statements: string[] | undefined = [];
  #recordedSize = 0;
  #written = false;
  #opening = true;
  #watch: { statements: readonly string[]; told: Watcher } | undefined;

  constructor(engine: SqlJsStatic, file: string | undefined, options: OpenOptions, lock: Lock | undefined) {
    this.#engine = engine;
    this.file = file;
    this.#options = options;
    this.#lock = lock;
    this.#notice = options.notice ?? (() => {});
  }

  async open(): Promise<void> {
    const { file } = this;
    if (file === undefined) this.#sqlite = new Sqlite(this.#engine, undefined, this.#options.functions ?? {});
    else {
      refuseForeignJournal(file);
      const state = readState(file);
      if (this.#lock === undefined && state.file === undefined && state.log === undefined) throw noCalendar(file);
      this.load(state);
      this.#refuseOthers();
      this.#tell(state);
      if (this.#lock !== undefined) this.#keeper = new Keeper(file, this.#options.durability ?? 'full', this, state, this.#notice);
    }
    await this.#upgrade();
    this.#opening = false;
  }

  all<T>(sql: string, ...params: Param[]): T[] {
    return this.#do(sql, params, (sqlite) => sqlite.rows(sql, params)) as T[];
  }

  get<T>(sql: string, ...params: Param[]): T | undefined {
    return this.#do(sql, params, (sqlite) => sqlite.rows(sql, params, 1)[0]) as T | undefined;
  }

  run(sql: string, ...params: Param[]): { changes: number; readonly lastId: number } {
    return this.#do(sql, params, (sqlite) => {
      sqlite.run(sql, params);
      return new Outcome(sqlite);
    });
  }

  change<T>(work: () => T): T {
    const depth = this.#depth;
    if (depth === 0) this.#ready();
    const sqlite = this.#usable();
    const recorded = this.#statements?.length ?? 0;
    sqlite.begin(depth);
    this.#depth += 1;
    try {
      const result = work();
      if (result instanceof Promise) throw new TypeError('A change is one synchronous function; it gave a promise.');
      sqlite.commit(depth);
      this.#depth = depth;
      if (depth === 0) this.#committed();
      return result;
    } catch (error) {
      const written = this.#written;
      this.#depth = depth;
      if (this.#statements) this.#statements.length = recorded;
      if (depth === 0) this.#forget();
      sqlite.rollback(depth);
      if (written) this.#watch?.told.undone();
      throw error;
    }
  }

  synced(version = this.version): Promise<void> {
    return this.#keeper?.synced(version) ?? Promise.resolve();
  }

  checkpoint(): Promise<void> {
    return this.#keeper?.checkpoint() ?? Promise.resolve();
  }

  async backup(file: string): Promise<void> {
    if (this.file !== undefined && sameFile(file, this.file))
      throw new StorageError('conflict', `${file} is the file itself`, 'Give another name for the copy.');
    const image = this.#usable().image();
    try {
      await replaceFile(file, [image, seal(image, 0).bytes]);
    } catch (error) {
      throw storageError(error, file);
    }
  }

  info(): DatabaseInfo {
    const one = (sql: string) => Object.values(this.get<Record<string, number>>(sql) ?? {})[0] ?? 0;
    const size = (end: string) => (this.file === undefined ? 0 : (statSync(this.file + end, { throwIfNoEntry: false })?.size ?? 0));
    return {
      file: this.file,
      durability: this.#keeper === undefined ? undefined : (this.#options.durability ?? 'full'),
      schema: this.#schema(),
      pageSize: one('pragma page_size'),
      pages: one('pragma page_count'),
      version: this.version,
      ...(this.#keeper?.info() ?? { fileBytes: size(''), logBytes: size('-log'), folds: 0, failure: undefined }),
    };
  }

  watch(statements: readonly string[], told: Watcher): void {
    this.#watch = { statements, told };
    for (const sql of statements) this.#usable().run(sql);
  }

  announce(url: string, token: string, now?: string): void {
    this.#lock?.announce(url, token, now);
  }

  async close(): Promise<void> {
    try {
      await this.#keeper?.close();
    } finally {
      this.#sqlite?.close();
      this.#sqlite = undefined;
      this.#unusable = new StorageError('closed', `${this.file ?? 'The calendar in memory'} is closed`);
      await this.#lock?.release();
    }
  }

  image(): Uint8Array {
    return this.#usable().image();
  }

  drop(why: StorageError): void {
    this.#sqlite?.close();
    this.#sqlite = undefined;
    this.#unusable = why;
    this.version += 1;
    this.#watch?.told.replaced();
  }

  load(state: State): void {
    const file = this.file!;
    refuseDamage(file, state);
    const image = state.file?.image;
    // The mark of a write-ahead log, which a database in memory cannot have.
    if (image !== undefined && image[18] === 2) image.fill(1, 18, 20);
    const sqlite = new Sqlite(this.#engine, image, this.#options.functions ?? {});
    try {
      if (state.file !== undefined && state.file.seal !== 'sealed') refuseIllFormed(sqlite, file);
      replayAll(sqlite, state.changes, file);
    } catch (error) {
      sqlite.close();
      throw error;
    }
    this.#sqlite?.close();
    this.#sqlite = sqlite;
    this.#unusable = undefined;
    this.version += 1;
    for (const sql of this.#watch?.statements ?? []) sqlite.run(sql);
    this.#watch?.told.replaced();
  }

  #tell({ file, log }: State): void {
    const path = this.file!;
    if (log?.broken?.cause === 'torn') this.#notice(`${path}-log: ${log.broken.text}; it was dropped. Every change before it is there.`);
    if (file?.seal === 'edited') this.#notice(`${path} was changed by another SQLite program; it is well-formed.`);
    if (file?.seal === 'broken')
      this.#notice(`${path}: the checksums at its end are damaged or missing; SQLite finds the content well-formed.`);
  }

  /** Refuses the files of other programs and of later versions, before anything is written. */
  #refuseOthers(): void {
    const { schema } = this.#options;
    const found = this.#schema();
    if (this.#hasTables() && this.get<{ application_id: number }>('pragma application_id')?.application_id !== application)
      throw otherProgram(this.file!);
    if (found > schema)
      throw new StorageError(
        'newer',
        `${this.file} was written by a later version of this program (its format is ${found}, this version knows ${schema})`,
        'Install the later version.',
      );
  }

  async #upgrade(): Promise<void> {
    const { schema, migrate, complete } = this.#options;
    const from = this.#schema();
    if (from !== schema || !this.#hasTables()) {
      if (from > 0 && this.#keeper !== undefined) await this.backup(`${this.file}.v${from}.bak`);
      this.change(() => {
        migrate(this, from);
        this.run(`pragma application_id = ${application}`);
        this.run(`pragma user_version = ${schema}`);
      });
    }
    if (complete !== undefined) this.change(() => complete(this));
    await this.synced();
  }

  #schema(): number {
    return this.get<{ user_version: number }>('pragma user_version')!.user_version;
  }

  #hasTables(): boolean {
    return this.get('select 1 from sqlite_schema limit 1') !== undefined;
  }

  #usable(): Sqlite {
    if (this.#sqlite === undefined && this.#unusable?.reason !== 'closed') this.#keeper?.ready();
    if (this.#sqlite === undefined) throw this.#unusable ?? new StorageError('closed', `${this.file} is closed`);
    return this.#sqlite;
  }

  #ready(): void {
    if (this.#keeper !== undefined) this.#keeper.ready();
    else if (this.file !== undefined && !this.#opening) throw new StorageError('read-only', `${this.file} is open for reading only`);
  }

  #committed(): void {
    if (!this.#written) return;
    this.version += 1;
    this.#keeper?.record(this.#statements && `[${this.#statements.join(',')}]`);
    this.#forget();
  }

  #forget(): void {
    this.#statements = [];
    this.#recordedSize = 0;
    this.#written = false;
  }

  /** Keeps a statement for the log, unless there is none, or the change is too big for it by now. */
  #record(sql: string, params: readonly Param[], sqlite: Sqlite): void {
    this.#written = true;
    if (this.#keeper === undefined || this.#statements === undefined) return;
    const statement = recorded(sql, params, sqlite);
    this.#statements.push(statement);
    this.#recordedSize += statement.length;
    if (this.#recordedSize > bigChange) this.#statements = undefined;
  }

  #do<T>(sql: string, params: readonly Param[], work: (sqlite: Sqlite) => T): T {
    if (known(sql).kind === 'read') return work(this.#usable());
    if (this.#depth === 0) return this.change(() => this.#do(sql, params, work));
    const sqlite = this.#usable();
    const result = work(sqlite);
    this.#record(sql, params, sqlite);
    return result;
  }
}

/** What a statement came to; its ID is asked for only when somebody reads it, before the next statement. */
class Outcome {
  readonly changes: number;
  readonly #sqlite: Sqlite;

  constructor(sqlite: Sqlite) {
    this.changes = sqlite.changes;
    this.#sqlite = sqlite;
  }

  get lastId(): number {
    return this.#sqlite.lastId;
  }
}

function sameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((file) => statSync(file, { throwIfNoEntry: false }));
  return resolve(a) === resolve(b) || (one !== undefined && one.ino === other?.ino && one.dev === other.dev);
}
