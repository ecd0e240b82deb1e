import type { CurrencySettings } from '../fields/cost-format.ts';
import { paragraphs } from '../html/paragraphs.ts';
import { dropGalleries } from '../html/render.ts';
import { escapeHtml } from '../html/sanitize.ts';
import { stripMarkup, trimSpace, withoutBlockMarks } from '../html/tokens.ts';
import type { Entry, Related, Row } from '../record.ts';
import { isoDate } from '../time/time.ts';

/** Maximum number of words of a description in schema.org data. */
const maxSummaryWords = 55;

/**
 * A text for schema.org data, in the form of the reference: the excerpt, or the first words of the description, as paragraphs without other markup. It is escaped for HTML and for a script,
 * although it is in neither.
 */
export function scriptSummary(excerpt: unknown, description: unknown): string {
  const plain = trimSpace(stripMarkup(String(excerpt || '')));
  const words = trimSpace(stripMarkup(dropGalleries(withoutBlockMarks(String(description || ''))))).split(/[\n\r\t ]+/);
  const start = words.slice(0, maxSummaryWords).join(' ') + (words.length > maxSummaryWords ? ' [&hellip;]' : '');
  const html = paragraphs(plain || start);
  return escapeHtml(html && `${html}\n`)
    .replaceAll('&#039;', "'")
    .replaceAll('\r', '')
    .replace(/[\\']/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** A name in schema.org data, in the reference's form (`events.get.every-field`): protected and private records are marked. */
const thing = (name: unknown, row: Row) =>
  row.post_password ? `Protected: ${name}` : row.status === 'private' ? `Private: ${name}` : name;
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
  const values = (entry.cost_details as { values: string[] }).values;
  const offer = {
    '@type': 'Offer',
    // schema.org requires a number.
    price: values[0] === 'free' ? '0' : (values[0] ?? entry.cost),
    priceCurrency: currency.code || 'USD',
    url: entry.url,
    category: 'primary',
    availability: 'inStock',
    // The day of publication; a draft has no time in UTC.
    validFrom: `${String(String(row.date_utc) > '0001' ? row.date_utc : row.date).slice(0, 10)}T00:00:00+00:00`,
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
    startDate: isoDate(String(row.start_date), zone),
    endDate: isoDate(String(row.end_date), zone),
    ...(venue ? { location: venue.json_ld ?? false } : {}),
    ...(organizer ? { organizer: organizer.json_ld ?? false } : {}),
    ...(entry.cost === '' ? {} : { offers: offer }),
    performer: 'Organization',
  };
}
