import type { Entry } from '../../model/calendar.ts';
import { csvLine, escapeFormula } from '../../model/formats/csv.ts';
import { cellAt } from './cells.ts';

/** Yields comma-separated values (RFC 4180) with headings; formulas are escaped. */
export async function* csv(entries: Iterable<Entry> | AsyncIterable<Entry>, columns: readonly string[]): AsyncIterable<string> {
  yield csvLine(columns);
  for await (const entry of entries) yield csvLine(columns.map((path) => escapeFormula(cellAt(entry, path))));
}

const marks: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Yields tab-separated values with headings. Tabs, line breaks and backslashes are escaped. */
export async function* tsv(entries: Iterable<Entry> | AsyncIterable<Entry>, columns: readonly string[]): AsyncIterable<string> {
  yield `${columns.join('\t')}\n`;
  for await (const entry of entries) {
    yield `${columns.map((path) => cellAt(entry, path).replace(/[\\\t\n\r]/g, (each) => marks[each]!)).join('\t')}\n`;
  }
}
