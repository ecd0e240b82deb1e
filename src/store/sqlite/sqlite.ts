import type { Database as Inner, SqlJsStatic, SqlValue, Statement } from 'sql.js';

export function pageSizeOf(bytes: Uint8Array): number {
  const size = viewOf(bytes).getUint16(16);
  return size === 1 ? 65_536 : Math.max(size, 512);
}

/** The size of a database according to its header, which may be followed by other pages; 0 if the header does not contain it. */
export function databaseSizeOf(bytes: Uint8Array): number {
  if (bytes.length < 100) return 0;
  const header = viewOf(bytes);
  // The page count is valid only if both counters agree; programs older than SQLite 3.7 don't write it.
  return header.getUint32(24) === header.getUint32(92) ? header.getUint32(28) * pageSizeOf(bytes) : 0;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView => new DataView(buffer, byteOffset, byteLength);

/** A parameter; true and false are stored as 1 and 0. */
export type Param = string | number | boolean | null | Uint8Array;

/** The values of a row by column. */
export type StoredRow = Record<string, SqlValue>;

/** An SQL function. It must be deterministic, because changes are replayed after a crash. */
export type SqlFunction = (...values: (string | number | null | Uint8Array)[]) => string | number | null | Uint8Array;

/** The effect of a statement: reads only, changes rows, or changes tables and settings. */
type StatementKind = 'read' | 'rows' | 'tables';
type Prepared = { statement: Statement; kind: StatementKind; names?: string[] };

/** The effect of a statement and its text as JSON, cached by text. */
export function statementInfo(sql: string): { kind: StatementKind; json: string } {
  let statement = texts.get(sql);
  if (statement === undefined) {
    statement = { kind: effectOf(sql), json: JSON.stringify(sql) };
    if (texts.size >= 2000) texts.clear();
    texts.set(sql, statement);
  }
  return statement;
}

const texts = new Map<string, { kind: StatementKind; json: string }>();

function effectOf(sql: string): StatementKind {
  const [word] = /[a-z]+/i.exec(sql.replace(/^(\s|--.*\n|\/\*[\s\S]*?\*\/)+/, '')) ?? [''];
  switch (word.toLowerCase()) {
    case 'select':
    case 'values':
    case 'explain':
      return 'read';
    case 'pragma':
      return sql.includes('=') ? 'tables' : 'read';
    case 'insert':
    case 'update':
    case 'delete':
    case 'replace':
      return 'rows';
    case 'with':
      return /\b(insert|update|delete|replace\s+into)\b/i.test(sql) ? 'rows' : 'read';
    default:
      return 'tables';
  }
}

function rowOf(values: readonly SqlValue[], names: readonly string[]): StoredRow {
  const row: StoredRow = {};
  for (let i = 0; i < names.length; i += 1) row[names[i]!] = values[i]!;
  return row;
}

/** Bytes that sql.js uses as they are: it would copy those of another array. */
class InPlace extends Uint8Array {
  override slice(start?: number, end?: number): Uint8Array<ArrayBuffer> {
    return this.subarray(start, end) as Uint8Array<ArrayBuffer>;
  }
}
const inPlace = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array => new InPlace(buffer as ArrayBuffer, byteOffset, length);

/** An in-memory SQLite database with a cache of prepared statements. */
export class Sqlite {
  readonly #inner: Inner;
  readonly #prepared = new Map<string, Prepared>();
  /** The functions that no statement has used yet. Adding one takes longer than most statements. */
  readonly #unusedFunctions: Map<string, SqlFunction>;
  /** True if the current transaction has changed tables. */
  #altered = false;

  /** Uses `bytes` as its memory, which every write changes. Pages after the database are ignored, and overwritten when it grows. */
  constructor(engine: SqlJsStatic, bytes: Uint8Array | undefined, functions: Record<string, SqlFunction>) {
    this.#inner = new engine.Database(bytes && inPlace(bytes));
    this.#inner.run(
      'pragma journal_mode = memory; pragma synchronous = off; pragma locking_mode = exclusive; pragma temp_store = memory; pragma cache_size = -16000; pragma foreign_keys = on',
    );
    this.#unusedFunctions = new Map(Object.entries(functions));
  }

  /** Runs a statement and returns its rows, at most `limit`. */
  rows(sql: string, params: readonly Param[], limit = Number.POSITIVE_INFINITY): StoredRow[] {
    const prepared = this.#prepare(sql);
    const { statement } = prepared;
    const rows: StoredRow[] = [];
    try {
      if (params.length > 0)
        statement.bind(params.map((value) => (typeof value === 'string' ? value.toWellFormed() : value)) as SqlValue[]);
      while (statement.step()) {
        if (rows.length === limit) {
          if (prepared.kind === 'read') break;
          continue;
        }
        prepared.names ??= statement.getColumnNames();
        rows.push(rowOf(statement.get(), prepared.names));
      }
      return rows;
    } finally {
      statement.reset();
      if (prepared.kind === 'tables') this.#tablesChanged();
    }
  }

  /** Runs a statement, or a script of several without parameters. */
  run(sql: string, params: readonly Param[] = []): void {
    if (params.length === 0 && /;\s*\S/.test(sql)) {
      this.#addFunctions(sql);
      this.#inner.run(sql);
      this.#tablesChanged();
    } else this.rows(sql, params, 0);
  }

  /** Begins a transaction, or a nested savepoint at a greater depth. */
  begin(depth: number): void {
    this.#transact(depth === 0 ? 'begin' : `savepoint part_${depth}`);
  }

  commit(depth: number): void {
    this.#transact(depth === 0 ? 'commit' : `release part_${depth}`);
    if (depth === 0) this.#altered = false;
  }

  rollback(depth: number): void {
    if (depth === 0) this.#transact('rollback');
    else {
      this.#transact(`rollback to part_${depth}`);
      this.#transact(`release part_${depth}`);
    }
    if (this.#altered) this.#forget();
  }

  /** Number of rows that the last statement changed. */
  get changes(): number {
    return this.#inner.getRowsModified();
  }

  get lastId(): number {
    return this.rows('select last_insert_rowid() as id', [])[0]?.id as number;
  }

  /** The whole database as the bytes of a file. Not allowed within a transaction. */
  bytes(): Uint8Array {
    const bytes = this.#inner.export();
    return bytes.subarray(0, databaseSizeOf(bytes) || bytes.length);
  }

  #transact(sql: string): void {
    const { statement } = this.#prepare(sql);
    try {
      statement.step();
    } finally {
      statement.reset();
    }
  }

  #tablesChanged(): void {
    this.#altered = true;
    this.#forget();
  }

  /** Drops the prepared statements, whose columns a change of the tables may have made wrong. */
  #forget(): void {
    for (const { statement } of this.#prepared.values()) statement.free();
    this.#prepared.clear();
  }

  close(): void {
    this.#forget();
    this.#inner.close();
  }

  /** Adds the functions that a statement uses. */
  #addFunctions(sql: string): void {
    for (const [name, body] of this.#unusedFunctions)
      if (sql.includes(`${name}(`)) {
        this.#inner.create_function(name, body);
        this.#unusedFunctions.delete(name);
      }
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      if (this.#prepared.size >= 500) this.#forget();
      this.#addFunctions(sql);
      prepared = { statement: this.#inner.prepare(sql), kind: statementInfo(sql).kind };
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}
