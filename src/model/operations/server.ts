import type { Zod } from '../fields/field.ts';
import { clockState } from './clock.ts';
import { faultInfo } from './faults.ts';
import { type FollowInput, type Messages, messageTypes, publicMessages } from './messages.ts';
import { namedSchema, operation, schema } from './operation.ts';
import { count, listed } from './summary.ts';

/** The mistakes of clients that a server rejects: all of them, those in names, or none. */
export const strictness = (z: Zod) => z.union([z.boolean(), z.literal('names')], 'must be true, false or names');

/** The number of rows by resource. */
const recordCounts = schema((z) => z.record(z.string(), count(z)).describe('Number of records by resource, including the trash'));

const healthOutput = namedSchema('Health', 'The state of a calendar and its server', (z) =>
  z
    .object({
      version: z.string().describe('Version of this program'),
      url: z.string().nullable().describe('Address that the API starts with; null without a server'),
      file: z.string().nullable().describe('Path of the file; null for a calendar in memory'),
      seed: z.string().nullable().describe('The seed it was started with'),
      records: recordCounts(z),
      uptime: z.number().min(0).describe('Seconds since it was opened'),
      clock: clockState(z).describe('State of the clock'),
      faults: count(z).describe('Number of faults that are not used up; 0 without a server'),
      access: z.enum(['full', 'read']).describe('`full` if the caller may change the calendar as a whole'),
      copy: z
        .object({
          site: z.string().describe('Host of the site'),
          as_of: z.string().nullable().describe('When the last complete pull ended; null before'),
          text: z.string().describe('Age of the copy, and what happens next'),
        })
        .optional()
        .describe('The copy of a site that the server pulls from; absent for others'),
    })
    .meta({ id: 'Health' }),
);

const fileInfo = namedSchema('FileInfo', 'Figures about the file of a calendar', (z) =>
  z.object({
    file: z.string().optional().describe('Path of the file; absent for a calendar in memory'),
    durability: z.string().optional().describe('When writes are acknowledged, like full'),
    schema: z.int().describe('Version of the format'),
    pageSize: count(z).describe('Bytes per page of the database'),
    pages: count(z).describe('Number of pages of the database'),
    version: count(z).optional().describe('Number of changes since it was opened'),
    fileBytes: count(z).describe('Size of the file in bytes'),
    logBytes: count(z).describe('Size of the log in bytes'),
    checkpoints: count(z).optional().describe('Number of times the log was written into the file'),
    failure: z.string().optional().describe('Why changes are rejected'),
    records: recordCounts(z),
  }),
);

const nothing = schema((z) => z.null());

const followInput = schema<FollowInput>((z) =>
  z.strictObject({
    after: z.string().optional().describe('ID of the last message received; starts with new messages by default'),
    types: listed(z, z.array(z.enum(messageTypes))).describe('Types of messages; all by default'),
  }),
);

/** Operations on the server. */
export const server = {
  health: operation({
    id: 'health',
    method: 'GET',
    path: '/health',
    access: 'everyone',
    about: 'Get version, address, number of records and uptime',
    example: 'await calendar.health();',
    limitOutput: (output) => ({ ...output, access: 'read' as const }),
    output: healthOutput,
  }),
  ready: operation({
    id: 'ready',
    method: 'GET',
    path: '/ready',
    access: 'everyone',
    about: 'Get the same once the server is ready; 503 before',
    example: 'await calendar.ready();',
    output: healthOutput,
  }),
  strict: operation({
    id: 'setStrict',
    method: 'PUT',
    path: '/strict',
    access: 'full',
    about: "Reject a client's mistakes from now on, until a reset: all of them, those in names, or none",
    text: "Reject a client's mistakes from now on, until a reset: all of them, those in names (`'names'`), or none",
    example: 'await calendar.strict(true);',
    arg: 'strict',
    input: schema((z) => z.strictObject({ strict: strictness(z).describe('true, `names` or false') })),
    output: nothing,
  }),
  follow: operation<'events', FollowInput, AsyncIterable<Messages>>({
    id: 'events',
    method: 'GET',
    path: '/events',
    access: 'everyone',
    about: 'Follow changes, requests, resets and the clock as server-sent events',
    limitOutput: publicMessages,
    input: followInput,
    output: { form: 'stream', types: { 'text/event-stream': (z) => z.string() } },
  }),
};

/** Operations on the file of a calendar. */
export const file = {
  info: operation({
    id: 'info',
    method: 'GET',
    path: '/file',
    access: 'owner',
    about: 'Get figures about the file',
    example: 'const { fileBytes } = await calendar.file.info();',
    output: fileInfo,
  }),
  checkpoint: operation({
    id: 'checkpoint',
    method: 'POST',
    path: '/file/checkpoint',
    access: 'owner',
    ofServer: true,
    changes: true,
    about: 'Write the log into the file',
    example: 'await calendar.file.checkpoint();',
    output: nothing,
  }),
  backup: operation({
    id: 'backup',
    method: 'POST',
    path: '/file/backup',
    access: 'owner',
    ofServer: true,
    about: 'Write a copy of the file',
    example: "await calendar.file.backup('copy.db');",
    arg: 'file',
    input: schema((z) => z.strictObject({ file: z.string().min(1).describe('Path of the copy, on the machine of the server') })),
    output: nothing,
  }),
};

const testFaults = schema((z) => z.array(faultInfo(z)).describe('The faults of the test, with their hits'));

export const tests = {
  begin: operation({
    id: 'beginTest',
    method: 'POST',
    path: '/tests/begin',
    access: 'full',
    changes: true,
    serialized: true,
    about: 'Reset everything to the start for a test, and delete the snapshots of the one before',
    input: namedSchema('TestStart', 'The state that a test starts with', (z) =>
      z.strictObject({
        as_start: z
          .boolean()
          .optional()
          .describe('Make the current state the start first: records, clock, faults and snapshots as they are'),
      }),
    ),
    output: namedSchema('TestBegin', 'The test that the reset before the next one ended', (z) =>
      z.object({
        faults: testFaults(z),
        in_flight: z.array(z.string()).describe('Requests of the test before that were in progress, like POST /events'),
        made: count(z).describe('Number of records that requests made after the end of the test before'),
      }),
    ),
  }),
  end: operation({
    id: 'endTest',
    method: 'POST',
    path: '/tests/end',
    access: 'full',
    about: 'Note the end of a test: requests that arrive from now on belong to no test',
    output: namedSchema('TestEnd', 'The end of a test, final for the requests that have arrived', (z) =>
      z.object({
        faults: testFaults(z),
        refused: z
          .array(z.string())
          .describe('Requests during the test that selected no world, or one that is gone, like GET /events 400 world-required'),
      }),
    ),
  }),
};
