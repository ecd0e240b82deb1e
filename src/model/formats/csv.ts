import Papa from 'papaparse';
import { DataError } from '../error.ts';
import { longestLine } from './decode.ts';

/** A row of a table and the line it begins on, from 1. */
export interface CsvRow {
  cells: string[];
  line: number;
}

interface Dialect {
  delimiter: string;
  newline: '\r\n' | '\n' | '\r';
}

/**
 * The rows of a CSV text (RFC 4180), one at a time, without empty lines. Delimiter and line break are those of the first row, unless the delimiter is given. Holds a
 * chunk and a row in memory. Fails with a DataError where quotes are not as they must be.
 */
export function* csvRows(chunks: Iterable<string>, delimiter?: string): Generator<CsvRow> {
  const iterator = chunks[Symbol.iterator]();
  let [text, line, wanted] = ['', 1, 0];
  let dialect: Dialect | undefined;
  for (let ended = false; !ended; ) {
    const chunk = iterator.next();
    ended = chunk.done === true;
    if (!chunk.done) text += chunk.value;
    if (!ended && text.length < wanted) continue;
    if (!dialect) {
      text = text.replace(/^\ufeff+/, '');
      const found = dialectOf(text, ended || text.length > longestHeading);
      if (!found) continue;
      const named = delimiter === undefined ? /^sep=(.)\r?\n/.exec(text) : null;
      if (named) [text, line] = [text.slice(named[0].length), 2];
      dialect = { ...found, delimiter: delimiter ?? named?.[1] ?? found.delimiter };
    }
    const { rows, end, unfinished } = rowsIn(text, dialect, ended);
    for (const row of rows) {
      if (row.fault) throw new DataError(`line ${line}`, row.fault);
      if (row.cells.length > 1 || row.cells[0]!.trim() !== '') yield { cells: row.cells, line };
      line += row.lines;
    }
    text = text.slice(end);
    // A row that fills its chunk is parsed again only when twice as much of it is there.
    wanted = rows.length ? 0 : Math.min(text.length * 2, longestLine + 1);
    if (text.length > longestLine)
      throw new DataError(
        `line ${line}`,
        unfinished ?? `a row is longer than ${longestLine >> 20} MiB, or the end of a quoted cell is missing`,
      );
  }
}

/** The length of a first row after which its end is no longer waited for. */
const longestHeading = 65_536;

/** The delimiter and the line break of a table's first row; undefined when that may go on after this text, unless `whole`. */
function dialectOf(text: string, whole: boolean): Dialect | undefined {
  const unquoted = text.replace(/"(?:[^"]|"")*(?:"|$)/g, (cell) => '_'.repeat(cell.length));
  const lineBreak = /\r\n|\n|\r/.exec(unquoted);
  const isFollowed = lineBreak !== null && lineBreak.index + lineBreak[0].length < text.length;
  if (!isFollowed && !whole) return undefined;
  const [newline = '\n'] = lineBreak ?? /\r\n|\n|\r/.exec(text) ?? [];
  return { delimiter: delimiterOf(text.slice(0, lineBreak?.index)), newline: newline as Dialect['newline'] };
}

/** The delimiter of a table by its first row. */
export const delimiterOf = (row: string): string =>
  Papa.parse(row, { preview: 1, newline: '\n', delimitersToGuess: [',', ';', '\t', '|'] }).meta.delimiter;

interface ParsedRow {
  cells: string[];
  /** How many lines it takes. */
  lines: number;
  /** What is wrong with its quotes. */
  fault?: string;
}

const faults = { InvalidQuotes: 'a quote within a quoted cell must be doubled: ""', MissingQuotes: 'a quoted cell has no end' };

/** The whole rows at the beginning of a text, where they end, and what is wrong with the unfinished row after them. */
function rowsIn(text: string, dialect: Dialect, ended: boolean): { rows: ParsedRow[]; end: number; unfinished?: string } {
  const rows: (ParsedRow & { start: number })[] = [];
  let start = 0;
  // Papa takes one mark of byte order away from the beginning of what it is given: this one, not one of the text.
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

/** A text that a spreadsheet would take for a formula, with an apostrophe in front of it; one that has such an apostrophe gets another. */
export const guarded = (text: string): string => (/^'*[=+\-@\t\r]/.test(text) && !plainNumber.test(text) ? `'${text}` : text);

/** A cell as it was before {@link guarded}. */
export const unguarded = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

/** Cells as a line of CSV (RFC 4180), with CRLF at its end. */
export const csvLine = (cells: readonly string[], delimiter = ','): string => `${Papa.unparse([[...cells]], { delimiter })}\r\n`;
