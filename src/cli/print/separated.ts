import type { Entry } from '../../model/resource.ts';
import { cellAt, valueAt } from './rows.ts';

// A spreadsheet runs a cell that begins so as a formula; one more apostrophe makes it text, and makes `unguarded` give back any text.
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A text that no spreadsheet takes for a formula. */
export const guarded = (text: string): string => (formula.test(text) ? `'${text}` : text);

/** The text that {@link guarded} was given. */
export const unguarded = (text: string): string => (text.startsWith("'") && formula.test(text) ? text.slice(1) : text);

const quoted = (text: string): string => (/[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Comma-separated values, RFC 4180: headings, CRLF, quotes where needed; texts guarded against being run as formulas, numbers as they are. */
export async function* csv(entries: Iterable<Entry> | AsyncIterable<Entry>, columns: readonly string[]): AsyncIterable<string> {
  yield `${columns.map(quoted).join(',')}\r\n`;
  for await (const entry of entries) {
    const cells = columns.map((path) => {
      const cell = cellAt(entry, path);
      return typeof valueAt(entry, path) === 'number' ? cell : quoted(guarded(cell));
    });
    yield `${cells.join(',')}\r\n`;
  }
}

const marks: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Tab-separated values with headings; tabs, line breaks and backslashes of a text are written `\t`, `\n`, `\r`, `\\`. */
export async function* tsv(entries: Iterable<Entry> | AsyncIterable<Entry>, columns: readonly string[]): AsyncIterable<string> {
  yield `${columns.join('\t')}\n`;
  for await (const entry of entries) {
    yield `${columns.map((path) => cellAt(entry, path).replace(/[\\\t\n\r]/g, (each) => marks[each]!)).join('\t')}\n`;
  }
}
