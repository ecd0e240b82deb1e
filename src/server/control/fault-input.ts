import * as z from 'zod';
import { connectionFaults, type FaultInput, faultMoments, mostDelay } from '../../model/operations/faults.ts';
import { headerName, requestMatch } from './match-input.ts';

const milliseconds = z.number().min(0).max(mostDelay);
const delay = z
  .union(
    [
      milliseconds,
      z.strictObject({ uniform: z.tuple([milliseconds, milliseconds]) }),
      z.strictObject({ lognormal: z.strictObject({ median: milliseconds, sigma: z.number().min(0).max(10) }) }),
    ],
    `takes milliseconds up to ${mostDelay}, {"uniform": [from, to]} or {"lognormal": {"median": n, "sigma": n}}`,
  )
  .optional();
const count = z.int().min(1).optional();

/** How a fault is given over HTTP; what excludes what, the list of faults says. */
export const faultInput = z.strictObject({
  match: requestMatch.optional().describe('which requests; all below the namespace, unless a path is given'),
  times: count.describe('how often; for ever when absent'),
  after: z.int().min(0).optional().describe('how many requests that match go well first'),
  every: count.describe('one of so many of the rest: 3 is each third'),
  probability: z.number().min(0).max(1).optional().describe('the share of the rest, from 0 to 1'),
  rng_seed: z.string().optional().describe('another one draws other requests and delays'),
  delay: delay.describe('milliseconds before the answer'),
  slow_body: delay.describe('milliseconds from the first byte of the body to the last'),
  then: z
    .union(
      [
        z.enum(connectionFaults),
        z.strictObject({
          status: z.int().min(200).max(599),
          body: z.unknown().optional(),
          headers: z.record(headerName, z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be the value of a header')).optional(),
        }),
      ],
      `takes one of ${connectionFaults.join(', ')}, or {"status": 200 to 599, "body"?, "headers"?}`,
    )
    .optional()
    .describe('what the client gets in the place of the answer'),
  at: z.enum(faultMoments).optional().describe('before the calendar is asked, or after it has done what was asked'),
}) satisfies z.ZodType<FaultInput>;

/** A number in a path. */
export const faultId = z.strictObject({ id: z.coerce.number<number | string>().int().min(1).describe('the ID of the fault') });
