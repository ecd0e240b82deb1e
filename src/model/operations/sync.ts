import { type ResourceName, resourceNames } from '../calendar.ts';
import type { Problem } from '../error.ts';
import type { Zod } from '../fields/field.ts';
import { operation, schema } from './operation.ts';
import { type Conflict, conflictList, type DryRun, done, dryRun, problemList, resourceList } from './summary.ts';

/** Fields that were changed differently on both sides, with their last common value. */
export type FieldConflicts = Conflict['fields'];

/** Sides that can win a conflict: this calendar, or the site. */
const sides = ['ours', 'theirs'] as const;
/** The side that wins a conflict: this calendar (`ours`), or the site. */
export type ConflictSide = (typeof sides)[number];

/** Where to copy a calendar from, and which parts. */
export interface PullInput extends DryRun {
  /** Address that the routes of the other calendar start with. */
  root: string;
  /** Namespace of the API, if root is only an address of the site; that which the calendar remembers comes first. */
  namespace?: string;
  /** Value of the Authorization header. */
  authorization?: string;
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>>;
  /** Resources to copy; all by default. */
  only?: readonly ResourceName[];
  /** Copy deletions too; records that were never copied are not deleted. */
  delete?: boolean;
  /** Side that wins conflicts: ours is this calendar. */
  prefer?: ConflictSide;
  /** Do what would need a confirmation: without it, the operation fails with not-confirmed. */
  yes?: boolean;
  /** Treat a calendar at another path of a host as another one than that of the file (true), or as the same (false). */
  separate?: boolean;
}
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
const pullInput = schema<PullInput>((z) => z.strictObject(pullMembers(z)));

/** Where to copy a calendar to, and which parts. */
export interface PushInput extends PullInput {
  /** Leave out the records that the site would not publish, because the user may not. */
  unpublished?: boolean;
}
const pushInput = schema<PushInput>((z) =>
  z.strictObject({
    ...pullMembers(z),
    unpublished: z.boolean().optional().describe('Leave out the records that the site would not publish, because the user may not'),
  }),
);

/** A pull of the site that a server pulls from. */
export interface PullNowInput {
  /** Address of the site; fails with not-found if the server pulls from another one. */
  root?: string;
}
const pullNowInput = schema<PullNowInput>((z) =>
  z.strictObject({ root: z.url().optional().describe('Address of the site; fails with not-found if the server pulls from another one') }),
);

/** Which conflicts to resolve, and how. */
export interface ResolveInput {
  /** Resource of the record; any by default. */
  resource?: ResourceName;
  /** ID of the record in this calendar; all conflicts by default. */
  id?: number;
  /** Side that wins: ours is this calendar. Either this or fields. */
  prefer?: ConflictSide;
  /** Fields of one record by the side that wins them; the dates and the time zone are `dates`. Others stay a conflict. */
  fields?: {
    /** Fields that keep the values in this calendar. */
    ours?: string[];
    /** Fields that take the values of the site. */
    theirs?: string[];
  };
}
const resolveInput = schema<ResolveInput>((z) =>
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

/** A pull or a push of some resources. */
export interface PartialSync {
  /** Direction. */
  what: 'pulled' | 'pushed';
  /** Time. */
  at: string;
  /** The resources. */
  only: ResourceName[];
}

/** The state of the copies of a site. */
export interface SiteStatus {
  /** Host and path of the site. */
  site: string;
  /** Where its API was found; null in files of earlier versions. */
  address: string | null;
  /** Time of the last complete pull. */
  pulled: string | null;
  /** Time of the last complete push. */
  pushed: string | null;
  /** The last pull or push of some resources since. */
  part: PartialSync | null;
  /** True if nothing is left to copy; null if the site was never copied completely, or if it failed when the server last asked it. */
  in_step: boolean | null;
  /** One line that says so. */
  text: string;
  /** Records changed here since they were copied, without conflicts. */
  local: {
    /** Number of created records. */
    created: number;
    /** Number of updated records. */
    updated: number;
    /** Number of deleted records. */
    deleted: number;
  };
  /** Records changed on the site that the last push saw and did not copy. */
  remote_changes: number;
  /** Number of unresolved conflicts. */
  conflicts: number;
  /** Other records of the site that the last complete pull or push did not copy. */
  left: Problem[];
  /** Number of records that were being sent when a push was interrupted. */
  interrupted: number;
  /** Number of values that the site does not accept. */
  not_accepted: number;
  /** Number of new records with a password, which can't be sent. */
  protected: number;
}
const siteStatus = schema<SiteStatus>((z) =>
  z.object({
    site: z.string().describe('Host and path of the site'),
    address: z.string().nullable().describe('Where its API was found; null in files of earlier versions'),
    pulled: z.string().nullable().describe('Time of the last complete pull'),
    pushed: z.string().nullable().describe('Time of the last complete push'),
    part: z
      .object({
        what: z.enum(['pulled', 'pushed']).describe('Direction'),
        at: z.string().describe('Time'),
        only: z.array(z.enum(resourceNames)).describe('The resources'),
      })
      .nullable()
      .describe('The last pull or push of some resources since'),
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
    protected: z.int().describe("Number of new records with a password, which can't be sent"),
  }),
);

/** The records that were changed differently here and on a site. */
export interface ConflictList {
  /** The unresolved conflicts. */
  conflicts: Conflict[];
}

/** The sites that the calendar was copied from or to. */
export interface SiteList {
  /** The copied sites. */
  sites: SiteStatus[];
}

export const sync = {
  pull: operation({
    id: 'pull',
    method: 'POST',
    path: '/pull',
    access: 'trusted',
    changes: true,
    serialized: true,
    about: 'Copy a calendar from another server',
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
    input: pushInput,
    output: done,
  }),
  conflicts: operation({
    id: 'conflicts',
    method: 'GET',
    path: '/conflicts',
    access: 'full',
    about: 'List records that were changed differently here and on another server',
    output: schema<ConflictList>((z) => z.object({ conflicts: conflictList(z).describe('The unresolved conflicts') })),
  }),
  resolveConflicts: operation({
    id: 'resolveConflicts',
    method: 'POST',
    path: '/conflicts/resolve',
    access: 'full',
    changes: true,
    serialized: true,
    about: 'Resolve conflicts in favor of one side',
    input: resolveInput,
    output: done,
  }),
  sites: operation({
    id: 'sites',
    method: 'GET',
    path: '/sites',
    access: 'full',
    about: 'Show local and remote changes of copied calendars',
    output: schema<SiteList>((z) => z.object({ sites: z.array(siteStatus(z)).describe('The copied sites') })),
  }),
};
