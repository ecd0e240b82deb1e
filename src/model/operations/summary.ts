import { resourceNames } from '../calendar.ts';
import type { Zod } from '../fields/field.ts';
import { namedSchema, type ValueOf } from './operation.ts';

/** Outcomes of an operation for a record. */
export const outcomes = ['created', 'updated', 'unchanged', 'skipped', 'deleted'] as const;
export type Outcome = (typeof outcomes)[number];

/** Members of the input of every operation that changes many records. */
export const dryRun = (z: Zod) => ({
  dry_run: z.boolean().optional().describe('Report what would be done, without doing it'),
  list: z.boolean().optional().describe('List every changed record, not only the counts'),
});
/** The input of every operation that changes many records. */
export interface DryRun {
  dry_run?: boolean;
  list?: boolean;
}

export const count = (z: Zod) => z.int().min(0);
export const took = (z: Zod) => z.number().min(0).describe('Milliseconds');
export const undoSnapshot = (z: Zod) => z.string().optional().describe('The snapshot of the state before, where one was saved');
export const resourceList = (z: Zod) => z.array(z.enum(resourceNames));
/** A list that a query gives as a text with commas. */
export const listed = <List extends ReturnType<Zod['array']>>(z: Zod, list: List) =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',') : value), list.optional());

/** The outcome of one record. */
const recordChange = namedSchema('RecordChange', (z) =>
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
  }),
);
export type RecordChange = ValueOf<typeof recordChange>;

/** A problem in external data: its location (`line 12`, `events.opening.start_date`), and a phrase about it. */
const problem = namedSchema('Problem', (z) =>
  z.object({ at: z.string().describe('Location, like line 12'), reason: z.string().describe('Phrase about the problem') }),
);

/** A record that was changed differently in this calendar and on a site. */
const conflict = namedSchema('Conflict', (z) =>
  z.object({
    resource: z.enum(resourceNames).describe('Resource of the record'),
    id: z.int().describe('ID of the record in this calendar'),
    remote: z.int().describe('ID of the record on the site'),
    site: z.string().describe('Address of the site'),
    name: z.string().describe('Title or name of the record'),
    kind: z
      .enum(['edited', 'deleted-here', 'deleted-there'])
      .describe('Edited on both sides, or deleted on one side and edited on the other'),
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
export type Conflict = ValueOf<typeof conflict>;
export const conflictList = (z: Zod) => z.array(conflict(z));

/** Outcome of an operation on many records. */
export const done = namedSchema('Done', (z) =>
  z
    .object({
      ...(Object.fromEntries(outcomes.map((outcome) => [outcome, count(z).describe(`Number of ${outcome} records`)])) as Record<
        Outcome,
        ReturnType<typeof count>
      >),
      dry_run: z.boolean().describe('True if nothing was written'),
      records: z.array(recordChange(z)).describe('Every changed record, where `list` is set'),
      problems: z.array(problem(z)).describe('What is wrong with records that were left out'),
      notes: z.array(problem(z)).describe('Remarks, such as why records were skipped'),
      conflicts: conflictList(z).optional().describe('Records that were changed differently on both sides, by `pull` and `push`'),
      conversions: z.record(z.string(), count(z)).describe('Number of converted values by kind, such as `rewritten cells`'),
      undo: undoSnapshot(z),
      in_flight: z.array(z.string()).optional().describe('Requests that a reset interrupted, like POST /events'),
      took: took(z),
    })
    .meta({ id: 'Done' }),
);
export type Done = ValueOf<typeof done>;
