import { resourceNames } from '../calendar.ts';
import type { Zod } from '../fields/field.ts';
import type { Conflict } from '../operation-types.ts';
import { namedSchema, operation } from './operation.ts';
import { conflictList, done, dryRun, problemList, resourceList } from './summary.ts';

/** Fields that were changed differently on both sides, with their last common value. */
export type FieldConflicts = Conflict['fields'];

/** Sides that can win a conflict: this calendar, or the site. */
const sides = ['ours', 'theirs'] as const;
/** The side that wins a conflict: this calendar (`ours`), or the site. */
export type ConflictSide = (typeof sides)[number];

const pullMembers = (z: Zod) => ({
  ...dryRun(z),
  root: z.url().describe('Address that the routes of the other calendar start with'),
  namespace: z
    .string()
    .optional()
    .describe('Namespace of the API, if root is only an address of the site; that which the calendar remembers comes first'),
  authorization: z.string().optional().describe('Value of the Authorization header'),
  headers: z.record(z.string(), z.string()).optional().describe('Further headers of every request'),
  only: resourceList(z).optional().describe('Resources to copy; all by default'),
  delete: z.boolean().optional().describe('Copy deletions too; records that were never copied are not deleted'),
  prefer: z.enum(sides).optional().describe('Side that wins conflicts: ours is this calendar'),
  yes: z.boolean().optional().describe('Do what would need a confirmation: without it, the operation fails with not-confirmed'),
  separate: z
    .boolean()
    .optional()
    .describe('Treat a calendar at another path of a host as another one than that of the file (true), or as the same (false)'),
});
const pullInput = namedSchema('PullInput', 'Where to copy a calendar from, and which parts', (z) => z.strictObject(pullMembers(z)));

const pushInput = namedSchema('PushInput', 'Where to copy a calendar to, and which parts', (z) =>
  z.strictObject({
    ...pullMembers(z),
    unpublished: z.boolean().optional().describe('Leave out the records that the site would not publish, because the user may not'),
  }),
);

const pullNowInput = namedSchema('PullNowInput', 'A pull of the site that a server pulls from', (z) =>
  z.strictObject({ root: z.url().optional().describe('Address of the site; fails with not-found if the server pulls from another one') }),
);

const resolveInput = namedSchema('ResolveInput', 'Which conflicts to resolve, and how', (z) =>
  z.strictObject({
    resource: z.enum(resourceNames).optional().describe('Resource of the record; any by default'),
    id: z.int().optional().describe('ID of the record in this calendar; all conflicts by default'),
    prefer: z.enum(sides).optional().describe('Side that wins: ours is this calendar. Either this or fields'),
    fields: z
      .strictObject({
        ours: z.array(z.string()).optional().describe('Fields that keep the values in this calendar'),
        theirs: z.array(z.string()).optional().describe('Fields that take the values of the site'),
      })
      .optional()
      .describe('Fields of one record by the side that wins them; the dates and the time zone are `dates`. Others stay a conflict'),
  }),
);

const partialSync = namedSchema('PartialSync', 'A pull or a push of some resources', (z) =>
  z.object({
    what: z.enum(['pulled', 'pushed']).describe('Direction'),
    at: z.string().describe('Time'),
    only: z.array(z.enum(resourceNames)).describe('The resources'),
  }),
);

const siteStatus = namedSchema('SiteStatus', 'The state of the copies of a site', (z) =>
  z.object({
    site: z.string().describe('Host and path of the site'),
    address: z.string().nullable().describe('Where its API was found; null if that is not known'),
    pulled: z.string().nullable().describe('Time of the last complete pull'),
    pushed: z.string().nullable().describe('Time of the last complete push'),
    part: partialSync(z).nullable().describe('The last pull or push of some resources since'),
    in_step: z
      .boolean()
      .nullable()
      .describe(
        'True if nothing is left to copy; null if the site was never copied completely, or if it failed when the server last asked it',
      ),
    text: z.string().describe('One line that says so'),
    local: z
      .object({
        created: z.int().describe('Number of created records'),
        updated: z.int().describe('Number of updated records'),
        deleted: z.int().describe('Number of deleted records'),
      })
      .describe('Records changed here since they were copied, without conflicts'),
    remote_changes: z.int().describe('Records changed on the site that the last push saw and did not copy'),
    conflicts: z.int().describe('Number of unresolved conflicts'),
    left: problemList(z).describe('Other records of the site that the last complete pull or push did not copy'),
    interrupted: z.int().describe('Number of records that were being sent when a push was interrupted'),
    not_accepted: z.int().describe('Number of values that the site does not accept'),
    protected: z.int().describe("Number of new and changed records with a password, which can't be sent"),
  }),
);

export const sync = {
  pull: operation({
    id: 'pull',
    method: 'POST',
    path: '/pull',
    access: 'trusted',
    changes: true,
    serialized: true,
    about: 'Copy a calendar from another server',
    example: "await calendar.data.pull({ root: 'https://example.org/wp-json/calendar/events/v1' });",
    input: pullInput,
    output: done,
  }),
  pullNow: operation({
    id: 'pullNow',
    method: 'POST',
    path: '/pull/now',
    access: 'full',
    changes: true,
    about: 'Pull from the site of serve --pull now',
    text: 'Pull from the site of the option `pull` now',
    example: 'const { updated } = await calendar.data.pullNow();',
    input: pullNowInput,
    output: done,
  }),
  push: operation({
    id: 'push',
    method: 'POST',
    path: '/push',
    access: 'trusted',
    changes: true,
    about: 'Copy this calendar to another server',
    example: "await calendar.data.push({ root: 'https://example.org/wp-json/calendar/events/v1', dry_run: true });",
    input: pushInput,
    output: done,
  }),
  conflicts: operation({
    id: 'conflicts',
    method: 'GET',
    path: '/conflicts',
    access: 'full',
    about: 'List records that were changed differently here and on another server',
    example: 'const { conflicts } = await calendar.data.conflicts();',
    output: namedSchema('ConflictList', 'The records that were changed differently here and on a site', (z) =>
      z.object({ conflicts: conflictList(z).describe('The unresolved conflicts') }),
    ),
  }),
  resolveConflicts: operation({
    id: 'resolveConflicts',
    method: 'POST',
    path: '/conflicts/resolve',
    access: 'full',
    changes: true,
    serialized: true,
    about: 'Resolve conflicts in favor of one side',
    example: "await calendar.data.resolveConflicts({ prefer: 'ours' });",
    input: resolveInput,
    output: done,
  }),
  sites: operation({
    id: 'sites',
    method: 'GET',
    path: '/sites',
    access: 'full',
    about: 'Show local and remote changes of copied calendars',
    example: 'const { sites } = await calendar.data.sites();',
    output: namedSchema('SiteList', 'The sites that the calendar was copied from or to', (z) =>
      z.object({ sites: z.array(siteStatus(z)).describe('The copied sites') }),
    ),
  }),
};
