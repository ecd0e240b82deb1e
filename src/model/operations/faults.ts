import type { ZodType } from 'zod';
import type { Zod } from '../fields/field.ts';
import { headerValue } from '../grammar.ts';
import type { FaultAnswer, FaultInfo, FaultInput } from '../operation-types.ts';
import { timeForms } from '../time/duration.ts';
import { connectionFaults, faultMoments, siteFaultNames } from './connection-faults.ts';
import { namedSchema, operation, schema } from './operation.ts';
import { headerNameSchema, requestMatch } from './request-match.ts';
import { count, time, times } from './summary.ts';

const delay = namedSchema(
  'Delay',
  'A time, like 200 or `1.5s`, a range like `[100, 300]`, or lognormally distributed around a median',
  (z) => {
    const one = time(z, 'delay');
    return z.union(
      [
        ...times(z, 'delay'),
        z.tuple([one, one]),
        z.strictObject({
          lognormal: z
            .strictObject({
              median: one.describe('Median, in milliseconds or with a unit'),
              sigma: z.number().min(0).max(10).describe('Spread, like 0.5'),
            })
            .describe('Lognormal distribution, like { median: 200, sigma: 0.5 }'),
        }),
      ],
      `must be ${timeForms('delay')}, a range like [100, 300], or {"lognormal": {"median": 200, "sigma": 0.5}}`,
    );
  },
);

const status = (z: Zod) => z.int().min(200).max(599);

const faultResponse = namedSchema('FaultAnswer', "A response instead of the calendar's own", (z) =>
  z.strictObject({
    status: status(z).describe('Status code, like 503'),
    body: z
      .unknown()
      .optional()
      .describe(
        "Response body; objects are sent as JSON (default: the page of a proxy for 429, 502, 503 and 504, otherwise an error in the API's format)",
      ),
    headers: z
      .record(headerNameSchema(z), z.string().regex(headerValue, 'must be a header value'))
      .optional()
      .describe('Response headers by name'),
  }),
);

const patchStep = namedSchema('PatchStep', 'One step of a JSON Patch (RFC 6902)', (z) =>
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

/** A response that may be given as its status. */
export const faultAnswerOf = (response: FaultAnswer | number): FaultAnswer =>
  typeof response === 'number' ? { status: response } : response;

/** The effect of a fault on a response. */
export type FaultEffect = NonNullable<FaultInfo['then']>;
/** A change of the request, which then gets its true response. */
export type QueryChange = Extract<FaultEffect, { query: unknown }>;

const effects = (z: Zod) =>
  [
    z.enum([...connectionFaults, 'hold', ...siteFaultNames]),
    faultResponse(z),
    z.strictObject({ preamble: z.string().min(1).describe('Text before the body of the true response') }),
    z.strictObject({
      query: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .describe('Values by parameter of the request, like { page: null }; null removes a parameter'),
    }),
    z.strictObject({
      patch: z
        .union([z.array(patchStep(z)).min(1), z.record(z.string(), z.unknown())])
        .describe('Merge patch, like { total: 0 }, or the steps of a JSON Patch'),
    }),
  ] as const;

/** `FaultList` checks which members exclude each other, and rejects a fault that does nothing. */
const faultMembers = (z: Zod) => {
  const positive = z.int().min(1).optional();
  return {
    match: requestMatch(z).optional().describe('Requests to affect (default: all below the namespace)'),
    times: positive.describe('Maximum number of requests to affect (default unlimited)'),
    after: z.int().min(0).optional().describe('Number of matching requests to let through first'),
    every: positive.describe('Affect every nth of the remaining requests'),
    probability: z.number().min(0).max(1).optional().describe('Share of the remaining requests to affect, from 0 to 1'),
    rng_seed: z.union([z.string(), z.number()]).optional().describe('Seed of the random choices and delays'),
    delay: delay(z).optional().describe('Time before the response, in milliseconds or with a unit'),
    slow_body: delay(z).optional().describe('Time from the first byte of the body to the last, as in delay'),
    then: z
      .union(
        [...effects(z), status(z)],
        `must be one of ${[...connectionFaults, ...siteFaultNames].join(', ')} and hold, a status from 200 to 599, {"status": 200 to 599, "body"?, "headers"?}, {"patch": {…} or […]}, {"preamble": text} or {"query": {…}}; delay and slow_body are beside it`,
      )
      .optional()
      .describe(
        'Connection fault or response to send instead, like reset, 503 or { status: 503, body: {} }; what live sites do, like site:challenge; hold to wait for a release; a JSON merge patch, or a JSON Patch, to change the true response; a text before its body; or other values in the query of the request',
      ),
    timeout: time(z, 'timeout')
      .optional()
      .describe('Time after which a held request gets its true response, in milliseconds or with a unit (default 30s)'),
    at: z.enum(faultMoments).optional().describe('Before the request is handled (default), or after'),
  };
};
const anyOne = ['delay', 'slow_body', 'then'].map((name) => `Required<Pick<FaultFields, '${name}'>>`).join(' | ');
export const faultInput = namedSchema(
  'FaultInput',
  'A fault to inject: at least one of `delay`, `slow_body` and `then`, the requests to affect, and when',
  (z) =>
    z
      .strictObject(faultMembers(z))
      .meta({ typeIs: `FaultFields & (${anyOne})`, typeBase: ['FaultFields', 'The members of a fault'] }) as ZodType<FaultInput>,
);

export const faultInfo = namedSchema('FaultInfo', 'A fault of a server', (z) =>
  z
    .object({
      ...faultMembers(z),
      then: z.union(effects(z)).optional().describe('Connection fault, response, hold, or change of the true response or of the request'),
      id: z.int().min(1).describe('ID of the fault'),
      match: requestMatch(z).describe('Requests to affect'),
      hits: count(z).describe('Number of requests it affected'),
      held: count(z).optional().describe('Number of requests that it holds now; only for hold'),
      remaining: count(z).nullable().describe('Number of requests it will still affect; null if unlimited'),
    })
    .meta({ id: 'Fault' }),
);

const id = (z: Zod) => z.coerce.number<number | string>().int().min(1).describe('ID of the fault');
const faultId = schema((z) => z.strictObject({ id: id(z) }));
const faultList = schema((z) => z.object({ faults: z.array(faultInfo(z)).describe('The faults, the oldest first') }));

export const faults = {
  list: operation({
    id: 'faults',
    method: 'GET',
    path: '/faults',
    access: 'everyone',
    about: 'List the faults',
    example: 'const faults = await calendar.faults.list();',
    unwrap: 'faults',
    output: faultList,
  }),
  add: operation({
    id: 'addFault',
    method: 'POST',
    path: '/faults',
    access: 'full',
    about: 'Inject a fault: a delay, an error response or a broken connection',
    input: faultInput,
    output: faultInfo,
  }),
  get: operation({
    id: 'fault',
    method: 'GET',
    path: '/faults/{id}',
    access: 'everyone',
    about: 'Get a fault and the number of requests it affected',
    example: 'const { hits } = await calendar.faults.get(1);',
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
    example: 'await calendar.faults.remove(1);',
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
    example: 'await calendar.faults.release({ id, response: { status: 503 } });',
    input: namedSchema('ReleaseInput', 'A fault that holds requests, and the response to release them with', (z) =>
      z.strictObject({
        id: id(z),
        response: z
          .union([faultResponse(z), status(z)], 'must be a status from 200 to 599, or {"status": 200 to 599, "body"?, "headers"?}')
          .optional()
          .describe('Response instead of the true one, or its status'),
      }),
    ),
    output: faultInfo,
  }),
  arrived: operation({
    id: 'awaitFault',
    method: 'POST',
    path: '/faults/{id}/arrived',
    access: 'full',
    about: 'Wait until a fault holds requests',
    example: 'await calendar.faults.arrived({ id, count: 2 });',
    input: namedSchema('ArrivedInput', 'A fault that holds requests, and how many to wait for', (z) =>
      z.strictObject({
        id: id(z),
        count: z.int().min(1).optional().describe('Number of requests to wait for (default 1)'),
        timeout: time(z, 'timeout').optional().describe('Time to wait, in milliseconds or with a unit (default 30s)'),
      }),
    ),
    output: faultInfo,
  }),
  clear: operation({ id: 'clearFaults', method: 'DELETE', path: '/faults', access: 'full', about: 'Remove all faults', output: faultList }),
};
