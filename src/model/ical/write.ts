import type { Entry } from '../calendar.ts';
import { asHtml, decodeEntities } from '../html/plain-text.ts';
import { renderContent } from '../html/render.ts';
import { addDays, type DateTime, instantOf } from '../time/datetime.ts';
import { isManual, zoneOf } from '../time/zone.ts';
import { type Contact, type IcalEvent, icalEvent, locationOf, safeHtml, siteEvent } from './event.ts';
import { escapeParameter, escapeText, foldLine } from './lines.ts';
import { icalDate, icalInstant, isUnambiguous, timezoneComponent } from './vtimezone.ts';

/** The site of a feed. */
export interface FeedSite {
  /** Its address, without a trailing slash. */
  home: string;
  /** True without a name of the calendar, as Outlook gets it. */
  isOutlook: boolean;
}

export interface IcalOptions {
  /** Name of the calendar; may be empty. */
  name: string;
  /** Time zone of the calendar; may be empty. */
  timezone: string;
  /** First year of the time zone rules (default 1970). */
  since?: number;
  /** Refresh interval for subscribers, in minutes. */
  refresh?: number;
  /** The site whose feed it is. Its events have the UIDs of a site, and their pages as URL. */
  site?: FeedSite | undefined;
}

/** The program in the files that it writes. */
export const productId = '-//calendar//calendar//EN';

/** Yields a calendar as iCalendar (RFC 5545), one piece per event. Lines end with CRLF. */
export async function* eventsToIcs(entries: Iterable<Entry> | AsyncIterable<Entry>, options: IcalOptions): AsyncGenerator<string> {
  yield icalHead(options);
  const zones = new Set<string>();
  for await (const entry of entries) yield icalPiece(entry, zones, options.since);
  yield 'END:VCALENDAR\r\n';
}

export function icalHead({ name, timezone, refresh, site }: IcalOptions): string {
  const calendar = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${productId}`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...(name && !site?.isOutlook ? [`NAME:${escapeText(name)}`, `X-WR-CALNAME:${escapeText(name)}`] : []),
    ...(site ? [`X-ORIGINAL-URL:${site.home}`, `X-WR-CALDESC:${escapeText(`Events for ${name}`)}`] : []),
    ...(timezone ? [`X-WR-TIMEZONE:${escapeText(timezone)}`] : []),
    ...(refresh ? [`REFRESH-INTERVAL;VALUE=DURATION:PT${refresh}M`, `X-PUBLISHED-TTL:PT${refresh}M`] : []),
  ];
  return calendar.map(foldLine).join('');
}

/** An event, preceded by its time zone unless `zones` contains it. */
export function icalPiece(entry: Entry, zones: Set<string>, since?: number, site?: FeedSite): string {
  const ofSite = site && siteEvent(entry, new URL(site.home).hostname);
  const event = ofSite ?? icalEvent(entry);
  const lines = eventLines(event, datesOf(event, site !== undefined), [], ofSite);
  return (event.all_day ? '' : zonePiece(event.timezone, zones, { since })) + lines.map(foldLine).join('');
}

/** The VTIMEZONE of a zone; empty if `zones` contains it and for UTC. Only a series needs that of an offset. */
export function zonePiece(
  zone: string,
  zones: Set<string>,
  { since = 1970, isSeries = false }: { since?: number | undefined; isSeries?: boolean },
): string {
  if ((isSeries ? isUtcName(zone) : isUtc(zone)) || zones.has(zone)) return '';
  zones.add(zone);
  return timezoneComponent(zone, Math.max(1, since)) ?? '';
}

export const isUtcName = (zone: string): boolean => /^(?:etc\/)?utc$/i.test(zone);

/** True if single times in a time zone are written as UTC, as of offsets, whose names and rules other programs reject. */
function isUtc(zone: string): boolean {
  const definition = zoneOf(zone);
  return !definition || !('name' in definition) || isManual(zone) || isUtcName(zone);
}

const statusLines: Record<IcalEvent['status'], string[]> = {
  publish: ['STATUS:CONFIRMED'],
  draft: ['STATUS:TENTATIVE'],
  private: ['STATUS:CONFIRMED', 'CLASS:PRIVATE'],
  trash: ['STATUS:CANCELLED'],
};

/** The lines of an event, by default with its own dates. The feed of a site, which has some of them in another form, is given the event as `ofSite` too. */
export function eventLines(
  event: IcalEvent,
  dates = datesOf(event),
  more: readonly string[] = [],
  ofSite?: ReturnType<typeof siteEvent>,
): string[] {
  const line = (name: string, value: string) => (value === '' ? [] : [`${name}:${escapeText(value)}`]);
  const html = safeHtml(event.html);
  // A site names no organizer without an e-mail address.
  const organizers = event.contacts.slice(0, ofSite && !event.contacts[0]?.email ? 0 : 1);
  const rich = html !== '' && decodeEntities(renderContent(asHtml(event.description))) !== decodeEntities(html);
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `DTSTAMP:${icalDate(event.modified)}Z`,
    `CREATED:${icalDate(event.created)}Z`,
    `LAST-MODIFIED:${icalDate(event.modified)}Z`,
    ...(event.sequence ? [`SEQUENCE:${event.sequence}`] : []),
    ...more,
    ...dates,
    `SUMMARY:${escapeText(event.title)}`,
    ...line('DESCRIPTION', event.description),
    ...(rich ? [`X-ALT-DESC;FMTTYPE=text/html:${escapeText(html)}`] : []),
    ...locationLines(event.places, ofSite !== undefined),
    ...(event.places.length > 1 && event.places.some(({ line }) => line.includes('; '))
      ? listLine(
          'X-LOCATIONS',
          event.places.map(({ line }) => line),
        )
      : []),
    ...(event.geo ? [`GEO:${event.geo.join(';')}`] : []),
    ...(ofSite ? appleLine(ofSite) : []),
    ...listLine('CATEGORIES', event.categories),
    ...listLine('X-TAGS', event.tags),
    ...organizers.map(ofSite ? siteOrganizerLine : organizerLine),
    ...event.contacts.slice(organizers.length).flatMap(({ name, email }) => line('CONTACT', email ? `${name} <${email}>` : name)),
    ...address('URL', event.website || event.url),
    ...line('X-COST', event.cost),
    ...listLine('X-PRICES', event.prices ?? []),
    ...address(`ATTACH;FMTTYPE=image/${imageType(event.image)}`, event.image),
    ...(event.hidden ? ['X-HIDE-FROM-LISTINGS:TRUE'] : []),
    ...statusLines[event.status],
    'END:VEVENT',
  ];
}

/** The venues on one line. If needed, their names are a parameter, or apart: in the feed of a site, where programs expect no parameter, and if one has the separator. */
function locationLines(places: IcalEvent['places'], ofSite: boolean): string[] {
  if (!places.length) return [];
  const names = places.map(({ name }) => name);
  const isPlain = places.length === 1 && names[0] === places[0]!.line && !names[0]!.includes(', ');
  const isApart = (ofSite && !isPlain) || names.some((name) => name.includes('; '));
  const parameter = ofSite || isPlain ? '' : `;X-NAME=${escapeParameter(names.join('; '))}`;
  return [`LOCATION${parameter}:${escapeText(locationOf(places))}`, ...(isApart ? listLine('X-VENUES', names) : [])];
}

/** The place of the first venue for calendars of Apple, in the form of the service: the longitude is first, and only a parameter that needs it has quotes. */
function appleLine({ places: [place], street, geo }: ReturnType<typeof siteEvent>): string[] {
  if (!place || !geo || street === '') return [];
  const parameter = (value: string) => (/[;:"]/.test(value) ? escapeParameter(value) : value.replaceAll(',', '\\,'));
  const address = parameter(place.line.replaceAll(',', ''));
  const parameters = `VALUE=URI;X-ADDRESS=${address};X-APPLE-RADIUS=500;X-TITLE=${parameter(street)}`;
  return [`X-APPLE-STRUCTURED-LOCATION;${parameters}:geo:${geo.toReversed().join()}`];
}

const listLine = (name: string, values: readonly string[]) => (values.length ? [`${name}:${values.map(escapeText).join(',')}`] : []);

const address = (name: string, url: string) => (url === '' ? [] : [`${name}:${url.replace(/[\r\n]/g, '')}`]);

/** RFC 5545, 3.8.4.3: the value is a URI; without an e-mail address, it is the URL of a page. */
function organizerLine({ name, email, url }: Contact): string {
  const address = email ? `mailto:${email.replace(/[\r\n]/g, '')}` : url || 'invalid:nobody';
  return `ORGANIZER;CN=${escapeParameter(name)}:${address}`;
}

/** An organizer as a site writes it, with what a parameter can't have in percent encoding. */
const siteOrganizerLine = ({ name, email }: Contact): string =>
  `ORGANIZER;CN="${name.toWellFormed().replace(/%(?=[\da-f]{2})|[^ !#-+\--9<-\]_-~]+/gi, encodeURIComponent)}":MAILTO:${email.replace(/[\r\n]/g, '')}`;

function imageType(url: string): string {
  const ending = /\.([a-z]+)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? 'jpeg';
  return { jpg: 'jpeg', svg: 'svg+xml' }[ending] ?? ending;
}

/** Start and end: days with an exclusive end, UTC, or local time. Adds the time zone separately if the dates don't contain it. An end at the start is written if `hasEnd`. */
function datesOf(event: IcalEvent, hasEnd = false): string[] {
  const { timezone, start_date: start, end_date: end } = event;
  const apart = timezone === '' ? [] : [`X-TIMEZONE:${escapeText(timezone)}`];
  if (event.all_day) {
    const dateOnly = (wall: DateTime) => icalDate(wall).slice(0, -7);
    return [`DTSTART;VALUE=DATE:${dateOnly(start)}`, `DTEND;VALUE=DATE:${dateOnly(addDays(end, 1))}`, ...apart];
  }
  const exact = (wall: DateTime, utc: DateTime) => isUnambiguous(wall, timezone) && icalInstant(wall, timezone) === instantOf(utc);
  const local = !isUtc(timezone) && exact(start, event.utc_start_date) && exact(end, event.utc_end_date);
  const date = (name: string, wall: DateTime, utc: DateTime) =>
    local ? `${name};TZID=${escapeParameter(timezone)}:${icalDate(wall)}` : `${name}:${icalDate(utc)}Z`;
  const ending = hasEnd || event.utc_end_date > event.utc_start_date ? [date('DTEND', end, event.utc_end_date)] : [];
  return [date('DTSTART', start, event.utc_start_date), ...ending, ...(local ? [] : apart)];
}
