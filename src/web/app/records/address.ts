import { labels } from '../../labels.ts';

/** The record of an address, by slug or ID. */
export interface RecordAddress {
  kind: string;
  /** Path below the resource: `12` or `by-slug/opening`. */
  path: string;
}

const pages = Object.entries(labels).map(([resource, { kind, isPost, page }]) => ({ resource, kind, isPost, ...page }));

/** Matches the paths of records' pages below the origin. */
export const recordPaths = `(${pages.map(({ base }) => base).join('|')})/`;

/** Returns the view of the list of events in an address; undefined for other addresses. */
export function viewOfList({ pathname }: URL): string | undefined {
  const [, list, month] = /^\/events(?:\/(?:(list)|month(?:\/(\d{4}-\d\d))?))?\/?$/.exec(pathname) ?? [];
  if (month) return `/?day=${month}-01`;
  if (list) return '/?view=list';
  const term = pages.find(({ isPost, base }) => !isPost && pathname.replace(/^\/events\/tag\//, '/tag/').startsWith(`/${base}/`));
  const slug = /([^/]+)\/?$/.exec(pathname)?.[1];
  return term && `/?view=list&${term.resource}=${slug}`;
}

/** Parses the address of a record's page. Returns undefined for other addresses. */
export function parseRecordAddress({ pathname, searchParams }: URL): RecordAddress | undefined {
  const [, start, slug] = /^\/([^/]+)\/([^/]+)\/?$/.exec(pathname) ?? [];
  const bySlug = pages.find(({ isPost, base }) => isPost && base === start);
  if (bySlug) return { kind: bySlug.kind, path: `by-slug/${slug}` };
  const id = searchParams.get('p') ?? '';
  const byId = pages.find(({ type }) => type !== undefined && type === searchParams.get('post_type'));
  return pathname === '/' && byId && /^\d+$/.test(id) ? { kind: byId.kind, path: id } : undefined;
}
