import { isFrontPath, pathInFolder } from '../../model/addresses.ts';
import type { Entry, Resource } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure, invalidParams } from '../../model/error.ts';
import { isTruthy, listOf, quoted, toWholeNumber } from '../../model/fields/coerce.ts';
import { TermGroups } from '../../model/fields/filter.ts';
import type { Query } from '../../model/fields/list.ts';
import { mistakeText } from '../../model/mistakes/table.ts';
import { resources } from '../../model/resources/all.ts';
import { postTypeOf, taxonomyOf } from '../../model/routes.ts';
import { type AddressedRecord, isFeedAddress, isRealDate, type SiteAddress, siteAddressOf, sitePathOf } from '../../model/site-address.ts';
import { addDays, addMonths, type DateTime, utcOf } from '../../model/time/datetime.ts';
import { toUtc, wallOf } from '../../model/time/time.ts';
import { globalNames } from '../../model/unknown-names.ts';
import type { Call } from '../http.ts';

export const noRoute = ({ method, request, options }: Call, hint = `The API is at ${options.basePath}/${options.namespace}`): Failure =>
  new Failure('rest_no_route', `No route for ${method} ${request.path}`, hint);

/** An address with its parameters, and the format of its response. */
export interface Place extends Omit<SiteAddress, 'ending'> {
  format: 'page' | 'ical' | 'outlook' | 'rss' | 'atom';
  /** True for events that are over, the last one first. */
  isPast?: boolean;
  /** The day from which a list has events. */
  from?: string;
  search?: string;
  /** Terms of the events of a list besides its record. */
  terms?: AddressedRecord[];
  /** IDs of the events of a list, with commas. */
  include?: string;
  /** IDs of categories, of which each event has one. */
  categories?: unknown[];
  /** True for the first event of each series only. */
  isFirstOnly?: boolean;
  /** Number of events on a page, as it was sent. */
  size?: unknown;
  /** Number of the page, as it was sent. */
  pageSent?: unknown;
}

/** The views that `eventDisplay` names. Paid versions of the plugin have others. */
const displays = ['default', 'list', 'month', 'day', 'past'];

/** Names of parameters that follow the namespace, as the plugin's own do. */
function brandNames({ options, site }: Call) {
  const [brand] = options.namespace.split('/', 1);
  const category = site.taxonomy ?? taxonomyOf(options.namespace);
  const parts = { event: postTypeOf(category), category, day: `${brand}-bar-date`, search: `${brand}-bar-search` };
  return { ...parts, display: `${brand}_event_display`, paged: `${brand}_paged`, ids: `${brand}_eventcategory` };
}

const otherNames: readonly string[] = [
  ...['ical', 'outlook-ical', 'feed', 'post_type', 'p', 'eventDisplay', 'eventDate', 'event_ids', 'featured', 'tag'],
  ...['page', 'paged', 'posts_per_page', 'hide_subsequent_recurrences'],
];

/** A record or a list that the parameters of the root name. */
function addressInQuery(
  { query, request, options, service }: Call,
  path: string,
  names: ReturnType<typeof brandNames>,
): SiteAddress | undefined {
  const isFront = isFrontPath(request.path, options.basePath);
  if ((!isFront && !isFeedAddress(path, {}, service.slugs())) || query.rest_route !== undefined || query.p !== undefined) return undefined;
  const { [names.event]: slug, [names.category]: category, post_type: type } = query;
  if (typeof slug === 'string') return { record: { resource: 'events', slug, path: `event/${slug}` } };
  const isList =
    type === names.event || (type === undefined && (category !== undefined || (isFront && isFeedAddress(path, query, service.slugs()))));
  return isList ? {} : undefined;
}

const formatOf = (path: string, { query, service }: Call, ending: SiteAddress['ending']): Place['format'] => {
  if (query['outlook-ical'] !== undefined) return 'outlook';
  if (query.ical !== undefined || ending === 'ical') return 'ical';
  if (!isFeedAddress(path, query, service.slugs())) return 'page';
  return query.feed === 'atom' || /\/atom\/?$/.test(path) ? 'atom' : 'rss';
};

/** The place of a request; undefined if the site has no list and no record there. Throws for invalid parameters. */
export function placeOf(call: Call): Place | undefined {
  const { query } = call;
  const names = brandNames(call);
  const path = pathInFolder(call.request.path, call.options.basePath);
  const address = siteAddressOf(path, call.service.slugs()) ?? addressInQuery(call, path, names);
  if (!address) return undefined;
  const { ending, ...rest } = address;
  const place: Place = { ...rest, format: formatOf(path, call, ending) };
  if (place.record?.resource === 'events') return place;
  const text = (name: string) => (typeof query[name] === 'string' && query[name] !== '' ? query[name] : undefined);
  const display = text('eventDisplay') ?? text(names.display);
  if (display !== undefined && !displays.includes(display)) throw noRoute(call, `eventDisplay is one of ${displays.join(', ')}`);
  place.view ??= display === 'past' ? 'list' : (displays.slice(1) as NonNullable<Place['view']>[]).find((view) => view === display);
  place.isPast = display === 'past' && place.view === 'list';
  for (const name of [names.day, 'eventDate']) {
    const date = text(name);
    if (date === undefined) continue;
    if (!isRealDate(date)) throw invalidParams({ [name]: { reason: `must be a day like 2027-03-01, not ${quoted(date)}` } });
    if (place.view === 'month' || place.view === 'day') place.date ??= date;
    else place.from ??= date.padEnd(10, '-01');
  }
  const [category, tag] = [text(names.category), text('tag')];
  place.terms = [
    ...(category === undefined ? [] : [termAt('categories', category)]),
    ...(tag === undefined ? [] : [termAt('tags', tag)]),
  ].filter(({ resource }) => resource !== place.record?.resource);
  place.record ??= place.terms.shift();
  // The filter bar sends a list of IDs.
  place.categories = listOf(query[names.ids]);
  place.isFirstOnly = isTruthy(query.hide_subsequent_recurrences ?? false);
  // As on a site, the feed of the present day is that of the list.
  if ((place.format === 'ical' || place.format === 'outlook') && place.date === undefined && /\/day(?:\/ical)?\/?$/.test(path))
    place.view = 'list';
  place.search = text(names.search);
  place.include = [query.event_ids ?? []].flat().join() || undefined;
  place.isFeatured ||= isTruthy(query.featured);
  place.pageSent = place.page ?? query.page ?? query.paged ?? query[names.paged] ?? '1';
  place.size = query.posts_per_page;
  const accepted = [...Object.values(names), ...otherNames];
  for (const name of Object.keys(query))
    if (!accepted.includes(name) && !globalNames.includes(name))
      call.hints.push(mistakeText('unknown-name', 'parameter', name, didYouMean(name, accepted) ?? ''));
  return place;
}

const termAt = (resource: 'categories' | 'tags', path: string): AddressedRecord => ({
  resource,
  slug: path.split('/').at(-1)!,
  path: `events/${resource === 'tags' ? 'tag' : 'category'}/${path}`,
});

/** The address of a list or a record, on another page or in another format. */
export function addressOf(call: Call, place: Place, change: { page?: number; ending?: 'feed' | 'ical' | '?ical' } = {}): string {
  const names = brandNames(call);
  const { page, ending } = change;
  const { isPast, from, search, include, size, terms = [], categories = [], isFirstOnly } = place;
  const slugs = Object.fromEntries(terms.map(({ resource, slug }) => [resource === 'tags' ? 'tag' : names.category, slug]));
  const parameters = { ...slugs, eventDisplay: isPast ? 'past' : undefined, [names.day]: from, [names.search]: search, event_ids: include };
  const ids = Object.fromEntries(categories.map((id, at) => [`${names.ids}[${at}]`, id]));
  const more = { ...ids, hide_subsequent_recurrences: isFirstOnly ? '1' : undefined };
  const all = { ...parameters, ...more, posts_per_page: size, ...(ending === '?ical' ? { ical: '1' } : {}) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, String(value));
  const path = sitePathOf({ ...place, page: page ?? 1, ending: ending === '?ical' ? undefined : ending }, call.service.slugs());
  return `${call.site.home}${path}${query.size ? `?${query}` : ''}`;
}

/** The record in an address as the caller sees it, with at least some members. Throws if there is none. */
export async function recordIn(call: Call, record: AddressedRecord, query: Query, members?: ReadonlySet<string>): Promise<Entry> {
  const { resource, slug, day } = record;
  const collection = call.service.calendar(call.viewer, call.site)[resource];
  if (day !== undefined) {
    const slugs = call.service.slugs();
    const copied = call.service.sitePageAt(sitePathOf({ record }, slugs));
    if (copied) return recordIn(call, siteAddressOf(copied.here, slugs)!.record!, query, members);
    const { series_uid: uid } = await collection.get({ slug }, { ...query, _uid: '1' });
    const occurrence = typeof uid === 'string' && collection.series?.(uid)?.entries.find((each) => String(each.start_date).startsWith(day));
    if (!occurrence) throw noRoute(call, `No occurrence of ${slug} is on ${day}`);
    return collection.get({ id: occurrence.id }, query, members);
  }
  if (resources[resource].family === 'post') return collection.get({ slug }, query, members);
  const { entries } = await collection.list({ slug, hide_empty: 'false' });
  if (!entries[0]) throw noRoute(call);
  return entries[0];
}

/** Some members of the record of a feed, like {@link recordIn}. */
const feedRecord = (call: Call, record: AddressedRecord, query: Query, members: readonly string[]): Promise<Entry> =>
  recordIn(call, record, query, new Set(members)).catch((error) => {
    // The API reports an unknown slug as an invalid parameter.
    throw error instanceof Failure && error.status === 400 ? noRoute(call) : error;
  });

/** A list of events: its query, and the part of it that is on a page. */
export interface Listing {
  query: Query;
  /** Number of events on a page. Absent if all events are on one. */
  pageSize?: number;
  /** Number of events from the start of a page to that of the next one; the size of a page if absent. */
  pageStep?: number;
  /** Number of the page, as it was sent. */
  page?: unknown;
  /** True for a list that is read from its end. */
  isPast?: boolean;
  /** True if it includes events that lists leave out. */
  withHidden?: true;
}

/** True for the formats of news readers. */
export const isNews = (format: Place['format']): boolean => format === 'rss' || format === 'atom';

/** Number of events on a page of a list. */
const pageSizes: Record<Place['format'], number> = { page: 12, ical: 30, outlook: 30, rss: 10, atom: 10 };

/** The events of a place: those of a list, the upcoming ones of a record, or an event. */
export async function listingOf(call: Call, place: Place): Promise<Listing> {
  const { record, terms = [], view, isPast, format, size, pageSent: page } = place;
  if (record?.resource === 'events') return { query: await oneEvent(call, record), withHidden: true };
  const groups = new Map<string, number[][]>();
  const add = (filter: string, ...more: number[][]) => groups.set(filter, [...(groups.get(filter) ?? []), ...more]);
  for (const each of [...(record ? [record] : []), ...terms]) add(filterFor(each), ...(await Promise.all(idsIn(call, each))));
  if (place.categories?.length) add(filterFor({ resource: 'categories' }), place.categories.map(Number));
  const ofRecord = Object.fromEntries([...groups].map(([name, all]) => [name, all.length === 1 ? all[0]!.join() : new TermGroups(all)]));
  const { search, include, isFeatured, isFirstOnly } = place;
  const filters = {
    ...{ ...(search && { search }), ...(include && { include }), ...(isFeatured && { featured: 'true' }), ...ofRecord },
    ...(isFirstOnly && { hide_subsequent_recurrences: 'true' }),
  };
  const count = size === undefined ? undefined : (toWholeNumber(size) ?? 0);
  if (count !== undefined && count < 1)
    throw invalidParams({ posts_per_page: { reason: `must be a whole number of at least 1, not ${quoted(size)}` } });
  const isWhole = (view === 'month' || view === 'day') && !isNews(format);
  const pageSize = count ?? (isWhole ? Number.POSITIVE_INFINITY : pageSizes[format]);
  // An iCalendar feed of page 2 starts where page 2 of the list does, and is longer.
  const pageStep = count === undefined && !isWhole && !isNews(format) ? pageSizes.page : pageSize;
  return { query: { status: 'publish', strict_dates: 'true', ...datesOf(call, place), ...filters }, pageSize, pageStep, page, isPast };
}

/** True for an address of several terms: one of `music,sport`, or all of `music+sport`. */
export const isOfSeveral = ({ resource, slug }: AddressedRecord): boolean => resources[resource].family === 'term' && /[,+]/.test(slug);

/** The IDs of the records of an address: of terms with `+`, each alone, of those with commas together. */
const idsIn = (call: Call, record: AddressedRecord): Promise<number[]>[] =>
  (isOfSeveral(record) ? record.slug.split('+').filter(Boolean) : [record.slug]).map((group) =>
    Promise.all(
      (isOfSeveral(record) ? group.split(',').filter(Boolean) : [group]).map(
        async (slug) => (await feedRecord(call, { ...record, slug }, {}, ['id'])).id,
      ),
    ),
  );

const filterFor = ({ resource }: Pick<AddressedRecord, 'resource'>): string =>
  (resources.events as Resource).list.parameters.find(({ links }) => links === resource)!.name;

/** The filters by date of a list. A feed of a list has no events that are over, also with an earlier day. */
function datesOf({ service }: Call, { view, date, from, isPast, format }: Place): Query {
  const { now, zone } = service.requestContext();
  const utc = utcOf(now);
  const within = (start: DateTime, end: DateTime) => ({ starts_before: toUtc(end, zone), ends_after: toUtc(start, zone) });
  const day = `${date ?? wallOf(now, zone).slice(0, 10)}`;
  const month = `${day.slice(0, 7)}-01 00:00:00`;
  if (view === 'month') return within(month, addMonths(month, 1));
  if (view === 'day') return within(`${day.padEnd(10, '-01')} 00:00:00`, addDays(`${day.padEnd(10, '-01')} 00:00:00`, 1));
  const start = from === undefined ? utc : toUtc(`${from} 00:00:00`, zone);
  if (isPast) return { ends_before: start };
  return { ends_after: format !== 'page' && start < utc ? utc : start };
}

async function oneEvent(call: Call, record: AddressedRecord): Promise<Query> {
  const { password } = call.query;
  const reading = { context: 'edit', ...(typeof password === 'string' ? { password } : {}) };
  const { id, status } = await feedRecord(call, record, reading, ['id', 'status']);
  return { ...reading, include: String(id), status: String(status) };
}
