import type { Entry } from '../../model/calendar.ts';
import { everyRecord } from '../../model/paging.ts';
import type { CompactEvent, CompactEvents, CompactVenue } from '../../model/web-page.ts';
import type { Call, Result } from '../http.ts';

const members = new Set(
  'id url title status start_date end_date utc_start_date utc_end_date timezone all_day featured cost categories venue city'.split(' '),
);

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

const linked = (value: unknown): Entry[] => (Array.isArray(value) ? value : value ? [value] : []) as Entry[];

function compact(event: Entry): CompactEvent {
  const { url, all_day, featured, cost, categories, venue, ...rest } = event as Entry & Record<string, unknown>;
  const ids = (records: Entry[]) => (records.length ? records.map(({ id }) => id as number) : undefined);
  return {
    ...(rest as unknown as Pick<
      CompactEvent,
      'id' | 'title' | 'status' | 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone'
    >),
    path: pathOf(String(url)),
    all_day: all_day === true ? true : undefined,
    featured: featured === true ? true : undefined,
    cost: cost ? String(cost) : undefined,
    categories: ids(linked(categories)),
    venues: ids(linked(venue)),
  };
}

/** Returns every event of a list in the compact form of the page's views: the same events that `GET /events` returns page by page. */
export async function pageEvents({ service, viewer, site, query }: Call): Promise<Result> {
  const venues = new Map<number, CompactVenue>();
  const events: CompactEvent[] = [];
  for await (const entry of everyRecord(service.calendar(viewer, site).events, query, { members })) {
    events.push(compact(entry));
    for (const { id, venue, city } of linked(entry.venue) as unknown as CompactVenue[])
      venues.set(id, { id, venue, city: city || undefined });
  }
  const value: CompactEvents = { events, venues: [...venues.values()], canCreate: service.may(viewer, 'create', 'events', undefined) };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, value };
}
