import type { Zod } from '../fields/field.ts';
import { toHar } from '../formats/har.ts';
import { connectionFaults } from './connection-faults.ts';
import { namedSchema, operation, schema, type ValueOf, type ValueSchema } from './operation.ts';
import { type Mismatch, requestMatch } from './request-match.ts';
import { count, listed, took } from './summary.ts';

/** Number of requests that a journal keeps by default, and at most. */
export const defaultJournalSize = 5000;
export const maxJournalSize = 1_000_000;

/** Headers and body of a request or a response, without credentials. */
const payload = namedSchema('Payload', (z) =>
  z
    .object({
      headers: z.record(z.string(), z.string()).describe('Names in lower case'),
      body: z.string().describe('The first 64 KB, without credentials'),
      bytes: count(z).describe('Size of the whole body, before compression'),
    })
    .meta({ id: 'Payload' }),
);
export type Payload = ValueOf<typeof payload>;

/** A request in the journal. Callers without full access get it without headers and bodies. */
const journaledRequest = namedSchema('JournaledRequest', (z) =>
  z
    .object({
      id: z.int().min(1).describe('Sequence number, starting at 1 after a start, a reset or clearing the journal'),
      time: z.iso.datetime().describe("Arrival time by the system's clock, in UTC"),
      now: z.iso.datetime().describe("Arrival time by the calendar's clock, in UTC"),
      method: z.string().describe('HTTP method, like GET'),
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
      request: payload(z).optional().describe('Headers and body of the request'),
      response: payload(z).nullable().optional().describe('Headers and body of the response; null until it ends'),
    })
    .meta({ id: 'JournaledRequest' }),
);
export type JournaledRequest = ValueOf<typeof journaledRequest>;
/** A request in the journal, in short. */
export type RequestSummary = Omit<JournaledRequest, 'now' | 'request' | 'response'>;

const status = (z: Zod) => z.union([z.int(), z.string()], 'must be a status such as 404 or 4xx');

/** Matches requests in the journal: every given member has to match. */
const journalMatch = namedSchema('JournalMatch', (z) =>
  requestMatch(z).extend({
    status: z
      .union([status(z), z.array(status(z)).min(1)], 'must be a status such as 404 or 4xx, or a list of these')
      .optional()
      .describe('A status such as 404 or 4xx, or several'),
    user: z.string().nullable().optional().describe('User name in the credentials; null for none'),
    aborted: z.boolean().optional().describe('True for requests whose client went away, false for the others'),
    body: z
      .unknown()
      .optional()
      .describe('Text for the whole body, or an object for members of JSON or a form; `*` matches anything, null a missing member'),
  }),
);
export type JournalMatch = ValueOf<typeof journalMatch>;
/** Statuses to match: one like 404, a class like `4xx`, or several. */
export type StatusMatch = NonNullable<JournalMatch['status']>;

const match = (z: Zod) => journalMatch(z).optional().describe('Requests to match (default: all)');
const natural = (z: Zod) => z.int().min(0).optional();
/** A number in a query. */
const number = (z: Zod, minimum: number) => z.coerce.number<string | number>().int().min(minimum).optional();

/** True or false in a query. */
const flag = (z: Zod) => z.stringbool().or(z.boolean()).optional();

/** Which requests to list, the oldest first. */
const requestsInput = namedSchema('RequestsInput', (z) =>
  z.strictObject({
    method: listed(z, z.array(z.string())).describe('Methods to list'),
    path: z.string().optional().describe('Paths to list, like /events/*'),
    status: listed(z, z.array(z.string())).describe('Statuses to list, like 404 or 4xx'),
    user: z.string().optional().describe('User whose requests to list'),
    aborted: flag(z).describe('True for requests whose client went away, false for the others'),
    after: number(z, 0).describe('List requests after this ID'),
    limit: number(z, 1).describe('Maximum number of requests: the last ones, or the first ones after an ID'),
    brief: flag(z).describe('Leave out headers and bodies'),
    format: z.literal('har').optional().describe('Output an HTTP Archive for the developer tools of browsers'),
  }),
);
/** Which requests to list, the oldest first. */
export interface RequestsInput extends Pick<JournalMatch, 'method' | 'path' | 'status' | 'user' | 'aborted'> {
  /** List requests after this ID. */
  after?: number;
  /** Maximum number of requests: the last ones, or the first ones after an ID. */
  limit?: number;
  /** Leave out headers and bodies. */
  brief?: boolean;
}

/** Returns a request without what only callers with full access see. */
export const withoutNames = <Request extends RequestSummary>(request: Request): Request => ({ ...request, user: null, reason: null });

/** Requests in the journal, the oldest first. */
const requestList = namedSchema('RequestList', (z) =>
  z.object({
    requests: z.array(journaledRequest(z)).describe('The requests, the oldest first'),
    total: count(z).describe('Number of all requests, including those no longer kept'),
    dropped: count(z).describe('Number of requests that are no longer kept'),
  }),
);
export type RequestList = ValueOf<typeof requestList>;

/** Which requests to count, and their expected number. */
const verifyInput = namedSchema('VerifyInput', (z) =>
  z.strictObject({
    match: match(z),
    exactly: natural(z).describe('Expect this number of requests'),
    atLeast: natural(z).describe('Expect this number or more (default 1)'),
    atMost: natural(z).describe('Expect this number or fewer'),
    never: z.boolean().optional().describe('Expect none'),
  }),
);
export type VerifyInput = ValueOf<typeof verifyInput>;

/** Which requests to wait for, and how long. */
const waitInput = namedSchema('WaitInput', (z) =>
  z.strictObject({
    match: match(z),
    times: z.int().min(1).optional().describe('Number of requests to wait for (default 1)'),
    after: natural(z).describe('Count requests after this ID only'),
    timeout: z.string().optional().describe('Time to wait (default 30s)'),
  }),
);
export type WaitInput = ValueOf<typeof waitInput>;

const requestCount = schema((z) => z.object({ count: count(z).describe('Number of requests that match') }));

/** A request that almost matches, and its differences; without any if it is one too many. */
export interface NearRequest {
  request: RequestSummary;
  mismatches: Mismatch[];
}

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
    example: "{ path: '/events', limit: 10 }",
    input: requestsInput as ValueSchema<RequestsInput>,
    output: requestList,
  }),
  clear: operation({
    id: 'clearRequests',
    method: 'DELETE',
    path: '/requests',
    access: 'full',
    about: 'Clear the journal of requests',
    text: 'Clear the journal and return the number of its requests',
    unwrap: 'deleted',
    output: schema((z) => z.object({ deleted: count(z).describe('Number of deleted requests') })),
  }),
  count: operation({
    id: 'countRequests',
    method: 'POST',
    path: '/requests/count',
    access: 'full',
    about: 'Count the requests that match; returns 409 if the journal has dropped requests',
    text: "Count the requests that match: `{ method: 'POST', path: '/events', status: 201 }`; all by default",
    example: "{ method: 'POST', path: '/events' }",
    arg: 'match',
    unwrap: 'count',
    input: schema((z) => z.strictObject({ match: match(z) })),
    output: requestCount,
  }),
  waitFor: operation({
    id: 'awaitRequests',
    method: 'POST',
    path: '/requests/wait',
    access: 'full',
    about: 'Wait until requests match; returns 409 with the closest ones after the timeout',
    text: 'Wait until requests match, and return them; at once if they are there already. A request matches from its arrival, with `status` from the end of its response. Throws `verification-failed` with the nearest requests after the timeout (default 30s)',
    example: "{ method: 'POST', path: '/events' }",
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
    text: 'Verify the number of requests that match; at least one by default. Resolves with the number, or throws `verification-failed` with the nearest requests',
    example: "{ path: '/events', query: { search: 'jazz' } }, { exactly: 1 }",
    arg: 'match',
    unwrap: 'count',
    input: verifyInput,
    output: requestCount,
  }),
};
