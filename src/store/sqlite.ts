import type { Database as Inner, SqlJsStatic, SqlValue, Statement } from 'sql.js';
import { wasm } from './wasm.ts';

/** A value of a parameter; true and false are stored as 1 and 0. */
export type Param = string | number | boolean | null | Uint8Array;

/** A function that SQL can call. It must give the same answer for the same arguments for ever: changes are replayed after a crash. */
export type SqlFunction = (...values: (string | number | null | Uint8Array)[]) => string | number | null | Uint8Array;

type Row = Record<string, SqlValue>;
type Prepared = { statement: Statement; columns: string[] | undefined; row: ((values: SqlValue[]) => Row) | undefined; writes: boolean };

let loading: Promise<SqlJsStatic> | undefined;

/** SQLite, loaded once for the process. */
export function loadSqlite(): Promise<SqlJsStatic> {
  loading ??= import('sql.js/dist/sql-wasm.js').then(({ default: start }) =>
    start({ wasmBinary: wasm(), useOldExtensionFunctions: false } as Parameters<typeof start>[0]),
  );
  return loading;
}

/** Whether a statement can change the database, judged by its text; `with … insert` counts, a `select` never does. */
export function writes(sql: string): boolean {
  const [word] = /[a-z]+/i.exec(sql.replace(/^(\s|--.*\n|\/\*[\s\S]*?\*\/)+/, '')) ?? [''];
  switch (word.toLowerCase()) {
    case 'select':
    case 'values':
    case 'explain':
      return false;
    case 'pragma':
      return sql.includes('=');
    case 'with':
      return /\b(insert|update|delete|replace\s+into)\b/i.test(sql);
    default:
      return true;
  }
}

/** One SQLite database in memory with its prepared statements, kept by their text. */
export class Sqlite {
  readonly #inner: Inner;
  readonly #prepared = new Map<string, Prepared>();

  constructor(engine: SqlJsStatic, image: Uint8Array | undefined, functions: Record<string, SqlFunction>) {
    this.#inner = new engine.Database(image);
    this.#inner.run(
      'pragma journal_mode = memory; pragma synchronous = off; pragma locking_mode = exclusive; pragma temp_store = memory; pragma cache_size = -16000; pragma foreign_keys = on',
    );
    for (const [name, body] of Object.entries(functions)) this.#inner.create_function(name, body);
  }

  all(sql: string, params: readonly Param[]): Row[] {
    const prepared = this.#prepare(sql);
    const { statement } = prepared;
    const rows: Row[] = [];
    try {
      if (params.length > 0) statement.bind(params as SqlValue[]);
      while (statement.step()) {
        prepared.columns ??= statement.getColumnNames();
        const values = statement.get();
        const row: Row = {};
        for (let i = 0; i < values.length; i += 1) row[prepared.columns[i]!] = values[i]!;
        rows.push(row);
      }
      return rows;
    } finally {
      statement.reset();
    }
  }

  get(sql: string, params: readonly Param[]): Row | undefined {
    const prepared = this.#prepare(sql);
    const { statement } = prepared;
    try {
      if (params.length > 0) statement.bind(params as SqlValue[]);
      let row: Row | undefined;
      while (statement.step()) {
        if (row !== undefined) {
          if (prepared.writes) continue;
          break;
        }
        prepared.columns ??= statement.getColumnNames();
        const values = statement.get();
        row = {};
        for (let i = 0; i < values.length; i += 1) row[prepared.columns[i]!] = values[i]!;
      }
      return row;
    } finally {
      statement.reset();
    }
  }

  /** Runs one statement, or several when there are no parameters; the number of rows that the last one changed. */
  run(sql: string, params: readonly Param[] = []): number {
    if (params.length === 0 && /;\s*\S/.test(sql)) {
      this.#inner.run(sql);
      this.forget();
      return this.#inner.getRowsModified();
    }
    const { statement } = this.#prepare(sql);
    try {
      if (params.length > 0) statement.bind(params as SqlValue[]);
      while (statement.step());
      return this.#inner.getRowsModified();
    } finally {
      statement.reset();
    }
  }

  /** The whole database as the bytes of a file. Not inside a transaction. */
  image(): Uint8Array {
    return this.#inner.export();
  }

  /** Drops the prepared statements, whose columns a change of the tables may have made wrong. */
  forget(): void {
    for (const { statement } of this.#prepared.values()) statement.free();
    this.#prepared.clear();
  }

  close(): void {
    this.forget();
    this.#inner.close();
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      if (this.#prepared.size >= 500) this.forget();
      prepared = { statement: this.#inner.prepare(sql), columns: undefined, row: undefined, writes: writes(sql) };
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}
