import type { Entry, WholeList } from '../../model/calendar.ts';
import { invalidParams } from '../../model/error.ts';
import { isTruthy, quoted, toWholeNumber } from '../../model/fields/coerce.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import { icalMembers } from '../../model/ical/event.ts';
import { everyRecord, pageOrNothing } from '../../model/paging.ts';
import { resources } from '../../model/resources/all.ts';
import { mayRead, type Viewer } from '../../model/viewer.ts';
import { inlineFile } from '../headers.ts';
import type { Call, Result } from '../http.ts';
import { tagOf } from '../response.ts';

/** Refresh interval for subscribers, in minutes. */
const refresh = 60;

/** An address with events, which are also available as iCalendar. */
export interface FeedAddress {
  path: string;
  /** The filters of its events. Throws `rest_no_route` if its path names no record. */
  query(call: Call): Query | Promise<Query>;
  /** Number of events on a page, which `posts_per_page` changes. Absent if all events are on one. */
  pageSize?: number;
  /** True if it includes events that lists leave out. */
  withHidden?: true;
}

export const isFeed = ({ ical, 'outlook-ical': outlook }: Query): boolean => isTruthy(ical) || isTruthy(outlook);

/** The events of a page of an address. */
export interface EventPage {
  query: Query;
  entries: Entry[];
  /** The same list in the API; undefined past the last page, and for addresses without pages. */
  restUrl?: string;
  hasNext: boolean;
}

/** The events of an address that a viewer may read, with at least some members. Past the last page there are none. */
export async function eventsAt(call: Call, address: FeedAddress, members: ReadonlySet<string>, viewer: Viewer): Promise<EventPage> {
  const { service, site } = call;
  const query = await address.query(call);
  const { events } = service.calendar(viewer, site);
  const all = async (): Promise<Entry[]> => {
    const whole = { ...query, _uid: '1', page: '1', per_page: String(maxPerPage) };
    const entries: Entry[] = [];
    const listed = address.withHidden ? events.listAll!(whole, members, true) : everyRecord(events, whole, { members });
    // Lists show contributors and authors unpublished events of others, which they may not read one by one.
    for await (const entry of listed)
      if (mayRead(viewer, { author: Number(entry.author), status: String(entry.status) })) entries.push(entry);
    return entries;
  };
  if (address.pageSize === undefined) return { query, entries: await all(), hasNext: false };
  const { page: number = '1', posts_per_page: own } = call.query;
  const size = own === undefined ? address.pageSize : (toWholeNumber(own) ?? 0);
  if (size < 1) throw invalidParams({ posts_per_page: { reason: `must be a whole number of at least 1, not ${quoted(own)}` } });
  const perPage = Math.min(size, maxPerPage);
  const page = await pageOrNothing(events.list({ ...query, _uid: '1', page: number, per_page: String(perPage) }, members));
  if (!page) return { query, entries: [], hasNext: false };
  const isWhole = size === Number.POSITIVE_INFINITY;
  const entries = isWhole && page.total > perPage ? await all() : page.entries;
  return { query, entries, restUrl: page.rest_url, hasNext: !isWhole && page.next_rest_url !== undefined };
}

const members = new Set([...icalMembers, 'author']);
const datesAndPaging = new Set(resources.events.list.parameters.filter(({ topic }) => topic === 'dates').map(({ name }) => name));

/** The events of an address as iCalendar, with the title and the time zone of the calendar. */
export async function feed(call: Call, address: FeedAddress): Promise<Result> {
  const { service, viewer, site, ref } = call;
  const { query, entries } = await eventsAt(call, address, members, viewer);
  const { icalPieces } = await import('../../model/ical/series.ts');
  // A series is one event with its rule, unless filters may have left out some of its occurrences.
  const isFiltered = address.pageSize !== undefined || Object.keys(query).some((name) => !datesAndPaging.has(name));
  const { series }: Partial<WholeList> = service.calendar(viewer, site).events;
  const about = { name: service.title(), timezone: service.requestContext().zone, refresh };
  const bytes = Buffer.from([...icalPieces(entries, (uid) => (isFiltered ? undefined : series?.(uid)), about)].join(''));
  const name = (ref && 'slug' in ref && ref.slug) || 'calendar';
  const headers = { 'Content-Type': 'text/calendar; charset=utf-8', 'Content-Disposition': inlineFile(`${name}.ics`) };
  return { status: 200, headers, body: { pieces: [bytes], tag: tagOf(bytes) } };
}
