import type { DateTime } from '../../../model/time/datetime.ts';
import { type CalendarDay, dayOf, daysBetween, fromUtc, minutesOf, plusDays } from '../days.ts';
import type { CalendarEvent } from '../record.ts';

/** An event as it lies in the days of a calendar. */
export interface EventSpan {
  event: CalendarEvent;
  /** Wall times of the calendar's zone; of the event's own when it lasts whole days, for these are the same everywhere. */
  from: DateTime;
  to: DateTime;
  first: CalendarDay;
  last: CalendarDay;
  allDay: boolean;
}

/** Where an event lies by the clock of a zone. */
export function spanOf(event: CalendarEvent, timezone: string): EventSpan {
  const allDay = event.all_day === true;
  const same = allDay || event.timezone === timezone;
  const from = same ? event.start_date : fromUtc(event.utc_start_date, timezone);
  const to = same ? event.end_date : fromUtc(event.utc_end_date, timezone);
  return { event, from, to, first: dayOf(from), last: lastDay(from, to), allDay };
}

/** What ends at midnight does not reach into the new day. */
function lastDay(from: DateTime, to: DateTime): CalendarDay {
  const last = to.endsWith(' 00:00:00') && to > from ? plusDays(dayOf(to), -1) : dayOf(to);
  return last < dayOf(from) ? dayOf(from) : last;
}

/** Whether an event is shown as a bar over days, not as a block of hours: it lasts whole days, or a day or longer. */
export const isBar = (span: EventSpan): boolean =>
  span.allDay || daysBetween(span.first, span.last) > 1 || (span.first !== span.last && minutesOf(span.to) >= minutesOf(span.from));

/** By day, the longer first, then by time. */
export const inOrder = (one: EventSpan, other: EventSpan): number =>
  compare(one.first, other.first) ||
  compare(other.last, one.last) ||
  Number(other.allDay) - Number(one.allDay) ||
  compare(one.from, other.from) ||
  one.event.id - other.event.id;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
