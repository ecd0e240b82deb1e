import { extname } from 'node:path';
import { DataError, dataFailure, Failure } from '../../model/error.ts';
import { decodeChunks } from '../../model/formats/decode.ts';
import { owner } from '../../model/viewer.ts';
import { openCalendar, type Store, type StoreOptions } from '../../store/calendar.ts';
import { type DataFormat, dataFormats } from '../export.ts';
import { Summary } from '../summary.ts';
import { inTransaction, isEmpty, problemsOf } from '../transaction.ts';
import { type ImportJob, type ImportOptions, windowOf } from './options.ts';
import type { Source } from './source.ts';

const readers: Record<DataFormat, () => Promise<(job: ImportJob) => void>> = {
  json: async () => (await import('./json.ts')).importJson,
  ndjson: async () => (await import('./json.ts')).importNdjson,
  csv: async () => (await import('./csv.ts')).importCsv,
  ics: async () => (await import('./ics.ts')).importIcs,
};

/** Imports data, all of it or nothing. Throws a failure that lists all problems. A lenient import skips invalid records and lists the problems in the summary. */
export async function importData(store: Store, source: Source, options: ImportOptions = {}): Promise<Summary> {
  const ctx = store.requestContext();
  const summary = new Summary(options);
  const scope = windowOf(options, ctx, summary.notes);
  const format = options.format ?? detectFormat(source, options.encoding);
  if (options.tz !== undefined && (format === 'json' || format === 'ndjson'))
    throw new Failure('bad-request', '--tz requires an iCalendar or CSV file', 'In JSON, set "timezone" in each event.');
  const tableOption = (['key', 'source'] as const).find((name) => options[name] !== undefined);
  if (tableOption && format !== 'csv') throw new Failure('bad-request', `--${tableOption} requires a CSV file`);
  if (options.delete_missing && !options.key) throw new Failure('bad-request', '--delete-missing requires --key');
  const read = await readers[format]();
  const { problems } = summary;
  const job = {
    ...scope,
    db: store.db,
    source,
    summary,
    options,
    empty: isEmpty(store),
    zone: store.settings.get('timezone'),
    home: store.settings.get('home'),
    now: ctx.now,
    request: { ...ctx, viewer: owner },
  };
  const failure = (hint?: string) => dataFailure(source.name, problems, hint);
  await inTransaction(store, options.dryRun ?? false, (local) => {
    try {
      read({ ...job, local });
    } catch (error) {
      // An invalid file is rejected as a whole, even with `lenient`.
      problems.push(...problemsOf(error, source.name));
      throw failure(error instanceof DataError ? error.hint : undefined);
    }
    if (problems.length && !options.lenient) throw failure('Use calendar import --lenient to skip invalid records.');
  });
  return summary;
}

/** Validates data by importing it into an empty in-memory calendar. */
export async function validateData(
  source: Source,
  storeOptions: Pick<StoreOptions, 'now' | 'blocking'>,
  options: ImportOptions = {},
): Promise<Summary> {
  const store = await openCalendar(':memory:', { mode: 'write', ...storeOptions });
  try {
    return await importData(store, source, options);
  } finally {
    await store.close();
  }
}

/** Detects the format of a source by the extension of its name, else by its first characters. Text that begins with `[` or `{` is not CSV. Throws `bad-request` for an SQL dump. */
function detectFormat(source: Source, encoding?: string): DataFormat {
  const ending = extname(source.name.replace(/[?#].*$/, ''))
    .slice(1)
    .toLowerCase();
  const byEnding = dataFormats.find((format) => format === (ending === 'jsonl' ? 'ndjson' : ending === 'tsv' ? 'csv' : ending));
  return byEnding && byEnding !== 'csv' ? byEnding : formatOfText(beginning(source, encoding));
}

function beginning(source: Source, encoding?: string): string {
  try {
    for (const piece of decodeChunks(source.chunks(), encoding)) if (piece.trim() !== '') return piece.slice(0, 65_536).trimStart();
  } catch (error) {
    // The reader reports invalid text with its position.
    if (!(error instanceof DataError)) throw error;
  }
  return '';
}

function formatOfText(text: string): DataFormat {
  if (/^BEGIN:VCALENDAR/i.test(text)) return 'ics';
  if (text.startsWith('[')) return 'json';
  if (/^(--|PRAGMA |BEGIN TRANSACTION)/i.test(text))
    throw new Failure('bad-request', 'An SQL dump cannot be imported', 'Import an export in JSON, or load the dump with sqlite3.');
  if (!text.startsWith('{')) return 'csv';
  const line = text.split('\n', 1)[0]!;
  try {
    JSON.parse(line);
    return text.slice(line.length).trim() !== '' || /"resource"/.test(line) ? 'ndjson' : 'json';
  } catch {
    return /^\{"resource"/.test(line) ? 'ndjson' : 'json';
  }
}
