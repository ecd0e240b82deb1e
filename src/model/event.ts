import type { Asking } from './asking.ts';
import { costDetails, showCost } from './cost.ts';
import type { Fault } from './error.ts';
import * as field from './field.ts';
import type { Condition, Query, Shown } from './filter.ts';
import * as filter from './filter.ts';
import { renderContent, renderExcerpt, renderTitle } from './html.ts';
import { organizer } from './organizer.ts';
import { globalId, head, isLocked, type Look, permalink, postColumns } from './post.ts';
import type { Columns, Entry, Input, PostResource, Row } from './resource.ts';
import { eventData } from './schema-org.ts';
import { addMonths, type DateTime, dateDetails, endOfDay, fromUtc, readDate, startOfDay, toUtc, utcOf, zoneAbbreviation } from './time.ts';
import { venue } from './venue.ts';

const eventFields = field.fields({
  author: field.author('the user who wrote it'),
  date: field.date('when it is published', { column: { type: 'TEXT' } }),
  date_utc: field.date('when it is published, in UTC', { column: { type: 'TEXT' } }),
  title: field.title('its title', { required: true }),
  description: field.html('what it is about; HTML is allowed'),
  slug: field.slug('the last part of its address'),
  excerpt: field.html('a short description'),
  status: field.status('publish, draft, pending, private or future'),
  timezone: field.zone('the zone its dates are in, like Europe/Paris or UTC+5.5'),
  all_day: field.flag('lasts the whole day', { wire: { type: 'boolean', default: false } }),
  start_date: field.date('when it starts', { required: true, column: { type: 'TEXT' } }),
  end_date: field.date('when it ends', { required: true, column: { type: 'TEXT' } }),
  image: field.image('a picture: the ID of a kept image, or an image address'),
  cost: field.cost('what it costs, like 10, $5-$15 or Free'),
  website: field.url('its own page on the web', { default: null }, { column: { type: 'TEXT' } }),
  show_map: field.flag('show a map'),
  show_map_link: field.flag('show a link to a map'),
  hide_from_listings: field.flag('leave it out of lists'),
  sticky: field.flag('keep it in front in calendar views'),
  featured: field.flag('mark it as featured'),
  categories: field.terms('its categories, by ID, slug or name; new names are made'),
  tags: field.terms('its tags, by ID, slug or name; new names are made'),
  venue: field.links('where it takes place: the ID of a venue, or a new venue', (value, asking) => linkFault(value, 'venue', asking)),
  organizer: field.links('who organizes it: IDs of organizers, or new ones', (value, asking) => linkFault(value, 'organizer', asking)),
  post_password: field.secret('a password that opens its texts'),
  post_parent: field.reference('the event it belongs under', 'event', { beyond: true }),
  ticketed: field.flag('has tickets', { beyond: true }),
});

/** Why a value cannot be linked to: each item is an ID, an object with an `id`, or data that a new record could be made of. */
function linkFault(value: unknown, kind: 'venue' | 'organizer', asking: Asking): string | undefined {
  for (const item of linksOf(value)) {
    if (typeof item !== 'object' || item === null) {
      const fault = field.postFault(item, kind, asking);
      if (fault) return fault;
    } else if ('id' in item) {
      const fault = field.postFault(item.id, kind, asking);
      if (fault) return fault;
    } else {
      const fault = newLinkFault(item as Input, kind, asking);
      if (fault) return fault;
    }
  }
  return undefined;
}

function newLinkFault(input: Input, kind: 'venue' | 'organizer', asking: Asking): string | undefined {
  const linked = kind === 'venue' ? venue : organizer;
  for (const { name, required, wire, check } of linked.fields) {
    const value = input[name];
    if (required && (value ?? '') === '') return `needs ${name}`;
    const fault = value === undefined || value === null ? undefined : check(value, asking);
    if (fault) return `${name} ${typeof fault === 'string' ? fault : (fault as Fault).reason}`;
    if (Array.isArray(value) && wire.type) return `${name} must be one value`;
  }
  return undefined;
}

/** The records an event is to be linked to: IDs, objects with an `id`, or data of new ones. Nothing, 0 and empty ones are left out. */
export const linksOf = (value: unknown): unknown[] =>
  field
    .listOf(value)
    .filter(
      (item) => item !== 0 && item !== '0' && item !== '' && !(typeof item === 'object' && item !== null && !Object.keys(item).length),
    );

/** The dates of an event that is written, local and UTC. A lone start or end moves that end; an end before the start becomes the start. */
export function when(input: Input, columns: Columns, before: Row | undefined, asking: Asking): Columns {
  const timezone = String(columns.timezone ?? before?.timezone ?? asking.zone);
  const written = (value: unknown, kept: unknown): DateTime => {
    const wall = value === undefined || value === null ? String(kept) : readDate(field.dateText(value), asking.now, timezone)!.wall;
    return fromUtc(toUtc(wall, timezone), timezone);
  };
  let start_date = written(input.start_date, before?.start_date);
  let end_date = written(input.end_date, before?.end_date);
  if (end_date < start_date) end_date = start_date;
  const all_day = Number(columns.all_day ?? before?.all_day ?? 0);
  if (all_day) [start_date, end_date] = [startOfDay(start_date), endOfDay(end_date)];
  return {
    timezone,
    all_day,
    start_date,
    end_date,
    utc_start_date: toUtc(start_date, timezone),
    utc_end_date: toUtc(end_date, timezone),
  };
}

const relative = {
  starts_before: { test: 'before', column: 'start_date' },
  starts_after: { test: 'after', column: 'start_date' },
  ends_before: { test: 'before', column: 'end_date' },
  ends_after: { test: 'after', column: 'end_date' },
} as const;

const windowStart = (asking: Asking): DateTime => fromUtc(utcOf(asking.now - 86_400_000).replace(/..:..:..$/, '23:59:00'), asking.zone);
const windowEnd = (asking: Asking): DateTime => fromUtc(addMonths(utcOf(asking.now), 24), asking.zone);

const eventFilters = filter.filters({
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
      field.isTruthy(value) && !asking.extensions.includes('tickets')
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
      if (field.degreesOf(value, limit) === undefined) return `must be a number from -${limit} to ${limit}: ${field.said(value)}`;
      return query[other] === undefined ? `must come with ${other}` : undefined;
    },
  };
}

/** The moment a bound stands for, as wall time of the calendar: exactly as given when strict, else the start or the end of its day. */
function boundary(value: unknown, edge: typeof startOfDay, strict: boolean, asking: Asking): DateTime {
  const utc = utcOf(readDate(field.dateText(value), asking.now, 'UTC')!.instant);
  return strict ? fromUtc(utc, asking.zone) : edge(utc);
}

/** The bounds in time: a window of two years from yesterday unless relative dates or `include` say otherwise. behaviour.md, 2.5 and 3.2. */
function bounds(query: Query, asking: Asking): { window: Shown[]; moved: Shown[]; where: Condition[] } {
  if (query.include !== undefined) return { window: [], moved: [], where: [] };
  const strict = field.isTruthy(query.strict_dates ?? false);
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
    query.start_date !== undefined ? boundary(query.start_date, startOfDay, strict, asking) : usual ? startOfDay(windowStart(asking)) : '';
  const end = query.end_date !== undefined ? boundary(query.end_date, endOfDay, strict, asking) : usual ? endOfDay(windowEnd(asking)) : '';
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
    if (query[to] !== undefined) where.push({ test: 'linked', to, ids: field.listOf(query[to]).map(Number) });
  for (const [name, to] of [
    ['categories', 'category'],
    ['tags', 'tag'],
  ] as const)
    if (query[name] !== undefined)
      where.push({ test: 'linked', to, ids: field.listOf(query[name]).map((term) => asking.store.findTerm(to, term as string | number)!) });
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

/** Events: what happens, when, where and by whom. */
export const event: PostResource = {
  name: 'events',
  kind: 'event',
  family: 'post',
  about: 'what happens, when, where and by whom',
  label: 'title',
  search: ['title', 'excerpt', 'description'],
  derived: {
    ...postColumns,
    utc_start_date: { type: 'TEXT' },
    utc_end_date: { type: 'TEXT' },
    // What identified the event where it was copied from: the UID of a calendar file, the global ID of another instance.
    lineage: { type: 'TEXT', default: '' },
  },
  fields: eventFields,
  filters: eventFilters,
  arrange(query, asking) {
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
    if (query.post_parent !== undefined) where.push({ test: 'equal', column: 'post_parent', value: field.wholeNumber(query.post_parent)! });
    if (query.include !== undefined) where.push({ test: 'among', column: 'id', values: field.listOf(query.include).map(Number) });
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
  },
};

/** The records that an event's row is shown with. */
export interface EventLinks {
  categories: Entry[];
  tags: Entry[];
  /** In linked order. */
  venues: Entry[];
  organizers: Entry[];
  image: Entry | false;
}

const hidden = {
  description: '',
  excerpt: '',
  image: false,
  all_day: null,
  cost: '',
  cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
  website: '',
  show_map: null,
  show_map_link: null,
  hide_from_listings: null,
  sticky: null,
  featured: null,
  categories: [],
  tags: [],
  venue: [],
  organizer: [],
};

/** An event as the API shows it. behaviour.md, 1.1; for its password, 1.8. */
export function eventEntry(row: Row, links: EventLinks, look: Look): Entry {
  const zone = String(row.timezone);
  const costs: string[] = JSON.parse(String(row.cost));
  const link = permalink('event', row, look);
  const dated = (name: string) => ({ [name]: row[name], [`${name}_details`]: dateDetails(String(row[name])) });
  const entry: Entry = {
    id: Number(row.id),
    global_id: globalId(row, look),
    global_id_lineage: row.lineage ? [globalId(row, look), row.lineage] : [globalId(row, look)],
    ...head(row),
    url: link,
    rest_url: `${look.site.root}/events/${row.id}`,
    title: renderTitle(String(row.title)),
    description: renderContent(String(row.description)),
    excerpt: renderExcerpt(String(row.excerpt)),
    slug: row.slug,
    image: links.image,
    all_day: row.all_day === 1,
    ...dated('start_date'),
    ...dated('end_date'),
    ...dated('utc_start_date'),
    ...dated('utc_end_date'),
    timezone: zone,
    timezone_abbr: zoneAbbreviation(zone, String(row.utc_start_date)),
    cost: showCost(costs),
    cost_details: costDetails(costs),
    website: row.website === null ? link : String(row.website).replaceAll(/&(?!amp;)/g, '&amp;'),
    show_map: row.show_map === 1,
    show_map_link: row.show_map_link === 1,
    hide_from_listings: row.hide_from_listings === 1,
    sticky: row.sticky === 1,
    featured: row.featured === 1,
    categories: links.categories,
    tags: links.tags,
    venue: links.venues.length === 1 ? links.venues[0] : links.venues,
    organizer: links.organizers,
    custom_fields: [],
  };
  if (isLocked(row, look)) return Object.assign(entry, hidden);
  if (look.single && row.post_password === '') entry.json_ld = eventData(entry, row, links);
  return entry;
}
