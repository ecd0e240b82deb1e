import * as z from 'zod';
import type { RequestMatch } from '../../model/operations/request-match.ts';
import type { JournalMatch } from '../../model/operations/requests.ts';

const method = z.string();
export const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header');

const parts = {
  method: z
    .union([method, z.array(method).min(1)], 'takes a method like GET, or a list of some')
    .optional()
    .describe('a method like GET, or a list of some'),
  path: z.string().optional().describe('below the namespace, or whole; `*` is anything, `:id` one part'),
  query: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.null()], 'takes a text, a number, true or false, or null where there is none'),
    )
    .optional()
    .describe('by parameter; `*` is anything, null that there is none'),
  headers: z
    .record(headerName, z.union([z.string(), z.null()], 'takes a text, or null where there is none'))
    .optional()
    .describe('by header; `*` is anything, null that there is none'),
};

/** How a match of requests is given over HTTP; whether its parts can be read, `matcherOf` says. */
export const requestMatch: z.ZodType<RequestMatch> = z.strictObject(parts);

const status = z.union([z.int(), z.string()], 'takes a status like 404 or 4xx');

/** How a match of requests that were answered is given. */
export const journalMatch: z.ZodType<JournalMatch> = z.strictObject({
  ...parts,
  status: z
    .union([status, z.array(status).min(1)], 'takes a status like 404 or 4xx, or a list of some')
    .optional()
    .describe('a status like 404 or 4xx, or a list of some'),
  user: z.string().nullable().optional().describe('who asked; null for nobody'),
  body: z.unknown().optional().describe('of an object the members, of a text the whole; `*` is anything'),
});
