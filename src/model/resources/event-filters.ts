import { dateText, degreesOf, isTruthy, listOf, quoted, wholeNumber } from '../coerce.ts';
import type { RequestContext } from '../context.ts';
import type { Condition, LinkParameter, ListQuery } from '../fields/condition.ts';
import type { Query } from '../fields/filter.ts';
import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import { addMonths, type DateTime, endOfDay, startOfDay, utcOf } from '../time/datetime.ts';
import { readDate } from '../time/parse-date.ts';
import { fromUtc, toUtc } from '../time/time.ts';

const relative = {
  starts_before: { test: 'before', column: 'start_date' },
  starts_after: { test: 'after', column: 'start_date' },
  ends_before: { test: 'before', column: 'end_date' },
  ends_after: { test: 'after', column: 'end_date' },
} as const;

const windowStart = (ctx: RequestContext): DateTime => fromUtc(utcOf(ctx.now - 86_400_000).replace(/..:..:..$/, '23:59:00'), ctx.zone);
const windowEnd = (ctx: RequestContext): DateTime => fromUtc(addMonths(utcOf(ctx.now), 24), ctx.zone);

/** The window that lists show when no other is asked for; it moves once a second. */
let usualWindow: { second: number; zone: string; start: DateTime; end: DateTime } | undefined;
function windowNow(ctx: RequestContext): { start: DateTime; end: DateTime } {
  const second = Math.floor(ctx.now / 1000);
  if (usualWindow?.second !== second || usualWindow.zone !== ctx.zone)
    usualWindow = { second, zone: ctx.zone, start: startOfDay(windowStart(ctx)), end: endOfDay(windowEnd(ctx)) };
  return usualWindow;
}

/** The list parameters of events. */
export const eventFilters = filter.filters({
  ...filter.paging,
  start_date: filter.bound('starts on this day or later', windowStart),
  end_date: filter.bound('ends on this day or earlier', windowEnd),
  starts_before: filter.bound('starts on this day or earlier'),
  starts_after: filter.bound('starts later than this day'),
  ends_before: filter.bound('ends on this day or earlier'),
  ends_after: filter.bound('ends later than this day'),
  strict_dates: filter.wordFlag('take the times of dates exactly, not their whole days', { default: 'false' }, false),
  search: filter.search('words that occur in title, description or excerpt; "a phrase", -without'),
  categories: filter.terms('in one of these categories', 'category'),
  tags: filter.terms('with one of these tags', 'tag'),
  venue: filter.posts('at one of these venues', 'venue'),
  organizer: filter.posts('by one of these organizers', 'organizer'),
  featured: filter.flag('featured, or not'),
  status: filter.status('with one of these statuses', ['start_date', 'end_date', 'include', ...Object.keys(relative)]),
  geoloc: filter.flag('at a venue with coordinates, or not'),
  geoloc_lat: { ...coordinate('degrees north of a place to be near to', 90, 'geoloc_lng') },
  geoloc_lng: { ...coordinate('degrees east of a place to be near to', 180, 'geoloc_lat') },
  include: filter.ids('only these; dates are then ignored', 'events'),
  post_parent: filter.post('under this event', 'event'),
  ticketed: filter.flag('with tickets, or without', {
    check: (value, ctx) =>
      isTruthy(value) && !ctx.extensions.includes('tickets')
        ? { reason: 'needs tickets, which this server was started without', detail: 'event-tickets-not-active' }
        : undefined,
  }),
});

function coordinate(about: string, limit: number, other: string): filter.FilterKind {
  return {
    about,
    placeholder: 'degrees',
    wire: { format: 'double' },
    accepts: { type: 'number', minimum: -limit, maximum: limit },
    check: (value, ctx, query) => {
      // A geoloc of the wrong type is what is said first.
      if (!ctx.extensions.includes('geolocation') || field.wireFault({ type: 'boolean' }, query.geoloc ?? true)) return undefined;
      if (degreesOf(value, limit) === undefined) return `must be a number from -${limit} to ${limit}: ${quoted(value)}`;
      return query[other] === undefined ? `must come with ${other}` : undefined;
    },
  };
}

/** The moment a bound stands for, as wall time of the calendar: exactly as given when strict, else the start or the end of its day. */
function boundary(value: unknown, edge: typeof startOfDay, strict: boolean, ctx: RequestContext): DateTime {
  const utc = utcOf(readDate(dateText(value), ctx.now, 'UTC')!.instant);
  return strict ? fromUtc(utc, ctx.zone) : edge(utc);
}

/** The bounds in time: a window of two years from yesterday unless relative dates or `include` say otherwise (`events.list.default`, `events.list.starts_*`). */
function bounds(query: Query, ctx: RequestContext): { window: LinkParameter[]; moved: LinkParameter[]; where: Condition[] } {
  if (query.include !== undefined) return { window: [], moved: [], where: [] };
  const strict = isTruthy(query.strict_dates ?? false);
  // A page says its strict bounds in the calendar's zone; links to others say them in UTC, as they are read.
  const linkParameters = (name: string, wall: DateTime): LinkParameter[] =>
    strict
      ? [
          [name, wall, 'here'],
          [name, toUtc(wall, ctx.zone), 'onward'],
        ]
      : [[name, wall]];
  const where: Condition[] = [];
  const moved: LinkParameter[] = [];
  for (const [name, test] of Object.entries(relative)) {
    if (query[name] === undefined) continue;
    const value = boundary(query[name], endOfDay, strict, ctx);
    where.push({ ...test, value });
    moved.push(...linkParameters(name, value));
  }
  const usual = moved.length === 0;
  const start = query.start_date !== undefined ? boundary(query.start_date, startOfDay, strict, ctx) : usual ? windowNow(ctx).start : '';
  const end = query.end_date !== undefined ? boundary(query.end_date, endOfDay, strict, ctx) : usual ? windowNow(ctx).end : '';
  const window: LinkParameter[] = [];
  // Of two bounds on the same side the relative one counts.
  if (start) {
    if (query.starts_after === undefined) where.push({ test: 'from', column: 'start_date', value: start });
    window.push(...linkParameters('start_date', start));
  }
  if (end) {
    if (query.ends_before === undefined) where.push({ test: 'until', column: 'end_date', value: end });
    window.push(...linkParameters('end_date', end));
  }
  return { window, moved, where };
}

function places(query: Query, ctx: RequestContext): { linkParameters: LinkParameter[]; where: Condition[] } {
  const linkParameters: LinkParameter[] = [];
  const where: Condition[] = [];
  const is = filter.switchOf(query.geoloc);
  const near = query.geoloc_lat !== undefined && query.geoloc_lng !== undefined;
  if (is) linkParameters.push(['geoloc', '1']);
  if (near) linkParameters.push(['geoloc_lat', String(query.geoloc_lat)], ['geoloc_lng', String(query.geoloc_lng)]);
  if (!ctx.extensions.includes('geolocation')) return { linkParameters: is ? linkParameters : [], where };
  if (is !== undefined) where.push({ test: 'located', is });
  if (is === false) linkParameters.push(['geoloc', '0', 'onward']);
  if (near) where.push({ test: 'near', latitude: Number(query.geoloc_lat), longitude: Number(query.geoloc_lng), radius: ctx.radius });
  return { linkParameters, where };
}

function linked(query: Query, ctx: RequestContext): Condition[] {
  const where: Condition[] = [];
  for (const to of ['venue', 'organizer'] as const)
    if (query[to] !== undefined) where.push({ test: 'linked', to, ids: listOf(query[to]).map(Number) });
  for (const [name, to] of [
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const)
    if (query[name] !== undefined)
      where.push({ test: 'linked', to, ids: listOf(query[name]).map((term) => ctx.store.findTerm(to, term as string | number)!) });
  return where;
}

/** The words of a search: plain ones and "phrases" that must occur, and -excluded ones that must not. */
export function searchTerms(text: string): { words: string[]; without: string[] } {
  const words: string[] = [];
  const without: string[] = [];
  for (const [, minus, phrase, word] of text.matchAll(/(-?)(?:"([^"]+)"?|([^\s",+]+))/g)) {
    const term = (phrase ?? word ?? '').trim();
    if (term) (minus ? without : words).push(term);
  }
  return { words, without };
}

/** What the list parameters of events mean together (`events.list.*`). */
export function eventListQuery(query: Query, ctx: RequestContext): ListQuery {
  const { window, moved, where } = bounds(query, ctx);
  const place = places(query, ctx);
  const status = filter.statusOf(query, ctx);
  where.push({ test: 'equal', column: 'hide_from_listings', value: 0 }, status.condition, ...place.where, ...linked(query, ctx));
  const { page, perPage } = filter.pageOf(query, ctx);
  const linkParameters: LinkParameter[] = [['page', String(page)], ['per_page', String(perPage)], ...window];
  const carry = (name: string) => query[name] !== undefined && linkParameters.push([name, filter.shownList(query[name])]);
  if (query.search !== undefined) {
    const sight = ctx.viewer.role === 'anonymous' ? undefined : filter.sightOf(query, ctx);
    where.push({ test: 'containing', ...searchTerms(String(query.search)), together: false, sight });
    if (ctx.viewer.role === 'anonymous') where.push({ test: 'equal', column: 'post_password', value: '' });
    linkParameters.push(['search', String(query.search)]);
  }
  linkParameters.push(...place.linkParameters, status.shown);
  if (query.post_parent !== undefined) where.push({ test: 'equal', column: 'post_parent', value: wholeNumber(query.post_parent)! });
  if (query.include !== undefined) where.push({ test: 'among', column: 'id', values: listOf(query.include).map(Number) });
  carry('post_parent');
  carry('include');
  linkParameters.push(...moved);
  const ticketed = filter.switchOf(query.ticketed);
  if (ticketed !== undefined && ctx.extensions.includes('tickets')) {
    where.push({ test: 'equal', column: 'ticketed', value: ticketed ? 1 : 0 });
    linkParameters.push(ticketed ? ['ticketed', '1'] : ['ticketed', '0', 'onward']);
  }
  carry('venue');
  carry('organizer');
  const featured = filter.switchOf(query.featured);
  if (featured !== undefined) {
    where.push({ test: 'equal', column: 'featured', value: featured ? 1 : 0 });
    linkParameters.push(featured ? ['featured', '1'] : ['featured', '0', 'onward']);
  }
  carry('categories');
  carry('tags');
  if (query.strict_dates !== undefined) carry('strict_dates');
  return { where, order: [{ column: 'start_date' }, { column: 'date' }, { column: 'id' }], page, perPage, linkParameters };
}
