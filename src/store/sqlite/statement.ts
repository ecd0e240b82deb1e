import type { Database, SqlJsStatic } from 'sql.js';

/** A parameter; true and false are stored as 1 and 0. */
export type Param = string | number | boolean | null | Uint8Array;

type SqlValue = string | number | null | Uint8Array;

/** The values of a row by column. */
export type StoredRow = Record<string, SqlValue>;

/** The functions of SQLite that sql.js exports beside its own interface. Texts and statements are addresses in {@link SqliteMemory}. */
interface Functions {
  _malloc(size: number): number;
  _free(address: number): void;
  _sqlite3_prepare_v2(db: number, sql: number, length: number, statement: number, tail: number): number;
  _sqlite3_bind_text(statement: number, position: number, text: number, length: number, destructor: number): number;
  _sqlite3_bind_blob(statement: number, position: number, bytes: number, length: number, destructor: number): number;
  _sqlite3_bind_int(statement: number, position: number, value: number): number;
  _sqlite3_bind_double(statement: number, position: number, value: number): number;
  _sqlite3_step(statement: number): number;
  _sqlite3_column_count(statement: number): number;
  _sqlite3_column_name(statement: number, column: number): number;
  _sqlite3_column_type(statement: number, column: number): number;
  _sqlite3_column_double(statement: number, column: number): number;
  _sqlite3_column_text(statement: number, column: number): number;
  _sqlite3_column_blob(statement: number, column: number): number;
  _sqlite3_column_bytes(statement: number, column: number): number;
  _sqlite3_reset(statement: number): number;
  _sqlite3_clear_bindings(statement: number): number;
  _sqlite3_finalize(statement: number): number;
  UTF8ToString(address: number): string;
}

/** SQLite as sql.js loads it. */
export interface Engine extends SqlJsStatic, Functions {
  memory: SqliteMemory;
}

/** A database of sql.js, with its address and the check of a result code, which throws. */
type Inner = Database & { db: number; handleError(code: number): void };

/** Result of a step that reached a row. */
const isRow = 100;
const isDone = 101;

const initialBytes = 1 << 16;

/** Texts up to this length are encoded without a call of node. */
const maxShortText = 32;

/** The memory of SQLite, with a place for the parameters of the statement that runs. */
export class SqliteMemory {
  #bytes = Buffer.alloc(0);
  #start = 0;
  #size = 0;

  constructor(
    private readonly functions: Functions,
    private readonly memory: { readonly buffer: ArrayBuffer },
  ) {}

  /** The current memory, which is another one after it grew. */
  get bytes(): Buffer {
    if (this.#bytes.buffer !== this.memory.buffer) this.#bytes = Buffer.from(this.memory.buffer);
    return this.#bytes;
  }

  /** Returns the address of a number of bytes, which are valid until the next call. */
  reserve(size: number): number {
    if (size > this.#size || this.#start === 0) {
      this.functions._free(this.#start);
      this.#size = Math.max(size, initialBytes);
      this.#start = this.functions._malloc(this.#size);
      if (this.#start === 0) throw new RangeError('SQLite is out of memory');
    }
    return this.#start;
  }

  /** Writes a text as UTF-8 and returns its length. */
  write(text: string, address: number): number {
    const { bytes } = this;
    if (text.length > maxShortText) return bytes.write(text, address);
    for (let i = 0; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code > 127) return bytes.write(text, address);
      bytes[address + i] = code;
    }
    return text.length;
  }
}

/** A prepared statement. It does what the one of sql.js does, without allocating memory for each parameter. */
export class Statement {
  readonly #engine: Engine;
  readonly #inner: Inner;
  readonly #address: number;
  #names: string[] | undefined;

  constructor(engine: Engine, inner: Database, sql: string) {
    const { memory } = engine;
    this.#engine = engine;
    this.#inner = inner as Inner;
    const out = memory.reserve(4 + 3 * sql.length);
    const length = memory.write(sql, out + 4);
    this.#check(engine._sqlite3_prepare_v2(this.#inner.db, out + 4, length, out, 0));
    this.#address = memory.bytes.readUInt32LE(out);
    if (this.#address === 0) throw new TypeError('Nothing to prepare');
  }

  /** Sets the parameters. They are valid until the next statement is bound. */
  bind(params: readonly Param[]): void {
    let size = 0;
    for (const value of params)
      if (typeof value === 'string') size += 3 * value.length;
      else if (value instanceof Uint8Array) size += value.length;
    let address = this.#engine.memory.reserve(size);
    for (let i = 0; i < params.length; i += 1) address += this.#bind(i + 1, params[i]!, address);
  }

  /** Returns the number of bytes that a parameter takes. */
  #bind(position: number, value: Param, address: number): number {
    const engine = this.#engine;
    const statement = this.#address;
    let length = 0;
    if (typeof value === 'string') {
      length = engine.memory.write(value, address);
      this.#check(engine._sqlite3_bind_text(statement, position, address, length, 0));
    } else if (typeof value === 'number' || typeof value === 'boolean') {
      const number = Number(value);
      this.#check(
        number === (number | 0)
          ? engine._sqlite3_bind_int(statement, position, number)
          : engine._sqlite3_bind_double(statement, position, number),
      );
    } else if (value instanceof Uint8Array) {
      length = value.length;
      engine.memory.bytes.set(value, address);
      this.#check(engine._sqlite3_bind_blob(statement, position, address, length, 0));
    } else if (value !== null) throw new TypeError(`${typeof value} is not a parameter`);
    return length;
  }

  /** Returns whether there is another row. */
  step(): boolean {
    const code = this.#engine._sqlite3_step(this.#address);
    if (code !== isRow && code !== isDone) this.#check(code);
    return code === isRow;
  }

  /** Returns the current row. */
  row(): StoredRow {
    this.#names ??= this.#readNames();
    const row: StoredRow = {};
    for (let i = 0; i < this.#names.length; i += 1) row[this.#names[i]!] = this.#value(i);
    return row;
  }

  /** Ends a run; drops the parameters. */
  reset(): void {
    this.#engine._sqlite3_reset(this.#address);
    this.#engine._sqlite3_clear_bindings(this.#address);
  }

  free(): void {
    this.#engine._sqlite3_finalize(this.#address);
  }

  #readNames(): string[] {
    const engine = this.#engine;
    return Array.from({ length: engine._sqlite3_column_count(this.#address) }, (_, i) =>
      engine.UTF8ToString(engine._sqlite3_column_name(this.#address, i)),
    );
  }

  #value(column: number): SqlValue {
    const engine = this.#engine;
    const statement = this.#address;
    switch (engine._sqlite3_column_type(statement, column)) {
      case 1:
      case 2:
        return engine._sqlite3_column_double(statement, column);
      case 3: {
        const start = engine._sqlite3_column_text(statement, column);
        return engine.memory.bytes.toString('utf8', start, start + engine._sqlite3_column_bytes(statement, column));
      }
      case 4: {
        const start = engine._sqlite3_column_blob(statement, column);
        return Uint8Array.from(engine.memory.bytes.subarray(start, start + engine._sqlite3_column_bytes(statement, column)));
      }
      default:
        return null;
    }
  }

  #check(code: number): void {
    this.#inner.handleError(code);
  }
}
