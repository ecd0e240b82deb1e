import type { ResourceName } from '../calendar.ts';

/** The meaning of a column. */
export interface TableColumn {
  /** A field, or one of {@link extraColumns}; undefined for an ignored column. */
  name?: string;
  /** True if its cells are appended to another column of the same field, e.g. a time to a date. */
  isJoined?: boolean;
}

/** Columns of events that are not fields. */
const extraColumns = ['duration', 'duration_minutes', 'private'] as const;

/**
 * Headings of other programs, without the name of the resource as in `Event Name` or `Venue City`: import files of the reference, and spreadsheets for web calendars
 * (`Subject, Start Date, Start Time, …`). An empty name ignores a column.
 */
const foreign: Partial<Record<ResourceName, Record<string, string>>> = {
  events: {
    ...{ name: 'title', subject: 'title', summary: 'title', start: 'start_date', end: 'end_date', time_zone: 'timezone' },
    ...{
      location: 'venue',
      venue_name: 'venue',
      organizer_name: 'organizer',
      organizers: 'organizer',
      organizer_name_s_or_id_s: 'organizer',
    },
    ...{ category: 'categories', tag: 'tags', all_day_event: 'all_day', feature_event: 'featured', featured_event: 'featured' },
    ...{
      hide_from_event_listings: 'hide_from_listings',
      hide_event_from_event_listings: 'hide_from_listings',
      sticky_in_month_view: 'sticky',
    },
    ...{ featured_image: 'image', url: 'website', currency_symbol: '', currency_position: '', iso_currency_code: '' },
    ...{ allow_comments: '', allow_trackbacks_and_pingbacks: '', comments: '', trackbacks: '' },
  },
  venues: {
    name: 'venue',
    url: 'website',
    state_province: 'stateprovince',
    postal_code: 'zip',
    featured_image: 'image',
    show_map_link: 'show_map_link',
  },
  organizers: { name: 'organizer', url: 'website', featured_image: 'image' },
};
const times: Record<string, string> = { start_time: 'start_date', end_time: 'end_date' };
const prefixes: Partial<Record<ResourceName, RegExp>> = { events: /^event_/, venues: /^venue_/, organizers: /^organizer_/ };

const plain = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

/** Returns the column of a heading in a resource's table; undefined for an unknown heading. */
export function columnOf(heading: string, resource: ResourceName, known: readonly string[]): TableColumn | undefined {
  const [whole, short] = [plain(heading), plain(heading).replace(prefixes[resource] ?? /^$/, '')];
  const other = foreign[resource] ?? {};
  for (const name of [whole, short]) {
    if (known.includes(name)) return { name };
    if (other[name] !== undefined) return { name: other[name] || undefined };
    if (resource !== 'events') continue;
    if (times[name]) return { name: times[name], isJoined: true };
    if ((extraColumns as readonly string[]).includes(name)) return { name };
  }
  return undefined;
}
