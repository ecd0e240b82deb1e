import Papa from 'papaparse';
import { DataError } from '../error.ts';
import { maxLineLength } from './decode.ts';

/** A row of a table and its first line, from 1. */
export interface CsvRow {
  cells: string[];
  line: number;
  /** Text between its cells. */
  delimiter: string;
}

interface Dialect {
  delimiter: string;
  newline: '\r\n' | '\n' | '\r';
}

/**
 * Yields the rows of a CSV text (RFC 4180) without empty lines. Detects delimiter and line break in the first row, unless the delimiter is given. Keeps one chunk and
 * one row in memory. Throws a DataError for invalid quotes. Doesn't read the lines before `firstLine`.
 */
export function* csvRows(chunks: Iterable<string>, delimiter?: string, firstLine = 1): Generator<CsvRow> {
  const iterator = (firstLine > 1 ? afterLines(chunks, firstLine - 1) : chunks)[Symbol.iterator]();
  try {
    yield* rowsFrom(iterator, delimiter, firstLine);
  } finally {
    iterator.return?.();
  }
}

const tsvMarks: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Formats a line of tab-separated values. Tabs, line breaks and backslashes are escaped; a cell that begins with a quote is quoted, because other programs read it so. */
export const tsvLine = (cells: readonly string[]): string =>
  `${cells
    .map((cell) => cell.replace(/[\\\t\n\r]/g, (mark) => tsvMarks[mark]!))
    .map((cell) => (cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join('\t')}\n`;

/** The text of a cell of {@link tsvLine}. */
export const unescapeTsv = (cell: string): string =>
  cell.replace(/\\([\\tnr])/g, (_, letter: string) => ({ t: '\t', n: '\n', r: '\r' })[letter] ?? letter);

/** Yields a text without its first lines. */
function* afterLines(chunks: Iterable<string>, count: number): Generator<string> {
  let [text, left] = ['', count];
  for (const chunk of chunks) {
    text += chunk;
    while (left > 0) {
      // A carriage return at the end of a chunk may be the first half of a line break.
      const lineBreak = /\r\n|\n|\r(?=[^\n])/.exec(text);
      text = lineBreak ? text.slice(lineBreak.index + lineBreak[0].length) : text.slice(-1);
      if (!lineBreak) break;
      left--;
    }
    if (left > 0) continue;
    yield text;
    text = '';
  }
}

function* rowsFrom(iterator: Iterator<string>, delimiter: string | undefined, firstLine: number): Generator<CsvRow> {
  let [text, line, minLength] = ['', firstLine, 0];
  let dialect: Dialect | undefined;
  for (let ended = false; !ended; ) {
    const chunk = iterator.next();
    ended = chunk.done === true;
    if (!chunk.done) text += chunk.value;
    if (!ended && text.length < minLength) continue;
    if (!dialect) {
      text = text.replace(/^\ufeff+/, '');
      const detected = dialectOf(text, ended || text.length > maxHeadingLength);
      if (!detected) continue;
      const separatorLine = delimiter === undefined ? /^sep=(.)\r?\n/.exec(text) : null;
      if (separatorLine) [text, line] = [text.slice(separatorLine[0].length), firstLine + 1];
      dialect = { ...detected, delimiter: delimiter ?? separatorLine?.[1] ?? detected.delimiter };
    }
    const { rows, end, unfinished } = rowsIn(text, dialect, ended);
    for (const row of rows) {
      if (row.fault) throw new DataError(`line ${line}`, row.fault);
      if (row.cells.length > 1 || row.cells[0]!.trim() !== '') yield { cells: row.cells, line, delimiter: dialect.delimiter };
      line += row.lines;
    }
    text = text.slice(end);
    // An incomplete row is parsed again only when its text has doubled.
    minLength = rows.length ? 0 : Math.min(text.length * 2, maxLineLength + 1);
    if (text.length > maxLineLength)
      throw new DataError(`line ${line}`, unfinished ?? `row is longer than ${maxLineLength >> 20} MiB, or a quoted cell is unterminated`);
  }
}

/** Maximum length of a first row in which the line break is detected. */
const maxHeadingLength = 65_536;

/** The delimiter and line break of the first row; undefined if the row may be incomplete, unless `isWhole`. */
function dialectOf(text: string, isWhole: boolean): Dialect | undefined {
  const unquoted = text.replace(/"(?:[^"]|"")*(?:"|$)/g, (cell) => '_'.repeat(cell.length));
  const lineBreak = /\r\n|\n|\r/.exec(unquoted);
  const isFollowed = lineBreak !== null && lineBreak.index + lineBreak[0].length < text.length;
  if (!isFollowed && !isWhole) return undefined;
  const [newline = '\n'] = lineBreak ?? /\r\n|\n|\r/.exec(text) ?? [];
  return { delimiter: delimiterOf(text.slice(0, lineBreak?.index)), newline: newline as Dialect['newline'] };
}

/** Detects the delimiter of a table in its first row. */
export const delimiterOf = (row: string): string =>
  Papa.parse(row, { preview: 1, newline: '\n', delimitersToGuess: [',', ';', '\t', '|'] }).meta.delimiter;

interface ParsedRow {
  cells: string[];
  /** Number of lines. */
  lines: number;
  /** Problem with its quotes. */
  fault?: string;
}

const faults = { InvalidQuotes: 'a quote in a quoted cell must be doubled: ""', MissingQuotes: 'unterminated quoted cell' };

/** The complete rows at the beginning of a text, their end, and the problem of the incomplete row after them. */
function rowsIn(text: string, dialect: Dialect, ended: boolean): { rows: ParsedRow[]; end: number; unfinished?: string } {
  const rows: (ParsedRow & { start: number })[] = [];
  let start = 0;
  // Papa removes one byte order mark: this one instead of one in the text.
  Papa.parse<string[]>(`\ufeff${text}`, {
    ...dialect,
    step({ data, errors, meta }) {
      const codes = errors.map(({ code }) => code);
      const fault = codes.includes('InvalidQuotes')
        ? faults.InvalidQuotes
        : codes.includes('MissingQuotes')
          ? faults.MissingQuotes
          : undefined;
      const lines = text.slice(start, meta.cursor).match(/\r\n|[\n\r]/g)?.length ?? 0;
      rows.push({ cells: data, lines, fault, start });
      start = meta.cursor;
    },
  });
  if (ended) return { rows, end: text.length };
  const last = rows.pop();
  return { rows, end: last?.start ?? 0, unfinished: last?.fault === faults.InvalidQuotes ? last.fault : undefined };
}

const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;

/** True if the first character after apostrophes begins a formula in a spreadsheet. Some accept full-width signs. */
const isFormula = (text: string): boolean => /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text);

/** Adds an apostrophe before a text that a spreadsheet would interpret as a formula. */
export const escapeFormula = (text: string): string => (isFormula(text) && !plainNumber.test(text) ? `'${text}` : text);

/** Reverts {@link escapeFormula}. */
export const unescapeFormula = (cell: string): string => (cell.startsWith("'") && isFormula(cell) ? cell.slice(1) : cell);

/** Formats cells as a CSV line (RFC 4180) that ends with CRLF. */
export const csvLine = (cells: readonly string[], delimiter = ','): string => `${Papa.unparse([[...cells]], { delimiter })}\r\n`;
