import type { Done, DryRun } from '../../model/operations/summary.ts';
import { isEmpty } from '../reset.ts';
import type { OperationOptions, Summary } from '../summary.ts';
import type { OperationContext } from './context.ts';

/**
 * Changes many records and reports what was done. Saves a snapshot named after `what` first, unless nothing can be lost: not of an empty calendar, nor of one in memory, which has
 * its start to go back to.
 */
export async function changeRecords(
  { store, onProgress }: OperationContext,
  what: string | undefined,
  { dry_run, list }: DryRun,
  work: (options: OperationOptions) => Promise<Summary>,
): Promise<Done> {
  const start = performance.now();
  const run = () => work({ dryRun: dry_run, listChanges: list, onProgress });
  const isUndoable = what !== undefined && !dry_run && store.db.file !== undefined && !isEmpty(store);
  const { result, undo } = isUndoable
    ? await store.snapshots.undoable(what, run, ({ hasChanged }) => hasChanged)
    : { result: await run(), undo: undefined };
  return result.done(performance.now() - start, undo);
}

/** Adds to a result how long it took, in milliseconds. */
export async function timed<Result extends object>(work: () => Promise<Result>): Promise<Result & { took: number }> {
  const start = performance.now();
  return { ...(await work()), took: performance.now() - start };
}
