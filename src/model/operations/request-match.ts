import { percentDecoded } from '../coerce.ts';
import { type Fault, invalidParams } from '../error.ts';
import type { Zod } from '../fields/field.ts';
import { namedSchema, type ValueOf } from './operation.ts';
import { anything, onePart, Pattern } from './pattern.ts';

export const headerName = (z: Zod) => z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header');

/** Which requests are meant: every given member has to match. {@link matcherOf} checks the values of the members. */
export const requestMatch = namedSchema('RequestMatch', (z) =>
  z.strictObject({
    method: z
      .union([z.string(), z.array(z.string()).min(1)], 'takes a method like GET, or a list of some')
      .optional()
      .describe('a method like GET, or several'),
    path: z.string().optional().describe('below the namespace, or the whole path; `*` matches anything, `:id` one segment'),
    query: z
      .record(
        z.string(),
        z.union([z.string(), z.number(), z.boolean(), z.null()], 'takes a text, a number, true or false, or null where there is none'),
      )
      .optional()
      .describe('by parameter; `*` matches anything, null a missing parameter'),
    headers: z
      .record(headerName(z), z.union([z.string(), z.null()], 'takes a text, or null where there is none'))
      .optional()
      .describe('by header; `*` matches anything, null a missing header'),
  }),
);
export type RequestMatch = ValueOf<typeof requestMatch>;

/** What is looked at of a request: its query has no question mark, names of headers are in lower case. */
export interface MatchedRequest {
  method: string;
  path: string;
  query: string;
  headers: Readonly<Record<string, string | undefined>>;
}

/** A text in which `*` stands for anything. */
export const textPattern = (text: string) => new Pattern(text.split(/(\*+)/).map((part, i) => (i % 2 === 0 ? part : anything)));

const pathPattern = (path: string) => {
  const parts = path.split(/(\*+|:[A-Za-z_]\w*|\{\w+\})/);
  return new Pattern(parts.map((part, i) => (i % 2 === 0 ? part : part.startsWith('*') ? anything : onePart)));
};

const withoutEnd = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

/** The path that a request is for; in the query where paths cannot be rewritten. */
function pathOf({ path, query }: MatchedRequest, base: string): string {
  if (path !== '/' || !query.includes('rest_route=')) return withoutEnd(percentDecoded(path));
  const route = new URLSearchParams(query).get('rest_route');
  return route === null ? path : withoutEnd(`${base}${route}`);
}

/** Characters of the longest path of a match: each is held against every path that is asked for. */
const mostPath = 2000;

/** What is wrong with a match, by the name of the part. */
function faultsOf({ method, path }: RequestMatch): Record<string, Fault> {
  const faults: Record<string, Fault> = {};
  const wrong = [method ?? []].flat().find((each) => !/^[A-Za-z]+$/.test(each));
  if (wrong !== undefined) faults.method = { reason: `must be methods like GET, not ${JSON.stringify(wrong)}` };
  if (path !== undefined && path.length > mostPath) faults.path = { reason: `must have at most ${mostPath} characters` };
  else if (path !== undefined && !/^[/*][^?#]*$/.test(path))
    faults.path = {
      reason: path.includes('?')
        ? `must be a path alone: give what follows the question mark as query, not ${JSON.stringify(path)}`
        : `must be a path like /events/*, not ${JSON.stringify(path)}`,
    };
  return faults;
}

/** Why a request is not meant: a part of the match, what it asks for, and what is there. */
export interface Mismatch {
  part: string;
  wanted: string;
  found: string;
}

/** One part of a match. `passes` is the quick answer, `mismatches` the whole one. */
export interface MatchTest<R = MatchedRequest> {
  passes(request: R): boolean;
  mismatches(request: R): Mismatch[];
}

/** The server whose requests are meant: its base path and its namespace, like `/wp-json` and `calendar/events/v1`. */
export interface ServerPaths {
  basePath: string;
  namespace: string;
}

/** The texts of a match of methods, a status and the like, as messages name them. */
export const wantedText = (wanted: unknown): string => [wanted].flat().join(' or ');
export const absent = 'not there';

/** What is there of a header or a parameter. */
const foundText = (values: readonly string[]): string => (values.length ? values.map((value) => JSON.stringify(value)).join(', ') : absent);

function methodTest(methods: string | readonly string[]): MatchTest {
  const known = new Set([methods].flat().map((method) => method.toUpperCase()));
  const passes = ({ method }: MatchedRequest) => known.has(method);
  return {
    passes,
    mismatches: (request) => (passes(request) ? [] : [{ part: 'method', wanted: wantedText([...known]), found: request.method }]),
  };
}

function pathTest(path: string, { basePath, namespace }: ServerPaths): MatchTest {
  const pattern = pathPattern(withoutEnd(percentDecoded(path)));
  const start = `${basePath}/${namespace}`;
  const passes = (request: MatchedRequest) => {
    const sent = pathOf(request, basePath);
    return (
      pattern.test(sent) ||
      (sent.startsWith(start) && /^(\/|$)/.test(sent.slice(start.length)) && pattern.test(sent.slice(start.length) || '/'))
    );
  };
  return { passes, mismatches: (request) => (passes(request) ? [] : [{ part: 'path', wanted: path, found: pathOf(request, basePath) }]) };
}

/** The test of one value by name: null asks for none. */
function valueTest(part: string, wanted: string | null, valuesOf: (request: MatchedRequest) => readonly string[]): MatchTest {
  const pattern = wanted === null ? undefined : textPattern(wanted);
  const fits = (values: readonly string[]) => (pattern ? values.some((value) => pattern.test(value)) : !values.length);
  return {
    passes: (request) => fits(valuesOf(request)),
    mismatches(request) {
      const values = valuesOf(request);
      return fits(values) ? [] : [{ part, wanted: wanted === null ? absent : JSON.stringify(wanted), found: foundText(values) }];
    },
  };
}

/**
 * The tests that a request has to pass to be meant. Fails with `rest_invalid_param` where the match cannot be read; `at` stands before the names of its parts there.
 */
export function testsOf(match: RequestMatch, server: ServerPaths, at = 'match'): MatchTest[] {
  const faults = Object.entries(faultsOf(match)).map(([name, fault]): [string, Fault] => [`${at}.${name}`, fault]);
  if (faults.length) throw invalidParams(Object.fromEntries(faults));
  const tests: MatchTest[] = [];
  if (match.method !== undefined) tests.push(methodTest(match.method));
  if (match.path !== undefined && !/^\/?\*+$/.test(match.path)) tests.push(pathTest(match.path, server));
  for (const [name, value] of Object.entries(match.headers ?? {})) {
    const key = name.toLowerCase();
    tests.push(valueTest(`headers.${key}`, value, ({ headers }) => (headers[key] === undefined ? [] : [headers[key]])));
  }
  for (const [name, value] of Object.entries(match.query ?? {})) {
    const isMeant = ([key]: [string, string]) => key === name || key.replace(/\[\d*\]$/, '') === name;
    const valuesOf = ({ query }: MatchedRequest) => [...new URLSearchParams(query)].filter(isMeant).map(([, sent]) => sent);
    tests.push(valueTest(`query.${name}`, value === null ? null : String(value), valuesOf));
  }
  return tests;
}

/** The test of whether a request is meant. Fails as {@link testsOf} does. */
export function matcherOf(match: RequestMatch, server: ServerPaths, at = 'match'): (request: MatchedRequest) => boolean {
  const tests = testsOf(match, server, at);
  return (request) => tests.every(({ passes }) => passes(request));
}
