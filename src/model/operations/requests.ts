import type { ZodType } from 'zod';
import type { Zod } from '../fields/field.ts';
import { toHar } from '../formats/har.ts';
import { hint } from '../mistakes/hints.ts';
import type { Mistake } from '../mistakes/table.ts';
import type { Time } from '../time/duration.ts';
import { type ConnectionFault, connectionFaults } from './connection-faults.ts';
import { operation, schema, type ValueSchema } from './operation.ts';
import { type Mismatch, matchMembers, type RequestMatch } from './request-match.ts';
import { count, listed, time, took } from './summary.ts';

/** Size of the part of a body that a journal keeps by default, and at most. */
export const defaultBodyBytes = 64 << 10;
export const maxBodyBytes = 16 << 20;

/** Number of requests that a journal keeps by default, and at most. */
export const defaultJournalSize = 5000;
export const maxJournalSize = 1_000_000;

/** Headers and body of a request or a response, without credentials. */
export interface Payload {
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The first part, by default of 64 KB, without credentials. */
  body: string;
  /** Size of the whole body, before compression. */
  bytes: number;
  /** True if only the first part is kept; absent otherwise. */
  truncated?: boolean;
}
const payload = schema<Payload>((z) =>
  z
    .object({
      headers: z.record(z.string(), z.string()).describe('Names in lower case'),
      body: z.string().describe('The first part, by default of 64 KB, without credentials'),
      bytes: count(z).describe('Size of the whole body, before compression'),
      truncated: z.boolean().optional().describe('True if only the first part is kept; absent otherwise'),
    })
    .meta({ id: 'Payload' }),
);

/** A request in the journal. Callers without full access get it without headers and bodies. */
export interface JournaledRequest {
  /** Sequence number, starting at 1 after a start, a reset or clearing the journal. */
  id: number;
  /** Arrival time by the system's clock, in UTC. */
  time: string;
  /** Arrival time by the calendar's clock, in UTC. */
  now: string;
  /** HTTP method, like GET. */
  method: string;
  /** `https` on a server with a certificate; absent otherwise. */
  protocol?: 'https';
  /** Start of the address that selected a world, like /_worlds/ID; absent otherwise. */
  prefix?: string;
  /** Path, without the query. */
  path: string;
  /** Query, without the question mark. */
  query: string;
  /** Status code; 0 if a fault prevented the request from being handled, null until the response ends. */
  status: number | null;
  /** The connection fault that was injected, if any. */
  fault: ConnectionFault | null;
  /** Milliseconds; null until the response ends. */
  took: number | null;
  /** True if the client went away before the response ended. */
  aborted: boolean;
  /** User name in the credentials, if any. */
  user: string | null;
  /** Error code, message and hint of the response, if any. */
  reason: string | null;
  /** User-Agent of the client, if any. */
  client: string | null;
  /** Mistakes of the client that are known from this request alone; absent without any. */
  hints?: readonly Mistake[];
  /** Headers and body of the request. */
  request?: Payload;
  /** Headers and body of the response; null until it ends. */
  response?: Payload | null;
}
const journaledRequest = schema<JournaledRequest>((z) =>
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
      hints: z
        .array(z.object({ rule: z.string(), text: z.string() }))
        .optional()
        .describe('Mistakes of the client that are known from this request alone; absent without any') as unknown as ZodType<
        readonly Mistake[] | undefined
      >,
      request: payload(z).optional().describe('Headers and body of the request'),
      response: payload(z).nullable().optional().describe('Headers and body of the response; null until it ends'),
    })
    .meta({ id: 'JournaledRequest' }),
);
/** A request in the journal, in short. */
export type RequestSummary = Omit<JournaledRequest, 'now' | 'request' | 'response'>;

const statusPattern = (z: Zod) => z.union([z.int(), z.string()], 'must be a status such as 404 or 4xx');

/** Matches requests in the journal: every given member has to match. */
export interface JournalMatch extends RequestMatch {
  /** A status such as 404 or 4xx, or several. */
  status?: number | string | readonly (number | string)[];
  /** User name in the credentials; null for none. */
  user?: string | null;
  /** True for requests whose client went away, false for the others. */
  aborted?: boolean;
  /** Text for the whole body, or an object for members of JSON or a form; `*` matches anything, null a missing member. */
  body?: unknown;
  /** Rule or text of a mistake of the client, like `no-credentials`; `*` matches anything, null none. */
  hint?: string | null;
}
const journalMatch = schema<JournalMatch>((z) =>
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

/** Which requests to list, the oldest first. */
export interface RequestsInput extends Pick<JournalMatch, 'method' | 'path' | 'status' | 'user' | 'aborted' | 'hint'> {
  /** List requests after this ID. */
  after?: number;
  /** Maximum number of requests: the last ones, or the first ones after an ID. */
  limit?: number;
  /** Leave out headers and bodies. */
  brief?: boolean;
}
const requestsInput = schema((z) =>
  z.strictObject({
    method: listed(z, z.array(z.string())).describe('Methods to list'),
    path: z.string().optional().describe('Paths to list, like /events/*'),
    status: listed(z, z.array(z.string())).describe('Statuses to list, like 404 or 4xx'),
    user: z.string().optional().describe('User whose requests to list'),
    aborted: textFlag(z).describe('True for requests whose client went away, false for the others'),
    hint: z.string().optional().describe('Rule or text of a mistake of the client, like `no-credentials`; `*` for any'),
    after: number(z, 0).describe('List requests after this ID'),
    limit: number(z, 1).describe('Maximum number of requests: the last ones, or the first ones after an ID'),
    brief: textFlag(z).describe('Leave out headers and bodies'),
    format: z.literal('har').optional().describe('Output an HTTP Archive for the developer tools of browsers'),
  }),
);
/** A request without what only callers with full access see. */
export const withoutNames = <Request extends RequestSummary>(request: Request): Request => ({ ...request, user: null });

/** Requests in the journal, the oldest first. */
export interface RequestList {
  /** The requests, the oldest first. */
  requests: JournaledRequest[];
  /** Number of all requests, including those no longer kept. */
  total: number;
  /** Number of requests that are no longer kept. */
  dropped: number;
}
const requestList = schema<RequestList>((z) =>
  z.object({
    requests: z.array(journaledRequest(z)).describe('The requests, the oldest first'),
    total: count(z).describe('Number of all requests, including those no longer kept'),
    dropped: count(z).describe('Number of requests that are no longer kept'),
  }),
);

/** Which requests to count, and their expected number. */
export interface VerifyInput {
  /** Requests to match (default: all); those of a list are expected in this order. */
  match?: JournalMatch | readonly JournalMatch[];
  /** Expect this number of requests. */
  exactly?: number;
  /** Expect this number or more (default 1). */
  atLeast?: number;
  /** Expect this number or fewer. */
  atMost?: number;
  /** Expect none. */
  never?: boolean;
  /** Expect no other requests of clients. */
  nothingElse?: boolean;
  /** Expect that no request that matches is repeated before the `Retry-After` of its response is over. */
  retryAfter?: boolean;
}
const verifyInput = schema<VerifyInput>((z) =>
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

/** Which requests to wait for, and how long. */
export interface WaitInput {
  /** Requests to match (default: all). */
  match?: JournalMatch;
  /** Number of requests to wait for (default 1). */
  times?: number;
  /** Count requests after this ID only. */
  after?: number;
  /** Time to wait, in milliseconds or like `10s` (default 30s). */
  timeout?: Time;
}
const waitInput = schema<WaitInput>((z) =>
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
  request: RequestSummary;
  mismatches: Mismatch[];
}

/** Which mistakes of clients to list. */
export interface HintsInput {
  /** Include those before the last reset; for the calendar of a server, also those in its worlds. */
  all?: boolean;
}
const hintsInput = schema<HintsInput>((z) =>
  z.strictObject({
    all: textFlag(z).describe('Include those before the last reset; for the calendar of a server, also those in its worlds'),
  }),
) as ValueSchema<HintsInput>;

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
    input: requestsInput as ValueSchema<RequestsInput>,
    output: requestList,
  }),
  clear: operation({
    id: 'clearRequests',
    method: 'DELETE',
    path: '/requests',
    access: 'full',
    about: 'Delete the requests that match from the journal; without a match all, and IDs start at 1 again',
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
    unwrap: 'hints',
    input: hintsInput,
    output: schema((z) => z.object({ hints: z.array(hint(z)).describe('The mistakes, each with its first request') })),
  }),
  waitFor: operation({
    id: 'awaitRequests',
    method: 'POST',
    path: '/requests/wait',
    access: 'full',
    about: 'Wait until requests match; returns 409 with the closest ones after the timeout',
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
    arg: 'match',
    unwrap: 'count',
    input: verifyInput,
    output: requestCount,
  }),
};
