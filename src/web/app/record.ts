import type { EventRecord, VenueRecord } from '../../model/resources/record-types.ts';
import { inWords, type SiteSlugs } from '../../model/site-address.ts';
import { labels } from '../definitions.ts';

export type Image = Exclude<EventRecord['image'], false>;

/** The members of a record that the page reads. */
export interface Post {
  id: number;
  url: string;
  rest_url?: string;
  slug: string;
  status: string;
  description?: string;
  website?: string;
  image?: false | Image;
  [name: string]: unknown;
}

export interface Term {
  id: number;
  name: string;
  slug: string;
  parent?: number;
  count?: number;
  url?: string;
}

/** The members of an event that the views of the calendar show. Categories and venues have only their ID and name. */
export type ListedEvent = Pick<
  EventRecord,
  | 'id'
  | 'title'
  | 'status'
  | 'url'
  | 'start_date'
  | 'end_date'
  | 'utc_start_date'
  | 'utc_end_date'
  | 'timezone'
  | 'all_day'
  | 'featured'
  | 'cost'
  | 'categories'
  | 'venue'
>;

export const venuesOf = ({ venue }: Pick<EventRecord, 'venue'>): VenueRecord[] => (Array.isArray(venue) ? venue : venue ? [venue] : []);

const statusTexts: Record<string, string> = { draft: 'Draft', pending: 'Pending', private: 'Private', future: 'Scheduled' };

export const statusText = ({ status }: Pick<Post, 'status'>): string => statusTexts[status] ?? status;

/** The path and query of a record's page. */
export function permalinkPath({ url }: { url: string }): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
}

/** The record of an address, by slug or ID. */
export interface RecordAddress {
  kind: string;
  /** Path below the resource: `12` or `by-slug/opening`. */
  path: string;
}

/** The kinds of records with the start of their addresses, as a regular expression. */
const pagesIn = (slugs: SiteSlugs) =>
  Object.values(labels).map(({ kind, isPost, page: { type, base } }) => ({
    ...{ kind, isPost, type },
    base: inWords(base, slugs).replaceAll('.', '\\.'),
  }));

/** Matches the paths of records' pages below the origin, or those of terms: lists, which the server turns into a view. */
export const pathsIn = (slugs: SiteSlugs, ofPosts: boolean): string =>
  `(${pagesIn(slugs)
    .flatMap(({ isPost, base }) => (!isPost === !ofPosts ? [base] : []))
    .join('|')})/`;

/** Parses the address of a record's page. Returns undefined for other addresses. */
export function parseRecordAddress({ pathname, searchParams }: URL, slugs: SiteSlugs): RecordAddress | undefined {
  for (const { kind, isPost, base } of pagesIn(slugs)) {
    const slug = isPost && new RegExp(`^/${base}/([^/]+)/?$`).exec(pathname)?.[1];
    if (slug) return { kind, path: `by-slug/${slug}` };
  }
  const id = searchParams.get('p') ?? '';
  const byId = pagesIn(slugs).find(({ type }) => type !== undefined && type === searchParams.get('post_type'));
  return pathname === '/' && byId && /^\d+$/.test(id) ? { kind: byId.kind, path: id } : undefined;
}
