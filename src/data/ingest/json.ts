import * as z from 'zod';
import { isLoopback } from '../../model/addresses.ts';
import type { Entry, Input, Resource, ResourceName } from '../../model/calendar.ts';
import { embedded } from '../../model/fields/link.ts';
import { decodeChunks, linesIn } from '../../model/formats/decode.ts';
import { readFixture } from '../../model/formats/fixture.ts';
import { type AnsweredRecord, answeredRoot, answersIn, hostOf, ndjsonLines } from '../../model/formats/ndjson.ts';
import { type FixtureRecord, keyOf, references } from '../../model/formats/references.ts';
import { comparable, remoteInput } from '../../model/formats/remote-record.ts';
import { hasDates, linkFields, parentField, resourceOrder } from '../../model/resources/relations.ts';
import { storableInput } from '../../model/validate.ts';
import type { LocalCalendar } from '../../store/calendar.ts';
import { SiteState, siteKey } from '../../store/identity/sites.ts';
import { parseJson } from '../json-position.ts';
import { ConflictLog } from '../remote/conflict-log.ts';
import { Copier } from '../remote/copy.ts';
import type { Summary } from '../summary.ts';
import { problemsOf, recordLabel } from '../transaction.ts';
import { applyFixture } from './fixture.ts';
import { type ExistingRecord, Ingest } from './ingest.ts';
import type { ImportJob, ImportOptions } from './options.ts';
import { repeatEvent } from './repeat.ts';

/** Imports a JSON document: an export, a fixture or an API response. */
export function importJson(job: ImportJob): void {
  const { local, source, summary, options, empty } = job;
  const { problems } = summary;
  const document = parseJson([...decodeChunks(source.chunks(), options.encoding)].join(''), source.name);
  const answers = answersIn(document);
  if (answers) {
    new Responses(job).addAll(answers);
    return;
  }
  const fixture = readFixture(inSection(document, options), problems, z, local.settings.fields);
  if (problems.length && !options.lenient) return;
  for (const { name, path, input } of fixture.records)
    if (fixture.invalid.has(path))
      summary.add('skipped', name, recordLabel(name, input) || path, undefined, { reason: fixture.invalid.get(path)!.reason });
  fixture.records = fixture.records.filter(({ path }) => !fixture.invalid.has(path));
  if (options.only) {
    fixture.records = fixture.records.filter(({ name }) => options.only!.includes(name));
    if (!options.only.some(hasDates)) fixture.series = [];
  }
  if (!empty) fixture.settings = {};
  if (fixture.records.some(usesKeys) || fixture.records.some(({ input }) => input.repeat !== undefined) || fixture.users.length) {
    applyFixture(local, fixture, 'import', summary, repeatEvent);
    return;
  }
  for (const [name, value] of Object.entries(fixture.settings)) local.settings.import(name, value);
  local.declare(fixture.fields);
  const records = new CompleteRecords(local.reload(), summary);
  for (const { name, path, input } of fixture.records) records.add(name, input, path);
  records.finish();
  for (const series of fixture.series) local.series.set(series);
}

/** A plain list of records as a section of a fixture: of `--only`, else of events. */
const inSection = (document: unknown, { only }: Pick<ImportOptions, 'only'>): unknown =>
  Array.isArray(document) && document.length && document.every((each) => typeof each === 'object' && each !== null)
    ? { [only?.length === 1 ? only[0]! : 'events']: document }
    : document;

const usesKeys = ({ name, key, input }: FixtureRecord): boolean =>
  !/^[#[]/.test(key) || Object.keys(references[name]).some((field) => [input[field]].flat().some((value) => keyOf(value) !== undefined));

/** Imports NDJSON line by line. */
export function importNdjson(job: ImportJob): void {
  const { source, summary, options, empty } = job;
  let { local } = job;
  const responses = new Responses(job);
  let records = new CompleteRecords(local, summary);
  for (const line of ndjsonLines(linesIn(decodeChunks(source.chunks(), options.encoding)), z, options.only, () => local.resources)) {
    const at = `line ${line.line}`;
    if ('settings' in line) {
      try {
        if (empty) for (const [name, value] of Object.entries(line.settings)) local.settings.import(name, String(value));
      } catch (error) {
        summary.reject('events', '', problemsOf(error, at));
      }
      records = new CompleteRecords(local.reload(), summary);
    } else if ('fields' in line) {
      try {
        local.declare(line.fields);
      } catch (error) {
        summary.reject('events', '', problemsOf(error, at));
      }
      local = local.reload();
      records = new CompleteRecords(local, summary);
    } else if ('series' in line) local.series.set(line.series);
    else if ('answer' in line) responses.add(line.answer);
    else if ('fault' in line) summary.reject(options.only?.[0] ?? 'events', '', [line.fault]);
    else if (options.only?.includes(line.resource) ?? true) {
      const { resource, input, problems } = line;
      if (problems.length) summary.reject(resource, recordLabel(resource, input), problems);
      else records.add(resource, input, at);
    }
  }
  records.finish();
  responses.finish();
}

/**
 * Writes the records of an export. New records keep their IDs if these are free, and links are adjusted to the actual IDs. A link from another calendar's record to a
 * record outside the file is omitted, because its ID belongs to a different record here.
 */
class CompleteRecords {
  readonly #ingest: Ingest;
  /** Local IDs by `resource:ID` in the file. */
  readonly #ids = new Map<string, number>();
  /** Links to parents that appear later in the file, for {@link finish}. */
  readonly #deferred: { name: ResourceName; id: number; to: number; isForeign: boolean }[] = [];

  constructor(
    private readonly local: LocalCalendar,
    private readonly summary: Summary,
  ) {
    this.#ingest = new Ingest(local, summary, 'file');
  }

  /** Writes a record. `at` is its position in the source. */
  add(name: ResourceName, record: Input, at: string): void {
    let parent: number | undefined;
    this.#ingest.add({
      name,
      at,
      label: recordLabel(name, record),
      identity: record,
      inputFor: (before) => {
        const linked = this.#linked(name, record, before, at);
        parent = linked.parent;
        return before ? completed(this.local.resources[name], before, linked.input) : linked.input;
      },
      onWritten: (id) => {
        if (record.id !== undefined) this.#ids.set(`${name}:${record.id}`, id);
        if (parent !== undefined) this.#deferred.push({ name, id, to: parent, isForeign: record.uid !== undefined });
      },
    });
  }

  /** Sets the deferred links and finishes deferred updates. */
  finish(): void {
    this.#ingest.finish();
    for (const { name, id, to, isForeign } of this.#deferred) {
      const field = parentField(name)!.name;
      const target = this.#ids.get(`${name}:${to}`) ?? (isForeign || !this.local.source(name, to) ? undefined : to);
      const before = this.local.source(name, id)!;
      if (target === undefined || before[field] === target) continue;
      const { modified, modified_utc } = before;
      this.local[name].update({ id }, { [field]: target, ...(modified === undefined ? {} : { modified, modified_utc }) });
    }
  }

  /** An input with local IDs in its links, without a parent that appears later. */
  #linked(name: ResourceName, record: Input, before: ExistingRecord | undefined, at: string): { input: Input; parent?: number } {
    let input = record;
    const set = (field: string, value: unknown) => {
      if (input === record) input = { ...record };
      if (value === undefined) delete input[field];
      else input[field] = value;
    };
    const parentName = parentField(name)?.name;
    let parent: number | undefined;
    for (const field in references[name]) {
      const to = references[name][field]!;
      const value = record[field];
      if (to === 'images' || value === undefined) continue;
      const isKnown = (id: unknown) => !isId(id) || record.uid === undefined || [before?.[field]].flat().includes(id);
      const items: unknown[] = Array.isArray(value) ? value : [value];
      const targets = items.map((id) => this.#ids.get(`${to}:${id}`) ?? (isKnown(id) ? id : undefined));
      if (field === parentName && isId(value) && !this.#ids.has(`${to}:${value}`) && before?.[field] !== value) {
        parent = value;
        set(field, undefined);
      } else if (targets.some((id, i) => id === undefined || id !== items[i])) {
        if (targets.includes(undefined)) this.summary.notes.push({ at, reason: `omitted ${field} ${value}, which is not in the file` });
        const mapped = targets.filter((id) => id !== undefined);
        set(field, Array.isArray(value) ? mapped : mapped[0]);
      }
    }
    return { input, parent };
  }
}

/** A complete record as an update of the existing one, which clears missing fields. */
function completed({ fields, derived }: Resource, before: Input, input: Input): Input {
  const cleared: Input = {};
  const isMissing = (name: string) => before[name] !== undefined && input[name] === undefined;
  for (const { name, required, links, nothing } of fields)
    if (isMissing(links === 'images' && before.poster ? 'poster' : name) && !nothing.isRefused && !required) cleared[name] = nothing.input;
  for (const name of ['generated', 'lineage', 'sequence']) if (isMissing(name)) cleared[name] = derived[name]?.default;
  if (isMissing('extra')) cleared.extra = {};
  return { ...cleared, ...input };
}

const isId = (id: unknown): id is number => typeof id === 'number' && id > 0;

/** Imports records from API responses, identified by UID, or by site and ID like pull. */
class Responses {
  readonly #sites = new Map<string, Copier>();
  readonly #own: Ingest;
  /** The last root URL in a record, for records without one. */
  #root: string | undefined;

  constructor(private readonly job: ImportJob) {
    this.#own = new Ingest(job.local, job.summary, 'file');
  }

  /** Imports records, linked resources before events. */
  addAll(records: readonly AnsweredRecord[]): void {
    this.#root = records.map(answeredRoot).find((root) => root !== undefined);
    for (const name of resourceOrder) for (const record of records) if (record.name === name) this.add(record);
    this.finish();
  }

  add(record: AnsweredRecord): void {
    const { local, options, summary } = this.job;
    const { name, entry, path } = record;
    if (options.only && !options.only.includes(name)) return;
    this.#root = answeredRoot(record) ?? this.#root;
    const label = recordLabel(name, entry);
    try {
      const id = this.#ownRecord(name, entry);
      if (id === undefined) this.#recordsOf(this.#root ?? `http://${hostOf(entry)}`).copy(local, name, [entry]);
      else this.#own.write({ name, at: path, label, id, identity: {}, inputFor: () => this.#changes(name, id, entry) });
    } catch (error) {
      summary.reject(name, label, problemsOf(error, path));
    }
  }

  /** Sets the parents of categories. */
  finish(): void {
    this.#own.finish();
    for (const records of this.#sites.values()) {
      records.finish(this.job.local);
      records.settleCounts(this.job.local);
    }
  }

  #recordsOf(root: string): Copier {
    const { db, summary } = this.job;
    // Without links, a response names only the host of its site, and where its pages are.
    const key = siteKey(root);
    const sites = [...new Set([...SiteState.named(db), ...this.#sites.keys()])];
    const site =
      sites.find((each) => each === key) ??
      sites.find((each) => `${each}/`.startsWith(`${key}/`) || `${key}/`.startsWith(`${each}/`)) ??
      key;
    const cached = this.#sites.get(site);
    if (cached) return cached;
    const records = new Copier(new SiteState(db, site), summary, new ConflictLog({ db }, site, summary), {
      by: isLoopback(site.replace(/[:/].*/, '')) ? 'loopback' : 'site',
      // A file that is imported is meant to win.
      prefer: 'theirs',
    });
    this.#sites.set(site, records);
    return records;
  }

  /** The ID of this calendar's record with the same site, ID, slug, publication date and start as a response without a UID. */
  #ownRecord(name: ResourceName, entry: Entry): number | undefined {
    const { local } = this.job;
    const own = entry.uid === undefined && hostOf(entry) !== '' ? local.entry(name, entry.id) : undefined;
    return own && ['global_id', 'slug', 'date_utc', 'start_date'].every((field) => own[field] === entry[field]) ? own.id : undefined;
  }

  /** The fields that differ in a response. Links contain IDs of this calendar. */
  #changes(name: ResourceName, id: number, entry: Entry): Input {
    const { local } = this.job;
    const comparableOf = (record: Entry) => comparable(local.resources[name], record, (_, linked) => linked);
    const [here, there] = [comparableOf(local.entry(name, id)!), comparableOf(entry)];
    const whole = storableInput(local.resources[name], remoteInput(local.resources[name], entry), local.context.request);
    const input: Input = {};
    for (const field of Object.keys(there)) {
      if (JSON.stringify(here[field]) === JSON.stringify(there[field])) continue;
      const isLink = linkFields(name).some((link) => link.name === field);
      input[field] = isLink ? embedded(entry[field]).map((linked) => linked.id) : whole[field];
    }
    return input;
  }
}
