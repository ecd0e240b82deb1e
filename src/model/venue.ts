import * as field from './field.ts';
import { renderContent, renderTitle } from './html.ts';
import { arrangeLinked, linkedFilters } from './linked.ts';
import { globalId, head, isLocked, type Look, permalink, postColumns, veil, withoutEmpty } from './post.ts';
import type { Columns, Entry, PostResource, Row } from './resource.ts';
import { placeData } from './schema-org.ts';

const optional: Partial<field.Field> = { wire: { type: 'string', default: null } };

/** Venues: where events take place. */
export const venue: PostResource = {
  name: 'venues',
  kind: 'venue',
  family: 'post',
  about: 'where events take place',
  label: 'venue',
  search: ['venue', 'description', 'address', 'city', 'province', 'state', 'stateprovince', 'zip', 'phone'],
  derived: { ...postColumns, slug: { type: 'TEXT' } },
  fields: field.fields({
    author: field.author('the user who wrote it'),
    date: field.date('when it is published', { column: { type: 'TEXT' } }),
    date_utc: field.date('when it is published, in UTC', { column: { type: 'TEXT' } }),
    venue: field.title('its name', { required: true }),
    description: field.prose('what it is like; HTML is allowed', optional),
    status: field.status('publish, draft, pending, private or future'),
    show_map: field.wordFlag('events here show a map'),
    show_map_link: field.wordFlag('events here link to a map'),
    address: field.line('street and number', optional),
    city: field.line('city', optional),
    country: field.line('country', optional),
    province: field.line('province', optional),
    state: field.line('state', optional),
    zip: field.line('postal code', optional),
    phone: field.line('phone number', optional),
    stateprovince: field.line('state or province, whichever the country has', optional),
    website: field.url('its own page on the web', { type: 'string', default: null }),
    image: field.image('a picture: the ID of a kept image, or an image address', { clearable: true }),
    post_password: field.secret('a password that opens its texts'),
    geo_lat: field.degrees('degrees north', 90),
    geo_lng: field.degrees('degrees east', 180),
  }),
  filters: linkedFilters,
  arrange: arrangeLinked,
};

/** State or province, whichever the country has, unless it was given. As in the reference. */
export function stateProvince(columns: Columns, before: Row | undefined): Columns {
  if (columns.stateprovince !== undefined) return {};
  if (before && !['country', 'state', 'province'].some((name) => name in columns)) return {};
  const value = (name: string) => String(columns[name] ?? before?.[name] ?? '');
  const american = ['', 'us', 'united states'].includes(value('country').toLowerCase());
  return { stateprovince: american ? value('state') : value('province') };
}

const address = ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince'];

/** A venue as the API shows it. The form is the reference's; so is what a password hides. */
export function venueEntry(row: Row, image: Entry | false, look: Look): Entry {
  const locked = isLocked(row, look);
  const entry: Record<string, unknown> = {
    id: Number(row.id),
    ...head(row),
    url: permalink('venue', row, look),
    venue: renderTitle(String(row.venue)),
    description: renderContent(String(row.description)),
    slug: row.slug,
    image,
  };
  for (const name of address) entry[name] = row[name];
  if (row.geo_lat && row.geo_lng) Object.assign(entry, { geo_lat: row.geo_lat, geo_lng: row.geo_lng });
  if (look.single && !locked) entry.json_ld = placeData(entry, row);
  return withoutEmpty(entry, locked ? veil(['description', ...address], ['geo_lat', 'geo_lng'], 'venue') : {}, {
    show_map: locked ? null : row.show_map === 1,
    show_map_link: locked ? null : row.show_map_link === 1,
    global_id: globalId(row, look),
    global_id_lineage: [globalId(row, look)],
  });
}
