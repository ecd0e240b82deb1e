import { percentDecoded } from './fields/coerce.ts';
import { addDays } from './time/datetime.ts';

/** The record in an address of a site. */
export interface AddressedRecord {
  resource: 'events' | 'venues' | 'organizers' | 'categories' | 'tags';
  slug: string;
  /** Its path, with the terms above it, as it was requested. */
  path: string;
}

/** An address of a site: of a record, or of a list of events, those of a term if there is one. */
export interface SiteAddress {
  record?: AddressedRecord;
  view?: 'list' | 'month' | 'day';
  /** `YYYY-MM` of a month, `YYYY-MM-DD` of a day; the current one if absent. */
  date?: string;
  isFeatured?: boolean;
  page?: number;
  ending?: 'ical' | 'feed';
}

/** The first parts of paths, and what may follow: a record, the terms above it, views of a list with all endings, or an ending. */
const bases: Readonly<Record<string, { resource?: AddressedRecord['resource']; isTree?: true; hasViews?: true; hasIcal?: true }>> = {
  'events/category': { resource: 'categories', isTree: true, hasViews: true },
  'events/tag': { resource: 'tags', hasViews: true },
  events: { hasViews: true },
  event: { resource: 'events', hasIcal: true },
  venue: { resource: 'venues' },
  organizer: { resource: 'organizers' },
  // The page of a tag in WordPress, which has no views.
  tag: { resource: 'tags' },
};

/** Paths of feeds with a variable, for documents, in which no path ends with a slash: each kind of list and of record as iCalendar, lists as RSS too. */
export const feedTemplates: readonly { path: string; ending: 'ical' | 'feed'; resource: AddressedRecord['resource'] | undefined }[] =
  Object.entries(bases).flatMap(([base, { resource, hasViews, hasIcal }]) =>
    [...(hasViews || hasIcal ? (['ical'] as const) : []), ...(hasViews ? (['feed'] as const) : [])].map((ending) => ({
      path: `/${base}/${resource ? '{slug}/' : ''}${ending}`,
      ending,
      resource,
    })),
  );

/** The first parts of the paths of a site, below its folder. */
export const siteFolders: readonly string[] = [...new Set(Object.keys(bases).map((base) => base.split('/')[0]!))];

const views = /^(?:list|month|day|today)$/;
const month = /^\d{4}-\d\d$/;
const day = /^\d{4}-\d\d-\d\d$/;
const feed = /^feed$/;
const feedType = /^(?:feed|rdf|rss2?|atom)$/;
/** Words that are not terms below another term. */
const words = [views, month, day, /^(?:featured|page|ical)$/, feed];

/** The grammar of lists, for messages. */
export const siteGrammar =
  '/events/, then list, month, day, today, YYYY-MM or YYYY-MM-DD, or category/SLUG or tag/SLUG and one of these, then featured, page/N, and ical or feed';

/** True for a month or a day that exists, not too near to the last one that dates can have. */
export const isRealDate = (date: string): boolean => {
  const text = date.padEnd(10, '-01');
  return (month.test(date) || day.test(date)) && text >= '1000' && text < '9999-12' && addDays(`${text} 00:00:00`, 0).startsWith(text);
};

/** Parses a path below the folder of a site; undefined if a site has no page there. */
export function siteAddressOf(path: string): SiteAddress | undefined {
  const parts = path.replace(/\/$/, '').slice(1).split('/');
  const base = [parts.slice(0, 2).join('/'), parts[0]!].find((each) => Object.hasOwn(bases, each));
  if (base === undefined || parts.includes('')) return undefined;
  const { resource, isTree, hasViews, hasIcal } = bases[base]!;
  parts.splice(0, base.split('/').length);
  const take = (...patterns: readonly RegExp[]) => (patterns.some((pattern) => pattern.test(parts[0] ?? '')) ? parts.shift() : undefined);
  const address: SiteAddress = {};
  if (resource !== undefined) {
    const terms = parts.splice(0, 1);
    while (isTree && parts.length && !words.some((word) => word.test(parts[0]!))) terms.push(...parts.splice(0, 1));
    const slug = terms.at(-1);
    if (slug === undefined) return undefined;
    address.record = { resource, slug: percentDecoded(slug), path: `${base}/${terms.join('/')}` };
  }
  if (hasViews) {
    const view = take(views, month, day);
    // A day follows its word below a term only.
    const date = view && /\d/.test(view) ? view : view === 'month' ? take(month) : view === 'day' && resource ? take(day) : undefined;
    if (date !== undefined && !isRealDate(date)) return undefined;
    if (view) address.view = view === 'list' ? view : view === 'month' || month.test(view) ? 'month' : 'day';
    if (date !== undefined) address.date = date;
    if (take(/^featured$/)) address.isFeatured = true;
    const isList = (address.view ?? 'list') === 'list';
    if (isList && take(/^page$/)) address.page = Number(take(/^[1-9]\d{0,8}$/) ?? Number.NaN);
    if (Number.isNaN(address.page)) return undefined;
    if (take(resource ? feed : feedType) !== undefined) {
      take(feedType);
      address.ending = 'feed';
    }
  }
  if ((hasViews || hasIcal) && !address.ending && take(/^ical$/)) address.ending = 'ical';
  return parts.length ? undefined : address;
}

/** The path of an address. */
export function sitePathOf({ record, view, date, isFeatured, page = 1, ending }: SiteAddress): string {
  const words = [
    record?.path.replace(/^tag\//, 'events/tag/') ?? 'events',
    ...(view === 'day' ? [date ?? 'today'] : view ? [view, ...(date ? [date] : [])] : []),
    ...(isFeatured ? ['featured'] : []),
    ...(page > 1 ? ['page', page] : []),
    ...(ending ? [ending] : []),
  ];
  return `/${words.join('/')}/`;
}

/** True if a site has a page or a feed at a path below its folder. */
export const isSitePath = (path: string): boolean => /^\/feed\/?$/.test(path) || siteAddressOf(path) !== undefined;

/** True if an address is a feed by its path, below the folder of a site, or its parameters. As in PHP, any value counts. */
export const isFeedAddress = (path: string, query: Readonly<Record<string, unknown>>): boolean =>
  ['ical', 'outlook-ical', 'feed'].some((name) => query[name] !== undefined) ||
  /^\/feed\/?$/.test(path) ||
  siteAddressOf(path)?.ending !== undefined;
