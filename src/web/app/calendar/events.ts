import { useEffect } from 'preact/hooks';
import { context } from '../context.ts';
import { type CalendarDay, plusDays } from '../days.ts';
import { loadAhead, useLoaded } from '../loading.ts';
import type { CalendarEvent, Term } from '../record.ts';
import { ApiError, type ApiQuery, listAll, listPage } from '../server/api.ts';
import type { Filters } from './state.ts';

/** Bounds compare with the clock of each event's own zone, which may be 26 hours from the calendar's. */
const margin = 2;

/** The parameters that ask for every event that touches these days, whatever its zone, and few others. */
function queryOf(filters: Filters, from: CalendarDay, to?: CalendarDay): ApiQuery {
  const { featured, search, ...lists } = filters;
  return {
    ends_after: plusDays(from, -margin - 1),
    starts_before: to && plusDays(to, margin),
    ...lists,
    search,
    ...(featured && { featured: true }),
    ...visible,
  };
}

/** Whoever owns a calendar without users sees what is not published too; users are shown by themselves what they may see. */
const visible: ApiQuery = context.users ? {} : { status: 'publish,future,draft,pending,private' };

/** A search that nothing can match, or a filter by what is not there, is an answer of its own: nothing. */
const none = { value: [] as CalendarEvent[], records: [] as CalendarEvent[], allow: [] as readonly string[], total: 0, pages: 0 };
const noneIfUnknown = (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return none;
  throw error;
};

/** Days of the calendar, both included. */
interface Days {
  from: CalendarDay;
  to: CalendarDay;
}

const keyOf = (filters: Filters, { from, to }: Days) => `events ${JSON.stringify([filters, from, to])}`;

const load =
  (filters: Filters, { from, to }: Days) =>
  async (signal: AbortSignal) => {
    const { value, allow } = await listAll<CalendarEvent>('events', queryOf(filters, from, to), signal).catch(noneIfUnknown);
    return { events: value, mayCreate: allow.includes('POST') };
  };

/** The events that touch days, and whether who looks may make more. Then those of other days, which are likely to be looked at next, one after the other. */
export function useEvents(filters: Filters, days: Days, next: readonly Days[]) {
  const found = useLoaded(keyOf(filters, days), load(filters, days));
  const ready = !found.loading && !found.error;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names both.
  useEffect(() => {
    let left = false;
    const ahead = async () => {
      for (const each of next) if (!left) await loadAhead(keyOf(filters, each), load(filters, each));
    };
    if (ready) void ahead();
    return () => {
      left = true;
    };
  }, [ready, keyOf(filters, days)]);
  return found;
}

const pageSize = 50;

/** The events that are on from a day on, so many pages of them. */
export function useUpcoming(filters: Filters, from: CalendarDay, pages: number) {
  return useLoaded(`upcoming ${JSON.stringify([filters, from, pages])}`, async (signal) => {
    const query = queryOf(filters, from);
    const asked = Array.from({ length: pages }, (_, at) =>
      listPage<CalendarEvent>('events', { ...query, per_page: pageSize, page: at + 1 }, signal),
    );
    const found = await Promise.all(asked).catch((error) => [noneIfUnknown(error)]);
    return {
      events: found.flatMap(({ records }) => records),
      total: found[0]!.total,
      more: found[0]!.pages > pages,
      mayCreate: found[0]!.allow.includes('POST'),
    };
  });
}

/** All categories, which give events their colors. */
export const useCategories = () =>
  useLoaded('categories', async (signal) => (await listAll<Term>('categories', { hide_empty: false, orderby: 'id' }, signal)).value);
