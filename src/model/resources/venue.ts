import { answerOf, type Computed } from '../fields/answer.ts';
import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import type { Columns, Row } from '../record.ts';
import { isLocked } from '../redact.ts';
import type { PostDefinition } from '../resource.ts';
import { placeData } from './json-ld.ts';
import { linkedFilters, linkedList } from './linked-filters.ts';
import { postColumns, postComputed, schemaOrg } from './post.ts';

const optional: Partial<field.FieldKind> = { wire: { type: 'string', default: null } };

const venueFields = field.fields({
  author: field.author('the user who wrote it'),
  date: field.date('when it is published', { compared: null, column: { type: 'TEXT' } }),
  date_utc: field.date('when it is published, in UTC', { column: { type: 'TEXT' } }),
  venue: field.title('its name', { required: true, redacted: [] }),
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
  geo_lat: field.degrees('degrees north', 90, 'geo_lng'),
  geo_lng: field.degrees('degrees east', 180, 'geo_lat'),
});

/** The members of a venue's answer, in the reference's order (`venues.create.full`). */
const order = [
  'id',
  'author',
  'status',
  'date',
  'date_utc',
  'modified',
  'modified_utc',
  'url',
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
  'global_id',
  'global_id_lineage',
];

const page = { type: 'calendar_venue', base: 'venue' };

const computed: Record<string, Computed> = {
  ...postComputed(page),
  json_ld: {
    answer: schemaOrg,
    onlySingle: true,
    undocumented: true,
    show: (row, _related, view, entry) => (view.single && !isLocked(row, view) ? placeData(entry, row) : undefined),
  },
};

/** Venues: where events take place. */
export const venue: PostDefinition = {
  name: 'venues',
  kind: 'venue',
  family: 'post',
  isLinked: true,
  page,
  about: 'where events take place',
  label: 'venue',
  summary: ['id', 'venue', 'address', 'city', 'country', 'slug'],
  search: ['venue', 'description', 'address', 'city', 'province', 'state', 'stateprovince', 'zip', 'phone'],
  derived: { ...postColumns, slug: { type: 'TEXT' } },
  fields: venueFields,
  answer: answerOf(order, venueFields, computed, { sparse: true }),
  list: filter.listForm(
    venueFields,
    {
      ...linkedFilters,
    },
    linkedList,
  ),
  derive: (_input, columns, before) => stateProvince(columns, before),
};

/** State or province, unless it was given: the state in the United States and where no country is named, else and without a state the province (`venues.create.*`). */
function stateProvince(columns: Columns, before: Row | undefined): Columns {
  if (columns.stateprovince !== undefined) return {};
  if (before && !['country', 'state', 'province'].some((name) => name in columns)) return {};
  const value = (name: string) => String(columns[name] ?? before?.[name] ?? '');
  const american = ['', 'us', 'united states'].includes(value('country').toLowerCase());
  return { stateprovince: (american && value('state')) || value('province') };
}
