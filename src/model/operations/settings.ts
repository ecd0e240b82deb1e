import { resourceNames } from '../calendar.ts';
import type { Zod } from '../fields/field.ts';
import type { DeclaredFields } from '../operation-types.ts';
import { declarationForm, declaredFieldsForm } from '../resources/declared.ts';
import { namedSchema, operation, schema } from './operation.ts';
import { undoSnapshot } from './summary.ts';

const settingValue = namedSchema('SettingValue', 'A setting of a calendar', (z) =>
  z
    .object({
      name: z.string().describe('Name of the setting, like timezone'),
      value: z.string().describe('Its value as text, like Europe/Paris'),
      about: z.string().describe('Purpose of the setting'),
    })
    .meta({ id: 'Setting' }),
);

/** Values of settings. */
export interface SettingValues {
  /** Time zone of the calendar, like `Europe/Paris` or `UTC+5.5`. */
  timezone?: string;
  /** Title of the calendar, like `Our town`. */
  title?: string;
  /** Default number of records per page, like `20`. */
  per_page?: string | number;
  /** Base URL of links when no server is running, and of a server without a public URL, like `https://example.org`. */
  home?: string;
  /** Search radius around `geoloc_lat` and `geoloc_lng` in kilometers, like `40`. */
  radius?: string | number;
  /** Sign of prices without one, like `€`. */
  currency?: string;
  /** Place of this sign: `prefix` or `postfix`. */
  currency_position?: string;
  /** ISO 4217 code in `cost_details` of prices with a sign, like `EUR`. */
  currency_code?: string;
  /** Slug in the addresses of lists of events, like `events` or `es/eventos`. */
  events_slug?: string;
  /** Slug in the addresses of events, like `event`. */
  event_slug?: string;
  /** Slug in the addresses of venues, like `venue`. */
  venue_slug?: string;
  /** Slug in the addresses of organizers, like `organizer`. */
  organizer_slug?: string;
  /** Slug in the addresses of categories, after that of lists, like `category`. */
  category_slug?: string;
  /** Slug in the addresses of tags, like `tag`. */
  tag_slug?: string;
}

/** The schema of values of settings. */
export const settingValues = (z: Zod) => z.record(z.string(), z.union([z.string(), z.number()]));

const settingList = schema((z) => z.object({ settings: z.array(settingValue(z)).describe('All settings') }));

export const settings = {
  list: operation({
    id: 'settings',
    method: 'GET',
    path: '/settings',
    access: 'everyone',
    about: 'List the settings',
    example: 'const settings = await calendar.settings.list();',
    unwrap: 'settings',
    output: settingList,
  }),
  change: operation({
    id: 'changeSettings',
    method: 'PATCH',
    path: '/settings',
    access: 'full',
    changes: true,
    about: 'Change settings; the others stay as they are',
    input: schema(settingValues),
    output: settingList,
  }),
};

const declaredFields = schema<DeclaredFields>((z) =>
  declaredFieldsForm(z).meta({
    typeName: 'DeclaredFields',
    typeText: 'The fields that a calendar declares, by resource and name',
    typeIs: 'Declarations',
  }),
);
const fieldList = schema((z) => z.object({ fields: declaredFields(z) }));

const fieldInput = namedSchema('FieldInput', 'A field to declare', (z) =>
  declarationForm(z).extend({
    resource: z.enum(resourceNames).describe('Resource whose records have the field'),
    name: z.string().describe('Lowercase letters, digits and underscores'),
  }),
);

export const fields = {
  list: operation({
    id: 'fields',
    method: 'GET',
    path: '/fields',
    access: 'everyone',
    about: 'List the fields that the calendar declares',
    text: 'List the declared fields by resource and name',
    example: 'const fields = await calendar.fields.list();',
    unwrap: 'fields',
    output: fieldList,
  }),
  add: operation({
    id: 'addField',
    method: 'POST',
    path: '/fields',
    access: 'full',
    changes: true,
    about: 'Declare a field; values that records have from another site become its values',
    text: 'Declare a field',
    example: "const fields = await calendar.fields.add({ resource: 'events', name: 'age_group', type: 'string', filter: true });",
    unwrap: 'fields',
    input: fieldInput,
    output: fieldList,
  }),
  remove: operation({
    id: 'removeField',
    method: 'DELETE',
    path: '/fields/{field}',
    access: 'full',
    changes: true,
    about: 'Remove a declared field and its values',
    text: 'Remove a declared field, like `events.age_group`, and its values',
    example: "const fields = await calendar.fields.remove('events.age_group');",
    arg: 'field',
    unwrap: 'fields',
    input: schema((z) => z.strictObject({ field: z.string().describe('Resource and name, like events.age_group') })),
    output: schema((z) => z.object({ fields: declaredFields(z), undo: undoSnapshot(z) })),
  }),
};
