import { type CalendarDay, plusDays } from '../days.ts';
import { useLoaded } from '../loading.ts';
import type { CalendarEvent } from '../record.ts';
import { ApiError, listPage } from '../server/api.ts';
import { queryOf } from './events.ts';
import type { Filters } from './state.ts';

/** Used for a 404, which the API returns for filters by unknown records. */
const emptyPage = { records: [] as CalendarEvent[], allow: [] as readonly string[], total: 0, pages: 0 };
const emptyIfNotFound = (error: unknown) => {
  if (error instanceof ApiError && error.status === 404) return emptyPage;
  throw error;
};

const pageSize = 50;

/** Loads the first pages of the events from a day on. */
export function useUpcoming(filters: Filters, from: CalendarDay, pages: number) {
  return useLoaded(`upcoming ${JSON.stringify([filters, from, pages])}`, async (signal) => {
    const query = queryOf(filters, from);
    const requests = Array.from({ length: pages }, (_, index) =>
      listPage<CalendarEvent>('events', { ...query, per_page: pageSize, page: index + 1 }, signal),
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
export function useOutside(filters: Filters, { from, to }: { from?: CalendarDay; to?: CalendarDay }): OutsideCounts | undefined {
  const key = from && to && `outside ${JSON.stringify([filters, from, to])}`;
  return useLoaded(key, async (signal): Promise<OutsideCounts> => {
    const count = async (first: CalendarDay, last?: CalendarDay) => {
      const query = { ...queryOf(filters, first, last), per_page: 1 };
      return (await listPage('events', query, signal).catch(emptyIfNotFound)).total;
    };
    const later = await count(plusDays(to!, 1));
    return { later, earlier: later ? 0 : await count(longAgo, plusDays(from!, -1)) };
  }).value;
}
