import { type Entry, resourceNames } from '../../model/calendar.ts';
import { escapeFormula } from '../../model/formats/csv.ts';
import { htmlToText } from '../../model/html/plain-text.ts';
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

/** Formats the value at a path of a record as a cell of CSV or TSV: text without markup, with the guard against formulas; no image is an empty cell. */
export function cellAt(entry: Entry, path: string): string {
  const value = valueAt(entry, path, htmlToText);
  return escapeFormula(value === false && path === 'image' ? '' : cellOf(value));
}

/** Formats a value for CSV: linked records as IDs, terms as slugs, lists with commas. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return /[<&]/.test(value) ? htmlToText(value) : value;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.every(isNamed) ? value.map(cellOf).join(',') : JSON.stringify(value);
  if (!isNamed(value)) return JSON.stringify(value);
  const linked = value as Record<string, unknown>;
  return String('taxonomy' in linked ? linked.slug : linked.id);
}

/** Returns whether a value is a scalar or a record with an ID. */
const isNamed = (value: unknown): boolean => typeof value !== 'object' || value === null || 'id' in value;

export const moreNote = (count: number, total: number): string =>
  `${count} of ${total}. Use --page for others, or --limit ${total} for all.`;

/** Output formats of records. */
export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'ids', 'count', 'ics'] as const;
export type Format = (typeof formats)[number];
