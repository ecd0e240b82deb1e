import * as z from 'zod';
import type { JournalMatch } from '../../model/journal.ts';
import type { RequestMatch } from '../../model/request-match.ts';

const method = z.string();

const parts = {
  method: z.union([method, z.array(method).min(1)], 'takes a method like GET, or a list of some').optional(),
  path: z.string().optional(),
  query: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.null()], 'takes a text, a number, true or false, or null where there is none'),
    )
    .optional(),
  headers: z.record(z.string(), z.union([z.string(), z.null()], 'takes a text, or null where there is none')).optional(),
};

/** How a match of requests is given over HTTP; whether its parts can be read, `matcherOf` says. */
export const requestMatch: z.ZodType<RequestMatch> = z.strictObject(parts);

const status = z.union([z.int(), z.string()], 'takes a status like 404 or 4xx');

/** How a match of requests that were answered is given. */
export const journalMatch: z.ZodType<JournalMatch> = z.strictObject({
  ...parts,
  status: z.union([status, z.array(status).min(1)], 'takes a status like 404 or 4xx, or a list of some').optional(),
  user: z.string().nullable().optional(),
  body: z.unknown().optional(),
});
