import type { Entry, WholeList } from '../../model/calendar.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import { icalMembers } from '../../model/ical/event.ts';
import { everyRecord, pageOrNothing } from '../../model/paging.ts';
import { resources } from '../../model/resources/all.ts';
import { mayRead, type Viewer } from '../../model/viewer.ts';
import { inlineFile } from '../headers.ts';
import type { Call, Result } from '../http.ts';
import { tagOf } from '../response.ts';
import type { Listing } from './addresses.ts';

/** Refresh interval for subscribers, in minutes. */
const refresh = 60;

/** The events of a page of a list. */
export interface EventPage {
  query: Query;
  entries: Entry[];
  /** The same list in the API; undefined past the last page, for lists without pages, and for past ones, which the API has in another order. */
  restUrl?: string;
  /** Number of the next page, if there is one. */
  next?: number;
}

/** The events of a list that a viewer may read, with at least some members. Past the last page there are none. */
export async function eventsAt(
  { service, site }: Call,
  listing: Listing,
  members: ReadonlySet<string>,
  viewer: Viewer,
): Promise<EventPage> {
  const { query, pageSize, page: sent = '1', isPast, withHidden } = listing;
  const { events } = service.calendar(viewer, site);
  const all = async (): Promise<Entry[]> => {
    const whole = { ...query, _uid: '1', page: '1', per_page: String(maxPerPage) };
    const entries: Entry[] = [];
    const listed = withHidden ? events.listAll!(whole, members, true) : everyRecord(events, whole, { members });
    // Lists show contributors and authors unpublished events of others, which they may not read one by one.
    for await (const entry of listed)
      if (mayRead(viewer, { author: Number(entry.author), status: String(entry.status) })) entries.push(entry);
    return entries;
  };
  if (pageSize === undefined) return { query, entries: await all() };
  const perPage = Math.min(pageSize, maxPerPage);
  const pageAt = (page: unknown) => pageOrNothing(events.list({ ...query, _uid: '1', page, per_page: String(perPage) }, members));
  const page = await pageAt(sent);
  if (!page) return { query, entries: [] };
  if (pageSize === Number.POSITIVE_INFINITY)
    return { query, entries: page.total > perPage ? await all() : page.entries, restUrl: page.rest_url };
  const number = Number(sent);
  const next = number < page.total_pages ? number + 1 : undefined;
  if (!isPast) return { query, entries: page.entries, restUrl: page.rest_url, next };
  // The list is ascending: a page from its end is in one or two of its pages.
  const end = page.total - (number - 1) * perPage;
  const start = Math.max(0, end - perPage);
  const pagesBefore = Math.floor(start / perPage);
  const around = await Promise.all([pagesBefore + 1, pagesBefore + 2].map(pageAt));
  const entries = around.flatMap((each) => each?.entries ?? []).slice(start - pagesBefore * perPage, end - pagesBefore * perPage);
  return { query, entries: entries.reverse(), next };
}

const members = new Set([...icalMembers, 'author']);
const datesAndPaging = new Set(resources.events.list.parameters.filter(({ topic }) => topic === 'dates').map(({ name }) => name));

/** The events of a list as iCalendar, with the title and the time zone of the calendar. `name` is that of the file. */
export async function feed(call: Call, listing: Listing, name = 'calendar'): Promise<Result> {
  const { service, viewer, site } = call;
  const { query, entries } = await eventsAt(call, listing, members, viewer);
  const { icalPieces } = await import('../../model/ical/series.ts');
  // A series is one event with its rule, unless filters may have left out some of its occurrences.
  const isFiltered = listing.pageSize !== undefined || Object.keys(query).some((each) => !datesAndPaging.has(each));
  const { series }: Partial<WholeList> = service.calendar(viewer, site).events;
  const about = { name: service.title(), timezone: service.requestContext().zone, refresh };
  const bytes = Buffer.from([...icalPieces(entries, (uid) => (isFiltered ? undefined : series?.(uid)), about)].join(''));
  const headers = { 'Content-Type': 'text/calendar; charset=utf-8', 'Content-Disposition': inlineFile(`${name}.ics`) };
  return { status: 200, headers, body: { pieces: [bytes], tag: tagOf(bytes) } };
}
