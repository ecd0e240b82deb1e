import type { RecordKind } from '../forms/address.ts';

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
