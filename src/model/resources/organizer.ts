import * as filter from '../fields/filter.ts';
import * as field from '../fields/kinds.ts';
import { type Computed, responseForm } from '../fields/response.ts';
import type { PostDefinition } from '../resource.ts';
import { personData } from './json-ld.ts';
import { globalIds, linkedFilters, linkedJsonLd, linkedList, postColumns, postComputed, postMembers } from './post.ts';

const optional: Partial<field.FieldKind> = { wire: { type: 'string', default: null } };

const organizerFields = field.defineFields({
  author: field.author('Author', { type: 'integer', default: null }),
  date: field.calendarDate('Publication date', {
    ...optional,
    stored: { column: { type: 'TEXT' } },
    compared: { value: null },
  }),
  date_utc: field.utcDate('Publication date in UTC', {
    ...optional,
    stored: { column: { type: 'TEXT' } },
  }),
  organizer: field.title('Name', {
    required: true,
    shown: { redacted: [] },
    ...optional,
  }),
  description: field.prose('Description; may contain HTML', optional),
  status: field.status('Publication status', { type: 'string', default: null }),
  phone: field.line('Phone number', optional),
  website: field.url('Website URL', { type: 'string', default: null }),
  email: field.line('Email address', optional),
  image: field.image('ID or URL of an image', { clearable: true }),
  post_password: field.secret('Password that protects the content'),
});

/** The members of an organizer in responses, in the reference's order (`organizers.create.full`). */
const order = [
  ...['id', ...postMembers, 'organizer', 'description', 'slug', 'image', 'phone', 'website', 'email', 'json_ld'],
  ...globalIds,
];

const page = { type: 'calendar_organizer', base: 'organizer' };

const computed: Record<string, Computed> = {
  ...postComputed(page),
  json_ld: linkedJsonLd(personData),
};

export const organizer: PostDefinition = {
  name: 'organizers',
  kind: 'organizer',
  family: 'post',
  isLinked: true,
  page,
  about: 'People and organizations that hold events',
  label: 'organizer',
  summary: ['id', 'organizer', 'email', 'phone', 'slug'],
  mainFields: ['organizer', 'email', 'phone', 'website', 'description', 'image'],
  search: ['organizer', 'description', 'phone', 'email', 'website'],
  derived: { ...postColumns, slug: { type: 'TEXT' } },
  fields: organizerFields,
  resets: { status: 'publish', image: '' },
  response: responseForm(order, organizerFields, computed, { sparse: true, newer: ['status'] }),
  list: filter.listForm(organizerFields, linkedFilters, linkedList),
};
