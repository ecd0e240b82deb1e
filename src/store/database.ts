import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { loadSqlite, type Param, type SqlFunction, Sqlite, writes } from './sqlite.ts';
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
  /** Functions for SQL. Rule: the same arguments give the same value for ever, for changes are replayed after a crash. */
  functions?: Record<string, SqlFunction>;
  /** Told what the user should know and what is no failure, such as a torn tail that was dropped. */
  notice?(text: string): void;
}

/** SQL against a database. Statements are prepared once per text. */
export interface Sql {
  all<T>(sql: string, ...params: Param[]): T[];
  get<T>(sql: string, ...params: Param[]): T | undefined;
  run(sql: string, ...params: Param[]): { changes: number; lastId: number };
}

/** A database in a file or in memory; everything but the disk is synchronous. */
export interface Database extends Sql {
  /** The path of the file; undefined in memory. */
  readonly file: string | undefined;
  /** Grows with every committed change, and whenever the state is read again from the disk. */
  readonly version: number;
  /** One synchronous transaction. Nested calls join it; what a nested call did is undone when it throws, and everything when the outer one does. */
  change<T>(work: () => T): T;
  /** Resolves once everything committed so far is as durable as was asked for; rejects with a StorageError when the disk refused it. */
  synced(): Promise<void>;
  /** Folds the log into the file. */
  checkpoint(): Promise<void>;
  /** Writes a consistent copy to another file. */
  backup(file: string): Promise<void>;
  info(): DatabaseInfo;
  /** Tells others where the server of this file listens. */
  announce(url: string, token: string): void;
  /** Folds the log, gives up the file and forgets the state. */
  close(): Promise<void>;
}

export interface DatabaseInfo {
  file: string | undefined;
  schema: number;
  version: number;
}

/** Opens or makes a database. Fails with a StorageError. */
export async function openDatabase(file: string, options: OpenOptions): Promise<Database> {
  const engine = await loadSqlite();
  const path = file === ':memory:' ? undefined : file;
  if (path !== undefined && options.mode === 'read' && !existsSync(path)) throw new StorageError('missing', `${path}: no such file`);
  const image = path !== undefined && existsSync(path) ? readFileSync(path) : undefined;
  const db = new SimpleDatabase(path, new Sqlite(engine, image, options.functions ?? {}));
  const from = db.get<{ user_version: number }>('pragma user_version')?.user_version ?? 0;
  if (from > options.schema) throw new StorageError('newer', `${path} was written by a later version of this program`);
  if (from < options.schema)
    db.change(() => {
      options.migrate(db, from);
      db.run(`pragma user_version = ${options.schema}`);
    });
  return db;
}

class SimpleDatabase implements Database {
  readonly file: string | undefined;
  readonly #sqlite: Sqlite;
  #depth = 0;
  version = 0;

  constructor(file: string | undefined, sqlite: Sqlite) {
    this.file = file;
    this.#sqlite = sqlite;
  }

  all<T>(sql: string, ...params: Param[]): T[] {
    return this.#do(sql, () => this.#sqlite.all(sql, params)) as T[];
  }

  get<T>(sql: string, ...params: Param[]): T | undefined {
    return this.#do(sql, () => this.#sqlite.get(sql, params)) as T | undefined;
  }

  run(sql: string, ...params: Param[]): { changes: number; lastId: number } {
    return this.#do(sql, () => {
      const changes = this.#sqlite.run(sql, params);
      return { changes, lastId: this.#sqlite.get('select last_insert_rowid() as id', [])?.id as number };
    });
  }

  change<T>(work: () => T): T {
    const name = `change_${this.#depth}`;
    this.#sqlite.run(this.#depth === 0 ? 'begin' : `savepoint ${name}`);
    this.#depth += 1;
    try {
      const result = work();
      this.#depth -= 1;
      this.#sqlite.run(this.#depth === 0 ? 'commit' : `release ${name}`);
      if (this.#depth === 0) this.version += 1;
      return result;
    } catch (error) {
      this.#depth -= 1;
      if (this.#depth === 0) this.#sqlite.run('rollback');
      else {
        this.#sqlite.run(`rollback to ${name}`);
        this.#sqlite.run(`release ${name}`);
      }
      throw error;
    }
  }

  async synced(): Promise<void> {
    await this.checkpoint();
  }

  async checkpoint(): Promise<void> {
    if (this.file === undefined) return;
    writeFileSync(`${this.file}-new`, this.#sqlite.image());
    renameSync(`${this.file}-new`, this.file);
  }

  async backup(file: string): Promise<void> {
    writeFileSync(file, this.#sqlite.image());
  }

  info(): DatabaseInfo {
    return { file: this.file, schema: this.get<{ user_version: number }>('pragma user_version')!.user_version, version: this.version };
  }

  announce(): void {}

  async close(): Promise<void> {
    await this.checkpoint();
    this.#sqlite.close();
  }

  #do<T>(sql: string, work: () => T): T {
    return this.#depth === 0 && writes(sql) ? this.change(work) : work();
  }
}
