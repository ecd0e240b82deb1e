import { headerValue } from '../header.ts';
import { connectionFaults, faultMoments, maxDelayMs } from './connection-faults.ts';
import { namedSchema, operation, schema, type ValueOf } from './operation.ts';
import { headerNameSchema, requestMatch } from './request-match.ts';
import { count } from './summary.ts';

/** Milliseconds, like 200: fixed, uniformly distributed, or lognormally around a median. */
const delay = namedSchema('Delay', (z) => {
  const milliseconds = z.number().min(0).max(maxDelayMs);
  return z.union(
    [
      milliseconds,
      z.strictObject({ uniform: z.tuple([milliseconds, milliseconds]).describe('Minimum and maximum in milliseconds, like [100, 300]') }),
      z.strictObject({
        lognormal: z
          .strictObject({
            median: milliseconds.describe('Median in milliseconds'),
            sigma: z.number().min(0).max(10).describe('Spread, like 0.5'),
          })
          .describe('Lognormal distribution, like { median: 200, sigma: 0.5 }'),
      }),
    ],
    `must be milliseconds up to ${maxDelayMs}, {"uniform": [from, to]} or {"lognormal": {"median": n, "sigma": n}}`,
  );
});
export type Delay = ValueOf<typeof delay>;

/** A response instead of the calendar's own. */
const faultResponse = namedSchema('FaultAnswer', (z) =>
  z.strictObject({
    status: z.int().min(200).max(599).describe('Status code, like 503'),
    body: z.unknown().optional().describe("Response body; objects are sent as JSON (default: an error in the API's format)"),
    headers: z
      .record(headerNameSchema(z), z.string().regex(headerValue, 'must be a header value'))
      .optional()
      .describe('Response headers by name'),
  }),
);
export type FaultAnswer = ValueOf<typeof faultResponse>;

/** One step of a JSON Patch (RFC 6902). */
const patchStep = namedSchema('PatchStep', (z) =>
  z.strictObject({
    op: z.enum(['add', 'remove', 'replace', 'move', 'copy', 'test']).describe('Change at the path'),
    path: z
      .string()
      .regex(/^(\/|$)/, 'must be empty or start with a slash, like /events/0/title')
      .describe('Place in the response, like /events/0/title'),
    from: z
      .string()
      .regex(/^(\/|$)/, 'must be empty or start with a slash, like /events/0/title')
      .optional()
      .describe('Source of move and copy'),
    value: z.unknown().optional().describe('Value of add, replace and test'),
  }),
);
export type PatchStep = ValueOf<typeof patchStep>;

/** A response as a function of this process sees it. A JSON body is its value, another one is text. */
export interface PatchedResponse {
  /** Status code, like 200. */
  status: number;
  /** Headers by name in lower case. */
  headers: Record<string, string>;
  /** The value of a JSON body; another one is text. */
  body: unknown;
}

/** A request as a function of this process sees it. */
export interface PatchedRequest {
  /** HTTP method, like `GET`. */
  method: string;
  /** Path, without the query. */
  path: string;
  /** Query parameters by name. */
  query: Record<string, unknown>;
  /** Headers by name in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The value of a JSON body; another one is text. */
  body: unknown;
}

/** Changes a response. */
export type PatchFunction = (response: PatchedResponse, request: PatchedRequest) => PatchedResponse | Promise<PatchedResponse>;

/** Input of a fault; `FaultList` checks which members exclude each other. */
export const faultInput = namedSchema('FaultInput', (z) => {
  const positive = z.int().min(1).optional();
  return z.strictObject({
    match: requestMatch(z).optional().describe('Requests to affect (default: all below the namespace)'),
    times: positive.describe('Maximum number of requests to affect (default unlimited)'),
    after: z.int().min(0).optional().describe('Number of matching requests to let through first'),
    every: positive.describe('Affect every nth of the remaining requests'),
    probability: z.number().min(0).max(1).optional().describe('Share of the remaining requests to affect, from 0 to 1'),
    rng_seed: z.string().optional().describe('Seed of the random choices and delays'),
    delay: delay(z).optional().describe('Milliseconds before the response'),
    slow_body: delay(z).optional().describe('Milliseconds from the first byte of the body to the last'),
    then: z
      .union(
        [
          z.enum([...connectionFaults, 'hold']),
          faultResponse(z),
          z.strictObject({
            patch: z
              .union([z.array(patchStep(z)).min(1), z.record(z.string(), z.unknown())])
              .describe('Merge patch, like { total: 0 }, or the steps of a JSON Patch'),
          }),
        ],
        `must be one of ${connectionFaults.join(', ')} and hold, {"status": 200 to 599, "body"?, "headers"?}, or {"patch": {…} or […]}`,
      )
      .optional()
      .describe(
        'Connection fault or response to send instead, like reset or { status: 503 }; hold to wait for a release; a JSON merge patch, or a JSON Patch, to change the true response',
      ),
    timeout: z.string().optional().describe('Time after which a held request gets its true response (default 30s)'),
    at: z.enum(faultMoments).optional().describe('Before the request is handled (default), or after'),
  });
});
export type FaultInput = ValueOf<typeof faultInput>;

/** A fault of a server. */
const faultInfo = namedSchema('FaultInfo', (z) =>
  z
    .object({
      ...faultInput(z).shape,
      id: z.int().min(1).describe('ID of the fault'),
      match: requestMatch(z).describe('Requests to affect'),
      hits: count(z).describe('Number of requests it affected'),
      held: count(z).optional().describe('Number of requests that it holds now; only for hold'),
      remaining: count(z).nullable().describe('Number of requests it will still affect; null if unlimited'),
    })
    .meta({ id: 'Fault' }),
);
export type FaultInfo = ValueOf<typeof faultInfo>;

const faultId = schema((z) => z.strictObject({ id: z.coerce.number<number | string>().int().min(1).describe('ID of the fault') }));
const faultList = schema((z) => z.object({ faults: z.array(faultInfo(z)).describe('The faults, the oldest first') }));

export const faults = {
  list: operation({
    id: 'faults',
    method: 'GET',
    path: '/faults',
    access: 'everyone',
    about: 'List the faults',
    unwrap: 'faults',
    output: faultList,
  }),
  add: operation({
    id: 'addFault',
    method: 'POST',
    path: '/faults',
    access: 'full',
    about: 'Inject a fault: a delay, an error response or a broken connection',
    example: "{ match: { path: '/events' }, then: { status: 503 }, times: 1 }",
    input: faultInput,
    output: faultInfo,
  }),
  get: operation({
    id: 'fault',
    method: 'GET',
    path: '/faults/{id}',
    access: 'everyone',
    about: 'Get a fault and the number of requests it affected',
    example: '1',
    arg: 'id',
    input: faultId,
    output: faultInfo,
  }),
  remove: operation({
    id: 'removeFault',
    method: 'DELETE',
    path: '/faults/{id}',
    access: 'full',
    about: 'Remove a fault',
    example: '1',
    arg: 'id',
    input: faultId,
    output: faultInfo,
  }),
  release: operation({
    id: 'releaseFault',
    method: 'POST',
    path: '/faults/{id}/release',
    access: 'full',
    about: 'Release the requests that a fault holds, and remove it',
    example: '{ id, response: { status: 503 } }',
    input: schema((z) =>
      z.strictObject({ ...faultId(z).shape, response: faultResponse(z).optional().describe('Response instead of the true one') }),
    ),
    output: faultInfo,
  }),
  arrived: operation({
    id: 'awaitFault',
    method: 'POST',
    path: '/faults/{id}/arrived',
    access: 'full',
    about: 'Wait until a fault holds requests',
    example: '{ id, count: 2 }',
    input: schema((z) =>
      z.strictObject({
        ...faultId(z).shape,
        count: z.int().min(1).optional().describe('Number of requests to wait for (default 1)'),
        timeout: z.string().optional().describe('Time to wait (default 30s)'),
      }),
    ),
    output: faultInfo,
  }),
  clear: operation({ id: 'clearFaults', method: 'DELETE', path: '/faults', access: 'full', about: 'Remove all faults', output: faultList }),
};
