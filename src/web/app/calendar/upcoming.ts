import type { CalendarDay } from '../days.ts';
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
