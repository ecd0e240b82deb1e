import type { EventRecord, OrganizerRecord, VenueRecord } from '../../model/resources/record-types.ts';

export type CalendarEvent = EventRecord;
export type Venue = VenueRecord;
export type Organizer = OrganizerRecord;
export type Image = Exclude<EventRecord['image'], false>;

/** The members of a record that the page reads. */
export interface Post {
  id: number;
  url: string;
  rest_url?: string;
  slug: string;
  status: string;
  description?: string;
  website?: string;
  image?: false | Image;
  [name: string]: unknown;
}

export interface Term {
  id: number;
  name: string;
  slug: string;
  parent?: number;
  count?: number;
  url?: string;
}

/** The members of an event that the views of the calendar show. Categories and venues have only their ID and name. */
export type ListedEvent = Pick<
  CalendarEvent,
  | 'id'
  | 'title'
  | 'status'
  | 'url'
  | 'start_date'
  | 'end_date'
  | 'utc_start_date'
  | 'utc_end_date'
  | 'timezone'
  | 'all_day'
  | 'featured'
  | 'cost'
  | 'categories'
  | 'venue'
>;

export const venuesOf = ({ venue }: Pick<CalendarEvent, 'venue'>): Venue[] => (Array.isArray(venue) ? venue : venue ? [venue] : []);

const statusTexts: Record<string, string> = { draft: 'Draft', pending: 'Pending', private: 'Private', future: 'Scheduled' };

export const statusText = ({ status }: Pick<Post, 'status'>): string => statusTexts[status] ?? status;

/** Returns the path and query of a record's page. */
export function pathOf({ url }: { url: string }): string {
  const { pathname, search } = new URL(url, 'http://localhost');
  return pathname + search;
}
