import type { Entry } from '../calendar.ts';
import { wholeNumber } from '../fields/coerce.ts';
import { htmlToLine, htmlToText } from '../html/plain-text.ts';
import type { DateTime } from '../time/datetime.ts';

/** Somebody who holds an event, as far as iCalendar can say it. */
export interface Contact {
  name: string;
  email: string;
  /** An address of theirs on the web; iCalendar wants one where there is no e-mail address. */
  url: string;
}

/** An event as far as iCalendar can say it: what the writer writes and the reader reads. Texts are plain, dates wall time in `timezone`. */
export interface IcalEvent {
  /** What tells it from all events of the world; empty where a file gives it none. */
  uid: string;
  /** Its revision, from 0 (RFC 5545, 3.8.7.4). */
  sequence: number;
  title: string;
  description: string;
  /** The description as HTML, where there is one. */
  html: string;
  timezone: string;
  all_day: boolean;
  start_date: DateTime;
  /** Of all-day events the last day, at its last second. */
  end_date: DateTime;
  utc_start_date: DateTime;
  utc_end_date: DateTime;
  /** The names of its places, empty where only the line is known; and the lines with their addresses. */
  places: { name: string; line: string }[];
  geo?: [latitude: number, longitude: number];
  categories: string[];
  tags: string[];
  contacts: Contact[];
  status: 'publish' | 'draft' | 'private' | 'trash';
  website: string;
  /** Its page on the calendar's own site. */
  url: string;
  cost: string;
  image: string;
  /** UTC. */
  created: DateTime;
  modified: DateTime;
}

type Part = Record<string, unknown>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** The records of a member that shows one, several, or none. */
const parts = (value: unknown): Part[] => (Array.isArray(value) ? value : value ? [value] : []) as Part[];
const names = (value: unknown): string[] => parts(value).map((term) => htmlToLine(text(term.name)));

/** The name of a place and its address on one line. */
export const placeLine = (venue: Part): string =>
  [htmlToLine(text(venue.venue)), ...['address', 'city', 'stateprovince', 'zip', 'country'].map((name) => text(venue[name]))]
    .filter((part) => part !== '')
    .join(', ');

const statuses: Record<string, IcalEvent['status']> = {
  draft: 'draft',
  pending: 'draft',
  'auto-draft': 'draft',
  private: 'private',
  trash: 'trash',
};

/** An event of any calendar, as it answers it, as far as iCalendar can say it. */
export function icalEvent(entry: Entry): IcalEvent {
  const [venue = {}] = parts(entry.venue);
  const dated = text(entry.date_utc) > '0001' ? text(entry.date_utc) : text(entry.utc_start_date);
  const website = text(entry.website).replaceAll('&amp;', '&');
  const lineage = parts(entry.global_id_lineage).map(String);
  return {
    uid: text(entry.uid) || lineage.at(-1) || text(entry.global_id) || `event-${entry.id}`,
    sequence: Number(entry.sequence ?? 0),
    title: htmlToLine(text(entry.title)),
    description: htmlToText(text(entry.description)),
    html: text(entry.description),
    timezone: text(entry.timezone),
    all_day: entry.all_day === true,
    start_date: text(entry.start_date),
    end_date: text(entry.end_date),
    utc_start_date: text(entry.utc_start_date),
    utc_end_date: text(entry.utc_end_date),
    places: parts(entry.venue).map((part) => ({ name: htmlToLine(text(part.venue)), line: placeLine(part) })),
    geo: wholeNumber(venue.geo_lat) === 0 || !venue.geo_lat || !venue.geo_lng ? undefined : [Number(venue.geo_lat), Number(venue.geo_lng)],
    categories: names(entry.categories),
    tags: names(entry.tags),
    contacts: parts(entry.organizer).map((organizer) => ({
      name: htmlToLine(text(organizer.organizer)),
      email: text(organizer.email),
      url: text(organizer.url),
    })),
    status: statuses[text(entry.status)] ?? 'publish',
    website: website === text(entry.url) ? '' : website,
    url: text(entry.url),
    cost: htmlToLine(text(entry.cost)),
    image: entry.image ? text((entry.image as Part).url) : '',
    created: dated,
    modified: text(entry.modified_utc) > '0001' ? text(entry.modified_utc) : dated,
  };
}

/** Places on one line. */
export const locationOf = (places: IcalEvent['places']): string => places.map(({ line }) => line).join('; ');
