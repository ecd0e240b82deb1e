import type { Calendar, Entry } from '../../model/calendar.ts';
import type { Query } from '../../model/fields/list.ts';
import { type Day, plusDays } from './day.ts';
import type { Display } from './display.ts';
import { type Span, spanOf } from './span.ts';

const pageSize = 50;

/** Every event of a query, page by page. */
export async function* eachEvent(calendar: Calendar, query: Query): AsyncIterable<Entry> {
  for (let page = 1; ; page++) {
    const found = await calendar.events.list({ per_page: String(pageSize), ...query, page: String(page) });
    yield* found.entries;
    // Some servers do not answer the number of pages.
    if (!found.entries.length || !(page < found.total_pages || found.next_rest_url !== undefined)) return;
  }
}

// Bounds compare with each event's local time, which may be 26 hours away from the display's.
const margin = 2;

/** A query for every event on these days in any zone, and few others. */
export const boundsOf = (from: Day, to: Day): Query => ({ ends_after: plusDays(from, -margin - 1), starts_before: plusDays(to, margin) });

/** The events that overlap the days from one to another, both included, by start. */
export async function spansBetween(calendar: Calendar, from: Day, to: Day, display: Display, query: Query = {}): Promise<Span[]> {
  const spans: Span[] = [];
  for await (const entry of eachEvent(calendar, { ...query, ...boundsOf(from, to) })) {
    const span = spanOf(entry, display);
    if (span && span.first <= to && span.last >= from) spans.push(span);
  }
  return spans;
}
