import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import { type Computed, responseForm } from '../fields/response.ts';
import type { Columns, Row } from '../record.ts';
import { derived, type PostDefinition } from '../resource.ts';
import { placeData } from './json-ld.ts';
import { globalIds, linkedFilters, linkedJsonLd, linkedList, postColumns, postComputed, postMembers } from './post.ts';

const optional: Partial<field.FieldKind> = { wire: { type: 'string', default: null } };

const venueFields = field.defineFields({
  author: field.author('Author'),
  date: field.calendarDate('Publication date', {
    stored: { column: { type: 'TEXT' } },
    compared: { value: null },
  }),
  date_utc: field.utcDate('Publication date in UTC', {
    stored: { column: { type: 'TEXT' } },
  }),
  venue: field.title('Name', {
    required: true,
    shown: { redacted: [] },
  }),
  description: field.prose('Description; may contain HTML', optional),
  status: field.status('Publication status'),
  show_map: field.wordFlag('Show a map on events at this venue'),
  show_map_link: field.wordFlag('Show a map link on events at this venue'),
  address: field.line('Street address', optional),
  city: field.line('City', optional),
  country: field.line('Country', optional),
  province: field.line('Province', optional),
  state: field.line('State', optional),
  zip: field.line('Postal code', optional),
  phone: field.line('Phone number', optional),
  stateprovince: field.line('State or province', optional),
  website: field.url('Website URL', { type: 'string', default: null }),
  image: field.image('ID or URL of an image', { clearable: true }),
  post_password: field.secret('Password that protects the content'),
  geo_lat: field.degrees('Latitude in degrees', 90, 'geo_lng'),
  geo_lng: field.degrees('Longitude in degrees', 180, 'geo_lat'),
});

/** The members of a venue in responses, in the reference's order (`venues.create.full`). */
const order = [
  'id',
  ...postMembers,
  'venue',
  'description',
  'slug',
  'image',
  'address',
  'city',
  'country',
  'province',
  'state',
  'zip',
  'phone',
  'website',
  'stateprovince',
  'geo_lat',
  'geo_lng',
  'json_ld',
  'show_map',
  'show_map_link',
  ...globalIds,
];

const page = { type: 'calendar_venue', base: 'venue' };

const computed: Record<string, Computed> = {
  ...postComputed(page),
  json_ld: linkedJsonLd(placeData),
};

export const venue: PostDefinition = {
  name: 'venues',
  kind: 'venue',
  family: 'post',
  isLinked: true,
  page,
  about: 'Places where events happen',
  label: 'venue',
  summary: ['id', 'venue', 'address', 'city', 'country', 'slug'],
  mainFields: ['venue', 'address', 'city', 'zip', 'country', 'phone', 'website', 'description', 'image'],
  search: ['venue', 'description', 'address', 'city', 'province', 'state', 'stateprovince', 'zip', 'phone'],
  derived: { ...postColumns, slug: { type: 'TEXT' } },
  fields: venueFields,
  resets: { status: 'publish', image: '', show_map: 'true', show_map_link: 'true', stateprovince: derived },
  response: responseForm(order, venueFields, computed, { sparse: true, newer: ['status'] }),
  list: filter.listForm(venueFields, linkedFilters, linkedList),
  derive: (_input, columns, before, ctx) => stateProvince(columns, before, ctx.resetting),
};

/** State or province, unless it was given: the state in the United States and where no country is named, else and without a state the province (`venues.create.*`). */
function stateProvince(columns: Columns, before: Row | undefined, isReset = false): Columns {
  if (columns.stateprovince !== undefined) return {};
  if (before && !isReset && !['country', 'state', 'province'].some((name) => name in columns)) return {};
  const value = (name: string) => String(columns[name] ?? before?.[name] ?? '');
  const american = ['', 'us', 'united states'].includes(value('country').toLowerCase());
  return { stateprovince: (american && value('state')) || value('province') };
}
