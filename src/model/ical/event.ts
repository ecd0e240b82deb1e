import type { Entry } from '../calendar.ts';
import type { Problem } from '../error.ts';
import { isImageUrl, wholeNumber } from '../fields/coerce.ts';
import { encodeEntities, htmlToLine, htmlToText } from '../html/plain-text.ts';
import { isPoster } from '../images/poster-image.ts';
import type { DateTime } from '../time/datetime.ts';
import { type Property, parameterOf, textOf } from './lines.ts';

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
  image: string;
  /** True if lists leave it out. */
  hidden: boolean;
  /** UTC. */
  created: DateTime;
  modified: DateTime;
}

type Part = Record<string, unknown>;
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Returns the records of a member that contains one, several or none. */
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

/** Converts an event of an API response. */
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
    image: entry.image && !isPoster(entry.image) ? text((entry.image as Part).url) : '',
    hidden: entry.hide_from_listings === true,
    created: dated,
    modified: text(entry.modified_utc) > '0001' ? text(entry.modified_utc) : dated,
  };
}

/** Formats venues on one line. */
export const locationOf = (places: IcalEvent['places']): string => places.map(({ line }) => line).join('; ');

type Optional = 'html' | 'geo' | 'categories' | 'tags' | 'contacts' | 'website' | 'cost' | 'image' | 'hidden';

/** An event in a file. Optional parts that are missing from the file are undefined. */
export type ReadEvent = Omit<IcalEvent, Optional | 'utc_start_date' | 'utc_end_date' | 'created' | 'modified' | 'url'> &
  Partial<Pick<IcalEvent, Optional>>;

const none: readonly Property[] = [];
const undated = { timezone: '', all_day: false, start_date: '', end_date: '' };

/** Reads the properties of a VEVENT, except dates. */
export function eventFrom(properties: readonly Property[], problems: Problem[]): ReadEvent {
  const byName = new Map<string, Property[]>();
  for (const property of properties) {
    const others = byName.get(property.name);
    if (others) others.push(property);
    else byName.set(property.name, [property]);
  }
  const all = (name: string) => byName.get(name) ?? none;
  const text = (name: string) => textOf(all(name)[0]);
  const list = (name: string) => {
    const texts: string[] = [];
    for (const { values } of all(name)) for (const value of values) texts.push(String(value).trim());
    return byName.has(name) ? texts.filter(Boolean) : undefined;
  };
  const optional = (name: string) => (all(name).length ? text(name) : undefined);
  const title = text('summary');
  const location = text('location')
    .split('\n')
    .map((part, at, { length }) => (at + 1 < length ? part.trim().replace(/,$/, '') : part.trim()))
    .join(', ');
  const names = all('location')[0] && parameterOf(all('location')[0]!, 'x-name');
  // Members behind a spread take a microsecond each in node 20.
  return {
    uid: text('uid'),
    sequence: Math.max(0, Math.trunc(Number(text('sequence'))) || 0),
    title: title || '(no title)',
    description: text('description'),
    html: htmlOf(all('x-alt-desc')),
    places: placesOf(location, names || ''),
    geo: geoOf(all('geo')[0], problems),
    categories: list('categories'),
    tags: list('x-tags'),
    contacts: contactsOf(all('organizer'), all('contact')),
    status: statusOf(text('status').toUpperCase(), text('class').toUpperCase()),
    website: optional('url'),
    cost: optional('x-cost'),
    hidden: optional('x-hide-from-listings') === undefined ? undefined : text('x-hide-from-listings').toUpperCase() === 'TRUE',
    image: imageOf([...all('image'), ...all('attach')]),
    ...undated,
  };
}

/** Returns the venues of a location: several only if their names are given. */
function placesOf(location: string, names: string): ReadEvent['places'] {
  if (location === '') return [];
  const lines = names === '' ? [] : location.split('; ');
  const apart = names.split('; ');
  if (apart.length === lines.length) return lines.map((line, at) => ({ name: apart[at]!, line }));
  return [{ name: names, line: location }];
}

function statusOf(status: string, classification: string): ReadEvent['status'] {
  if (status === 'CANCELLED') return 'trash';
  if (status === 'TENTATIVE') return 'draft';
  return ['PRIVATE', 'CONFIDENTIAL'].includes(classification) ? 'private' : 'publish';
}

function htmlOf(properties: readonly Property[]): string | undefined {
  const html = properties.find((property) => parameterOf(property, 'fmttype').toLowerCase() === 'text/html');
  return html && bodyOf(String(html.values[0])).trim();
}

/** Returns the body of an HTML page, or the whole text if it has none. */
function bodyOf(html: string): string {
  const start = html.search(/<body[\s>]/i);
  const open = start < 0 ? -1 : html.indexOf('>', start);
  const end = open < 0 ? -1 : html.slice(open).search(/<\/body>/i);
  return end < 0 ? html : html.slice(open + 1, open + end);
}

function geoOf(property: Property | undefined, problems: Problem[]): ReadEvent['geo'] {
  if (!property) return undefined;
  // Some programs escape the semicolon.
  const [latitude = Number.NaN, longitude = Number.NaN, ...more] = property.raw
    .split(/\\?;/)
    .map((part) => (part.trim() ? Number(part) : Number.NaN));
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && !more.length) return [latitude, longitude];
  problems.push({ at: `line ${property.line}`, reason: 'invalid GEO, expected latitude and longitude, e.g. 48.85;2.29' });
  return undefined;
}

function contactsOf(organizers: readonly Property[], others: readonly Property[]): Contact[] | undefined {
  const contacts = organizers.map((property): Contact => {
    const address = String(property.values[0] ?? '');
    const email = /^mailto:/i.test(address) ? address.slice(7) : '';
    return { name: parameterOf(property, 'cn') || email, email, url: '' };
  });
  for (const { values } of others) {
    const text = String(values[0] ?? '').trim();
    const at = text.endsWith('>') ? text.lastIndexOf('<') : -1;
    const address = at < 0 ? '' : text.slice(at + 1, -1);
    const isNamed = address.includes('@') && !/[\s>]/.test(address);
    const [name, email] = isNamed ? [text.slice(0, at).trim(), address] : [text, ''];
    contacts.push({ name: htmlToLine(encodeEntities(name)) || email, email, url: '' });
  }
  const namedContacts = contacts.filter(({ name }) => name !== '');
  return namedContacts.length ? namedContacts : undefined;
}

function imageOf(properties: Property[]): string | undefined {
  return properties.map(({ values }) => String(values[0] ?? '')).find((value) => isImageUrl(value));
}
