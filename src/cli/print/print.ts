import { Failure } from '../../model/error.ts';
import type { Entry, Resource } from '../../model/resource.ts';
import { jsonArray, jsonObject, ndjson } from './json.ts';
import { harmless } from './plain.ts';
import { columnsForPeople, columnsForPrograms } from './rows.ts';
import { csv, tsv } from './separated.ts';
import type { Layout } from './table.ts';
import { filled } from './template.ts';

/** The forms in which records are printed. */
export const formats = ['table', 'json', 'ndjson', 'csv', 'tsv', 'ids', 'count', 'ics'] as const;
export type Format = (typeof formats)[number];

/** What to print of records, and where. */
export interface Printing extends Layout {
  format: Format;
  resource: Resource;
  /** Paths of fields like `venue.city`; those of the format when absent. */
  fields?: readonly string[];
  /** In place of a format: a text with `{{title}}` for fields. */
  template?: string;
  /** One record was asked for, not a list: JSON is an object, a table has a line for each field. */
  single?: boolean;
  /** What the calendar is called, and its zone; an iCalendar file names them. */
  name?: string;
  timezone?: string;
}

type Records = Iterable<Entry> | AsyncIterable<Entry>;

/** Records in a format, piece by piece as they come. On a terminal nothing in their texts can restyle or rewrite the screen. */
export async function* print(entries: Records, printing: Printing): AsyncIterable<string> {
  const pieces = printing.template === undefined ? printers[printing.format](entries, printing) : filled(entries, printing.template);
  // A table cleans its cells itself, before it colours them.
  const clean = printing.width !== undefined && (printing.template !== undefined || printing.format !== 'table');
  for await (const piece of pieces) yield clean ? harmless(piece) : piece;
}

const printers: Record<Format, (entries: Records, printing: Printing) => AsyncIterable<string>> = {
  table: people,
  json: (entries, { fields, single }) => (single ? jsonObject : jsonArray)(entries, fields),
  ndjson: (entries, { fields }) => ndjson(entries, fields),
  csv: (entries, { fields, resource }) => csv(entries, fields ?? columnsForPrograms(resource)),
  tsv: (entries, { fields, resource }) => tsv(entries, fields ?? columnsForPrograms(resource)),
  ids,
  count,
  ics,
};

/** Tables measure letters, which takes a while to load: not before one is drawn. */
async function* people(entries: Records, { fields, resource, single, ...layout }: Printing): AsyncIterable<string> {
  if (single) yield* (await import('./sheet.ts')).sheet(entries, fields, layout);
  else yield* (await import('./table.ts')).table(entries, fields ?? columnsForPeople(resource), layout);
}

async function* ids(entries: Records): AsyncIterable<string> {
  for await (const entry of entries) yield `${entry.id}\n`;
}

/** How many match in all; where nobody has counted, the records. */
async function* count(entries: Records, { total }: Printing): AsyncIterable<string> {
  let found = 0;
  if (total === undefined) for await (const _ of entries) found++;
  yield `${total ?? found}\n`;
}

/** Events as an iCalendar file. Fails for other records. */
async function* ics(entries: Records, { resource, name = 'calendar', timezone = 'UTC' }: Printing): AsyncIterable<string> {
  if (resource.name !== 'events')
    throw new Failure('bad-request', `ics holds events, not ${resource.name}`, {}, 'Try --format json or csv.');
  const { eventsToIcs } = await import('../../model/ical.ts');
  yield* eventsToIcs(entries, { name, timezone });
}
