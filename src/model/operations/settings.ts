import { namedSchema, operation, schema, type ValueOf } from './operation.ts';

const settingValue = namedSchema('SettingValue', (z) =>
  z.object({ name: z.string(), value: z.string(), about: z.string().describe('Purpose of the setting') }).meta({ id: 'Setting' }),
);
/** A setting of a calendar. */
export type SettingValue = ValueOf<typeof settingValue>;

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
