import { type Entry, resourceNames } from '../../model/calendar.ts';
import { shownCostCell } from '../../model/fields/cost.ts';
import { imageUrl } from '../../model/fields/link.ts';
import { escapeFormula } from '../../model/formats/csv.ts';
import type { RecordNames } from '../../model/formats/record-names.ts';
import { encodeEntities, htmlToText } from '../../model/html/plain-text.ts';
import { resources } from '../../model/resources/all.ts';
import { plainText } from '../terminal/safe-text.ts';
import { valueAt } from './cells.ts';

/** The member that names an embedded record or an image. */
const labels = [...new Set(resourceNames.map((name) => resources[name].label)), 'url'];

/** Formats a value on one line: linked records by name, booleans as yes and no, HTML as plain text. */
export function displayText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return plainText(String(value));
  if (Array.isArray(value)) return value.map(displayText).filter(Boolean).join(', ');
  const record = value as Record<string, unknown>;
  const label = labels.find((name) => typeof record[name] === 'string');
  return plainText(label ? String(record[label]) : JSON.stringify(value));
}

/** Formats the value at a path of a record; empty for no image. */
export function displayTextAt(entry: Entry, path: string): string {
  const value = valueAt(entry, path, htmlToText);
  return value === false && path === 'image' ? '' : displayText(value);
}

/** The names of the records that fields link to, by field. */
export type LinkedNames = Readonly<Record<string, RecordNames>>;

/**
 * Formats the value at a path of a record as a cell of CSV or TSV: text without markup, with the guard against formulas; no image is an empty cell. Linked records have the
 * names by which an import finds them.
 */
export function cellAt(entry: Entry, path: string, linked: LinkedNames = {}): string {
  const value = valueAt(entry, path, htmlToText);
  const names = linked[path];
  if (names) return escapeFormula(namesIn(value, names));
  if (path === 'cost') return escapeFormula(shownCostCell(displayText(value)));
  return escapeFormula(path === 'image' ? imageUrl(value) : cellOf(value));
}

function namesIn(value: unknown, names: RecordNames): string {
  const records = [value ?? []].flat().filter((record) => record !== 0 && record !== '');
  return records
    .map((record) =>
      typeof record === 'object'
        ? names.cellOf(record as Entry, { isOneOfSeveral: records.length > 1 })
        : names.cellOf(Number(record), { isSlugFirst: true }),
    )
    .join(', ');
}

/** Formats a value for CSV: lists with commas, others as JSON. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return /[<&]/.test(value) ? plainCell(htmlToText(value)) : value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.every(isNamed) ? value.map(cellOf).join(',') : JSON.stringify(value);
  if (!isNamed(value)) return JSON.stringify(value);
  return String((value as Entry).id);
}

/** True if a value is a scalar or a record with an ID. */
const isNamed = (value: unknown): boolean => typeof value !== 'object' || value === null || 'id' in value;

export const moreNote = (count: number, total: number): string =>
  `${count} of ${total}. Use --page for others, or --limit ${total} for all.`;

/** Output formats of records. */
export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'ids', 'count', 'ics'] as const;
export type Format = (typeof formats)[number];

/** A plain text as a cell. One that an import would read as HTML stays encoded: `&lt;b&gt;`. */
const plainCell = (text: string): string => (htmlToText(text) === text ? text : encodeEntities(text));
