import { type ResourceName, resourceNames } from '../calendar.ts';
import type { Zod } from '../fields/field.ts';
import { fixtureForm } from '../formats/fixture.ts';
import { dateOrders } from '../time/typed-date.ts';
import { isZone } from '../time/zone.ts';
import { dataFormats, type ExportFormat, exportFormats } from './formats.ts';
import { namedSchema, operation, schema, type ValueOf, type ValueSchema } from './operation.ts';
import { restored } from './snapshots.ts';
import { count, done, dryRun, listed, resourceList } from './summary.ts';

const mediaTypes: Record<ExportFormat, string> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  ics: 'text/calendar',
  sql: 'application/sql',
};

/** Parts of a calendar that a reset can keep. */
export const keepable = ['users', 'settings', 'ids', 'clock', 'faults', 'requests'] as const;
export type Keepable = (typeof keepable)[number];

const text = (z: Zod) => z.string().optional();
const flag = (z: Zod) => z.boolean().optional();

/** Parts to reset, and the state to reset them to. */
const resetInput = namedSchema('ResetInput', (z) =>
  z.strictObject({
    ...dryRun(z),
    to: text(z).describe('"start" (default), "empty", or the name of a snapshot'),
    generated: flag(z).describe('Delete generated records only'),
    keep: z.array(z.enum(keepable)).optional().describe('Parts to keep'),
  }),
);
export type ResetInput = ValueOf<typeof resetInput>;

/** A seed, and what to do with existing records. */
const seedInput = namedSchema('SeedInput', (z) =>
  z.strictObject({
    ...dryRun(z),
    seed: z.union([z.string(), z.record(z.string(), z.unknown())]).describe('Name of a seed, or a fixture'),
    name: text(z).describe('Name of the fixture in messages'),
    append: flag(z).describe('Add to the existing records'),
    replace: flag(z).describe('Delete all existing records first'),
    upsert: flag(z).describe('Update records that have the same slug, and add the others'),
  }),
);
export type SeedInput = Omit<ValueOf<typeof seedInput>, 'seed'> & { seed: string | object };

const recordCounts = (z: Zod) => {
  const count = z.int().min(0).max(9_999_999).optional().describe('Number of records to create');
  return Object.fromEntries(resourceNames.map((name) => [name, count])) as Record<ResourceName, typeof count>;
};

/** Numbers of records to generate, and their dates and time zones. */
const generateInput = namedSchema('GenerateInput', (z) =>
  z.strictObject({
    ...dryRun(z),
    ...recordCounts(z),
    rng_seed: text(z).describe('The same text generates the same records'),
    from: text(z).describe('First day of the events, like 2027-03-01'),
    until: text(z).describe('Last day of the events, like 2027-03-31'),
    zones: z.array(z.string().refine(isZone, 'must be a time zone, like Europe/Paris')).optional().describe('Time zones of the events'),
  }),
);
export type GenerateInput = ValueOf<typeof generateInput>;

/** Source to import, and options for reading it. */
const importInput = namedSchema('ImportInput', (z) =>
  z.strictObject({
    ...dryRun(z),
    name: text(z).describe('Name of the source in messages; its extension tells the format'),
    text: text(z).describe('The source itself, instead of a file'),
    base64: z.base64().optional().describe('The source in base64, for another encoding than UTF-8'),
    file: text(z).describe('Path on the machine of the server; for its owner'),
    format: z.enum(dataFormats).optional().describe('Format; by default from the name or the content'),
    only: resourceList(z).optional().describe('Resources to import; for a table, the one it contains'),
    map: z.record(z.string(), z.string()).optional().describe("Fields by the headings of a table; '' ignores a column"),
    delimiter: z
      .string()
      .refine(({ length }) => length === 1, 'must be one character')
      .optional()
      .describe('Delimiter of the cells of a table; detected by default'),
    encoding: text(z).describe('Character encoding, such as windows-1252; UTF-8 by default'),
    date_order: z.enum(dateOrders).optional().describe('Order of day, month and year in the dates of a table'),
    tz: text(z).describe('Time zone of times without one, or with an unknown one'),
    from: text(z).describe('First day of recurring events, like 2027-03-01'),
    until: text(z).describe('Last day of recurring events, like 2027-03-31'),
    lenient: flag(z).describe('Skip invalid records and unknown headings'),
  }),
);
export type ImportInput = Omit<ValueOf<typeof importInput>, 'only'> & { only?: readonly ResourceName[] };

/** List parameters of events. */
const filters = (z: Zod) => z.record(z.string(), z.unknown()).describe('List parameters of events');

/** Which events to move, and how far. */
const shiftInput = namedSchema('ShiftInput', (z) =>
  z.strictObject({
    ...dryRun(z),
    by: z.string().describe('A duration in ISO 8601, like P7D or -P1M'),
    generated: flag(z).describe('Generated events only'),
    filters: filters(z).optional(),
  }),
);
export type ShiftInput = ValueOf<typeof shiftInput>;

/** Resources to export, and the format. */
const exportInput = namedSchema('ExportInput', (z) =>
  z.strictObject({
    format: z.enum(exportFormats).optional().describe('Format (default json)'),
    only: listed(z, resourceList(z)).describe('Resources to export; all by default'),
    fields: listed(z, z.array(z.string())).describe('Columns of a CSV file'),
  }),
);
export type ExportInput = Omit<ValueOf<typeof exportInput>, 'only' | 'fields'> & {
  only?: readonly ResourceName[];
  fields?: readonly string[];
};

const plainText = (z: Zod) => z.string();

/** Operations on all records. */
export const data = {
  reset: operation({
    id: 'reset',
    method: 'POST',
    path: '/reset',
    access: 'full',
    changes: true,
    serialized: true,
    about: 'Reset everything to the start, to a snapshot, or to empty',
    example: "{ to: 'empty' }",
    input: resetInput,
    output: done,
  }),
  undo: operation({
    id: 'undo',
    method: 'POST',
    path: '/undo',
    access: 'full',
    changes: true,
    serialized: true,
    about: 'Undo the last reset, import or other change of many records',
    output: restored,
  }),
  seed: operation({
    id: 'seed',
    method: 'POST',
    path: '/seed',
    access: 'full',
    takesData: true,
    changes: true,
    serialized: true,
    about: 'Create the records of a seed or a fixture',
    input: seedInput as ValueSchema<SeedInput>,
    output: done,
  }),
  generate: operation({
    id: 'generate',
    method: 'POST',
    path: '/generate',
    access: 'full',
    changes: true,
    serialized: true,
    about: 'Generate random but reproducible records',
    example: "{ events: 100, rng_seed: 'a' }",
    input: generateInput,
    output: done,
  }),
  import: operation({
    id: 'import',
    method: 'POST',
    path: '/import',
    access: 'full',
    takesData: true,
    accessOf: ({ file }) => (file === undefined ? 'full' : 'owner'),
    changes: true,
    serialized: true,
    about: 'Import records from JSON, NDJSON, CSV or iCalendar',
    example: "{ file: 'program.csv' }",
    input: importInput as unknown as ValueSchema<ImportInput>,
    output: done,
  }),
  shift: operation({
    id: 'shift',
    method: 'POST',
    path: '/shift',
    access: 'full',
    changes: true,
    serialized: true,
    about: 'Move events by a duration: all of them, or those that list parameters select',
    text: 'Move all events by a duration, like `P7D` or `-P1M`',
    example: "'P7D'",
    arg: 'by',
    input: shiftInput,
    output: done,
  }),
  hidden: operation({
    id: 'countHidden',
    method: 'POST',
    path: '/hidden',
    access: 'full',
    about: 'Count the hidden events that list parameters select',
    example: "{ filters: { search: 'jazz' } }",
    input: schema((z) => z.strictObject({ filters: filters(z).optional() })),
    output: schema((z) => z.object({ count: count(z).describe('Number of hidden events') })),
  }),
  export: operation<'export', ExportInput, string>({
    id: 'export',
    method: 'GET',
    path: '/export',
    access: 'full',
    accessOf: ({ format }) => (format === 'sql' ? 'owner' : 'full'),
    about: 'Export the calendar as JSON, NDJSON, CSV, iCalendar or SQL',
    example: "{ format: 'ics' }",
    input: exportInput as unknown as ValueSchema<ExportInput>,
    output: {
      form: 'text',
      types: {
        'application/json': schema((z) => fixtureForm(z).meta({ id: 'Fixture' })),
        'application/x-ndjson': plainText,
        'text/csv': plainText,
        'text/calendar': plainText,
        'application/sql': plainText,
      },
      typeOf: ({ format = 'json' }: ExportInput) => mediaTypes[format],
    },
  }),
};
