import { kinds, type RecordKind } from '../forms/address.ts';
import { useLoaded } from '../loading.ts';
import type { CalendarEvent, Post } from '../record.ts';
import { type ApiQuery, listPage, requestApi } from '../server/api.ts';

/** Kinds of records that have a page. */
type PageKind = Exclude<RecordKind, 'category' | 'tag'>;

/** The record of an address, by slug or ID. */
export interface RecordAddress {
  kind: PageKind;
  /** Path below the resource: `12` or `by-slug/opening`. */
  path: string;
}

const types: Record<string, PageKind> = { calendar_events: 'event', calendar_venue: 'venue', calendar_organizer: 'organizer' };

/** Parses the address of a record's page. Returns undefined for other addresses. */
export function parseRecordAddress({ pathname, searchParams }: URL): RecordAddress | undefined {
  const [, kind, slug] = /^\/(event|venue|organizer)\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (kind) return { kind: kind as PageKind, path: `by-slug/${slug}` };
  const type = types[searchParams.get('post_type') ?? ''];
  const id = searchParams.get('p') ?? '';
  return pathname === '/' && type && /^\d+$/.test(id) ? { kind: type, path: id } : undefined;
}

/** Loads a record and whether the user may edit and delete it. */
export const useRecord = ({ kind, path }: { kind: RecordKind; path: string }) =>
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
