import { dateText } from '../coerce.ts';
import type { RequestContext } from '../context.ts';
import { answerOf } from '../fields/answer.ts';
import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import type { Columns, Input, Row } from '../record.ts';
import type { PostDefinition } from '../resource.ts';
import { resolveSpan, spanRules } from '../time/span.ts';
import { toUtc } from '../time/time.ts';
import { category } from './category.ts';
import { eventComputed, eventOrder, eventPage, websiteOrPage } from './event-entry.ts';
import { eventFilters, events, linkOrder } from './event-filters.ts';
import { organizer } from './organizer.ts';
import { postColumns } from './post.ts';
import { tag } from './tag.ts';
import { venue } from './venue.ts';

const moment = field.momentSchema('YYYY-MM-DD HH:MM:SS');

const eventFields = field.fields({
  author: field.author('the user who wrote it'),
  date: field.date('when it is published', { column: { type: 'TEXT' }, compared: null }),
  date_utc: field.date('when it is published, in UTC', { column: { type: 'TEXT' } }),
  title: field.title('its title', { required: true }),
  description: field.html('what it is about; HTML is allowed'),
  slug: field.slug('the last part of its address'),
  excerpt: field.excerpt('a short description'),
  status: field.status('publish, draft, pending, private or future'),
  timezone: field.zone('the zone its dates are in, like Europe/Paris or UTC+5.5'),
  all_day: field.flag('lasts the whole day', { wire: { type: 'boolean', default: false } }),
  start_date: field.date('when it starts', { required: true, column: { type: 'TEXT' }, answer: moment }),
  end_date: field.date('when it ends', { required: true, column: { type: 'TEXT' }, answer: moment }),
  image: field.image('a picture: the ID of a kept image, or an image address'),
  cost: field.cost('what it costs, like 10, $5-$15 or Free'),
  website: field.url(
    'its own page on the web',
    { default: null },
    {
      column: { type: 'TEXT' },
      show: (value, row, _related, view) => websiteOrPage(value, row, view),
      fromAnswer: (shown, entry) => (shown === entry.url ? null : field.shownText(shown).replaceAll('&amp;', '&')),
    },
  ),
  show_map: field.flag('show a map'),
  show_map_link: field.flag('show a link to a map'),
  hide_from_listings: field.flag('leave it out of lists'),
  sticky: field.flag('keep it in front in calendar views'),
  featured: field.flag('mark it as featured'),
  categories: field.terms('its categories, by ID, slug or name; new names are made', category),
  tags: field.terms('its tags, by ID, slug or name; new names are made', tag),
  // Null changes no venue; of organizers it removes all (`events.update.venue-null`).
  venue: field.singleLinks('where it takes place: the ID of a venue, or a new venue', venue, { ignoresNull: true }),
  organizer: field.links('who organizes it: IDs of organizers, or new ones', organizer),
  post_password: field.secret('a password that opens its texts'),
  post_parent: field.reference('the event it belongs under', events, { unindexed: true, writeOnly: true }),
  ticketed: field.flag('has tickets', { unindexed: true, writeOnly: true, extension: 'tickets' }),
});

/** Events: what happens, when, where and by whom. */
export const event: PostDefinition = {
  ...events,
  family: 'post',
  isLinked: false,
  page: eventPage,
  about: 'what happens, when, where and by whom',
  label: 'title',
  summary: ['id', 'title', 'start_date', 'end_date', 'venue'],
  search: ['title', 'excerpt', 'description'],
  derived: {
    ...postColumns,
    utc_start_date: { type: 'TEXT' },
    utc_end_date: { type: 'TEXT' },
    // What identified the event where it was copied from: the UID of a calendar file, the global ID of another instance.
    lineage: { type: 'TEXT', default: '' },
    // The revision of the calendar file that it was imported from (RFC 5545, 3.8.7.4).
    sequence: { type: 'INTEGER', default: 0 },
  },
  fields: eventFields,
  answer: answerOf(eventOrder, eventFields, eventComputed),
  list: filter.listForm(eventFields, eventFilters, {
    where: [{ test: 'equal', column: 'hide_from_listings', value: 0 }],
    order: () => [{ column: 'start_date' }, { column: 'date' }, { column: 'id' }],
    linkOrder,
  }),
  derive: (input, columns, before, ctx) => ({
    ...eventDates(input, columns, before, ctx),
    ...(!before && columns.website === '' ? { website: null } : {}),
  }),
};

/** The columns of an event's dates, local and UTC. */
function eventDates(input: Input, columns: Columns, before: Row | undefined, ctx: RequestContext): Columns {
  const timezone = String(columns.timezone ?? before?.timezone ?? ctx.zone);
  const all_day = Number(columns.all_day ?? before?.all_day ?? 0);
  const given = (value: unknown) => ((value ?? undefined) === undefined ? undefined : dateText(value));
  const { start, end } = resolveSpan(
    { start: given(input.start_date), end: given(input.end_date), allDay: all_day === 1 },
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
