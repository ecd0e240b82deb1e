import type { DateTime } from '../../../model/time/datetime.ts';
import { type Day, dayOf, daysBetween, plusDays } from '../../../model/time/days.ts';
import { fromUtc, lastListedDay } from '../../../model/time/time.ts';
import { minutesOf } from '../days.ts';
import type { ListedEvent } from '../record.ts';

/** The days and times of an event on the calendar. */
export interface EventSpan {
  event: ListedEvent;
  /** Wall times in the calendar's zone. All-day events use their own zone, because their dates are the same everywhere. */
  from: DateTime;
  to: DateTime;
  first: Day;
  /** Last day under which the event is listed: an event until 3:00 stays on its evening. */
  last: Day;
  /** Last day with an hour of the event. */
  lastHour: Day;
  allDay: boolean;
}

export function eventSpan(event: ListedEvent, timezone: string): EventSpan {
  const allDay = event.all_day === true;
  const isSameZone = allDay || event.timezone === timezone;
  const from = isSameZone ? event.start_date : fromUtc(event.utc_start_date, timezone);
  const to = isSameZone ? event.end_date : fromUtc(event.utc_end_date, timezone);
  return { event, allDay, ...daysOf(from, to) };
}

export function daysOf(from: DateTime, to: DateTime): Pick<EventSpan, 'from' | 'to' | 'first' | 'last' | 'lastHour'> {
  return { from, to, first: dayOf(from), last: lastListedDay(from, to), lastHour: lastHourDay(from, to) };
}

/** The last day with an hour of the event. An event that ends at midnight has none on that day. */
function lastHourDay(from: DateTime, to: DateTime): Day {
  const last = to.endsWith(' 00:00:00') && to > from ? plusDays(dayOf(to), -1) : dayOf(to);
  return last < dayOf(from) ? dayOf(from) : last;
}

/** True if an event is shown as a bar across days instead of a block of hours: all-day events and those of 24 hours or more. */
export const isBar = (span: EventSpan): boolean =>
  span.allDay || daysBetween(span.first, span.lastHour) > 1 || (span.first !== span.lastHour && minutesOf(span.to) >= minutesOf(span.from));

/** Sorts by first day, then longest first, then by start time. */
export const compareSpans = (one: EventSpan, other: EventSpan): number =>
  compare(one.first, other.first) ||
  compare(other.last, one.last) ||
  Number(other.allDay) - Number(one.allDay) ||
  compare(one.from, other.from) ||
  one.event.id - other.event.id;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
