import { DataError, Failure, type Problem } from '../model/error.ts';
import type { LocalCalendar, Store } from '../store/calendar.ts';

/** Thrown to undo a transaction that succeeded; carries its result. */
class DryRun extends Error {
  constructor(readonly result: unknown) {
    super('a dry run');
  }
}

/** Runs `work` in one transaction; anything it throws undoes it. With `dryRun` it is undone at the end, and its result returned all the same. */
export async function inTransaction<T>(store: Store, dryRun: boolean, work: (local: LocalCalendar) => T): Promise<T> {
  try {
    return await store.change(
      (local) => {
        const result = work(local);
        if (dryRun) throw new DryRun(result);
        return result;
      },
      undefined,
      { copying: true },
    );
  } catch (error) {
    if (error instanceof DryRun) return error.result as T;
    throw error;
  }
}

/** The problems that a failure reports, each located below `at`. Rethrows what is no failure of data. */
export function problemsOf(error: unknown, at: string): Problem[] {
  if (error instanceof DataError) return [{ at: error.at, reason: error.reason }];
  if (!(error instanceof Failure)) throw error;
  const { params, problems } = error.data;
  if (Array.isArray(problems)) return problems as Problem[];
  const join = at.startsWith('line ') ? ': ' : '.';
  if (Array.isArray(params)) return params.map((name) => ({ at: `${at}${join}${name}`, reason: 'is missing' }));
  if (params && typeof params === 'object')
    return Object.entries(params).map(([name, reason]) => ({ at: `${at}${join}${name}`, reason: String(reason) }));
  return [{ at, reason: error.message }];
}
