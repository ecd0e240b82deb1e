import { type ResourceName, resourceNames } from '../calendar.ts';
import type { Zod } from '../fields/field.ts';
import { type Declaration, type Declarations, declarationForm, declaredFieldsForm } from '../resources/declared.ts';
import { operation, schema } from './operation.ts';
import { undoSnapshot } from './summary.ts';

/** A setting of a calendar. */
export interface SettingValue {
  /** Name of the setting, like timezone. */
  name: string;
  /** Its value as text, like Europe/Paris. */
  value: string;
  /** Purpose of the setting. */
  about: string;
}
const settingValue = schema<SettingValue>((z) =>
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

/** The fields that a calendar declares, by resource and name. */
export type DeclaredFields = Declarations;
const declaredFields = schema<DeclaredFields>(declaredFieldsForm);
const fieldList = schema((z) => z.object({ fields: declaredFields(z) }));

/** A field to declare. */
export interface FieldInput extends Declaration {
  /** Resource whose records have the field. */
  resource: ResourceName;
  /** Lowercase letters, digits and underscores. */
  name: string;
}
const fieldInput = schema<FieldInput>((z) =>
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
    arg: 'field',
    unwrap: 'fields',
    input: schema((z) => z.strictObject({ field: z.string().describe('Resource and name, like events.age_group') })),
    output: schema((z) => z.object({ fields: declaredFields(z), undo: undoSnapshot(z) })),
  }),
};
