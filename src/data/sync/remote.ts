import type { Calendar } from '../../model/calendar.ts';

/** Another calendar to copy from, to copy to or to compare with. */
export interface RemoteCalendar {
  calendar: Calendar;
  /** The address that its routes start at, by which the copies of its records are remembered. */
  site: string;
}
