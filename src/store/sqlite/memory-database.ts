import type { SqlJsStatic } from 'sql.js';
import { machine } from '../../machine.ts';
import { filesFor } from '../file/access.ts';
import { type ChangeListener, type Database, type DatabaseInfo, type FileKind, StorageError } from './sql.ts';
import { type Param, Sqlite, type StoredRow, statementInfo } from './sqlite.ts';

/** Opens a database in memory, with the state in `bytes`, which are the result of {@link Database.bytes} of the same kind and schema. Throws a StorageError. */
export async function openInMemory(kind: FileKind, bytes?: Uint8Array): Promise<Database> {
  const db = new MemoryDatabase(kind);
  db.open(await machine.loadSqlite(), bytes);
  return db;
}

/** Copies bytes; `slice` of a Buffer would share them. */
const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

/** A database in memory. That of a file is one, too, and stores what is committed. */
export class MemoryDatabase implements Database {
  readonly file: string | undefined = undefined;
  isNew = false;
  version = 0;
  /** Set when it is opened. */
  protected engine!: SqlJsStatic;
  protected sqlite: Sqlite | undefined;
  protected watched: { statements: readonly string[]; listener: ChangeListener } | undefined;
  #depth = 0;
  #hasWritten = false;
  /** The database that has the triggers. */
  #watchedIn: Sqlite | undefined;

  constructor(protected readonly kind: FileKind) {}

  open(engine: SqlJsStatic, bytes: Uint8Array | undefined): void {
    this.engine = engine;
    this.sqlite = this.opened(bytes && copyOf(bytes));
    this.upgrade('write');
  }

  protected opened(bytes: Uint8Array | undefined): Sqlite {
    return new Sqlite(this.engine, bytes, this.kind.functions ?? {});
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
      return this.usable().lastId;
    });
  }

  change<T>(work: () => T): T {
    const depth = this.#depth;
    if (depth === 0) this.assertWritable();
    const sqlite = this.usable();
    if (depth === 0) this.#createTriggers(sqlite);
    const length = this.recorded;
    sqlite.begin(depth);
    this.#depth += 1;
    try {
      const result = work();
      if (result instanceof Promise) throw new TypeError('A change must be synchronous, but it returned a promise.');
      sqlite.commit(depth);
      this.#depth = depth;
      if (depth === 0 && this.#hasWritten) this.#committed();
      return result;
    } catch (error) {
      const hasWritten = this.#hasWritten;
      this.#depth = depth;
      if (depth === 0) this.#hasWritten = false;
      this.dropRecord(depth === 0 ? undefined : length);
      sqlite.rollback(depth);
      if (hasWritten) this.watched?.listener.undone(depth === 0);
      throw error;
    }
  }

  async synced(_version?: number): Promise<void> {}

  async checkpoint(): Promise<void> {}

  async backup(file: string): Promise<void> {
    await filesFor(file).write(file, this.bytes());
  }

  info(): DatabaseInfo {
    const one = (sql: string) => Object.values(this.get<Record<string, number>>(sql) ?? {})[0] ?? 0;
    return {
      file: this.file,
      durability: undefined,
      schema: this.schema,
      pageSize: one('pragma page_size'),
      pages: one('pragma page_count'),
      version: this.version,
      ...{ fileBytes: 0, logBytes: 0, checkpoints: 0, failure: undefined },
    };
  }

  watch(statements: readonly string[], listener: ChangeListener): void {
    this.watched = { statements, listener };
  }

  announce(..._owner: Parameters<Database['announce']>): void {}

  async close(_unused?: number): Promise<void> {
    this.sqlite?.close();
    this.sqlite = undefined;
  }

  bytes(): Uint8Array {
    return this.usable().bytes();
  }

  replace(bytes: Uint8Array): void {
    if (this.#depth > 0) throw new TypeError('A state cannot be replaced within a change.');
    this.assertWritable();
    const before = this.usable();
    this.sqlite = this.opened(copyOf(bytes));
    before.close();
    this.version += 1;
    this.watched?.listener.replaced();
  }

  /** Creates or migrates the tables. */
  protected upgrade(mode: 'read' | 'write'): void {
    const { kind, schema: from } = this;
    if (from !== kind.schema || !this.hasTables)
      this.change(() => {
        kind.migrate(this, from);
        this.run(`pragma application_id = ${kind.applicationId}`);
        this.run(`pragma user_version = ${kind.schema}`);
      });
    if (kind.complete !== undefined) this.change(() => kind.complete?.(this, mode));
  }

  protected get schema(): number {
    return this.get<{ user_version: number }>('pragma user_version')!.user_version;
  }

  protected get hasTables(): boolean {
    return this.get('select 1 from sqlite_schema limit 1') !== undefined;
  }

  protected usable(): Sqlite {
    if (this.sqlite === undefined) throw this.closed();
    return this.sqlite;
  }

  protected closed(): StorageError {
    return new StorageError('closed', `The in-memory ${this.kind.noun} is closed`);
  }

  protected assertWritable(): void {}

  /** Records a statement that ran within a change. */
  protected record(_sql: string, _params: readonly Param[], _sqlite: Sqlite): void {}

  /** The length of the record of the current change. */
  protected get recorded(): number {
    return 0;
  }

  /** Drops what was recorded since a length, or all of it, which is rolled back. */
  protected dropRecord(_length: number | undefined): void {}

  /** Stores the record of a change that was committed, before its listener hears of it. */
  protected stored(): void {}

  /** Creates the triggers in this database, unless they exist. */
  #createTriggers(sqlite: Sqlite): void {
    if (this.watched === undefined || this.#watchedIn === sqlite) return;
    for (const sql of this.watched.statements) sqlite.run(sql);
    this.#watchedIn = sqlite;
  }

  #committed(): void {
    this.version += 1;
    this.#hasWritten = false;
    this.stored();
    this.watched?.listener.committed();
  }

  #read(sql: string, params: readonly Param[], limit?: number): StoredRow[] {
    if (statementInfo(sql).kind !== 'read') throw new TypeError(`Not a statement that only reads: ${sql}`);
    return this.usable().rows(sql, params, limit);
  }

  /** Runs a statement within a change and returns the number of changed rows. */
  #write(sql: string, params: readonly Param[]): number {
    const sqlite = this.usable();
    sqlite.run(sql, params);
    this.#hasWritten = true;
    this.record(sql, params, sqlite);
    return sqlite.changes;
  }
}
