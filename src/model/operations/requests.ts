import type { ZodType } from 'zod';
import type { Zod } from '../fields/field.ts';
import { toHar } from '../formats/har.ts';
import { hint } from '../mistakes/hints.ts';
import type { Mistake } from '../mistakes/table.ts';
import type { JournaledRequest, JournalMatch, RequestsInput } from '../operation-types.ts';
import { connectionFaults } from './connection-faults.ts';
import { namedSchema, operation, schema } from './operation.ts';
import { type Mismatch, matchMembers } from './request-match.ts';
import { count, listed, time, took } from './summary.ts';

/** Size of the part of a body that a journal keeps by default, and at most. */
export const defaultBodyBytes = 64 << 10;
export const maxBodyBytes = 16 << 20;

/** Number of requests that a journal keeps by default, and at most. */
export const defaultJournalSize = 5000;
export const maxJournalSize = 1_000_000;

const payload = namedSchema('Payload', 'Headers and body of a request or a response, without credentials', (z) =>
  z
    .object({
      headers: z.record(z.string(), z.string()).describe('Names in lower case'),
      body: z.string().describe('The first part, by default of 64 KB, without credentials'),
      bytes: count(z).describe('Size of the whole body, before compression'),
      truncated: z.boolean().optional().describe('True if only the first part is kept; absent otherwise'),
    })
    .meta({ id: 'Payload' }),
);

const mistakes = (z: Zod) =>
  z.array(z.object({ rule: z.string(), text: z.string() })).meta({ typeName: 'readonly Mistake[]' }) as unknown as ZodType<
    readonly Mistake[]
  >;
const journaledRequest = namedSchema(
  'JournaledRequest',
  'A request in the journal. Callers without full access get it without headers and bodies',
  (z) =>
    z
      .object({
        id: z.int().min(1).describe('Sequence number, starting at 1 after a start, a reset or clearing the journal'),
        time: z.iso.datetime().describe("Arrival time by the system's clock, in UTC"),
        now: z.iso.datetime().describe("Arrival time by the calendar's clock, in UTC"),
        method: z.string().describe('HTTP method, like GET'),
        protocol: z.literal('https').optional().describe('https on a server with a certificate; absent otherwise'),
        prefix: z.string().optional().describe('Start of the address that selected a world, like /_worlds/ID; absent otherwise'),
        path: z.string().describe('Path, without the query'),
        query: z.string().describe('Query, without the question mark'),
        status: z
          .int()
          .nullable()
          .describe('Status code; 0 if a fault prevented the request from being handled, null until the response ends'),
        fault: z.enum(connectionFaults).nullable().describe('The connection fault that was injected, if any'),
        took: took(z).nullable().describe('Milliseconds; null until the response ends'),
        aborted: z.boolean().describe('True if the client went away before the response ended'),
        user: z.string().nullable().describe('User name in the credentials, if any'),
        reason: z.string().nullable().describe('Error code, message and hint of the response, if any'),
        client: z.string().nullable().describe('User-Agent of the client, if any'),
        hints: mistakes(z).optional().describe('Mistakes of the client that are known from this request alone; absent without any'),
        request: payload(z).optional().describe('Headers and body of the request'),
        response: payload(z).nullable().optional().describe('Headers and body of the response; null until it ends'),
      })
      .meta({ id: 'JournaledRequest' }),
);

const statusPattern = (z: Zod) => z.union([z.int(), z.string()], 'must be a status such as 404 or 4xx');

const journalMatch = namedSchema('JournalMatch', 'Matches requests in the journal: every given member has to match', (z) =>
  z.strictObject({
    ...matchMembers(z),
    status: z
      .union([statusPattern(z), z.array(statusPattern(z)).min(1)], 'must be a status such as 404 or 4xx, or a list of these')
      .optional()
      .describe('A status such as 404 or 4xx, or several'),
    user: z.string().nullable().optional().describe('User name in the credentials; null for none'),
    aborted: z.boolean().optional().describe('True for requests whose client went away, false for the others'),
    body: z
      .unknown()
      .optional()
      .describe('Text for the whole body, or an object for members of JSON or a form; `*` matches anything, null a missing member'),
    hint: z
      .string()
      .nullable()
      .optional()
      .describe('Rule or text of a mistake of the client, like `no-credentials`; `*` matches anything, null none'),
  }),
);
/** Statuses to match: one like 404, a class like `4xx`, or several. */
export type StatusMatch = NonNullable<JournalMatch['status']>;

const match = (z: Zod) => journalMatch(z).optional().describe('Requests to match (default: all)');
const natural = (z: Zod) => z.int().min(0).optional();
/** A number in a query. */
const number = (z: Zod, minimum: number) => z.coerce.number<string | number>().int().min(minimum).optional();

/** True or false in a query. */
const textFlag = (z: Zod) => z.stringbool().or(z.boolean()).optional();

const matched = (name: keyof JournalMatch) => ({ typeName: `JournalMatch['${name}']` });
const requestsInput = namedSchema(
  'RequestsInput',
  'Which requests to list, the oldest first',
  (z) =>
    z.strictObject({
      method: listed(z, z.array(z.string())).meta(matched('method')).describe('Methods to list'),
      path: z.string().optional().describe('Paths to list, like /events/*'),
      status: listed(z, z.array(z.string())).meta(matched('status')).describe('Statuses to list, like 404 or 4xx'),
      user: z.string().optional().meta(matched('user')).describe('User whose requests to list'),
      aborted: textFlag(z).describe('True for requests whose client went away, false for the others'),
      hint: z
        .string()
        .optional()
        .meta(matched('hint'))
        .describe('Rule or text of a mistake of the client, like `no-credentials`; `*` for any'),
      after: number(z, 0).describe('List requests after this ID'),
      limit: number(z, 1).describe('Maximum number of requests: the last ones, or the first ones after an ID'),
      brief: textFlag(z).describe('Leave out headers and bodies'),
      format: z.literal('har').optional().describe('Output an HTTP Archive for the developer tools of browsers'),
    }) as unknown as ZodType<RequestsInput>,
);
/** A request without what only callers with full access see. */
export const withoutNames = <Request extends JournaledRequest>(request: Request): Request => ({ ...request, user: null });

const requestList = namedSchema('RequestList', 'Requests in the journal, the oldest first', (z) =>
  z.object({
    requests: z.array(journaledRequest(z)).describe('The requests, the oldest first'),
    total: count(z).describe('Number of all requests, including those no longer kept'),
    dropped: count(z).describe('Number of requests that are no longer kept'),
  }),
);

const verifyInput = namedSchema('VerifyInput', 'Which requests to count, and their expected number', (z) =>
  z.strictObject({
    match: z
      .union([journalMatch(z), z.array(journalMatch(z)).min(1)])
      .optional()
      .describe('Requests to match (default: all); those of a list are expected in this order'),
    exactly: natural(z).describe('Expect this number of requests'),
    atLeast: natural(z).describe('Expect this number or more (default 1)'),
    atMost: natural(z).describe('Expect this number or fewer'),
    never: z.boolean().optional().describe('Expect none'),
    nothingElse: z.boolean().optional().describe('Expect no other requests of clients'),
    retryAfter: z
      .boolean()
      .optional()
      .describe('Expect that no request that matches is repeated before the `Retry-After` of its response is over'),
  }),
);

const waitInput = namedSchema('WaitInput', 'Which requests to wait for, and how long', (z) =>
  z.strictObject({
    match: match(z),
    times: z.int().min(1).optional().describe('Number of requests to wait for (default 1)'),
    after: natural(z).describe('Count requests after this ID only'),
    timeout: time(z, 'timeout').optional().describe('Time to wait, in milliseconds or with a unit (default 30s)'),
  }),
);

const requestCount = schema((z) => z.object({ count: count(z).describe('Number of requests that match') }));

/** A request that almost matches, and its differences; without any if it is one too many. */
export interface NearRequest {
  request: JournaledRequest;
  mismatches: Mismatch[];
}

const hintsInput = namedSchema('HintsInput', 'Which mistakes of clients to list', (z) =>
  z.strictObject({
    all: textFlag(z).describe('Include those before the last reset; for the calendar of a server, also those in its worlds'),
  }),
);

const coverageRow = (z: Zod) =>
  z.array(
    z
      .object({
        name: z.string().describe('Name, like event.no-venue, list.empty, response.429 or events.create'),
        about: z.string().describe('What it is, like an event without a venue'),
        how: z.string().describe('How a test meets it, like an event of the seed shapes or a fault'),
        requests: count(z).describe('Number of requests that met it'),
      })
      .meta({ typeName: 'CoverageRow', typeText: 'Something that an app can meet' }),
  );

const coverageReport = namedSchema('CoverageReport', 'What the app met of all that a site can send, and what it did not', (z) =>
  z.object({
    met: count(z).describe('Number of variants that a request met'),
    total: count(z).describe('Number of all variants'),
    variants: coverageRow(z).describe('Kinds of events, lists and responses'),
    operations: coverageRow(z).describe('Actions on records'),
    truncated: count(z).describe('Number of responses that are longer than the log keeps, whose last records are not counted'),
  }),
);

const coverageInput = namedSchema('CoverageInput', 'Which requests to count', (z) =>
  z.strictObject({
    all: textFlag(z).describe('Include those before the last reset; for the calendar of a server, also those in its worlds'),
  }),
);

const matchInput = schema((z) => z.strictObject({ match: match(z) }));

export const requests = {
  list: operation({
    id: 'requests',
    method: 'GET',
    path: '/requests',
    access: 'everyone',
    // The names of users are for those who may see everything.
    accessOf: ({ user }) => (user === undefined ? 'everyone' : 'full'),
    limit: (input) => ({ ...input, brief: true }),
    limitOutput: (output) => ({ ...output, requests: output.requests.map((request) => withoutNames(request)) }),
    formOf: ({ requests }, _format, version) => toHar(requests, version),
    about: 'List the requests that the server received',
    example: "const { requests } = await calendar.requests.list({ path: '/events', limit: 10 });",
    input: requestsInput,
    output: requestList,
  }),
  clear: operation({
    id: 'clearRequests',
    method: 'DELETE',
    path: '/requests',
    access: 'full',
    about: 'Delete the requests that match from the journal; without a match all, and IDs start at 1 again',
    text: 'Delete the requests that match from the journal and return their number. Without a match, all of them are deleted, and IDs start at 1 again',
    example: "const deleted = await calendar.requests.clear({ path: '/events' });",
    arg: 'match',
    unwrap: 'deleted',
    input: matchInput,
    output: schema((z) => z.object({ deleted: count(z).describe('Number of deleted requests') })),
  }),
  count: operation({
    id: 'countRequests',
    method: 'POST',
    path: '/requests/count',
    access: 'full',
    about: 'Count the requests that match; returns 409 if the journal has dropped requests',
    text: "Count the requests that match: `{ method: 'POST', path: '/events', status: 201 }`; all by default",
    example: "const count = await calendar.requests.count({ method: 'POST', path: '/events' });",
    arg: 'match',
    unwrap: 'count',
    input: matchInput,
    output: requestCount,
  }),
  hints: operation({
    id: 'hints',
    method: 'GET',
    path: '/requests/hints',
    access: 'full',
    about: 'List the mistakes of clients in requests that succeeded; returns 409 if the journal has dropped requests',
    text: 'List the mistakes of clients in requests that succeeded, each with the first request. Throws `requests-dropped` if the log lacks some',
    example: 'expect(await calendar.requests.hints()).toEqual([]);',
    unwrap: 'hints',
    input: hintsInput,
    output: schema((z) => z.object({ hints: z.array(hint(z)).describe('The mistakes, each with its first request') })),
  }),
  coverage: operation({
    id: 'coverage',
    method: 'GET',
    path: '/requests/coverage',
    access: 'full',
    about: 'Count which kinds of events, lists, responses and operations clients met; returns 409 if the journal has dropped requests',
    text: 'Count which kinds of events, lists, responses and operations the app met since the last reset, with how to meet the others. `all` needs the option `coverage` of the server. Throws `requests-dropped` if the log lacks some',
    example: 'const { met, total } = await calendar.requests.coverage();',
    input: coverageInput,
    output: coverageReport,
  }),
  waitFor: operation({
    id: 'awaitRequests',
    method: 'POST',
    path: '/requests/wait',
    access: 'full',
    about: 'Wait until requests match; returns 409 with the closest ones after the timeout',
    text: 'Wait until requests match, and return them; at once if they are there already. A request matches from its arrival, with `status` from the end of its response. Throws `verification-failed` with the nearest requests after the timeout (default 30s)',
    example: "const requests = await calendar.requests.waitFor({ method: 'POST', path: '/events' });",
    arg: 'match',
    unwrap: 'requests',
    input: waitInput,
    output: requestList,
  }),
  verify: operation({
    id: 'verifyRequests',
    method: 'POST',
    path: '/requests/verify',
    access: 'full',
    about: 'Verify the number of requests that match; returns 409 with the closest ones if it differs',
    text: 'Verify the number of requests that match; at least one by default. A list expects one request for each match, in this order. Resolves with the number, or throws `verification-failed` with the nearest requests',
    example: "const count = await calendar.requests.verify({ path: '/events', query: { search: 'jazz' } }, { exactly: 1 });",
    arg: 'match',
    unwrap: 'count',
    input: verifyInput,
    output: requestCount,
  }),
};
