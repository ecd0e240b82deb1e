import { DataError, dataFailure, Failure } from '../../model/error.ts';
import { owner } from '../../model/viewer.ts';
import { openCalendar, type Store, type StoreOptions } from '../../store/calendar.ts';
import type { DataFormat } from '../export.ts';
import { Summary } from '../summary.ts';
import { clearCounted, inTransaction, isEmpty, problemsOf } from '../transaction.ts';
import { type ImportJob, type ImportOptions, windowOf } from './options.ts';
import { detectFormat, type Source } from './source.ts';

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
    empty: !options.seed?.keepsSettings && isEmpty(store),
    zone: store.settings.get('timezone'),
    home: store.settings.get('home'),
    now: ctx.now,
    request: { ...ctx, viewer: owner },
  };
  const failure = (hint?: string) => {
    const all = dataFailure(source.name, problems, hint);
    return summary.table ? all.with({ data: { ...all.data, table: summary.table } }) : all;
  };
  await inTransaction(store, options.dryRun ?? false, (local) => {
    try {
      if (options.seed?.replaces) clearCounted(local, summary);
      read({ ...job, local });
    } catch (error) {
      // An invalid file is rejected as a whole, even with `lenient`.
      problems.push(...problemsOf(error, source.name));
      throw failure(error instanceof DataError ? error.hint : undefined);
    }
    if (problems.length && !options.lenient)
      throw failure(options.seed ? undefined : 'Use calendar import --lenient to skip invalid records.');
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
