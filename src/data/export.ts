import { type Input, type Resource, type ResourceName, resourceNames } from '../model/calendar.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import type { Extra } from '../model/fields/extra.ts';
import { hexText } from '../model/formats/bytes.ts';
import { csvRecord } from '../model/formats/columns.ts';
import { csvLine } from '../model/formats/csv.ts';
import { headingsOf } from '../model/formats/headings.ts';
import { recordLine } from '../model/formats/ndjson.ts';
import { namedRecord, RecordNames } from '../model/formats/record-names.ts';
import { parentsFirst } from '../model/formats/references.ts';
import { icalPieces } from '../model/ical/series.ts';
import type { DataFormat, ExportFormat } from '../model/operations/formats.ts';
import { isTerms } from '../model/resources/names.ts';
import { resourceOrder, treeField } from '../model/resources/relations.ts';
import { owner } from '../model/viewer.ts';
import type { LocalCalendar, Store } from '../store/calendar.ts';
import { extraNames } from '../store/records/dump.ts';
import { settingKinds, settingsOfSite } from '../store/records/settings.ts';
import { links } from '../store/records/tables.ts';
import type { Database } from '../store/sqlite/sql.ts';

export { type DataFormat, dataFormats, type ExportFormat, exportFormats } from '../model/operations/formats.ts';

interface ExportOptions {
  format: ExportFormat;
  /** Resources to export; all by default. CSV files contain one resource, iCalendar files contain events. */
  only?: readonly ResourceName[];
  /** Columns of a CSV file; all by default. */
  fields?: readonly string[];
}

/** Yields a calendar as pieces of text, with a few hundred records in memory at a time. Throws `bad-request` if the options don't fit the format. */
export function exportCalendar(store: Store, { format, only, fields }: ExportOptions): Generator<string> {
  const names = only ?? (format === 'csv' ? ['events'] : resourceNames);
  if (format === 'csv' && names.length > 1)
    throw new Failure('bad-request', 'A CSV file can contain only one resource', 'Select one, e.g. --only venues.');
  if (format === 'ics' && only?.some((name) => name !== 'events'))
    throw new Failure('bad-request', 'An iCalendar file can contain only events');
  if (fields && format !== 'csv') throw new Failure('bad-request', '--fields requires the format csv');
  if (format === 'sql') return sqlDump(store.db, names);
  const home = store.settings.get('home');
  const local = store.local(owner, { home, root: home });
  const headings = headingsOf(store.resources[names[0]!]);
  const extra = fields?.some((field) => !headings.includes(field)) ? extraNames(local.context.db, names[0]!) : [];
  for (const field of fields ?? [])
    if (!headings.includes(field) && !extra.includes(field))
      throw new Failure('bad-request', `Unknown field ${JSON.stringify(field)} of ${names[0]}`, didYouMean(field, [...headings, ...extra]));
  return exportPieces(local, format, names, fields);
}

type Source = Input & { id: number };

/** The records of a resource as inputs, with parents before their children. */
const sourcesOf = (local: LocalCalendar, name: ResourceName): Iterable<Source> =>
  treeField(name) ? parentsFirst([...local.sources(name)]) : local.sources(name);

/** The settings of a calendar, without those of a site that have their defaults. */
const settingsOf = (local: LocalCalendar) =>
  Object.fromEntries(
    local.settings
      .list()
      .filter(({ name, value }) => !settingsOfSite.includes(name) || value !== settingKinds[name].default)
      .map(({ name, value }) => [name, value]),
  );

const hasFields = ({ settings }: LocalCalendar) => Object.values(settings.fields).some((each) => Object.keys(each).length > 0);

function* exportPieces(
  local: LocalCalendar,
  format: DataFormat,
  names: readonly ResourceName[],
  fields?: readonly string[],
): Generator<string> {
  const order = resourceOrder.filter((name) => names.includes(name));
  if (format === 'json') yield* asJson(local, order);
  else if (format === 'ndjson') yield* asNdjson(local, order);
  else if (format === 'csv') yield* asCsv(local, order[0]!, fields);
  else yield* asIcs(local);
}

function* asJson(local: LocalCalendar, order: readonly ResourceName[]): Generator<string> {
  yield `{\n"settings": ${JSON.stringify(settingsOf(local))}`;
  if (hasFields(local)) yield `,\n"fields": ${JSON.stringify(local.settings.fields)}`;
  const series = order.includes('events') ? [...local.series.all()] : [];
  if (series.length) yield `,\n"series": [\n${series.map((each) => JSON.stringify(each)).join(',\n')}\n]`;
  for (const name of order) {
    yield `,\n"${name}": [`;
    let first = true;
    for (const source of sourcesOf(local, name)) {
      yield `${first ? '' : ','}\n${JSON.stringify(source)}`;
      first = false;
    }
    yield first ? ']' : '\n]';
  }
  yield '\n}\n';
}

function* asNdjson(local: LocalCalendar, order: readonly ResourceName[]): Generator<string> {
  yield `${JSON.stringify({ settings: settingsOf(local) })}\n`;
  if (hasFields(local)) yield `${JSON.stringify({ fields: local.settings.fields })}\n`;
  for (const name of order) for (const source of sourcesOf(local, name)) yield recordLine(name, source);
  if (order.includes('events')) for (const series of local.series.all()) yield `${JSON.stringify({ series })}\n`;
}

function* asCsv(local: LocalCalendar, name: ResourceName, only?: readonly string[]): Generator<string> {
  const resource: Resource = local.resources[name];
  const headings = only ?? headingsOf(resource);
  const indexes: Partial<Record<ResourceName, RecordNames>> = {};
  const nameOf = (to: ResourceName, id: number, isSlugFirst: boolean): string => {
    // A parent is of the same table, whose records have UIDs.
    if (isSlugFirst && !isTerms(to)) return String(local.source(to, id)?.uid ?? '');
    indexes[to] ??= namesIn(local, to);
    const names = indexes[to];
    // Records in the trash stay linked.
    if (!names.get(id)) names.add(namedRecord(local.resources[to], local.source(to, id) ?? { id }));
    return names.cellOf(id, { isSlugFirst });
  };
  yield csvLine(headings);
  const others = headings.filter((heading) => !headingsOf(resource).includes(heading));
  for (const source of sourcesOf(local, name))
    yield csvRecord(resource, headings, others.length ? { ...extraCells(source, others), ...source } : source, nameOf);
}

function namesIn(local: LocalCalendar, name: ResourceName): RecordNames {
  const names = new RecordNames(local.resources[name]);
  for (const entry of local.entries(name)) names.add(namedRecord(local.resources[name], entry));
  return names;
}

/** Members that another site added to a record, as text or JSON. */
function extraCells({ extra = {} }: Source, names: readonly string[]): Input {
  const { list, single, embedded } = extra as Extra;
  const members: Input = { ...embedded, ...single, ...list };
  const cell = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  return Object.fromEntries(names.map((name) => [name, cell(members[name])]));
}

function* asIcs(local: LocalCalendar): Generator<string> {
  const find = (uid: string) => {
    const series = local.series.find(uid);
    return series && { series, entries: local.series.occurrences(uid).flatMap((id) => local.entry('events', id) ?? []) };
  };
  yield* icalPieces(local.entries('events'), find, { name: local.settings.get('title'), timezone: local.settings.get('timezone') });
}

type Value = string | number | null | Uint8Array;

/** Columns that a dump leaves out, of any table: hashes of passwords, and the text that searches read. */
const omitted = ['password', 'folded'];

const batch = 500;

/** Yields the tables of resources, with their links, series, images, users and settings, as SQL for SQLite: one statement per line. Reads in batches. */
function* sqlDump(db: Database, names: readonly ResourceName[]): Generator<string> {
  const linked = links.filter(({ owner, target }) => names.includes(owner.name) && names.includes(target.name));
  const series = names.includes('events') ? ['series'] : [];
  yield 'pragma foreign_keys = off;\nbegin;\n';
  for (const table of ['settings', 'users', 'images', ...names, ...linked.map(({ table }) => table), ...series]) yield* dumpOf(db, table);
  yield 'commit;\n';
}

function* dumpOf(db: Database, table: string): Generator<string> {
  const { sql } = db.get<{ sql: string }>('select sql from sqlite_schema where name = ?', table)!;
  yield `${sql.replace(new RegExp(`, (${omitted.join('|')}) [^,)]*`, 'g'), '')};\n`;
  const info = db.all<{ name: string; pk: number }>('select name, pk from pragma_table_info(?)', table);
  const columns = info.map(({ name }) => name).filter((name) => !omitted.includes(name));
  const keys = info.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const key = `(${keys.join(', ')})`;
  const rowsAfter = (last: Value[]) =>
    db.all<Record<string, Value>>(
      `select ${columns.join(', ')} from ${table} ${last.length ? `where ${key} > (${last.map(() => '?').join(', ')})` : ''} order by ${keys.join(', ')} limit ${batch}`,
      ...last,
    );
  for (let rows = rowsAfter([]); rows.length; rows = rowsAfter(keys.map((name) => rows.at(-1)![name]!)))
    for (const row of rows) yield `insert into ${table} values (${columns.map((name) => literal(row[name]!)).join(', ')});\n`;
}

/** Characters that would end a line or a statement, and their codes. */
const codes = { '\n': 10, '\r': 13, '\0': 0 } as const;

function literal(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `x'${hexText(value)}'`;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}9e999`;
  let text = `'${value.replaceAll("'", "''")}'`;
  for (const [character, code] of Object.entries(codes)) {
    if (!value.includes(character)) continue;
    let mark = `\\${code}`;
    while (value.includes(mark)) mark = `\\${mark}`;
    text = `replace(${text.replaceAll(character, mark)}, '${mark}', char(${code}))`;
  }
  return text;
}
