import { DataError } from './problem.ts';
import { longestLine } from './text-source.ts';

/** A row of a table and the line it begins on, from 1. */
export interface CsvRow {
  cells: string[];
  line: number;
}

/**
 * The rows of a CSV text (RFC 4180), one at a time, empty lines left out. The delimiter is the one that the first row has most of, unless it is given. Fails
 * with a DataError where quotes are not as they must be.
 */
export function* csvRows(chunks: Iterable<string>, given?: string): Generator<CsvRow> {
  const pieces = chunks[Symbol.iterator]();
  const position = { line: 1 };
  let delimiter = given;
  let text = '';
  for (let ended = false; !ended; ) {
    const piece = pieces.next();
    ended = piece.done === true;
    if (!piece.done) text += piece.value;
    if (!ended && delimiter === undefined && text.length < 65_536 && !/[\r\n][^\r\n]/.test(text)) continue;
    const named = position.line === 1 && delimiter === undefined ? /^sep=(.)\r?\n/.exec(text) : null;
    if (named) {
      text = text.slice(named[0].length);
      position.line = 2;
    }
    delimiter ??= named?.[1] ?? delimiterOf(text);
    const reader = new RowReader(text, delimiter, ended, position.line);
    let at = 0;
    for (let row = reader.rowAt(at); row; row = reader.rowAt(at)) {
      if (row.cells.length > 1 || row.cells[0]!.trim() !== '') yield { cells: row.cells, line: position.line };
      at = row.end;
      position.line = reader.line;
    }
    text = text.slice(at);
    if (text.length > longestLine)
      throw new DataError(`line ${position.line}`, `a row is longer than ${longestLine >> 20} MiB, or the end of a quoted cell is missing`);
  }
}

/** The delimiter of a table by its first row: the one it has most of outside quotes. */
export function delimiterOf(text: string): string {
  const first = text.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)[0]!;
  const counts = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: first.split(delimiter).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}

/** Reads rows out of one piece of text. */
class RowReader {
  readonly #stop: RegExp;

  constructor(
    private readonly text: string,
    private readonly delimiter: string,
    /** Whether the text ends here; a row that is not whole waits for more otherwise. */
    private readonly ended: boolean,
    /** The line that the next row begins on. */
    public line: number,
  ) {
    this.#stop = new RegExp(`[\\r\\n${delimiter.replace(/[\\\]^|-]/g, '\\$&')}]`, 'g');
  }

  /** The row that begins at a place, and where it ends; undefined when there is none, or not all of it yet. */
  rowAt(from: number): { cells: string[]; end: number } | undefined {
    if (from >= this.text.length) return undefined;
    const cells: string[] = [];
    let lines = 0;
    for (let at = from; ; ) {
      const cell = this.text[at] === '"' ? this.#quoted(at, this.line + lines) : this.#plain(at);
      if (!cell) return undefined;
      cells.push(cell.value);
      if (cell.value.includes('\n') || cell.value.includes('\r')) lines += cell.value.split(/\r\n|[\n\r]/).length - 1;
      const mark = this.text[cell.end];
      if (mark === this.delimiter) {
        at = cell.end + 1;
        continue;
      }
      if (mark === '\r' && cell.end + 1 === this.text.length && !this.ended) return undefined;
      const end = cell.end + (mark === '\r' && this.text[cell.end + 1] === '\n' ? 2 : 1);
      this.line += lines + 1;
      return { cells, end: Math.min(end, this.text.length) };
    }
  }

  #plain(at: number): { value: string; end: number } | undefined {
    this.#stop.lastIndex = at;
    const end = this.#stop.exec(this.text)?.index;
    if (end === undefined && !this.ended) return undefined;
    return { value: this.text.slice(at, end), end: end ?? this.text.length };
  }

  #quoted(at: number, line: number): { value: string; end: number } | undefined {
    for (let close = this.text.indexOf('"', at + 1); close >= 0; close = this.text.indexOf('"', close + 2)) {
      if (this.text[close + 1] === '"') continue;
      let end = close + 1;
      while (this.text[end] === ' ') end++;
      if (end >= this.text.length && !this.ended) return undefined;
      const mark = this.text[end];
      if (mark !== undefined && mark !== this.delimiter && mark !== '\r' && mark !== '\n')
        throw new DataError(`line ${line}`, 'a quote within a quoted cell must be doubled: ""');
      return { value: this.text.slice(at + 1, close).replaceAll('""', '"'), end };
    }
    if (this.ended) throw new DataError(`line ${line}`, 'a quoted cell has no end');
    return undefined;
  }
}

const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/** A text that a spreadsheet would take for a formula, with an apostrophe in front of it; one that has such an apostrophe gets another. */
export const guarded = (text: string): string => (/^'*[=+\-@\t\r]/.test(text) && !plainNumber.test(text) ? `'${text}` : text);

/** A cell as it was before {@link guarded}. */
export const unguarded = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

/** Cells as a line of CSV (RFC 4180), with CRLF at its end. */
export const csvLine = (cells: readonly string[], delimiter = ','): string =>
  `${cells.map((cell) => (/["\r\n]|^\s|\s$/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)}\r\n`;
