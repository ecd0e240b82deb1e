import type { RequestContext } from '../context.ts';
import { dateText, degreesOf, isTruthy, quoted } from '../fields/coerce.ts';
import { costTexts, isEmptyCost } from '../fields/cost-format.ts';
import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import type { Condition, LinkParameter } from '../fields/list.ts';
import { type Filtered, type FilterGroup, type FilterKind, listText, type ParameterKind, type Query } from '../fields/list.ts';
import { responseForm } from '../fields/response.ts';
import { type Doubt, doubt } from '../mistakes/table.ts';
import type { Columns, Entry, Input, Row } from '../record.ts';
import { currentTime, derived, type PostDefinition } from '../resource.ts';
import { addMonths, type DateTime, endOfDay, startOfDay, utcOf } from '../time/datetime.ts';
import { boundDoubts } from '../time/doubtful-date.ts';
import { readDate } from '../time/parse-date.ts';
import { resolveSpan, spanRules } from '../time/span.ts';
import { fromUtc, plainUtc, toUtc } from '../time/time.ts';
import { category } from './category.ts';
import { addedMembers, eventComputed, eventOrder, eventPage, websiteOrPage } from './event-entry.ts';
import { organizer } from './organizer.ts';
import { postColumns } from './post.ts';
import { tag } from './tag.ts';
import { venue } from './venue.ts';

const events = { name: 'events', kind: 'event' };

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
    // In documents of the reference, it is in UTC.
    end_date: filter.bound('Only events that end on or before this date', (ctx) => addMonths(utcOf(ctx.now), 24)),
    starts_before: filter.bound('Only events that start on or before this date'),
    starts_after: filter.bound('Only events that start after this date'),
    ends_before: filter.bound('Only events that end on or before this date'),
    ends_after: filter.bound('Only events that end after this date'),
    strict_dates: filter.wordFlag('Use exact times in date filters instead of whole days', { default: 'false' }, false),
  },
  conditions: withinDates,
  doubts: windowDoubts,
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
const dateNames = ['start_date', 'end_date', 'include', ...Object.keys(relative)];

/** The filters of events, in the order of documents. */
const eventFilters: Record<string, FilterKind | FilterGroup> = {
  ...filter.paging,
  dates,
  search: filter.postSearch('Search title, description and excerpt; supports "a phrase" and -word', searched),
  categories: filter.terms('Only events in one of these categories', category),
  tags: filter.terms('Only events with one of these tags', tag),
  venue: filter.posts('Only events at one of these venues', venue),
  organizer: filter.posts('Only events by one of these organizers', organizer),
  featured: filter.flag('Only featured events'),
  status: filter.status('Only events with one of these statuses', dateNames),
  places,
  include: filter.ids('Only these events; ignores the date filters', events),
  post_parent: filter.post('Only events below this parent event', events),
  hide_subsequent_recurrences: filter.flag('Only the first event of each series', {
    unindexed: true,
    condition: (value) => (isTruthy(value) ? { test: 'firstOfSeries' } : undefined),
  }),
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
const linkOrder = [
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

/** A date of a filter in the calendar's time zone: the exact time if strict, else the start or the end of its day. */
function boundary(value: unknown, edge: typeof startOfDay, strict: boolean, ctx: RequestContext): DateTime {
  const utc = utcOf(readDate(dateText(value), ctx.now, 'UTC')!.instant);
  return strict ? fromUtc(utc, ctx.zone) : edge(utc);
}

/** The date conditions: two years from yesterday unless relative dates or `include` are given (`events.list.default`, `events.list.starts_*`). */
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
    if (query.starts_after === undefined) where.push({ test: 'atLeast', column: 'start_date', value: start });
    show('start_date', start);
  }
  if (end) {
    if (query.ends_before === undefined) where.push({ test: 'atMost', column: 'end_date', value: end });
    show('end_date', end);
  }
  return { where, linkParameters: [...parameters, ...strictShown] };
}

/** Pairs of a start and an end of a window. */
const windows = [
  ['start_date', 'end_date'],
  ['starts_after', 'starts_before'],
  ['ends_after', 'ends_before'],
] as const;

/** Doubts about the dates of a query, and about ends before their start. */
function windowDoubts(query: Query, ctx: RequestContext): Record<string, Doubt[]> {
  if (query.include !== undefined) return {};
  const isExact = isTruthy(query.strict_dates ?? false);
  // Other values are rejected.
  const textAt = (name: string) => (typeof query[name] === 'string' && readDate(query[name], ctx.now, 'UTC') ? query[name] : undefined);
  const doubts: Record<string, Doubt[]> = {};
  for (const name of ['start_date', 'end_date', ...Object.keys(relative)]) {
    const text = textAt(name);
    if (text !== undefined) doubts[name] = boundDoubts(text, ctx.now, ctx.zone, isExact);
  }
  for (const [first, last] of windows) {
    const [start, end] = [textAt(first), textAt(last)];
    if (start === undefined || end === undefined) continue;
    if (boundary(end, endOfDay, isExact, ctx) < boundary(start, startOfDay, isExact, ctx))
      doubts[last]!.push(doubt('early-end', quoted(end), quoted(start), first));
  }
  return doubts;
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

const moment = field.momentSchema('YYYY-MM-DD HH:MM:SS');

const eventFields = field.defineFields({
  author: field.author('Author', { type: 'integer' }, true),
  date: field.calendarDate('Publication date', {
    stored: { column: { type: 'TEXT' } },
    compared: { value: null },
  }),
  date_utc: field.utcDate('Publication date in UTC', {
    stored: { column: { type: 'TEXT' } },
  }),
  title: field.title('Title', { required: true }),
  description: field.html('Description; may contain HTML'),
  slug: field.slug('URL slug'),
  excerpt: field.excerpt('Short description'),
  status: field.status('Publication status'),
  timezone: field.zone('Time zone of the dates, e.g. Europe/Paris or UTC+5.5'),
  all_day: field.flag('All-day event', { wire: { type: 'boolean', default: false } }),
  start_date: field.date('Start date and time', {
    required: true,
    stored: { column: { type: 'TEXT' } },
    shown: { schema: moment },
  }),
  end_date: field.date('End date and time', {
    required: true,
    stored: { column: { type: 'TEXT' } },
    shown: { schema: moment },
  }),
  image: field.image('ID or URL of an image'),
  cost: field.cost('Cost, e.g. 10, $5-$15 or Free'),
  website: field.url(
    'Website URL',
    { default: null },
    {
      stored: { column: { type: 'TEXT' } },
      shown: { value: (value, row, _related, view) => websiteOrPage(value, row, view) },
      compared: { input: (value, entry) => (value === entry.url ? null : field.responseText(value).replaceAll('&amp;', '&')) },
    },
  ),
  show_map: field.flag('Show a map'),
  show_map_link: field.flag('Show a link to a map'),
  hide_from_listings: field.flag('Hide the event from lists'),
  sticky: field.flag('Show the event first in calendar views'),
  featured: field.flag('Feature the event'),
  categories: field.toTerms('Categories, by ID, slug or name; new names are created', category),
  tags: field.toTerms('Tags, by ID, slug or name; new names are created', tag),
  // Null changes no venue; of organizers it removes all (`events.update.venue-null`).
  venue: field.toOneOrMany('Venue', venue, {
    nothing: { isIgnored: true },
  }),
  organizer: field.toMany('Organizers', organizer),
  post_password: field.secret('Password that protects the content'),
  post_parent: field.toOne('Parent event', events, {
    unindexed: true,
    shown: { writeOnly: true },
  }),
  ticketed: field.flag('Tickets are sold', {
    unindexed: true,
    extension: 'tickets',
    shown: { writeOnly: true },
  }),
});

export const event: PostDefinition = {
  ...events,
  family: 'post',
  isLinked: false,
  page: eventPage,
  about: 'Events with dates, a venue and organizers',
  label: 'title',
  summary: ['id', 'title', 'start_date', 'end_date', 'venue'],
  mainFields: [
    'title',
    'start_date',
    'end_date',
    'all_day',
    'timezone',
    'venue',
    'organizer',
    'categories',
    'tags',
    'cost',
    'website',
    'description',
    'image',
    'status',
  ],
  search: ['title', 'excerpt', 'description'],
  derived: {
    ...postColumns,
    utc_start_date: { type: 'TEXT' },
    utc_end_date: { type: 'TEXT' },
    // Identifies the event in its source: the UID in a calendar file, or the global ID in another instance.
    lineage: { type: 'TEXT', default: '' },
    // The revision of the calendar file that it was imported from (RFC 5545, 3.8.7.4).
    sequence: { type: 'INTEGER', default: 0 },
  },
  fields: eventFields,
  resets: {
    ...{
      status: 'publish',
      date: currentTime,
      date_utc: derived,
      website: '',
      image: '',
      cost: '',
      timezone: '',
      all_day: 'false',
      organizer: '',
    },
    ...{ show_map: 'false', show_map_link: 'false', hide_from_listings: 'false', sticky: 'false', featured: 'false' },
  },
  together: ['start_date', 'end_date'],
  keepsLinks: ['venue'],
  doubts: spanDoubts,
  response: responseForm(eventOrder, eventFields, eventComputed, {
    newer: ['slug', 'status', 'custom_fields'],
    added: addedMembers,
  }),
  list: filter.listForm(eventFields, eventFilters, {
    where: [{ test: 'equal', column: 'hide_from_listings', value: 0 }],
    order: () => [{ column: 'start_date' }, { column: 'date' }, { column: 'id' }],
    linkOrder,
    anyDate: { start_date: '0001-01-01', end_date: '9999-12-31' },
    dateNames,
  }),
  derive: (input, columns, before, ctx) => {
    const dates = eventDates(input, columns, before, ctx);
    // The API of the reference stores no empty website; its form does.
    if (!before && columns.website === '' && !ctx.copying) return { website: null, ...dates };
    // It also stores another currency with each update.
    if (before && !ctx.copying && columns.cost === undefined && isEmptyCost(costTexts(before.cost))) return { cost: '[]', ...dates };
    return dates;
  },
};

/** A doubt about an end before the start of the same input. */
function spanDoubts(input: Input, ctx: RequestContext, zone: string, before: Entry | undefined): Record<string, Doubt> {
  // Other values are rejected.
  if (typeof input.start_date !== 'string' || typeof input.end_date !== 'string') return {};
  const [start, end] = [input.start_date, input.end_date].map((value) => readDate(dateText(value), ctx.now, zone)?.wall);
  if (!start || !end) return {};
  const first = isTruthy(input.all_day ?? before?.all_day) ? startOfDay(start) : start;
  return end < first ? { end_date: doubt('early-end', quoted(input.end_date), quoted(input.start_date)) } : {};
}

/** The columns with an event's dates, in its time zone and in UTC. */
function eventDates(input: Input, columns: Columns, before: Row | undefined, ctx: RequestContext): Columns {
  const timezone = String(columns.timezone ?? before?.timezone ?? ctx.zone);
  const all_day = Number(columns.all_day ?? before?.all_day ?? 0);
  const textOf = (value: unknown) => ((value ?? undefined) === undefined ? undefined : dateText(value));
  const { start, end } = resolveSpan(
    { start: textOf(input.start_date), end: textOf(input.end_date), allDay: all_day === 1 },
    before && { start: String(before.start_date), end: String(before.end_date), allDay: before.all_day === 1 },
    spanRules.api,
    { now: ctx.now, zone: timezone },
  )!;
  const local = { timezone, all_day, start_date: start.wall, end_date: end.wall };
  // A copy has the dates in UTC of its site, which may come from an offset that was set by hand.
  // The reference resets the time zone without a look at the dates.
  const keepsDates = ctx.resetting && input.start_date === undefined && input.end_date === undefined;
  const isSame = before && (keepsDates || Object.entries(local).every(([name, value]) => before[name] === value));
  if (isSame) return { ...local, utc_start_date: before.utc_start_date!, utc_end_date: before.utc_end_date! };
  const isPlain = before?.timezone === timezone && hasPlainOffset(before);
  const [utc_start_date, utc_end_date] = [start.wall, end.wall].map(
    (wall) => (isPlain && plainUtc(wall, timezone)) || toUtc(wall, timezone),
  );
  return { ...local, utc_start_date: utc_start_date!, utc_end_date: utc_end_date! };
}

/** True for a copy of an event that was made in the form of a site, with an offset without daylight time. */
function hasPlainOffset(row: Row): boolean {
  const [start, zone] = [String(row.start_date), String(row.timezone)];
  return row.utc_start_date !== toUtc(start, zone) && row.utc_start_date === plainUtc(start, zone);
}
