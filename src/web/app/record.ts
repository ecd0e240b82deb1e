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

export interface Image {
  url: string;
  /** 0 for a poster. */
  id: number;
  width?: number;
  height?: number;
}

export interface Term {
  id: number;
  name: string;
  slug: string;
  parent?: number;
  count?: number;
  url?: string;
}

export interface Venue extends Post {
  venue: string;
  address?: string;
  city?: string;
  zip?: string;
  stateprovince?: string;
  country?: string;
  phone?: string;
  geo_lat?: number;
  geo_lng?: number;
  show_map_link?: boolean;
}

export interface Organizer extends Post {
  organizer: string;
  phone?: string;
  email?: string;
}

export interface CalendarEvent extends Post {
  title: string;
  excerpt: string;
  all_day: boolean | null;
  start_date: string;
  end_date: string;
  utc_start_date: string;
  utc_end_date: string;
  timezone: string;
  timezone_abbr: string;
  cost: string;
  featured: boolean;
  show_map_link: boolean;
  categories: Term[];
  tags: Term[];
  /** A single venue, or a list of none or several. */
  venue: Venue | Venue[];
  organizer: Organizer[];
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
