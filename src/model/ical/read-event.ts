import type { Problem } from '../error.ts';
import { isImageUrl, percentDecoded } from '../fields/coerce.ts';
import { encodeEntities, htmlToLine } from '../html/plain-text.ts';
import type { Contact, IcalEvent } from './event.ts';
import { decodedText, type Property, parameterText } from './lines.ts';

type Optional = 'html' | 'geo' | 'categories' | 'tags' | 'contacts' | 'website' | 'cost' | 'prices' | 'image' | 'hidden';

/** An event in a file. Optional parts that are missing from the file are undefined. */
export type ReadEvent = Omit<IcalEvent, Optional | 'utc_start_date' | 'utc_end_date' | 'created' | 'modified' | 'url'> &
  Partial<Pick<IcalEvent, Optional>>;

/** Title of an event without SUMMARY. */
export const noTitle = '(no title)';

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
  const text = (name: string) => decodedText(all(name)[0]);
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
  const names = all('location')[0] && nameIn(all('location')[0]!, 'x-name');
  // Members behind a spread take a microsecond each in node 20.
  return {
    uid: text('uid'),
    sequence: Math.max(0, Math.trunc(Number(text('sequence'))) || 0),
    title: title || noTitle,
    description: text('description'),
    html: htmlOf(all('x-alt-desc')),
    places: placesOf(location, list('x-venues') ?? (names ? names.split('; ') : []), list('x-locations')),
    geo: geoOf(all('geo')[0], problems),
    categories: list('categories'),
    tags: list('x-tags'),
    contacts: contactsOf(all('organizer'), all('contact')),
    status: statusOf(text('status').toUpperCase(), text('class').toUpperCase()),
    website: optional('url'),
    cost: optional('x-cost'),
    prices: list('x-prices'),
    hidden: optional('x-hide-from-listings') === undefined ? undefined : text('x-hide-from-listings').toUpperCase() === 'TRUE',
    image: imageOf([...all('image'), ...all('attach')]),
    ...undated,
  };
}

/** The venues of a location: several only if their names are given. Each begins with its name. */
function placesOf(location: string, names: readonly string[], lines: readonly string[] = []): ReadEvent['places'] {
  if (location === '') return [];
  if (lines.length === names.length && lines.join('; ') === location) return names.map((name, at) => ({ name, line: lines[at]! }));
  const starts = [0];
  for (const name of names.slice(1)) starts.push(location.indexOf(`; ${name}`, starts.at(-1)) + 2);
  if (!names.length || starts.slice(1).includes(1)) return [{ name: names.join('; '), line: location }];
  return names.map((name, at) => ({
    name,
    line: location.slice(starts[at], starts[at + 1] === undefined ? undefined : starts[at + 1]! - 2),
  }));
}

function statusOf(status: string, classification: string): ReadEvent['status'] {
  if (status === 'CANCELLED') return 'trash';
  if (status === 'TENTATIVE') return 'draft';
  return ['PRIVATE', 'CONFIDENTIAL'].includes(classification) ? 'private' : 'publish';
}

function htmlOf(properties: readonly Property[]): string | undefined {
  const html = properties.find((property) => parameterText(property, 'fmttype').toLowerCase() === 'text/html');
  return html && bodyOf(String(html.values[0])).trim();
}

/** The body of an HTML page, or the whole text if it has none. */
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

/** A name in a parameter. The parser reads `\\n` in it as a line break, which no name has. */
const nameIn = (property: Property, parameter: string): string => parameterText(property, parameter).replaceAll('\n', '\\n');

function contactsOf(organizers: readonly Property[], others: readonly Property[]): Contact[] | undefined {
  const contacts = organizers.map((property): Contact => {
    const address = String(property.values[0] ?? '');
    const email = /^mailto:/i.test(address) ? address.slice(7) : '';
    const name = nameIn(property, 'cn');
    // Feeds of sites have names in percent encoding.
    return { name: (address.startsWith('MAILTO:') ? percentDecoded(name) : name) || email, email, url: '' };
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
