import { useEffect, useMemo } from 'preact/hooks';
import { type CompactEvents, pageEventsPath } from '../../../model/web-page.ts';
import { context } from '../context.ts';
import { type CalendarDay, plusDays } from '../days.ts';
import { preload, useLoaded } from '../loading.ts';
import type { ListedEvent, Term } from '../record.ts';
import { type ApiQuery, fetchJson, listAll, toQueryString } from '../server/api.ts';
import { authorization } from '../server/session.ts';
import { spanOf } from './span.ts';
import { type Filters, withFilter } from './state.ts';

/** Days added to both bounds: the API compares them in each event's time zone, which can differ by up to 26 hours. */
const marginDays = 2;

/** Returns the query for all events on these days in any time zone, and a few more. */
export function queryOf(filters: Filters, from: CalendarDay, to?: CalendarDay): ApiQuery {
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
  from: CalendarDay;
  to: CalendarDay;
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

/** Maximum number of events in a view for which its neighbors are preloaded. */
const maxPreloadEvents = 500;

/** Resolves when the browser has nothing else to do. */
const idle = () => new Promise((done) => ('requestIdleCallback' in window ? requestIdleCallback(done) : setTimeout(done, 200)));

/** Loads the events of a range of days and whether the user may create events. Then preloads the ranges in `next`, one at a time. */
export function useEvents(filters: Filters, days: DayRange, next: readonly DayRange[]) {
  const result = useLoaded(keyOf(filters, days), load(filters, days));
  const isReady = !result.loading && !result.error;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers both.
  useEffect(() => {
    let isCanceled = false;
    const preloadNext = async () => {
      for (const each of next) {
        await idle();
        if (!isCanceled) await preload(keyOf(filters, each), load(filters, each));
      }
    };
    if (isReady && result.value!.events.length < maxPreloadEvents) void preloadNext();
    return () => {
      isCanceled = true;
    };
  }, [isReady, keyOf(filters, days)]);
  return result;
}

/**
 * Returns a function that counts the events of a category and of those below it in a range of days, which is what its filter shows. `events` are those of the
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
    const spans = all.map((event) => spanOf(event, context.timezone)).filter(({ first, last }) => first <= to && last >= from);
    const parents = new Map(categories.map(({ id, parent }) => [id, parent]));
    const isWithin = (id: number | undefined, top: number): boolean => id !== undefined && (id === top || isWithin(parents.get(id), top));
    return ({ id }) => spans.filter(({ event }) => event.categories.some((each) => isWithin(each.id, id))).length;
  }, [all, categories, from, to]);
}

export const useCategories = () =>
  useLoaded('categories', async (signal) => (await listAll<Term>('categories', { hide_empty: false, orderby: 'id' }, signal)).value);
