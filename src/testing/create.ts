import type { ControlledCalendar } from './calendar.ts';
import { atCallSite, callSiteOf } from './guarded.ts';
import { createHere } from './here.ts';
import type { CalendarOptions } from './options.ts';

/**
 * Opens a calendar and serves it from this process until it is closed; by default in memory and on a free port. Only with `port`, the process runs until then; without, it may end before. Throws a {@link Failure} for an invalid option, seed or file, or if the
 * port is in use; nothing stays open then. Prints nothing and handles no signals.
 * @example await using calendar = await createCalendar({ seed: 'demo', now: '2027-03-01 09:00', timezone: 'Europe/Paris' });
 */
export async function createCalendar(options: CalendarOptions = {}): Promise<ControlledCalendar> {
  return atCallSite(callSiteOf(createCalendar), () => createHere(options));
}
