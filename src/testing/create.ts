import type { ControlledCalendar } from './calendar.ts';
import { placeOf, toldAt } from './guarded.ts';
import type { CalendarOptions } from './options.ts';

/**
 * Opens a calendar and serves it from this process until it is closed: in memory and on a free port, unless told otherwise. Fails with a {@link Failure} where an option, the seed or the file is wrong, or the port is
 * taken; nothing stays open then. Prints nothing, takes no signals.
 */
export async function createCalendar(options: CalendarOptions = {}): Promise<ControlledCalendar> {
  return toldAt(placeOf(createCalendar), async () => (await import('./serve.ts')).createServed(options));
}
