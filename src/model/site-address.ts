import { percentDecoded } from './fields/coerce.ts';
import { addDays } from './time/datetime.ts';

/** The words of addresses that a site chooses, as its settings have them, like `termin` or `es/evento`. */
export type SiteSlugs = Readonly<Record<SlugName, string>>;
export const slugNames = ['events', 'event', 'venue', 'organizer', 'category', 'tag'] as const;
type SlugName = (typeof slugNames)[number];

/** The setting of a word. */
export const slugSetting = <Name extends SlugName>(name: Name): `${Name}_slug` => `${name}_slug`;

/** The words of a site that has chosen none. */
export const defaultSlugs = Object.fromEntries(slugNames.map((name) => [name, name])) as unknown as SiteSlugs;

/** Paths that no page of a site begins with. */
const otherPaths = /^(?:_calendar|_worlds|wp-json|wp-content|feed)(?:\/|$)/;

/** True for a word of addresses, with parts before it: letters as addresses have them, no part `.` or `..`. */
export const isSlug = (text: string): boolean =>
  text.length <= 200 && /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))(?:[\w.~/-]|%[\da-f]{2})+$/i.test(text) && !otherPaths.test(text);

/** The start of a path in the words of a site: `events/category` as `es/eventos/categoria`. What is before a word is so once, at the start. */
export const inWords = (base: string, slugs: SiteSlugs): string =>
  base
    .split('/')
    .map((word, at) => (Object.hasOwn(slugs, word) ? slugs[word as SlugName].replace(at === 0 ? '' : /^.*\//, '') : word))
    .join('/');

/** The record in an address of a site. */
export interface AddressedRecord {
  resource: 'events' | 'venues' | 'organizers' | 'categories' | 'tags';
  slug: string;
  /** Its path, with the terms above it, as it was requested, but in the words of {@link defaultSlugs}. */
  path: string;
  /** The day of an occurrence of the series with this slug, as `YYYY-MM-DD`. */
  day?: string;
}

/** An address of a site: of a record, or of a list of events, those of a term if there is one. */
export interface SiteAddress {
  record?: AddressedRecord;
  view?: 'list' | 'month' | 'day';
  /** `YYYY-MM` of a month, `YYYY-MM-DD` of a day, the current one if absent. */
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

/** Paths of feeds with a variable, for documents, in which no path ends with a slash and the words are the default ones: each kind of list and of record as iCalendar, lists as RSS too. */
export const feedTemplates: readonly { path: string; ending: 'ical' | 'feed'; resource: AddressedRecord['resource'] | undefined }[] =
  Object.entries(bases).flatMap(([base, { resource, hasViews, hasIcal }]) =>
    [...(hasViews || hasIcal ? (['ical'] as const) : []), ...(hasViews ? (['feed'] as const) : [])].map((ending) => ({
      path: `/${base}/${resource ? '{slug}/' : ''}${ending}`,
      ending,
      resource,
    })),
  );

/** The paths below which a site has its pages, below its folder, each with the default one. */
export const siteFolders = (slugs: SiteSlugs): (readonly [folder: string, base: string])[] =>
  Object.keys(bases).flatMap((base) => (base.includes('/') ? [] : [[inWords(base, slugs), base] as const]));

const views = /^(?:list|month|day|today)$/;
const month = /^\d{4}-\d\d$/;
const day = /^\d{4}-\d\d-\d\d$/;
const feed = /^feed$/;
const feedType = /^(?:feed|rdf|rss2?|atom)$/;
/** Words that are not terms below another term. */
const words = [views, month, day, /^(?:featured|page|ical)$/, feed];

/** The grammar of lists, for messages. */
export const siteGrammar = (slugs: SiteSlugs): string => {
  const [category, tag] = ['category', 'tag'].map((word) => inWords(`events/${word}`, slugs).replace(/^.*\//, ''));
  return `/${slugs.events}/, then list, month, day, today, YYYY-MM or YYYY-MM-DD, or ${category}/SLUG or ${tag}/SLUG and one of these, then featured, page/N, and ical or feed`;
};

/** True for a month or a day that exists, not too near to the last one that dates can have. */
export const isRealDate = (date: string): boolean => {
  const text = date.padEnd(10, '-01');
  return (month.test(date) || day.test(date)) && text >= '1000' && text < '9999-12' && addDays(`${text} 00:00:00`, 0).startsWith(text);
};

/** Parses a path below the folder of a site; undefined if a site has no page there. */
export function siteAddressOf(path: string, slugs: SiteSlugs): SiteAddress | undefined {
  const parts = path.replace(/\/$/, '').slice(1).split('/');
  if (parts.includes('')) return undefined;
  for (const base of Object.keys(bases)) {
    const words = inWords(base, slugs).split('/');
    if (!words.every((word, at) => parts[at] !== undefined && percentDecoded(parts[at]!) === percentDecoded(word))) continue;
    const address = addressBelow(base, parts.slice(words.length));
    if (address) return address;
  }
  return undefined;
}

/** Parses the parts of a path that follow its base. */
function addressBelow(base: string, parts: string[]): SiteAddress | undefined {
  const { resource, isTree, hasViews, hasIcal } = bases[base]!;
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
  } else if (resource === 'events') {
    const date = take(day);
    if (date !== undefined && !isRealDate(date)) return undefined;
    if (date !== undefined) address.record!.day = date;
  }
  if ((hasViews || hasIcal) && !address.ending && take(/^ical$/)) address.ending = 'ical';
  return parts.length ? undefined : address;
}

/** A path below the folder of a site, without its slash, in the words of a site. */
export function pathInWords(path: string, slugs: SiteSlugs): string {
  const base = Object.keys(bases).find((each) => `${path}/`.startsWith(`${each}/`)) ?? '';
  return inWords(base, slugs) + path.slice(base.length);
}

/** The path of an address. */
export function sitePathOf({ record, view, date, isFeatured, page = 1, ending }: SiteAddress, slugs: SiteSlugs): string {
  const words = [
    pathInWords(record?.path.replace(/^tag\//, 'events/tag/') ?? 'events', slugs),
    ...(view === 'day' ? [date ?? 'today'] : view ? [view, ...(date ? [date] : [])] : record?.day ? [record.day] : []),
    ...(isFeatured ? ['featured'] : []),
    ...(page > 1 ? ['page', page] : []),
    ...(ending ? [ending] : []),
  ];
  return `/${words.join('/')}/`;
}

/** True if a site has a page or a feed at a path below its folder. */
export const isSitePath = (path: string, slugs: SiteSlugs): boolean => /^\/feed\/?$/.test(path) || siteAddressOf(path, slugs) !== undefined;

/** True if an address is a feed by its path, below the folder of a site, or its parameters. As in PHP, any value counts. */
export const isFeedAddress = (path: string, query: Readonly<Record<string, unknown>>, slugs: SiteSlugs): boolean =>
  ['ical', 'outlook-ical', 'feed'].some((name) => query[name] !== undefined) ||
  /^\/feed\/?$/.test(path) ||
  siteAddressOf(path, slugs)?.ending !== undefined;
