import { resourceNames } from '../model/calendar.ts';
import type { Store } from '../store/calendar.ts';
import { type OperationOptions, Summary } from './summary.ts';
import { inTransaction } from './transaction.ts';

/** Deletes every record for good, or with `generated` only those that were generated. Users and settings stay. */
export async function clearRecords(store: Store, options: OperationOptions & { generated?: boolean } = {}): Promise<Summary> {
  const summary = new Summary(options);
  await inTransaction(store, options.dryRun ?? false, (local) => {
    for (const name of resourceNames)
      for (const source of local.sources(name))
        if (!options.generated || source.generated) summary.add('deleted', name, String(source.slug ?? ''), source.id);
    local.clear(options.generated ? 'generated' : undefined);
  });
  return summary;
}
