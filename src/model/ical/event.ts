import type { Entry } from '../calendar.ts';
import { toWholeNumber } from '../fields/coerce.ts';
import { decodeEntities, htmlToLine, htmlToText } from '../html/plain-text.ts';
import { unrenderTitle } from '../html/render.ts';
import { cleanHtml } from '../html/sanitize.ts';
import { stripMarkup, withoutScripts } from '../html/tokens.ts';
import { isPoster } from '../images/poster-image.ts';
import { type DateTime, instantOf } from '../time/datetime.ts';

/** An organizer, as iCalendar represents it. */
export interface Contact {
  name: string;
  email: string;
  /** URL; required by iCalendar without an e-mail address. */
  url: string;
}

/** An event as iCalendar represents it. Texts are plain, dates are local times in `timezone`. */
export interface IcalEvent {
  /** Globally unique ID; empty if a file contains none. */
  uid: string;
  /** Revision, from 0 (RFC 5545, 3.8.7.4). */
  sequence: number;
  title: string;
  description: string;
  /** Description as HTML; may be empty. */
  html: string;
  timezone: string;
  all_day: boolean;
  start_date: DateTime;
  /** For all-day events, the last second of the last day. */
  end_date: DateTime;
  utc_start_date: DateTime;
  utc_end_date: DateTime;
  /** Names of venues, empty if unknown, and their locations with the address. */
  places: { name: string; line: string }[];
  geo?: [latitude: number, longitude: number];
  categories: string[];
  tags: string[];
  contacts: Contact[];
  status: 'publish' | 'draft' | 'private' | 'trash';
  website: string;
  /** Page on the calendar's site. */
  url: string;
  cost: string;
  /** The prices as they are stored, if the cost is not read as them. */
  prices?: string[];
  image: string;
  /** True if lists leave it out. */
  hidden: boolean;
  /** UTC. */
  created: DateTime;
  modified: DateTime;
}

type Part = Record<string, unknown>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** The records of a member that contains one, several or none. */
const parts = (value: unknown): Part[] => (Array.isArray(value) ? value : value ? [value] : []) as Part[];
const names = (value: unknown): string[] => parts(value).map((term) => htmlToLine(text(term.name)));

/** Formats the name and address of a venue on one line. */
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

/** The members of events, venues and organizers that {@link icalEvent} reads, besides UIDs. */
export const icalMembers: ReadonlySet<string> = new Set([
  ...['id', 'global_id', 'global_id_lineage', 'title', 'description', 'image', 'url', 'website', 'cost', 'status', 'hide_from_listings'],
  ...['all_day', 'timezone', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date', 'date_utc', 'modified_utc'],
  ...['categories', 'tags', 'venue', 'address', 'city', 'stateprovince', 'zip', 'country', 'geo_lat', 'geo_lng', 'organizer', 'email'],
]);

/** Converts an event of an API response. `titleOf` converts its title and the names of its organizers. */
export function icalEvent(entry: Entry, titleOf = htmlToLine): IcalEvent {
  const [venue = {}] = parts(entry.venue);
  const dated = text(entry.date_utc) > '0001' ? text(entry.date_utc) : text(entry.utc_start_date);
  const website = text(entry.website).replaceAll('&amp;', '&');
  const lineage = parts(entry.global_id_lineage).map(String);
  return {
    uid: text(entry.uid) || lineage.at(-1) || text(entry.global_id) || `event-${entry.id}`,
    sequence: Number(entry.sequence ?? 0),
    title: titleOf(text(entry.title)),
    description: htmlToText(text(entry.description)),
    html: text(entry.description),
    timezone: text(entry.timezone),
    all_day: entry.all_day === true,
    start_date: text(entry.start_date),
    end_date: text(entry.end_date),
    utc_start_date: text(entry.utc_start_date),
    utc_end_date: text(entry.utc_end_date),
    places: parts(entry.venue).flatMap((part) => {
      const line = placeLine(part);
      return line === '' ? [] : [{ name: htmlToLine(text(part.venue)) || line, line }];
    }),
    geo:
      toWholeNumber(venue.geo_lat) === 0 || !venue.geo_lat || !venue.geo_lng ? undefined : [Number(venue.geo_lat), Number(venue.geo_lng)],
    categories: names(entry.categories),
    tags: names(entry.tags),
    contacts: parts(entry.organizer).map((organizer) => ({
      name: titleOf(text(organizer.organizer)),
      email: text(organizer.email),
      url: text(organizer.url),
    })),
    status: statuses[text(entry.status)] ?? 'publish',
    website: website === text(entry.url) ? '' : website,
    url: text(entry.url),
    cost: htmlToLine(text(entry.cost)),
    ...(Array.isArray(entry.prices) ? { prices: entry.prices.map(String) } : {}),
    image: entry.image && !isPoster(entry.image) ? text((entry.image as Part).url) : '',
    hidden: entry.hide_from_listings === true,
    created: dated,
    modified: text(entry.modified_utc) > '0001' ? text(entry.modified_utc) : dated,
  };
}

/** An event as the feed of a site has it: with the title as it was typed, and the text of its description as the service writes it, with a space after each paragraph. */
export function siteEvent(entry: Entry, host: string): IcalEvent & { street: string } {
  const description = stripMarkup(text(entry.description).replaceAll('</p>', '</p> ')).replaceAll('\r', '').trim();
  return {
    ...icalEvent(entry, (title) => htmlToLine(unrenderTitle(title))),
    uid: siteUid(entry, host),
    description: decodeEntities(description),
    street: htmlToLine(text(parts(entry.venue)[0]?.address)),
    website: '',
  };
}

/** The UID of an event in the feed of a site: its ID, its local dates read as if they were UTC, in seconds, and the host. */
function siteUid({ id, start_date, end_date }: Entry, host: string): string {
  const [start, end] = [start_date, end_date].map((wall) => instantOf(String(wall)) / 1000);
  return `${id}-${start}-${end}@${host}`;
}

/** The ID and the host in a UID of this form; undefined for others. */
export function siteUidIn(uid: string): { id: number; host: string } | undefined {
  const [, id, host] = /^([1-9]\d{0,14})-(?:-?\d+)-(?:-?\d+)@([^\s@/]+)$/.exec(uid) ?? [];
  return id === undefined ? undefined : { id: Number(id), host: host! };
}

/** HTML without scripts, in the form in which it is written and read. */
export const safeHtml = (html: string): string => cleanHtml(withoutScripts(html), false);

/** Formats venues on one line. */
export const locationOf = (places: IcalEvent['places']): string => places.map(({ line }) => line).join('; ');
