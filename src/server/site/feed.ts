import { machine } from '../../machine.ts';
import type { Entry, WholeList } from '../../model/calendar.ts';
import { toWholeNumber } from '../../model/fields/coerce.ts';
import { maxPerPage, type Query } from '../../model/fields/list.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { utf8Bytes } from '../../model/formats/bytes.ts';
import { icalMembers } from '../../model/ical/event.ts';
import type { FeedSite } from '../../model/ical/write.ts';
import { everyRecord, pageOrNothing } from '../../model/paging.ts';
import { resources } from '../../model/resources/all.ts';
import { mayRead, type Viewer } from '../../model/viewer.ts';
import { attachedFile, inlineFile } from '../headers.ts';
import type { Call, Result } from '../http.ts';
import { checkForm } from '../mistakes/form.ts';
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
  const { query, pageSize, pageStep = pageSize, page: sent = '1', isPast, withHidden } = listing;
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
  const isShifted = pageStep !== pageSize && (toWholeNumber(sent) ?? 0) > 1;
  const page = await pageAt(isShifted ? '1' : sent);
  if (!page) return { query, entries: [] };
  if (pageSize === Number.POSITIVE_INFINITY)
    return { query, entries: page.total > perPage ? await all() : page.entries, restUrl: page.rest_url };
  const number = Number(sent);
  const next = number < page.total_pages ? number + 1 : undefined;
  if (!isPast && !isShifted) return { query, entries: page.entries, restUrl: page.rest_url, next };
  const before = (number - 1) * (isShifted ? pageStep! : perPage);
  const range = [before, Math.min(page.total, before + perPage)] as const;
  // The list is ascending: one of past events is read from its end. The range is in one or two pages.
  const [start, end] = isPast ? [page.total - range[1], page.total - before] : range;
  if (start >= end) return { query, entries: [] };
  const pagesBefore = Math.floor(start / perPage);
  const around = await Promise.all([pagesBefore + 1, pagesBefore + 2].map(pageAt));
  const entries = around.flatMap((each) => each?.entries ?? []).slice(start - pagesBefore * perPage, end - pagesBefore * perPage);
  return { query, entries: isPast ? entries.reverse() : entries, next };
}

const members = new Set([...icalMembers, 'author']);
const datesAndPaging = new Set(resources.events.list.parameters.filter(({ topic }) => topic === 'dates').map(({ name }) => name));

/** The feed of a site, with single events, if there are any; the name of its file follows its format and its events. */
export async function siteFeed(call: Call, listing: Listing, isOutlook: boolean): Promise<{ result: Result; hasEvents: boolean }> {
  const { service, viewer, site } = call;
  const { entries } = await eventsAt(call, listing, members, viewer);
  const ids = machine.hash('md5', `${isOutlook ? 'outlook' : 'ical'}${entries.map(({ id }) => id).join('')}`, 'hex');
  const file = attachedFile(`${slugOf(service.title())}-${ids.slice(0, 11)}.ics`);
  const result = await calendarOf(call, entries, file, () => undefined, { home: site.home, isOutlook });
  return { result, hasEvents: entries.length > 0 };
}

/** The feed of all events, in which a series is one event with its rule, unless filters may have left out some of its occurrences. */
export async function wholeFeed(call: Call): Promise<Result> {
  checkForm(call, 'events', 'list');
  const { service, viewer, site, query } = call;
  const { entries } = await eventsAt(call, { query }, members, viewer);
  const isFiltered = Object.keys(query).some((name) => !datesAndPaging.has(name));
  const { series }: Partial<WholeList> = service.calendar(viewer, site).events;
  return calendarOf(call, entries, inlineFile('calendar.ics'), (uid) => (isFiltered ? undefined : series?.(uid)));
}

async function calendarOf(
  { service }: Call,
  entries: readonly Entry[],
  file: string,
  find: (uid: string) => ReturnType<WholeList['series']>,
  site?: FeedSite,
): Promise<Result> {
  const { icalPieces } = await import('../../model/ical/series.ts');
  const about = { name: service.title(), timezone: service.requestContext().zone, refresh, site };
  const bytes = utf8Bytes([...icalPieces(entries, find, about)].join(''));
  const headers = { 'Content-Type': 'text/calendar; charset=utf-8', 'Content-Disposition': file };
  return { status: 200, headers, body: { pieces: [bytes], tag: tagOf(bytes) } };
}
