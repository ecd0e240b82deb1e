import { kinds } from '../forms/address.ts';
import { useLoaded } from '../loading.ts';
import type { CalendarEvent, Post } from '../record.ts';
import { type ApiQuery, listPage, requestApi } from '../server/api.ts';

/** Loads a record and whether the user may edit and delete it. */
export const useRecord = ({ kind, path }: { kind: string; path: string }) =>
  useLoaded(`record ${kind} ${path}`, async (signal) => {
    const { value, allow } = await requestApi<Post>('GET', `/${kinds[kind]}/${path}`, { signal, query: { context: 'edit' } });
    return { record: value, canEdit: allow.includes('PATCH'), canDelete: allow.includes('DELETE') };
  });

/** Loads the first events of a query. */
export const useUpcomingEvents = (query: ApiQuery | undefined, maxEvents: number) =>
  useLoaded(query && `next ${JSON.stringify(query)} ${maxEvents}`, async (signal) => {
    const { records, total } = await listPage<CalendarEvent>('events', { ...query, per_page: maxEvents }, signal).catch((error) => {
      if (error.status === 404) return { records: [], total: 0 };
      throw error;
    });
    return { events: records, total };
  });
