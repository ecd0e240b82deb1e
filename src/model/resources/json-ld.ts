import type { CurrencySettings } from '../fields/cost-format.ts';
import { paragraphs } from '../html/paragraphs.ts';
import { decodeEntities } from '../html/plain-text.ts';
import { dropGalleries } from '../html/render.ts';
import { escapeHtml } from '../html/sanitize.ts';
import { splitMarkup, stripMarkup, tagName, trimSpace, withoutBlockMarks, withoutScripts } from '../html/tokens.ts';
import type { Entry, Related, Row } from '../record.ts';
import { isoDate } from '../time/time.ts';

/** Maximum number of words of a description in schema.org data. */
const maxSummaryWords = 30;

/** Elements that an excerpt keeps. */
const allowedTags = new Set(['a', 'b', 'strong', 'em', 'span', 'ul', 'li', 'ol'].flatMap((name) => [name, `/${name}`]));

const withoutOtherTags = (html: string): string =>
  splitMarkup(withoutScripts(html))
    .filter((piece) => !/^<[/!?a-z]/i.test(piece) || allowedTags.has(tagName(piece)))
    .join('');

/** Removes text in brackets, up to the first closing one on the line. */
const withoutBrackets = (text: string): string => text.replace(/\[.[^\]\n]*(\]?)/g, (run, end) => (end ? '' : run));

/**
 * A text for schema.org data, in the form of the reference: the excerpt, or the first words of the description, as paragraphs without other markup or text in brackets. It is escaped for HTML and for a script,
 * although it is in neither.
 */
export function scriptSummary(excerpt: unknown, description: unknown): string {
  const plain = trimSpace(withoutBrackets(withoutOtherTags(String(excerpt || ''))));
  const text = stripMarkup(dropGalleries(withoutBlockMarks(String(description || ''))));
  const words = trimSpace(withoutBrackets(text)).split(/[\n\r\t ]+/);
  const start = words.slice(0, maxSummaryWords).join(' ') + (words.length > maxSummaryWords ? ' [&hellip;]' : '');
  const html = paragraphs(plain || start).trimEnd();
  return escapeScript(html && `${html}\n`);
}

/** Escapes a text for HTML and for a script. */
const escapeScript = (text: string): string =>
  escapeHtml(text).replaceAll('&#039;', "'").replaceAll('\r', '').replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n');

/** A name in schema.org data, in the reference's form (`events.get.every-field`): protected and private records are marked. */
const thing = (name: unknown, row: Row) =>
  escapeScript(row.post_password ? `Protected: ${name}` : row.status === 'private' ? `Private: ${name}` : String(name));
const pictured = (image: unknown) => (image ? { image: (image as Entry).url } : {});

/** The page URL of an event; the reference appends an encoded slash for unpublished ones. */
const page = (url: unknown, row: Row) => (row.status === 'publish' || row.status === 'private' ? url : `${url}%2F/`);

/** A venue as a schema.org `Place`. */
export function placeData(entry: Record<string, unknown>, row: Row): Record<string, unknown> {
  const parts = {
    streetAddress: row.address,
    addressLocality: row.city,
    addressRegion: row.stateprovince,
    postalCode: row.zip,
    addressCountry: row.country,
  };
  const address = Object.fromEntries(Object.entries(parts).filter(([, value]) => value));
  const geo = entry.geo_lat ? { geo: { '@type': 'GeoCoordinates', latitude: entry.geo_lat, longitude: entry.geo_lng } } : {};
  return {
    '@type': 'Place',
    name: thing(entry.venue, row),
    description: scriptSummary(row.excerpt, row.description),
    ...pictured(entry.image),
    url: '',
    address: { '@type': 'PostalAddress', ...address },
    ...geo,
    telephone: row.phone,
    sameAs: row.website,
  };
}

/** An organizer as a schema.org `Person`. */
export const personData = (entry: Record<string, unknown>, row: Row): Record<string, unknown> => ({
  '@type': 'Person',
  name: thing(entry.organizer, row),
  description: scriptSummary(row.excerpt, row.description),
  ...pictured(entry.image),
  url: row.website,
  telephone: row.phone,
  email: row.email,
  sameAs: row.website,
});

/** An event as a schema.org `Event`, with its first venue and organizer. */
export function eventData(
  entry: Record<string, unknown>,
  row: Row,
  linked: NonNullable<Related['linked']>,
  currency: CurrencySettings,
): Record<string, unknown> {
  const zone = String(row.timezone);
  const [venue] = linked.venue ?? [];
  const [organizer] = linked.organizer ?? [];
  const { values, currency_symbol } = entry.cost_details as { values: string[]; currency_symbol: string };
  const price = decodeEntities(String(entry.cost)).replaceAll(currency_symbol || currency.symbol, '');
  const offer = {
    '@type': 'Offer',
    // Without the sign of the currency; schema.org requires a number for what is free.
    price: price === 'Free' || values[0] === 'free' ? '0' : price,
    priceCurrency: currency.code || 'USD',
    url: entry.url,
    category: 'primary',
    availability: 'inStock',
    // The day of publication in the zone of the calendar.
    validFrom: `${String(row.date).slice(0, 10)}T00:00:00+00:00`,
  };
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: thing(entry.title, row),
    description: scriptSummary(row.excerpt, row.description),
    ...pictured(entry.image),
    url: page(entry.url, row),
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: isoDate(String(row.start_date), zone, String(row.utc_start_date)),
    endDate: isoDate(String(row.end_date), zone, String(row.utc_end_date)),
    ...(venue ? { location: venue.json_ld ?? false } : {}),
    ...(organizer ? { organizer: organizer.json_ld ?? false } : {}),
    ...(entry.cost === '' ? {} : { offers: offer }),
    performer: 'Organization',
  };
}
