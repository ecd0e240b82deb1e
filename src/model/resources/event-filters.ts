import type { RequestContext } from '../context.ts';
import { dateText, degreesOf, isTruthy, quoted } from '../fields/coerce.ts';
import type { Condition, LinkParameter } from '../fields/condition.ts';
import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import { type Filtered, type FilterGroup, type FilterKind, listText, type ParameterKind, type Query } from '../fields/list.ts';
import { addMonths, type DateTime, endOfDay, startOfDay, utcOf } from '../time/datetime.ts';
import { readDate } from '../time/parse-date.ts';
import { fromUtc, toUtc } from '../time/time.ts';
import { category } from './category.ts';
import { organizer } from './organizer.ts';
import { tag } from './tag.ts';
import { venue } from './venue.ts';

export const events = { name: 'events', kind: 'event' };

const relative = {
  starts_before: { test: 'before', column: 'start_date' },
  starts_after: { test: 'after', column: 'start_date' },
  ends_before: { test: 'before', column: 'end_date' },
  ends_after: { test: 'after', column: 'end_date' },
} as const;

const windowStart = (ctx: RequestContext): DateTime => fromUtc(utcOf(ctx.now - 86_400_000).replace(/..:..:..$/, '23:59:00'), ctx.zone);
const windowEnd = (ctx: RequestContext): DateTime => fromUtc(addMonths(utcOf(ctx.now), 24), ctx.zone);

const dates: FilterGroup = {
  parameters: {
    start_date: filter.bound('Only events that start on or after this date', windowStart),
    end_date: filter.bound('Only events that end on or before this date', windowEnd),
    starts_before: filter.bound('Only events that start on or before this date'),
    starts_after: filter.bound('Only events that start after this date'),
    ends_before: filter.bound('Only events that end on or before this date'),
    ends_after: filter.bound('Only events that end after this date'),
    strict_dates: filter.wordFlag('Use exact times in date filters instead of whole days', { default: 'false' }, false),
  },
  conditions: withinDates,
};

const places: FilterGroup = {
  parameters: {
    geoloc: {
      about: 'Only events at a venue with coordinates',
      switch: { on: 'true', off: 'false' },
      wire: { type: 'boolean' },
      check: () => undefined,
    },
    geoloc_lat: coordinate('Latitude of the point to search near', 90, 'geoloc_lng'),
    geoloc_lng: coordinate('Longitude of the point to search near', 180, 'geoloc_lat'),
  },
  conditions: atPlaces,
};

/** The parameters that replace the default window of dates. */
export const dateNames = ['start_date', 'end_date', 'include', ...Object.keys(relative)];

/** The filters of events, in the order of documents. */
export const eventFilters: Record<string, FilterKind | FilterGroup> = {
  ...filter.paging,
  dates,
  search: filter.search('Search title, description and excerpt; supports "a phrase" and -word', searched),
  categories: filter.terms('Only events in one of these categories', category),
  tags: filter.terms('Only events with one of these tags', tag),
  venue: filter.posts('Only events at one of these venues', venue),
  organizer: filter.posts('Only events by one of these organizers', organizer),
  featured: filter.flag('Only featured events'),
  status: filter.status('Only events with one of these statuses', dateNames),
  places,
  include: filter.ids('Only these events; ignores the date filters', events),
  post_parent: filter.post('Only events below this parent event', events),
  ticketed: filter.flag('Only events with tickets', {
    check: (value, ctx) =>
      isTruthy(value) && !ctx.extensions.includes('tickets')
        ? { reason: 'requires tickets, which are disabled on this server', detail: 'event-tickets-not-active' }
        : undefined,
    condition: (value, { ctx }) =>
      ctx.extensions.includes('tickets') ? { test: 'equal', column: 'ticketed', value: isTruthy(value) ? 1 : 0 } : undefined,
    linkParameters: (value, { ctx }) =>
      ctx.extensions.includes('tickets') ? [isTruthy(value) ? ['ticketed', '1'] : ['ticketed', '0', 'onward']] : [],
  }),
};

/** The parameters of links in the reference's order (`events.list.*`). */
export const linkOrder = [
  'page',
  'per_page',
  'start_date',
  'end_date',
  'search',
  'geoloc',
  'geoloc_lat',
  'geoloc_lng',
  'status',
  'post_parent',
  'include',
  ...Object.keys(relative),
  'ticketed',
  'venue',
  'organizer',
  'featured',
  'categories',
  'tags',
  'strict_dates',
];

function coordinate(about: string, limit: number, other: string): ParameterKind {
  return {
    about,
    placeholder: 'degrees',
    wire: { format: 'double' },
    accepts: { type: 'number', minimum: -limit, maximum: limit },
    check: (value, ctx, query) => {
      // A geoloc of the wrong type is reported first.
      if (!ctx.extensions.includes('geolocation') || field.wireFault({ type: 'boolean' }, query.geoloc ?? true)) return undefined;
      if (degreesOf(value, limit) === undefined) return `must be a number from -${limit} to ${limit}, not ${quoted(value)}`;
      return query[other] === undefined ? `requires ${other}` : undefined;
    },
  };
}

/** Returns a date of a filter in the calendar's time zone: the exact time if strict, else the start or the end of its day. */
function boundary(value: unknown, edge: typeof startOfDay, strict: boolean, ctx: RequestContext): DateTime {
  const utc = utcOf(readDate(dateText(value), ctx.now, 'UTC')!.instant);
  return strict ? fromUtc(utc, ctx.zone) : edge(utc);
}

/** Returns the date conditions: two years from yesterday unless relative dates or `include` are given (`events.list.default`, `events.list.starts_*`). */
function withinDates(query: Query, ctx: RequestContext): Filtered {
  const strictShown: LinkParameter[] = query.strict_dates === undefined ? [] : [['strict_dates', listText(query.strict_dates)]];
  if (query.include !== undefined) return { linkParameters: strictShown };
  const strict = isTruthy(query.strict_dates ?? false);
  const where: Condition[] = [];
  const parameters: LinkParameter[] = [];
  // A page shows its strict bounds in the calendar's zone; links to other pages show them in UTC, as they are read.
  const show = (name: string, wall: DateTime): void => {
    if (strict) parameters.push([name, wall, 'here'], [name, toUtc(wall, ctx.zone), 'onward']);
    else parameters.push([name, wall]);
  };
  for (const [name, test] of Object.entries(relative)) {
    if (query[name] === undefined) continue;
    const value = boundary(query[name], endOfDay, strict, ctx);
    where.push({ ...test, value });
    show(name, value);
  }
  const usual = where.length === 0;
  const start =
    query.start_date !== undefined ? boundary(query.start_date, startOfDay, strict, ctx) : usual ? startOfDay(windowStart(ctx)) : '';
  const end = query.end_date !== undefined ? boundary(query.end_date, endOfDay, strict, ctx) : usual ? endOfDay(windowEnd(ctx)) : '';
  // starts_after takes precedence over start_date, and ends_before over end_date.
  if (start) {
    if (query.starts_after === undefined) where.push({ test: 'from', column: 'start_date', value: start });
    show('start_date', start);
  }
  if (end) {
    if (query.ends_before === undefined) where.push({ test: 'until', column: 'end_date', value: end });
    show('end_date', end);
  }
  return { where, linkParameters: [...parameters, ...strictShown] };
}

function atPlaces(query: Query, ctx: RequestContext): Filtered {
  const { geoloc, geoloc_lat, geoloc_lng } = query;
  const is = filter.switchOf(geoloc);
  const parameters: LinkParameter[] = is ? [['geoloc', '1']] : [];
  if (!ctx.extensions.includes('geolocation')) return { linkParameters: parameters };
  const where: Condition[] = [];
  if (is !== undefined) where.push({ test: 'located', by: 'venue', is });
  if (geoloc_lat !== undefined && geoloc_lng !== undefined) {
    where.push({ test: 'near', by: 'venue', latitude: Number(geoloc_lat), longitude: Number(geoloc_lng), radiusKm: ctx.radius });
    parameters.push(['geoloc_lat', String(geoloc_lat)], ['geoloc_lng', String(geoloc_lng)]);
  }
  if (is === false) parameters.push(['geoloc', '0', 'onward']);
  return { where, linkParameters: parameters };
}

function searched(value: unknown, { query, ctx }: { query: Query; ctx: RequestContext }): Condition[] {
  const isVisitor = ctx.viewer.role === 'anonymous';
  const sight = isVisitor ? undefined : filter.sightOf(query, ctx);
  const containing: Condition = { test: 'containing', ...searchTerms(String(value)), together: false, sight };
  return isVisitor ? [containing, { test: 'equal', column: 'post_password', value: '' }] : [containing];
}

/** Parses a search: words and "phrases" that must occur, and -excluded ones that must not. */
export function searchTerms(text: string): { words: string[]; without: string[] } {
  const words: string[] = [];
  const without: string[] = [];
  for (const [, minus, phrase, word] of text.matchAll(/(-?)(?:"([^"]+)"?|([^\s",+]+))/g)) {
    const term = (phrase ?? word ?? '').trim();
    if (term) (minus ? without : words).push(term);
  }
  return { words, without };
}
