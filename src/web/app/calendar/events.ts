import { useMemo } from 'preact/hooks';
import type { EventRecord } from '../../../model/resources/record-types.ts';
import { type Day, plusDays } from '../../../model/time/days.ts';
import { type CompactEvents, pageEventsPath } from '../../../model/web-page.ts';
import { context } from '../context.ts';
import { useLoaded } from '../loading.ts';
import type { ListedEvent, Term } from '../record.ts';
import { ApiError, type ApiQuery, fetchJson, listAll, listPage, toQueryString } from '../server/api.ts';
import { authorization } from '../server/session.ts';
import { eventSpan } from './span.ts';
import { type Filters, withFilter } from './state.ts';

/** Days added to both bounds: the API compares them in each event's time zone, which can differ by up to 26 hours. */
const marginDays = 2;

/** The query for all events on these days in any time zone, and a few more. */
function queryOf(filters: Filters, from: Day, to?: Day): ApiQuery {
  return {
    ends_after: plusDays(from, -marginDays - 1),
    starts_before: to && plusDays(to, marginDays),
    ...filters.values,
    search: filters.search,
    ...statusQuery,
  };
}

/** Without users everyone is the owner and sees unpublished events. With users the API selects what each of them may see. */
const statusQuery: ApiQuery = context.users ? {} : { status: 'publish,future,draft,pending,private' };

/** A range of days, both inclusive. */
interface DayRange {
  from: Day;
  to: Day;
}

const keyOf = (filters: Filters, { from, to }: DayRange) => `events ${JSON.stringify([filters, from, to])}`;

/** Converts a compact list to events. Linked records have the members that the views show. */
function expand({ events, venues, canCreate }: CompactEvents) {
  const byId = new Map(venues.map((venue) => [venue.id, venue]));
  return {
    canCreate,
    events: events.map(
      ({ path, categories = [], venues: ids = [], ...event }) =>
        ({
          all_day: false,
          featured: false,
          cost: '',
          ...event,
          url: path,
          categories: categories.map((id) => ({ id })),
          venue: ids.map((id) => byId.get(id)),
        }) as ListedEvent,
    ),
  };
}

const load =
  (filters: Filters, { from, to }: DayRange) =>
  async (signal: AbortSignal) => {
    const address = pageEventsPath + toQueryString(queryOf(filters, from, to));
    return expand((await fetchJson<CompactEvents>('GET', address, { signal, authorization: authorization() })).value);
  };

/** Loads the events of a range of days and whether the user may create events. */
export const useEvents = (filters: Filters, days: DayRange) => useLoaded(keyOf(filters, days), load(filters, days));

/**
 * A function that counts the events of a category and of those below it in a range of days, which is what its filter shows. `events` are those of the
 * view. While categories are selected, those of all categories are loaded. Undefined until then, and without a last day.
 */
export function useCategoryCount(
  filters: Filters,
  { from, to }: Partial<DayRange>,
  events: readonly ListedEvent[] | undefined,
  categories: readonly Term[],
): ((term: Term) => number) | undefined {
  const everyCategory = withFilter(filters, 'categories', []);
  const days = { from: from!, to: to! };
  const isFiltered = to !== undefined && filters.values.categories !== undefined;
  const { value } = useLoaded(isFiltered ? keyOf(everyCategory, days) : undefined, load(everyCategory, days));
  const all = isFiltered ? value?.events : events;
  return useMemo(() => {
    if (!all || !from || !to) return undefined;
    const spans = all.map((event) => eventSpan(event, context.timezone)).filter(({ first, last }) => first <= to && last >= from);
    const parents = new Map(categories.map(({ id, parent }) => [id, parent]));
    const isWithin = (id: number | undefined, top: number): boolean => id !== undefined && (id === top || isWithin(parents.get(id), top));
    return ({ id }) => spans.filter(({ event }) => event.categories.some((each) => isWithin(each.id, id))).length;
  }, [all, categories, from, to]);
}

export const useCategories = () =>
  useLoaded('categories', async (signal) => (await listAll<Term>('categories', { hide_empty: false, orderby: 'id' }, signal)).value);

/** Used for a 404, which the API returns for filters by unknown records. */
const emptyPage = { records: [] as EventRecord[], allow: [] as readonly string[], total: 0, pages: 0 };
const emptyIfNotFound = (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return emptyPage;
  throw error;
};

const pageSize = 50;

/** Loads the first pages of the events from a day on. */
export function useUpcoming(filters: Filters, from: Day, pages: number) {
  return useLoaded(`upcoming ${JSON.stringify([filters, from, pages])}`, async (signal) => {
    const query = queryOf(filters, from);
    const requests = Array.from({ length: pages }, (_, index) =>
      listPage<EventRecord>('events', { ...query, per_page: pageSize, page: index + 1 }, signal),
    );
    const results = await Promise.all(requests).catch((error) => [emptyIfNotFound(error)]);
    return {
      events: results.flatMap(({ records }) => records),
      total: results[0]!.total,
      hasMore: results[0]!.pages > pages,
      canCreate: results[0]!.allow.includes('POST'),
    };
  });
}

/** Numbers of events after and before a view. */
export interface OutsideCounts {
  later: number;
  earlier: number;
}

/** Start of the range that is searched for earlier events. */
const longAgo = '1001-01-01';

/** Counts the events that match filters after a range of days, and those before it if there are none after it. Counts nothing without a last day. */
export function useOutside(filters: Filters, { from, to }: { from?: Day; to?: Day }): OutsideCounts | undefined {
  const key = from && to && `outside ${JSON.stringify([filters, from, to])}`;
  return useLoaded(key, async (signal): Promise<OutsideCounts> => {
    const count = async (first: Day, last?: Day) => {
      const query = { ...queryOf(filters, first, last), per_page: 1 };
      return (await listPage('events', query, signal).catch(emptyIfNotFound)).total;
    };
    const later = await count(plusDays(to!, 1));
    return { later, earlier: later ? 0 : await count(longAgo, plusDays(from!, -1)) };
  }).value;
}
