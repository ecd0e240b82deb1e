import { type Input, type Resource, type ResourceName, resourceNames } from '../model/calendar.ts';
import { DataError, Failure, type Problem } from '../model/error.ts';
import { resources } from '../model/resources/all.ts';
import type { LocalCalendar, Store } from '../store/calendar.ts';
import { clear } from '../store/records/counts.ts';
import { type OperationOptions, Summary } from './summary.ts';

/** Thrown to roll back a successful transaction, with its result. */
class DryRun extends Error {
  constructor(readonly result: unknown) {
    super('Dry run');
  }
}

/** Runs `work` in a transaction and rolls back if it throws. With `dryRun`, rolls back at the end and returns the result. Without `recounts`, the caller counts the events of terms. */
export async function inTransaction<T>(
  store: Store,
  dryRun: boolean,
  work: (local: LocalCalendar) => T,
  { recounts = true } = {},
): Promise<T> {
  try {
    return await store.change(
      (local) => {
        const result = work(local);
        if (dryRun) throw new DryRun(result);
        return result;
      },
      undefined,
      { copying: true },
      { recounts },
    );
  } catch (error) {
    if (error instanceof DryRun) return error.result as T;
    throw error;
  }
}

/** The problems of a failure, with positions below `at`. Rethrows other errors. */
export function problemsOf(error: unknown, at: string): Problem[] {
  if (error instanceof DataError) return [{ at: error.at, reason: error.reason }];
  if (!(error instanceof Failure)) throw error;
  const { params, problems } = error.data;
  if (Array.isArray(problems)) return problems as Problem[];
  const join = at.startsWith('line ') ? ': ' : '.';
  if (Array.isArray(params)) return params.map((name) => ({ at: `${at}${join}${name}`, reason: 'is required' }));
  if (params && typeof params === 'object')
    return Object.entries(params).map(([name, reason]) => ({ at: `${at}${join}${name}`, reason: String(reason) }));
  return [{ at, reason: error.hint?.startsWith('Did you mean ') ? `${error.message}. ${error.hint}` : error.message }];
}

/** The title, venue, organizer or name of a record; empty if it has none. */
export const recordLabel = (name: ResourceName, record: Input): string => String(record[(resources[name] as Resource).label] ?? '');

/** Updates a record and returns whether anything changed. Without a change, its time of modification stays. */
export function updateIfChanged(local: LocalCalendar, name: ResourceName, id: number, { id: _, ...input }: Input): boolean {
  const { modified, modified_utc, ...before } = local.source(name, id)!;
  local[name].update({ id }, input);
  const { modified: _modified, modified_utc: _utc, ...after } = local.source(name, id)!;
  if (JSON.stringify(before) !== JSON.stringify(after)) return true;
  if (modified !== undefined) local[name].update({ id }, { modified, modified_utc });
  return false;
}

/** True if a calendar has no records, including the trash. */
export const isEmpty = (store: Store): boolean =>
  resourceNames.every((name) => store.db.get(`select 1 from ${name} limit 1`) === undefined);

/** Deletes all records permanently, or only generated ones with `generated`. Keeps users and settings. */
export async function clearRecords(store: Store, options: OperationOptions & { generated?: boolean } = {}): Promise<Summary> {
  const summary = new Summary(options);
  await inTransaction(store, options.dryRun ?? false, (local) => clearCounted(local, summary, options.generated));
  return summary;
}

/** Deletes records within a transaction and counts them in the summary. */
export function clearCounted(local: LocalCalendar, summary: Summary, generated = false): void {
  for (const name of resourceNames)
    for (const source of local.sources(name))
      if (!generated || source.generated) summary.add('deleted', name, String(source.slug ?? ''), source.id);
  clear(local.context.db, generated ? 'generated' : undefined);
}
