import { addDuration, type Duration } from '../model/time/duration.ts';
import type { Store } from '../store/calendar.ts';
import { labelOf } from './record.ts';
import { type OperationOptions, Summary } from './summary.ts';
import { inTransaction } from './transaction.ts';

/** Moves all events by a duration in their own zones, so that they keep their time of day; those in the trash stay. `generated` moves generated ones only. */
export async function shift(store: Store, by: Duration, options: OperationOptions & { generated?: boolean } = {}): Promise<Summary> {
  const summary = new Summary(options);
  await inTransaction(store, options.dryRun ?? false, (local) => {
    for (const event of local.sources('events')) {
      if (event.status === 'trash' || (options.generated && !event.generated)) continue;
      const moved = (name: 'start_date' | 'end_date') => addDuration(String(event[name]), by);
      local.events.update({ id: event.id }, { start_date: moved('start_date'), end_date: moved('end_date') });
      summary.add('updated', 'events', labelOf('events', event), event.id);
    }
  });
  return summary;
}
