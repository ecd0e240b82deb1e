import { resourceNames } from '../model/calendar.ts';
import type { LocalCalendar, Store } from '../store/calendar.ts';
import { type OperationOptions, Summary } from './summary.ts';
import { inTransaction } from './transaction.ts';

/** Returns whether a calendar has no records, including the trash. */
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
  local.clear(generated ? 'generated' : undefined);
}
