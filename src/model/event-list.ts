import type { Asking } from './asking.ts';
import * as field from './field.ts';
import type { Arrangement, Condition, Query, Shown } from './filter.ts';
import * as filter from './filter.ts';
import { addMonths, type DateTime, endOfDay, fromUtc, readDate, startOfDay, toUtc, utcOf } from './time.ts';
import { dateText, degreesOf, isTruthy, listOf, said, wholeNumber } from './value.ts';

const relative = {
  starts_before: { test: 'before', column: 'start_date' },
  starts_after: { test: 'after', column: 'start_date' },
  ends_before: { test: 'before', column: 'end_date' },
  ends_after: { test: 'after', column: 'end_date' },
} as const;

const windowStart = (asking: Asking): DateTime => fromUtc(utcOf(asking.now - 86_400_000).replace(/..:..:..$/, '23:59:00'), asking.zone);
const windowEnd = (asking: Asking): DateTime => fromUtc(addMonths(utcOf(asking.now), 24), asking.zone);

/** The window that lists show when no other is asked for; it moves once a second. */
let usualWindow: { second: number; zone: string; start: DateTime; end: DateTime } | undefined;
function windowNow(asking: Asking): { start: DateTime; end: DateTime } {
  const second = Math.floor(asking.now / 1000);
  if (usualWindow?.second !== second || usualWindow.zone !== asking.zone)
    usualWindow = { second, zone: asking.zone, start: startOfDay(windowStart(asking)), end: endOfDay(windowEnd(asking)) };
  return usualWindow;
}

/** The list parameters of events. */
export const eventFilters = filter.filters({
  ...filter.paging,
  start_date: filter.bound('starts on this day or later', windowStart),
  end_date: filter.bound('ends on this day or earlier', windowEnd),
  starts_before: filter.bound('starts before'),
  starts_after: filter.bound('starts after'),
  ends_before: filter.bound('ends before'),
  ends_after: filter.bound('ends after'),
  strict_dates: filter.wordFlag('take the times of dates too, not whole days', { default: 'false' }, false),
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
  include: filter.ids('only these; dates are then ignored'),
  post_parent: filter.post('under this event', 'event'),
  ticketed: filter.flag('with tickets, or without', {
    check: (value, asking) =>
      isTruthy(value) && !asking.extensions.includes('tickets')
        ? { reason: 'needs tickets, which this server was started without', detail: 'event-tickets-not-active' }
        : undefined,
  }),
});

function coordinate(about: string, limit: number, other: string): Omit<filter.Filter, 'name'> {
  return {
    about,
    placeholder: 'degrees',
    wire: { format: 'double' },
    check: (value, asking, query) => {
      // A geoloc of the wrong type is what is said first.
      if (!asking.extensions.includes('geolocation') || field.wireFault({ type: 'boolean' }, query.geoloc ?? true)) return undefined;
      if (degreesOf(value, limit) === undefined) return `must be a number from -${limit} to ${limit}: ${said(value)}`;
      return query[other] === undefined ? `must come with ${other}` : undefined;
    },
  };
}

/** The moment a bound stands for, as wall time of the calendar: exactly as given when strict, else the start or the end of its day. */
function boundary(value: unknown, edge: typeof startOfDay, strict: boolean, asking: Asking): DateTime {
  const utc = utcOf(readDate(dateText(value), asking.now, 'UTC')!.instant);
  return strict ? fromUtc(utc, asking.zone) : edge(utc);
}

/** The bounds in time: a window of two years from yesterday unless relative dates or `include` say otherwise. As in the reference. */
function bounds(query: Query, asking: Asking): { window: Shown[]; moved: Shown[]; where: Condition[] } {
  if (query.include !== undefined) return { window: [], moved: [], where: [] };
  const strict = isTruthy(query.strict_dates ?? false);
  // A page says its strict bounds in the calendar's zone; links to others say them in UTC, as they are read.
  const shown = (name: string, wall: DateTime): Shown[] =>
    strict
      ? [
          [name, wall, 'here'],
          [name, toUtc(wall, asking.zone), 'onward'],
        ]
      : [[name, wall]];
  const where: Condition[] = [];
  const moved: Shown[] = [];
  for (const [name, test] of Object.entries(relative)) {
    if (query[name] === undefined) continue;
    const value = boundary(query[name], endOfDay, strict, asking);
    where.push({ ...test, value });
    moved.push(...shown(name, value));
  }
  const usual = moved.length === 0;
  const start =
    query.start_date !== undefined ? boundary(query.start_date, startOfDay, strict, asking) : usual ? windowNow(asking).start : '';
  const end = query.end_date !== undefined ? boundary(query.end_date, endOfDay, strict, asking) : usual ? windowNow(asking).end : '';
  const window: Shown[] = [];
  // Of two bounds on the same side the relative one counts.
  if (start) {
    if (query.starts_after === undefined) where.push({ test: 'from', column: 'start_date', value: start });
    window.push(...shown('start_date', start));
  }
  if (end) {
    if (query.ends_before === undefined) where.push({ test: 'until', column: 'end_date', value: end });
    window.push(...shown('end_date', end));
  }
  return { window, moved, where };
}

function places(query: Query, asking: Asking): { shown: Shown[]; where: Condition[] } {
  const shown: Shown[] = [];
  const where: Condition[] = [];
  const is = filter.switchOf(query.geoloc);
  const near = query.geoloc_lat !== undefined && query.geoloc_lng !== undefined;
  if (is) shown.push(['geoloc', '1']);
  if (near) shown.push(['geoloc_lat', String(query.geoloc_lat)], ['geoloc_lng', String(query.geoloc_lng)]);
  if (!asking.extensions.includes('geolocation')) return { shown: is ? shown : [], where };
  if (is !== undefined) where.push({ test: 'located', is });
  if (is === false) shown.push(['geoloc', '0', 'onward']);
  if (near) where.push({ test: 'near', latitude: Number(query.geoloc_lat), longitude: Number(query.geoloc_lng), radius: asking.radius });
  return { shown, where };
}

function linked(query: Query, asking: Asking): Condition[] {
  const where: Condition[] = [];
  for (const to of ['venue', 'organizer'] as const)
    if (query[to] !== undefined) where.push({ test: 'linked', to, ids: listOf(query[to]).map(Number) });
  for (const [name, to] of [
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const)
    if (query[name] !== undefined)
      where.push({ test: 'linked', to, ids: listOf(query[name]).map((term) => asking.store.findTerm(to, term as string | number)!) });
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

/** What the list parameters of events mean together. As in the reference. */
export function arrangeEvents(query: Query, asking: Asking): Arrangement {
  const { window, moved, where } = bounds(query, asking);
  const place = places(query, asking);
  const status = filter.statusOf(query, asking);
  where.push({ test: 'equal', column: 'hide_from_listings', value: 0 }, status.condition, ...place.where, ...linked(query, asking));
  const { page, perPage } = filter.pageOf(query, asking);
  const shown: Shown[] = [['page', String(page)], ['per_page', String(perPage)], ...window];
  const carry = (name: string) => query[name] !== undefined && shown.push([name, filter.shownList(query[name])]);
  if (query.search !== undefined) {
    where.push({ test: 'containing', ...searchTerms(String(query.search)), together: false });
    if (asking.viewer.role === 'anonymous') where.push({ test: 'equal', column: 'post_password', value: '' });
    shown.push(['search', String(query.search)]);
  }
  shown.push(...place.shown, status.shown);
  if (query.post_parent !== undefined) where.push({ test: 'equal', column: 'post_parent', value: wholeNumber(query.post_parent)! });
  if (query.include !== undefined) where.push({ test: 'among', column: 'id', values: listOf(query.include).map(Number) });
  carry('post_parent');
  carry('include');
  shown.push(...moved);
  const ticketed = filter.switchOf(query.ticketed);
  if (ticketed !== undefined && asking.extensions.includes('tickets')) {
    where.push({ test: 'equal', column: 'ticketed', value: ticketed ? 1 : 0 });
    shown.push(ticketed ? ['ticketed', '1'] : ['ticketed', '0', 'onward']);
  }
  carry('venue');
  carry('organizer');
  const featured = filter.switchOf(query.featured);
  if (featured !== undefined) {
    where.push({ test: 'equal', column: 'featured', value: featured ? 1 : 0 });
    shown.push(featured ? ['featured', '1'] : ['featured', '0', 'onward']);
  }
  carry('categories');
  carry('tags');
  if (query.strict_dates !== undefined) carry('strict_dates');
  return { where, order: [{ column: 'start_date' }, { column: 'date' }, { column: 'id' }], page, perPage, shown };
}
