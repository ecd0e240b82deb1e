import type { Input, Resource, ResourceName } from '../../model/calendar.ts';
import { zoneHint } from '../../model/did-you-mean.ts';
import { invalidParams } from '../../model/error.ts';
import { quoted } from '../../model/fields/coerce.ts';
import { dateFault } from '../../model/fields/date.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { inputFromCells, type TableColumn, withoutEmptyCells } from '../../model/formats/columns.ts';
import { yesAndNoText, yesOrNo } from '../../model/formats/languages.ts';
import { parseName } from '../../model/formats/record-names.ts';
import { references } from '../../model/formats/references.ts';
import { andList } from '../../model/grammar.ts';
import { encodeEntities, htmlNameKey, htmlToLine } from '../../model/html/plain-text.ts';
import { zoneNamed } from '../../model/ical/zones.ts';
import { skippedColumn } from '../../model/operations/table-options.ts';
import { resources } from '../../model/resources/all.ts';
import { isTerms } from '../../model/resources/names.ts';
import { hasDates, linkFields, treeField } from '../../model/resources/relations.ts';
import { impossibleDay, readDate } from '../../model/time/parse-date.ts';
import { eventLength, isTimeOnly, type ResolvedSpan, resolveSpan, spanRules } from '../../model/time/span.ts';
import { typedDateFault } from '../../model/time/typed/faults.ts';
import { isZone } from '../../model/time/zone.ts';
import { problemsOf, recordLabel } from '../transaction.ts';
import { ImportedRecords } from './imported-records.ts';
import { type ExistingRecord, Ingest } from './ingest.ts';
import { assigned, type CellPlace, LinkedRecords, type NameForm } from './linked-records.ts';
import type { ImportJob } from './options.ts';
import { filledRows, headingsIn, isSumRow, openTable, orderIn, type Table, TableCells, withoutYear } from './table.ts';

/** Imports a CSV file row by row. Reads it twice: for the order of day and month in its dates, then for its records. */
export function importCsv(job: ImportJob): void {
  const { summary } = job;
  const name = job.options.only?.[0] ?? 'events';
  if (summary.isListing) summary.table = headingsIn(job, name);
  const sheet = openTable(job, name);
  const { columns, linked, origin, ignored, leftOut, line, fault } = sheet;
  const lost = new Set<string>();
  for (const heading of fault ? [] : ignored) summary.notes.push({ at: `line ${line}`, reason: skippedColumn(heading) });
  let at = `line ${line}`;
  const cells = new TableCells(
    origin === 'export' ? 'none' : (job.options.date_order ?? orderIn(openTable(job, name), job.options.year !== undefined)),
    job.options.year,
    (reason) => summary.notes.push({ at, reason }),
    job.options.verbose,
    job.request.currency,
  );
  const dates: RowPlace = { now: job.now, zone: job.zone, isEndExclusive: origin === 'outlook' };
  const table = new Rows(job, name, sheet);
  const early: EarlyRow[] = [];
  for (const [row, isLast] of filledRows(sheet, summary.notes)) {
    at = `line ${row.line}`;
    if (isLast && name === 'events' && isSumRow(row, columns)) {
      const text = row.cells.find((cell) => cell.trim() !== '')!;
      summary.notes.push({ at, reason: `skipped the last row, which has neither title nor date: ${quoted(text.trim())}` });
      continue;
    }
    if (row.cells.length > columns.length && row.cells.slice(columns.length).some((cell) => cell.trim() !== '')) {
      const reason = `has ${row.cells.length} cells, but there are ${columns.length} headings`;
      summary.reject(name, row.cells[0]!, [{ at, reason }]);
      continue;
    }
    for (const [column, heading] of leftOut)
      if (row.cells[column]?.trim()) lost.add(heading === '' ? `column ${column + 1} without a heading` : quoted(heading));
    let label = row.cells[0]!;
    try {
      const values = inputFromCells(row.cells, columns, cells.rewrite, origin === 'export');
      label = recordLabel(name, values);
      const timezone = name === 'events' ? zoneIn(values.timezone, at, job) : undefined;
      if (timezone !== undefined) values.timezone = timezone;
      const { input, span }: ReturnType<typeof withRowDates> = name === 'events' ? withRowDates(values, dates) : { input: values };
      const hours = span && hoursToNextDay(values.end_date, span);
      if (hours)
        summary.notes.push({
          at,
          reason: `end_date ${quoted(values.end_date)} is before the start; ends on the next day, after ${hours} hours`,
        });
      if (span?.usual === '1 hour') summary.notes.push({ at, reason: `ends at ${span.end.wall.slice(11, 16)} (1 hour)` });
      const cellsOf = (of: readonly TableColumn[]) => withoutEmpty(inputFromCells(row.cells, of, cells.rewrite, origin === 'export'));
      if (table.isEarly(input, at)) early.push({ input, at, label });
      else table.add(input, at, Object.fromEntries(Object.entries(linked).map(([field, of]) => [field, cellsOf(of)])));
    } catch (error) {
      summary.reject(name, label, problemsOf(error, at));
    }
  }
  addEarly(table, early, ({ at, label }, error) => summary.reject(name, label, problemsOf(error, at)));
  table.finish();
  if (lost.size) summary.notes.push({ at: `line ${line}`, reason: `left out ${andList([...lost])}, for which ${name} have no field` });
  for (const problem of summary.problems)
    if (/^must be true or false, not "/.test(problem.reason)) problem.reason += `. Write ${yesAndNoText}`;
  // With other problems, the headings are one of them, so that all are known at once.
  if (fault && !summary.problems.length) throw fault;
  if (fault) summary.problems.unshift({ at: fault.at, reason: fault.reason });
  for (const [kind, count] of Object.entries(cells.rewritten)) summary.count(`rewritten ${kind}`, count);
}

/** A row of a tree that precedes its parent, as in a list by name. */
interface EarlyRow {
  input: Input;
  at: string;
  label: string;
}

/** Writes early rows, each after its parent. Those whose parent is in no row fail. */
function addEarly(table: Rows, rows: readonly EarlyRow[], onError: (row: EarlyRow, error: unknown) => void): void {
  const ready = rows.filter(({ input, at }) => !table.isEarly(input, at));
  const [next, later] = ready.length ? [ready, rows.filter((row) => !ready.includes(row))] : [rows, []];
  for (const row of next)
    try {
      table.add(row.input, row.at);
    } catch (error) {
      onError(row, error);
    }
  if (later.length) addEarly(table, later, onError);
}

/** The zone in the cell of an event, by any name that iCalendar files use, else that of `--tz`, which is counted. Throws `rest_invalid_param` for an unknown one. */
function zoneIn(cell: unknown, at: string, { options: { tz }, summary }: ImportJob): string | undefined {
  const text = typeof cell === 'string' ? cell : '';
  const zone = isZone(text) ? text : zoneNamed(text);
  if (zone !== undefined) return zone;
  if (tz !== undefined) {
    summary.count('events in the zone of --tz');
    if (text !== '') summary.notes.push({ at, reason: `unknown time zone ${quoted(text)}; used ${tz}` });
  } else if (text !== '') {
    const hint = zoneHint(text) ?? 'Pass --tz to read such rows in another zone.';
    throw invalidParams({ timezone: { reason: `${quoted(text)} is not a time zone such as Europe/Paris or UTC+5.5. ${hint}` } });
  }
  return tz;
}

/** The values that a row has of its linked records, by the field of the link. */
type LinkedValues = Readonly<Record<string, Input>>;

type RowOrigin = Pick<CellPlace, 'at' | 'isForeign'>;

/** Writes the records of a table. */
class Rows {
  readonly #resource: Resource;
  readonly #form: NameForm;
  readonly #ingest: Ingest;
  readonly #imported: ImportedRecords;
  readonly #records: Partial<Record<ResourceName, LinkedRecords>> = {};
  /** Cells that were split, each of which is noted once. */
  readonly #split = new Set<string>();

  constructor(
    private readonly job: ImportJob,
    private readonly name: ResourceName,
    table: Table,
  ) {
    this.#resource = job.local.resources[name];
    this.#form = table.origin === 'export' ? 'names' : 'typed';
    this.#ingest = new Ingest(job.local, job.summary, job.options.key ? 'key' : 'file');
    this.#imported = new ImportedRecords(job, name, table);
  }

  /** True if a row names a parent that no record has yet. */
  isEarly(row: Input, at: string): boolean {
    const tree = treeField(this.name);
    const cell = tree && row[tree];
    return typeof cell === 'string' && cell !== '' && typeof this.#idOrText(this.name, cell, tree!, { at, isForeign: false }) !== 'number';
  }

  /** Writes a row. `values` are those of its linked records by field. */
  add(row: Input, at: string, values: LinkedValues = {}): void {
    const { name } = this;
    const label = recordLabel(name, row);
    const filled = withoutEmpty(row);
    for (const [field, of] of Object.entries(values))
      if (filled[field] === undefined && Object.keys(of).length)
        this.job.summary.notes.push({ at, reason: `left out ${assigned(of)}: the row names no ${field}` });
    const identity = this.#resource.family === 'term' ? { slug: slugOf(label), ...filled } : filled;
    const keys = Object.fromEntries((this.job.options.key ?? []).map((field) => [field, filled[field]]));
    const isForeign = this.#isForeign(filled);
    const linkedKeys = this.#linked(keys, { at, isForeign, values });
    const keyed = this.#imported.find(linkedKeys, at);
    let pair: { before: ExistingRecord | undefined; input: Input } | undefined;
    const inputFor = (before: ExistingRecord | undefined) => {
      const input = this.#linked(
        withoutEmptyCells(this.#resource, { ...row, ...linksIn(linkedKeys) }, before),
        { at, isForeign, values },
        before,
      );
      pair = { before, input };
      return input;
    };
    const onWritten = (id: number, isChanged: boolean) => {
      this.#imported.add({ id, at, isChanged, ...pair! });
      this.#records[name]?.refresh(id);
      if (typeof filled.slug === 'string' && !hasDates(name)) this.#recordsOf(name).remember(id, htmlToLine(label), filled.slug);
    };
    this.#ingest.add({ name, at, label, identity, keyed, inputFor, onWritten });
  }

  /** Finishes deferred updates. */
  finish(): void {
    this.#ingest.finish();
    this.#imported.finish();
  }

  /** True if a row has the ID of a record of another calendar, whose cells may have IDs of that. */
  #isForeign({ id, slug, [this.#resource.label]: label }: Input): boolean {
    if (typeof id !== 'number') return false;
    const own = this.job.local.source(this.name, id);
    return !own || (slug === undefined ? htmlNameKey(own[this.#resource.label]) !== htmlNameKey(label) : own.slug !== slug);
  }

  /** Replaces names in cells with links. `linked` are those of the record before. */
  #linked(row: Input, { values, ...place }: RowOrigin & { values: LinkedValues }, before?: Input): Input {
    const input = { ...row };
    const joined = linkFields(this.name);
    for (const [field, section] of Object.entries(references[this.name])) {
      const cell = input[field];
      if (section === 'images' || typeof cell !== 'string' || cell === '') continue;
      const to = section as ResourceName;
      if (!joined.some(({ name }) => name === field)) input[field] = this.#idOrText(to, cell, field, place);
      else {
        const linked = [before?.[field] ?? []].flat() as number[];
        input[field] = this.#namedRecords(to, cell, { ...place, field, form: this.#form, linked, values: values[field] ?? {} });
      }
    }
    return input;
  }

  /** The ID of the record with the UID, slug or name in a cell. Returns IDs and unknown names unchanged. */
  #idOrText(to: ResourceName, cell: string, field: string, { at, isForeign }: RowOrigin): number | string {
    const { local } = this.job;
    const records = this.#recordsOf(to);
    const path = parseName(cell, records.names.isTree);
    const isPlain = path.length === 1 && path[0]!.slug === undefined && !path[0]!.isQuoted;
    const id =
      (isTerms(to) ? undefined : local.idBy(to, 'uid', cell)) ??
      (isPlain ? undefined : records.findPath(path)) ??
      local.idBy(to, 'slug', slugOf(encodeEntities(cell)));
    const match = id ?? records.meant(cell, at, isForeign);
    if (match === undefined && isForeign && /^\d+$/.test(cell))
      throw invalidParams({ [field]: { reason: `${quoted(cell)} is an ID of another calendar. Write the name` } });
    return match ?? cell;
  }

  #recordsOf(to: ResourceName): LinkedRecords {
    this.#records[to] ??= new LinkedRecords(this.job.local, to, this.job.summary);
    return this.#records[to];
  }

  /** The IDs of the records in a cell: one venue, or several organizers, categories or tags. Creates unknown ones. */
  #namedRecords(to: ResourceName, cell: string, place: CellPlace): number[] {
    const { summary } = this.job;
    const { at } = place;
    const records = this.#recordsOf(to);
    const { ids, names } = records.idsIn(cell, place);
    if (this.#form === 'typed' && !isTerms(to) && names.length > 1) {
      summary.count(`split ${to}`);
      if (!this.#split.has(cell))
        summary.notes.push({ at, reason: `${resources[to].label} ${quoted(cell)} was split into ${andList(names.map(quoted))}` });
      this.#split.add(cell);
    }
    return ids;
  }
}

const linksIn = (row: Input): Input => Object.fromEntries(Object.entries(row).filter(([, value]) => Array.isArray(value)));

const withoutEmpty = (row: Input): Input =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '' && value !== undefined));

/** The current time, the time zone of the calendar, and whether all-day events of the table end at the midnight after their last day. */
interface RowPlace {
  now: number;
  zone: string;
  isEndExclusive: boolean;
}

/** Resolves the dates in the row of an event. Also returns the span if the dates are valid. Throws for a day that doesn't exist and for an invalid duration. */
function withRowDates(row: Input, { now, zone, isEndExclusive }: RowPlace): { input: Input; span?: ResolvedSpan } {
  const { duration, duration_minutes, private: isPrivate, ...input } = row;
  if (isText(isPrivate) && yesOrNo(isPrivate) !== false) input.status = 'private';
  const [start, end] = ['start_date', 'end_date'].map((name) => dateIn(name, input[name], now));
  if (start === undefined) return { input };
  for (const [name, date] of Object.entries({ start_date: start, end_date: end })) {
    const reason = date === undefined ? undefined : dateFault(date, { now });
    if (reason) throw invalidParams({ [name]: { reason } });
  }
  const length = isText(duration) ? duration : isText(duration_minutes) ? `PT${duration_minutes}M` : undefined;
  if (isTimeOnly(start)) throw invalidParams({ start_date: { reason: `${JSON.stringify(start)} has no day` } });
  const isLate = isEndExclusive && input.all_day === true && end !== undefined && isMidnightAfter(end, start, now, zone);
  const span = resolveSpan(
    {
      start,
      end,
      duration: end === undefined && length !== undefined ? eventLength(length) : undefined,
      allDay: typeof input.all_day === 'boolean' ? input.all_day : undefined,
    },
    undefined,
    isLate ? { ...spanRules.people, lastDay: 'before end' } : spanRules.people,
    { now, zone: isText(input.timezone) && isZone(input.timezone) ? input.timezone : zone },
  );
  if (!span) return { input };
  const dates = { start_date: span.start.wall, end_date: span.end.wall, ...(span.allDay ? { all_day: true } : {}) };
  return { input: { ...input, ...dates }, span };
}

/** Length in hours above which an event whose end is only a time, and before its start, may be a mistake. */
const longHours = 12;

/** The hours of such an event; undefined for others, such as those that end after midnight. */
function hoursToNextDay(end: unknown, { start, end: last, allDay }: ResolvedSpan): number | undefined {
  const hours = Math.round((last.instant - start.instant) / 3_600_000);
  return isText(end) && isTimeOnly(end) && !allDay && hours > longHours ? hours : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function isMidnightAfter(end: string, start: string, now: number, zone: string): boolean {
  const [from, to] = [start, end].map((text) => readDate(text, now, zone)?.wall ?? '');
  return to!.endsWith(' 00:00:00') && to!.slice(0, 10) > from!.slice(0, 10);
}

/** Undefined for an empty cell. */
function dateIn(name: string, value: unknown, now: number): string | undefined {
  if (!isText(value)) return undefined;
  if (/^\d{1,2}\/\d{1,2}(?:\s|$)/.test(value)) throw withoutYear(name, value);
  const fault = typedDateFault(value);
  if (fault) {
    const reason = `${JSON.stringify(value)} ${fault.isAmbiguous ? 'is ambiguous: ' : ''}${fault.reason}. ${fault.hint}`;
    throw invalidParams({ [name]: { reason } });
  }
  const missing = impossibleDay(value, now);
  if (missing) throw invalidParams({ [name]: { reason: `the day ${missing} doesn't exist` } });
  return value;
}
