import type { ZodType } from 'zod';
import { type ResourceName, resourceNames } from '../calendar.ts';
import { isObject } from '../fields/coerce.ts';
import type { Zod } from '../fields/field.ts';
import { fixtureForm } from '../formats/fixture.ts';
import type { ExportInput, SeedFile } from '../operation-types.ts';
import { dateOrders } from '../time/typed/digit-date.ts';
import { isZone } from '../time/zone.ts';
import { dataFormats, type ExportFormat, exportFormats } from './formats.ts';
import { namedSchema, operation, schema } from './operation.ts';
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
/** A part of a calendar that a reset can keep. */
export type Keepable = (typeof keepable)[number];

const text = (z: Zod) => z.string().optional();
const flag = (z: Zod) => z.boolean().optional();
const anyObject = (z: Zod): ZodType<object> => z.record(z.string(), z.unknown()).meta({ typeName: 'object' });

const resetInput = namedSchema('ResetInput', 'Parts to reset, and the state to reset them to', (z) =>
  z.strictObject({
    ...dryRun(z),
    to: text(z).describe('"start" (default), "empty", or the name of a snapshot'),
    generated: flag(z).describe('Delete generated records only'),
    keep: z.array(z.enum(keepable)).optional().describe('Parts to keep'),
    as_start: flag(z).describe('Make the current state the start first: records, clock and faults as they are'),
  }),
);

const undoInput = namedSchema('UndoInput', 'Options of an undo', (z) =>
  z.strictObject({ discard: flag(z).describe('Discard what was changed after the change that is undone. Without it, that is a conflict') }),
);

const seedFile = namedSchema('SeedFile', 'The content of a file that imports read, as a seed', (z) =>
  z.strictObject({
    name: text(z).describe('Name in messages; its extension tells the format'),
    text: text(z).describe('The content'),
    base64: z.base64().optional().describe('The content in base64, for another encoding than UTF-8'),
  }),
);

/** The schema of a seed: its name, the content of a file, or a fixture. */
export const seedForm = (z: Zod) => z.union([z.string(), seedFile(z), anyObject(z)]);

/** True for the content of a file; other objects are fixtures. */
export const isSeedFile = (seed: unknown): seed is SeedFile =>
  isObject(seed) && (typeof seed.text === 'string' || typeof seed.base64 === 'string');

const seedInput = namedSchema('SeedInput', 'A seed, and what to do with existing records', (z) =>
  z.strictObject({
    ...dryRun(z),
    seed: seedForm(z).describe('Name of a seed, the content of a file, or a fixture'),
    name: text(z).describe('Name of the fixture in messages'),
    append: flag(z).describe('Add to the existing records'),
    replace: flag(z).describe('Delete all existing records first'),
    upsert: flag(z).describe('Update records that have the same slug, and add the others'),
    keep_settings: flag(z).describe('Leave settings and users as they are'),
  }),
);

const countsByResource = (z: Zod) => {
  const count = z.int().min(0).max(9_999_999).optional().describe('Number of records to create');
  return Object.fromEntries(resourceNames.map((name) => [name, count])) as Record<ResourceName, typeof count>;
};

const generateInput = namedSchema('GenerateInput', 'Numbers of records to generate, and their dates and time zones', (z) =>
  z.strictObject({
    ...dryRun(z),
    ...countsByResource(z),
    rng_seed: z.union([z.string(), z.number()]).optional().describe('The same text or number generates the same records'),
    from: text(z).describe('First day of the events, like 2027-03-01'),
    until: text(z).describe('Last day of the events, like 2027-03-31'),
    zones: z.array(z.string().refine(isZone, 'must be a time zone, like Europe/Paris')).optional().describe('Time zones of the events'),
  }),
);

const importInput = namedSchema('ImportInput', 'Source to import, and options for reading it', (z) =>
  z.strictObject({
    ...dryRun(z),
    name: text(z).describe('Name of the source in messages; its extension tells the format'),
    text: text(z).describe('The source itself, instead of a file'),
    base64: z.base64().optional().describe('The source in base64, for another encoding than UTF-8'),
    file: text(z).describe('Path on the machine of the server; for its owner'),
    format: z.enum(dataFormats).optional().describe('Format; by default from the name or the content'),
    only: resourceList(z).optional().describe('Resources to import; for a table, the one it contains'),
    map: z.record(z.string(), z.string()).optional().describe("Fields by the headings of a table; '' ignores a column"),
    key: listed(z, z.array(z.string().min(1)).min(1)).describe(
      'Fields by which rows of a table are matched with the records of earlier ones, like title and start_date',
    ),
    source: z.string().min(1).optional().describe('Name of the tables that belong together, for `key` ("tables" by default)'),
    delete_missing: flag(z).describe(
      'Move the events of the source that are not in a table with `key` to the trash. If these are more than half, `source` is required',
    ),
    skip_rows: z.int().min(0).optional().describe('Lines to skip above the headings of a table; detected by default'),
    delimiter: z
      .string()
      .refine(({ length }) => length === 1, 'must be one character')
      .optional()
      .describe('Delimiter of the cells of a table; detected by default'),
    encoding: text(z).describe('Character encoding, such as windows-1252; UTF-8 by default'),
    date_order: z.enum(dateOrders).optional().describe('Order of day, month and year in the dates of a table'),
    year: z.int().min(1).max(9999).optional().describe('Year of the dates of a table that have none'),
    tz: text(z).describe('Time zone of times without one, or with an unknown one'),
    from: text(z).describe('First day of recurring events, like 2027-03-01'),
    until: text(z).describe('Last day of recurring events, like 2027-03-31'),
    lenient: flag(z).describe('Skip invalid records and unknown headings'),
    verbose: flag(z).describe('Name every rewritten cell of a table in the notes'),
  }),
);

/** List parameters of events. */
const filters = (z: Zod) => anyObject(z).describe('List parameters of events');

const shiftInput = namedSchema('ShiftInput', 'Which events to move, and how far', (z) =>
  z.strictObject({
    ...dryRun(z),
    by: z.string().describe('A duration with a unit, like 7d, 1h30m or -P1M'),
    generated: flag(z).describe('Generated events only'),
    filters: filters(z).optional(),
  }),
);

const exportInput = namedSchema('ExportInput', 'Resources to export, and the format', (z) =>
  z.strictObject({
    format: z.enum(exportFormats).optional().describe('Format (default json)'),
    only: listed(z, resourceList(z)).describe('Resources to export; all by default'),
    fields: listed(z, z.array(z.string())).describe('Columns of a CSV file'),
  }),
);

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
    example: "await calendar.data.reset({ to: 'empty' });",
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
    example: 'await calendar.data.undo();',
    input: undoInput,
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
    about: 'Create the records of a seed, a fixture or a file',
    input: seedInput,
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
    example: "await calendar.data.generate({ events: 100, rng_seed: 'a' });",
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
    example: "await calendar.data.import({ file: 'program.csv' });",
    input: importInput,
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
    text: 'Move all events by a duration, like `7d` or `-P1M`',
    example: "await calendar.data.shift('7d');",
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
    example: "await calendar.data.hidden({ filters: { search: 'jazz' } });",
    input: namedSchema('HiddenInput', 'Which hidden events to count', (z) => z.strictObject({ filters: filters(z).optional() })),
    output: namedSchema('HiddenCount', 'The number of hidden events', (z) =>
      z.object({ count: count(z).describe('Number of hidden events') }),
    ),
  }),
  export: operation<'export', ExportInput, string>({
    id: 'export',
    method: 'GET',
    path: '/export',
    access: 'full',
    accessOf: ({ format }) => (format === 'sql' ? 'owner' : 'full'),
    about: 'Export the calendar as JSON, NDJSON, CSV, iCalendar or SQL',
    example: "await calendar.data.export({ format: 'ics' });",
    input: exportInput,
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
