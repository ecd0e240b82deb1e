import type { Query } from '../model/fields/list.ts';
import type { RecordChange } from '../model/operation-types.ts';
import { movedDates } from '../model/time/date-steps.ts';
import type { Duration } from '../model/time/duration.ts';
import type { Store } from '../store/calendar.ts';
import { idsSelected } from '../store/records/list.ts';
import { type OperationOptions, Summary } from './summary.ts';
import { inTransaction, recordLabel } from './transaction.ts';

/** The events to move: all except those in the trash by default. */
interface ShiftSelection {
  generated?: boolean;
  /** List parameters of events. */
  filters?: Query;
}

/** Moves events by a duration: days and longer in wall time, hours and shorter in elapsed time, all-day events by whole days. */
export async function shift(store: Store, by: Duration, options: OperationOptions & ShiftSelection = {}): Promise<Summary> {
  const summary = new Summary(options);
  await inTransaction(store, options.dryRun ?? false, (local) => {
    const selected = new Set(idsSelected(local.context, local.resources.events, options.filters ?? {}));
    for (const event of local.sources('events')) {
      if (!selected.has(event.id) || (options.generated && !event.generated)) continue;
      const dates = movedDates(event, by);
      const { timezone, all_day } = event as Pick<RecordChange, 'timezone' | 'all_day'>;
      const isMoved = dates.start_date !== event.start_date || dates.end_date !== event.end_date;
      if (isMoved) local.events.update({ id: event.id }, dates);
      summary.add(isMoved ? 'updated' : 'unchanged', 'events', recordLabel('events', event), event.id, { ...dates, timezone, all_day });
    }
  });
  return summary;
}
