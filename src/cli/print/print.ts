import type { Entry, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { fieldColumns } from './cells.ts';
import { jsonArray, jsonObject, ndjson } from './json.ts';
import type { Layout } from './table.ts';
import { fillTemplate } from './table.ts';
import type { Format, LinkedNames } from './words.ts';

/** Options of {@link print}. */
export interface PrintOptions extends Layout {
  format: Format;
  resource: Resource;
  /** Field paths like `venue.city`. The default depends on the format. */
  fields?: readonly string[];
  /** Text with `{{title}}` for fields; replaces the format. */
  template?: string;
  /** One record instead of a list: JSON is an object, a table has one line per field. */
  single?: boolean;
  /** The names of linked records, for CSV and TSV. */
  linked?: LinkedNames;
  /** Name and time zone of the calendar, for iCalendar. */
  name?: string;
  timezone?: string;
}

type Records = Iterable<Entry> | AsyncIterable<Entry>;

/** Yields records in a format, piece by piece. */
export const print = (entries: Records, printing: PrintOptions): AsyncIterable<string> =>
  printing.template === undefined ? printers[printing.format](entries, printing) : fillTemplate(entries, printing.template);

/** Prints comma- or tab-separated values. */
const separated = (format: 'csv' | 'tsv') =>
  async function* (entries: Records, { fields, resource, linked }: PrintOptions): AsyncIterable<string> {
    yield* (await import('./table.ts'))[format](entries, fields ?? fieldColumns(resource), linked);
  };

const printers: Record<Format, (entries: Records, printing: PrintOptions) => AsyncIterable<string>> = {
  table: recordTable,
  json: (entries, { fields, single }) => (single ? jsonObject : jsonArray)(entries, fields),
  ndjson: (entries, { fields }) => ndjson(entries, fields),
  csv: separated('csv'),
  tsv: separated('tsv'),
  ids,
  count,
  ics,
};

async function* recordTable(entries: Records, { fields, resource, single, ...layout }: PrintOptions): AsyncIterable<string> {
  if (single) yield* (await import('./table.ts')).recordLines(entries, fields, layout);
  else yield* (await import('./table.ts')).table(entries, fields ?? resource.summary, layout);
}

async function* ids(entries: Records): AsyncIterable<string> {
  for await (const entry of entries) yield `${entry.id}\n`;
}

async function* count(entries: Records, { total }: PrintOptions): AsyncIterable<string> {
  let count = 0;
  if (total === undefined) for await (const _ of entries) count++;
  yield `${total ?? count}\n`;
}

async function* ics(entries: Records, { resource, name = '', timezone = '' }: PrintOptions): AsyncIterable<string> {
  if (resource.name !== 'events') throw new Failure('bad-request', `Format ics is only available for events`, 'Use --format json or csv.');
  const { eventsToIcs } = await import('../../model/ical/write.ts');
  yield* eventsToIcs(entries, { name, timezone });
}
