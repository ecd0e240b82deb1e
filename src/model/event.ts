import type { Asking } from './asking.ts';
import type { Fault } from './error.ts';
import { arrangeEvents, eventFilters } from './event-list.ts';
import * as field from './field.ts';
import { organizer } from './organizer.ts';
import { postColumns } from './post.ts';
import type { Input, PostResource } from './resource.ts';
import { listOf } from './value.ts';
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
  listOf(value).filter(
    (item) => item !== 0 && item !== '0' && item !== '' && !(typeof item === 'object' && item !== null && !Object.keys(item).length),
  );

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
  arrange: arrangeEvents,
};
