import type { ZodType } from 'zod';
import { resourceNames } from '../calendar.ts';
import type { Problem } from '../error.ts';
import type { Zod } from '../fields/field.ts';
import { readTime, type Time, type TimeUse, timeForms } from '../time/duration.ts';
import { namedSchema, schema } from './operation.ts';

/** Outcomes of an operation for a record. */
export const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'deleted'] as const;
/** The outcome of an operation for a record. */
export type Outcome = (typeof outcomes)[number];

/** The input of every operation that changes many records. */
export interface DryRun {
  /** Report what would be done, without doing it. */
  dry_run?: boolean;
  /** List every changed record, not only the counts. */
  list?: boolean;
}
export const dryRun = (z: Zod) => ({
  dry_run: z.boolean().optional().describe('Report what would be done, without doing it'),
  list: z.boolean().optional().describe('List every changed record, not only the counts'),
});

export const count = (z: Zod) => z.int().min(0);
/** The forms of a time, for a union. */
export const times = (z: Zod, use: TimeUse) => {
  const isTime = (value: unknown) => readTime(value, use) !== undefined;
  const message = `must be ${timeForms(use)}`;
  return [z.number().refine(isTime, message), z.string().refine(isTime, message)] as const;
};
export const time = (z: Zod, use: TimeUse) => z.union(times(z, use), `must be ${timeForms(use)}`).meta({ typeName: 'Time' });
/** A time that the operation itself checks. */
export const anyTime = (z: Zod): ZodType<Time> => z.union([z.number(), z.string()]).meta({ typeName: 'Time' });
export const took = (z: Zod) => z.number().min(0).describe('Milliseconds');
export const undoSnapshot = (z: Zod) => z.string().optional().describe('The snapshot of the state before, where one was saved');
export const resourceList = (z: Zod) => z.array(z.enum(resourceNames));
/** A list that a query gives as a text with commas. */
export const listed = <List extends ReturnType<Zod['array']>>(z: Zod, list: List) =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), list.optional());

const recordChange = namedSchema('RecordChange', 'The outcome of one record', (z) =>
  z.object({
    action: z.enum(outcomes).describe('Outcome for the record'),
    resource: z.enum(resourceNames).describe('Resource of the record'),
    id: z.int().optional().describe('Its ID in this calendar'),
    name: z.string().describe('Title or name'),
    start_date: z.string().optional().describe('Start of an event, as a local time'),
    end_date: z.string().optional().describe('End of an event, as a local time'),
    timezone: z.string().optional().describe('Time zone of an event, like Europe/Paris'),
    all_day: z.boolean().optional().describe('True for an event of whole days'),
    reason: z.string().optional().describe('Why it was skipped'),
    fields: z.array(z.string()).optional().describe('Fields of an update that a push sends'),
  }),
);

const problem = schema<Problem>((z) =>
  z
    .object({
      at: z.string().describe('Location, like line 12'),
      reason: z.string().describe('Phrase about the problem'),
      told: z.boolean().optional().describe('True for a standing fact of a site that was told before'),
    })
    .meta({ typeName: 'Problem' }),
);

export const problemList = (z: Zod) => z.array(problem(z));

const conflict = namedSchema('Conflict', 'A record that was changed differently in this calendar and on a site', (z) =>
  z.object({
    resource: z.enum(resourceNames).describe('Resource of the record'),
    id: z.int().describe('ID of the record in this calendar'),
    remote: z.int().describe('ID of the record on the site'),
    site: z.string().describe('Address of the site'),
    name: z.string().describe('Title or name of the record'),
    kind: z
      .enum(['edited', 'deleted-here', 'deleted-there', 'withdrawn', 'not-accepted'])
      .describe(
        'Edited on both sides; deleted on one side, or withdrawn by the site, and edited on the other; or edited here and not accepted by the site',
      ),
    fields: z
      .record(
        z.string(),
        z.object({
          base: z.unknown().describe('Last common value'),
          local: z.unknown().describe('Value in this calendar'),
          remote: z.unknown().describe('Value on the site'),
        }),
      )
      .describe('Fields that were changed differently on both sides'),
  }),
);
export const conflictList = (z: Zod) => z.array(conflict(z));

const tableHeadings = namedSchema('TableHeadings', 'The headings of a table, and the fields that they can have', (z) =>
  z.object({
    headings: z
      .array(
        z.object({
          heading: z.string().describe('Text in the table'),
          field: z.string().optional().describe("Its field; '' for a column that is left out, none for an unknown heading"),
          guess: z.string().optional().describe('The field that an unknown heading most likely means'),
        }),
      )
      .describe('The headings, in the order of the columns'),
    fields: z.array(z.string()).describe('The fields that `map` can give to a heading'),
  }),
);

export const done = namedSchema('Done', 'Outcome of an operation on many records', (z) =>
  z
    .object({
      ...(Object.fromEntries(outcomes.map((outcome) => [outcome, count(z).describe(`Number of ${outcome} records`)])) as Record<
        Outcome,
        ReturnType<typeof count>
      >),
      dry_run: z.boolean().describe('True if nothing was written'),
      records: z.array(recordChange(z)).describe('Every changed record, where `list` is set'),
      problems: problemList(z).describe('What is wrong with records that were left out'),
      notes: problemList(z).describe('Remarks, such as why records were skipped'),
      conflicts: conflictList(z).optional().describe('Records that were changed differently on both sides, by `pull` and `push`'),
      conversions: z.record(z.string(), count(z)).describe('Number of converted values by kind, such as `rewritten dates`'),
      added: z
        .partialRecord(z.enum(resourceNames), z.array(z.string()))
        .optional()
        .describe('Names of the records that were created because imported ones refer to them, by resource'),
      table: tableHeadings(z).optional().describe('The headings of an imported table, where `list` is set'),
      undo: undoSnapshot(z),
      in_flight: z.array(z.string()).optional().describe('Requests that a reset interrupted, like POST /events'),
      took: took(z),
    })
    .meta({ id: 'Done' }),
);
