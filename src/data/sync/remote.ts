import type { Calendar } from '../../model/calendar.ts';

/** A remote calendar to copy from, copy to or compare with. */
export interface RemoteCalendar {
  calendar: Calendar;
  /** Base URL of its routes, which identifies the site of copied records. */
  site: string;
}
