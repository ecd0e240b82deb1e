import { DataError, Failure, type Problem } from '../model/error.ts';
import type { LocalCalendar, Store } from '../store/calendar.ts';

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

/** Returns the problems of a failure, with positions below `at`. Rethrows other errors. */
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
