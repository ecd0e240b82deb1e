import { csvLine } from '../../model/csv.ts';
import { csvRecord, headingsOf } from '../../model/csv-record.ts';
import { resourceOrder } from '../../model/fixture.ts';
import { icalHead, icalPiece } from '../../model/ical.ts';
import { parentsFirst, recordLine } from '../../model/record-line.ts';
import type { Input, Resource, ResourceName } from '../../model/resource.ts';
import { resources } from '../../model/resources.ts';
import type { Desk } from '../../store/open.ts';

/** The formats that a calendar is written in. */
export const formats = ['json', 'ndjson', 'csv', 'ics'] as const;
export type DataFormat = (typeof formats)[number];

type Source = Input & { id: number };

/** Records as inputs, categories with their parents first: those are few. */
const sourcesOf = (desk: Desk, name: ResourceName): Iterable<Source> =>
  name === 'categories' ? parentsFirst([...desk.sources(name)]) : desk.sources(name);

/** The settings that a file says, those that are as usual too. */
const settingsOf = (desk: Desk) => Object.fromEntries(desk.settings.list().map(({ name, value }) => [name, value]));

/** A calendar in pieces of text. Whatever the number of records, only a few hundred are held. */
export function* written(desk: Desk, format: DataFormat, names: readonly ResourceName[], headings?: readonly string[]): Generator<string> {
  const order = resourceOrder.filter((name) => names.includes(name));
  if (format === 'json') yield* asJson(desk, order);
  else if (format === 'ndjson') yield* asLines(desk, order);
  else if (format === 'csv') yield* asCsv(desk, order[0]!, headings);
  else yield* asIcs(desk);
}

function* asJson(desk: Desk, order: readonly ResourceName[]): Generator<string> {
  yield `{\n"settings": ${JSON.stringify(settingsOf(desk))}`;
  for (const name of order) {
    yield `,\n"${name}": [`;
    let first = true;
    for (const source of sourcesOf(desk, name)) {
      yield `${first ? '' : ','}\n${JSON.stringify(source)}`;
      first = false;
    }
    yield first ? ']' : '\n]';
  }
  yield '\n}\n';
}

function* asLines(desk: Desk, order: readonly ResourceName[]): Generator<string> {
  yield `${JSON.stringify({ settings: settingsOf(desk) })}\n`;
  for (const name of order) for (const source of sourcesOf(desk, name)) yield recordLine(name, source);
}

function* asCsv(desk: Desk, name: ResourceName, only?: readonly string[]): Generator<string> {
  const resource: Resource = resources[name];
  const headings = only ?? headingsOf(resource);
  const slugs = new Map<string, string>();
  const slugOf = (to: ResourceName, id: number): string => {
    const key = `${to}:${id}`;
    // Events stand under few others; those that are linked to are few beside them.
    if (!slugs.has(key)) slugs.set(key, String(desk.source(to, id)?.slug ?? ''));
    return slugs.get(key)!;
  };
  yield csvLine(headings);
  for (const source of sourcesOf(desk, name)) yield csvRecord(resource, headings, source, slugOf);
}

function* asIcs(desk: Desk): Generator<string> {
  yield icalHead({ name: desk.settings.get('title'), timezone: desk.settings.get('timezone') });
  const zones = new Set<string>();
  for (const entry of desk.entries('events')) yield icalPiece(entry, zones);
  yield 'END:VCALENDAR\r\n';
}
