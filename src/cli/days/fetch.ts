import type { Calendar } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import { everyRecord } from '../../model/paging.ts';
import { type Day, plusDays } from './day.ts';
import type { Display } from './display.ts';
import { type Span, spanOf } from './span.ts';

// Filters compare with each event's local time, which may differ by 26 hours.
const margin = 2;

/** Returns a query for all events on these days in any time zone, and few others. */
export const boundsOf = (from: Day, to: Day): Query => ({ ends_after: plusDays(from, -margin - 1), starts_before: plusDays(to, margin) });

/** Returns the events that overlap a range of days. */
export async function spansBetween(calendar: Calendar, from: Day, to: Day, display: Display, query: Query = {}): Promise<Span[]> {
  const spans: Span[] = [];
  for await (const entry of everyRecord(calendar.events, { ...query, ...boundsOf(from, to) })) {
    const span = spanOf(entry, display);
    if (span && span.first <= to && span.last >= from) spans.push(span);
  }
  return spans;
}
