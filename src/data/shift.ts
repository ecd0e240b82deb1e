import { addDuration, type Duration } from '../model/time/duration.ts';
import type { Store } from '../store/calendar.ts';
import { labelOf } from './record.ts';
import { type OperationOptions, Summary } from './summary.ts';
import { inTransaction } from './transaction.ts';

/** Moves all events except those in the trash by a duration. Events keep their time of day in their time zone. With `generated`, moves only generated events. */
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
