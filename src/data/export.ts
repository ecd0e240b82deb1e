import { randomBytes } from 'node:crypto';
import { createWriteStream, realpathSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Input, type Resource, type ResourceName, resourceNames } from '../model/calendar.ts';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { csvLine } from '../model/formats/csv.ts';
import { csvRecord, headingsOf } from '../model/formats/csv-record.ts';
import { recordLine } from '../model/formats/ndjson.ts';
import { parentsFirst } from '../model/formats/parents-first.ts';
import { icalHead, icalPiece } from '../model/ical/write.ts';
import type { DataFormat } from '../model/operations/data.ts';
import { resources } from '../model/resources/all.ts';
import { resourceOrder, treeField } from '../model/resources/relations.ts';
import { systemFailure } from '../model/system-error.ts';
import { owner } from '../model/viewer.ts';
import type { LocalCalendar, Store } from '../store/calendar.ts';

export { type DataFormat, dataFormats } from '../model/operations/data.ts';

/** What to export. */
export interface ExportOptions {
  format: DataFormat;
  /** All resources unless told; one of them for csv, events for ics. */
  only?: readonly ResourceName[];
  /** The columns of csv; all unless told. */
  fields?: readonly string[];
}

/** A calendar as pieces of text, holding a few hundred records at a time. Fails at once with `bad-request` when the options do not fit the format. */
export function exportCalendar(store: Store, { format, only, fields }: ExportOptions): Generator<string> {
  const names = only ?? (format === 'csv' ? ['events'] : resourceNames);
  if (format === 'csv' && names.length > 1)
    throw new Failure('bad-request', 'a csv file holds one resource', {}, 'Say which with --only venues.');
  if (format === 'ics' && only?.some((name) => name !== 'events')) throw new Failure('bad-request', 'an ics file holds events only');
  if (fields && format !== 'csv') throw new Failure('bad-request', '--fields is for csv: the other formats are complete');
  const known = headingsOf(resources[names[0]!]);
  for (const field of fields ?? [])
    if (!known.includes(field))
      throw new Failure('bad-request', `${names[0]} have no field ${JSON.stringify(field)}`, {}, didYouMean(field, known));
  const home = store.settings.get('home');
  return exportPieces(store.local(owner, { home, root: home }), format, names, fields);
}

/**
 * Writes a file that is complete or as it was before, no faster than the disk takes it; a link leads to the file, which keeps its rights. What is no file,
 * like a pipe or a device, is written to as it is. Fails when it cannot be written, or is stopped by the signal.
 */
export async function writeWhole(path: string, pieces: Iterable<string>, signal: AbortSignal): Promise<void> {
  let unfinished: string | undefined;
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    const isFile = !there || there.isFile();
    const file = there?.isFile() ? realpathSync(path) : path;
    if (isFile) unfinished = `${file}-${randomBytes(4).toString('hex')}.part`;
    const out = unfinished ? createWriteStream(unfinished, { flags: 'wx', mode: there?.mode }) : createWriteStream(file);
    await pipeline(Readable.from(batches(pieces)), out, { signal });
    if (unfinished) await rename(unfinished, file);
  } catch (error) {
    if (unfinished) await rm(unfinished, { force: true }).catch(() => {});
    throw systemFailure(error, `cannot write ${path}`);
  }
}

const batchLength = 65_536;

/** Pieces joined to texts that are worth a write each. */
export function* batches(pieces: Iterable<string>): Generator<string> {
  let batch = '';
  for (const piece of pieces) {
    batch += piece;
    if (batch.length < batchLength) continue;
    yield batch;
    batch = '';
  }
  if (batch) yield batch;
}

type Source = Input & { id: number };

/** Records as inputs; terms with parents, of which there are few, after these. */
const sourcesOf = (local: LocalCalendar, name: ResourceName): Iterable<Source> =>
  treeField(name) ? parentsFirst([...local.sources(name)]) : local.sources(name);

/** All settings, defaults included. */
const settingsOf = (local: LocalCalendar) => Object.fromEntries(local.settings.list().map(({ name, value }) => [name, value]));

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
  for (const name of order) for (const source of sourcesOf(local, name)) yield recordLine(name, source);
}

function* asCsv(local: LocalCalendar, name: ResourceName, only?: readonly string[]): Generator<string> {
  const resource: Resource = resources[name];
  const headings = only ?? headingsOf(resource);
  const slugs = new Map<string, string>();
  const slugOf = (to: ResourceName, id: number): string => {
    const key = `${to}:${id}`;
    // Memory is bounded by the linked records, which are few beside events.
    if (!slugs.has(key)) slugs.set(key, String(local.source(to, id)?.slug ?? ''));
    return slugs.get(key)!;
  };
  yield csvLine(headings);
  for (const source of sourcesOf(local, name)) yield csvRecord(resource, headings, source, slugOf);
}

function* asIcs(local: LocalCalendar): Generator<string> {
  yield icalHead({ name: local.settings.get('title'), timezone: local.settings.get('timezone') });
  const zones = new Set<string>();
  for (const entry of local.entries('events')) yield icalPiece(entry, zones);
  yield 'END:VCALENDAR\r\n';
}
