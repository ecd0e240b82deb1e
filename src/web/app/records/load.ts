import { kinds, type RecordKind } from '../forms/address.ts';
import { useLoaded } from '../loading.ts';
import type { CalendarEvent, Post } from '../record.ts';
import { type ApiQuery, ask, listPage } from '../server/api.ts';

/** The record that an address names: by the last part of its path, or by its ID. */
export interface RecordAddress {
  kind: RecordKind;
  /** Below the resource: `12` or `by-slug/opening`. */
  path: string;
}

const types: Record<string, RecordKind> = { calendar_events: 'event', calendar_venue: 'venue', calendar_organizer: 'organizer' };

/** What record an address of the page names; undefined for other addresses. */
export function recordAt({ pathname, searchParams }: URL): RecordAddress | undefined {
  const [, kind, slug] = /^\/(event|venue|organizer)\/([^/]+)\/?$/.exec(pathname) ?? [];
  if (kind) return { kind: kind as RecordKind, path: `by-slug/${slug}` };
  const type = types[searchParams.get('post_type') ?? ''];
  const id = searchParams.get('p') ?? '';
  return pathname === '/' && type && /^\d+$/.test(id) ? { kind: type, path: id } : undefined;
}

/** A record, and whether who looks may change it and delete it. */
export const useRecord = ({ kind, path }: RecordAddress) =>
  useLoaded(`record ${kind} ${path}`, async (signal) => {
    const { value, allow } = await ask<Post>('GET', `/${kinds[kind]}/${path}`, { signal, query: { context: 'edit' } });
    return { record: value, mayChange: allow.includes('PATCH'), mayDelete: allow.includes('DELETE') };
  });

/** The next few events of a query. */
export const useNext = (query: ApiQuery | undefined, most: number) =>
  useLoaded(query && `next ${JSON.stringify(query)} ${most}`, async (signal) => {
    const { records, total } = await listPage<CalendarEvent>('events', { ...query, per_page: most }, signal).catch((error) => {
      if (error.status === 404) return { records: [], total: 0 };
      throw error;
    });
    return { events: records, total };
  });
