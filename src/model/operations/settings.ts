import { namedSchema, operation, schema, type ValueOf } from './operation.ts';

const settingValue = namedSchema('SettingValue', (z) =>
  z.object({ name: z.string(), value: z.string(), about: z.string().describe('Purpose of the setting') }).meta({ id: 'Setting' }),
);
/** A setting of a calendar. */
export type SettingValue = ValueOf<typeof settingValue>;

/** Values of settings, as text. */
export interface SettingValues {
  /** Time zone of the calendar, like `Europe/Paris` or `UTC+5.5`. */
  timezone?: string;
  /** Title of the calendar, like `Our town`. */
  title?: string;
  /** Default number of records per page, like `20`. */
  per_page?: string;
  /** Base URL of links when no server is running, like `https://example.org`. */
  home?: string;
  /** Search radius around `geoloc_lat` and `geoloc_lng` in kilometers, like `40`. */
  radius?: string;
}

const settingList = schema((z) => z.object({ settings: z.array(settingValue(z)) }));

export const settings = {
  list: operation({
    id: 'settings',
    method: 'GET',
    path: '/settings',
    access: 'everyone',
    about: 'List the settings',
    output: settingList,
  }),
  change: operation({
    id: 'changeSettings',
    method: 'PATCH',
    path: '/settings',
    access: 'full',
    changes: true,
    about: 'Change settings; the others stay as they are',
    input: schema((z) => z.record(z.string(), z.string())),
    output: settingList,
  }),
};
