import type { RequestContext } from '../context.ts';
import { dateText } from '../fields/coerce.ts';
import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import { responseForm } from '../fields/response.ts';
import type { Columns, Input, Row } from '../record.ts';
import type { PostDefinition } from '../resource.ts';
import { resolveSpan, spanRules } from '../time/span.ts';
import { toUtc } from '../time/time.ts';
import { category } from './category.ts';
import { eventComputed, eventOrder, eventPage, websiteOrPage } from './event-entry.ts';
import { dateNames, eventFilters, events, linkOrder } from './event-filters.ts';
import { organizer } from './organizer.ts';
import { postColumns } from './post.ts';
import { tag } from './tag.ts';
import { venue } from './venue.ts';

const moment = field.momentSchema('YYYY-MM-DD HH:MM:SS');

const eventFields = field.fields({
  author: field.author('Author'),
  date: field.date('Publication date', { column: { type: 'TEXT' }, compared: null }),
  date_utc: field.date('Publication date in UTC', { column: { type: 'TEXT' } }),
  title: field.title('Title', { required: true }),
  description: field.html('Description; may contain HTML'),
  slug: field.slug('URL slug'),
  excerpt: field.excerpt('Short description'),
  status: field.status('Publication status'),
  timezone: field.zone('Time zone of the dates, e.g. Europe/Paris or UTC+5.5'),
  all_day: field.flag('All-day event', { wire: { type: 'boolean', default: false } }),
  start_date: field.date('Start date and time', { required: true, column: { type: 'TEXT' }, response: moment }),
  end_date: field.date('End date and time', { required: true, column: { type: 'TEXT' }, response: moment }),
  image: field.image('ID or URL of an image'),
  cost: field.cost('Cost, e.g. 10, $5-$15 or Free'),
  website: field.url(
    'Website URL',
    { default: null },
    {
      column: { type: 'TEXT' },
      show: (value, row, _related, view) => websiteOrPage(value, row, view),
      fromResponse: (value, entry) => (value === entry.url ? null : field.responseText(value).replaceAll('&amp;', '&')),
    },
  ),
  show_map: field.flag('Show a map'),
  show_map_link: field.flag('Show a link to a map'),
  hide_from_listings: field.flag('Hide the event from lists'),
  sticky: field.flag('Show the event first in calendar views'),
  featured: field.flag('Feature the event'),
  categories: field.terms('Categories, by ID, slug or name; new names are created', category),
  tags: field.terms('Tags, by ID, slug or name; new names are created', tag),
  // Null changes no venue; of organizers it removes all (`events.update.venue-null`).
  venue: field.singleLinks('Venue', venue, { ignoresNull: true }),
  organizer: field.links('Organizers', organizer),
  post_password: field.secret('Password that protects the content'),
  post_parent: field.reference('Parent event', events, { unindexed: true, writeOnly: true }),
  ticketed: field.flag('Tickets are sold', { unindexed: true, writeOnly: true, extension: 'tickets' }),
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
  resets: [
    ...['status', 'date', 'date_utc', 'website', 'image', 'cost', 'timezone', 'all_day', 'organizer'],
    ...['show_map', 'show_map_link', 'hide_from_listings', 'sticky', 'featured'],
  ],
  response: responseForm(eventOrder, eventFields, eventComputed),
  list: filter.listForm(eventFields, eventFilters, {
    where: [{ test: 'equal', column: 'hide_from_listings', value: 0 }],
    order: () => [{ column: 'start_date' }, { column: 'date' }, { column: 'id' }],
    linkOrder,
    anyDate: { start_date: '1000-01-01', end_date: '9999-12-31' },
    dateNames,
  }),
  derive: (input, columns, before, ctx) => {
    const dates = eventDates(input, columns, before, ctx);
    return !before && columns.website === '' ? { website: null, ...dates } : dates;
  },
};

/** Returns the columns with an event's dates, in its time zone and in UTC. */
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
  return {
    timezone,
    all_day,
    start_date: start.wall,
    end_date: end.wall,
    utc_start_date: toUtc(start.wall, timezone),
    utc_end_date: toUtc(end.wall, timezone),
  };
}
