import { resourceNames } from '../model/calendar.ts';
import type { LocalCalendar, Store } from '../store/calendar.ts';
import { type OperationOptions, Summary } from './summary.ts';
import { inTransaction } from './transaction.ts';

/** Deletes every record for good, or with `generated` only those that were generated. Users and settings stay. */
export async function clearRecords(store: Store, options: OperationOptions & { generated?: boolean } = {}): Promise<Summary> {
  const summary = new Summary(options);
  await inTransaction(store, options.dryRun ?? false, (local) => clearCounted(local, summary, options.generated));
  return summary;
}

/** The same inside a transaction; the summary counts what went. */
export function clearCounted(local: LocalCalendar, summary: Summary, generated = false): void {
  for (const name of resourceNames)
    for (const source of local.sources(name))
      if (!generated || source.generated) summary.add('deleted', name, String(source.slug ?? ''), source.id);
  local.clear(generated ? 'generated' : undefined);
}
