import type { Query } from '../../model/filter.ts';
import type { Calendar, Entry } from '../../model/resource.ts';
import { type Day, plusDays } from './day.ts';
import type { Look } from './look.ts';
import { type Span, spanOf } from './span.ts';

const pageSize = 50;

/** Every event of a query, page by page. */
export async function* eachEvent(calendar: Calendar, query: Query): AsyncIterable<Entry> {
  for (let page = 1; ; page++) {
    const found = await calendar.events.list({ per_page: String(pageSize), ...query, page: String(page) });
    yield* found.entries;
    // Some servers do not say how many pages there are.
    if (!found.entries.length || !(page < found.total_pages || found.next_rest_url !== undefined)) return;
  }
}

// Bounds compare with the clock of each event's own zone, which may be 26 hours from the one that is looked from.
const margin = 2;

/** The bounds of a list that holds every event on these days, whatever its zone, and few others. */
export const boundsOf = (from: Day, to: Day): Query => ({ ends_after: plusDays(from, -margin - 1), starts_before: plusDays(to, margin) });

/** The events on any day from one to another, both included, those running already and those not over then too; by their start. */
export async function spansBetween(calendar: Calendar, from: Day, to: Day, look: Look, query: Query = {}): Promise<Span[]> {
  const spans: Span[] = [];
  for await (const entry of eachEvent(calendar, { ...query, ...boundsOf(from, to) })) {
    const span = spanOf(entry, look);
    if (span && span.first <= to && span.last >= from) spans.push(span);
  }
  return spans;
}
