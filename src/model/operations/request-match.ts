import type { ZodType } from 'zod';
import { isFrontPath } from '../addresses.ts';
import { type Fault, invalidParams } from '../error.ts';
import { percentDecoded } from '../fields/coerce.ts';
import type { Zod } from '../fields/field.ts';
import { headerName } from '../grammar.ts';
import type { HttpMethod, RequestMatch } from '../operation-types.ts';
import type { SiteSlugs } from '../site-address.ts';
import { namedSchema } from './operation.ts';

export const headerNameSchema = (z: Zod) => z.string().regex(headerName, 'must be a header name');

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** {@link testsOf} checks the texts. */
const httpMethod = namedSchema(
  'HttpMethod',
  'A method of HTTP requests',
  (z) => z.string().meta({ typeIs: methods.map((method) => `'${method}'`).join(' | ') }) as unknown as ZodType<HttpMethod>,
);

export const matchMembers = (z: Zod) => ({
  method: z
    .union([httpMethod(z), z.array(httpMethod(z)).min(1)], 'must be a method such as GET, or a list of methods')
    .optional()
    .describe('A method such as GET, or several'),
  path: z
    .string()
    .optional()
    .describe('Path below the namespace, like /events/:id, or the full path; `*` matches anything, `:id` one segment'),
  query: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.null()], 'must be text, a number, true or false, or null for a missing parameter'),
    )
    .optional()
    .describe("Values by parameter, like { search: 'jazz' }; `*` matches anything, null a missing parameter"),
  headers: z
    .record(headerNameSchema(z), z.union([z.string(), z.null()], 'must be text, or null for a missing header'))
    .optional()
    .describe('Values by header; `*` matches anything, null a missing header'),
});
export const requestMatch = namedSchema('RequestMatch', 'Matches requests: every given member has to match', (z) =>
  z.strictObject(matchMembers(z)),
);

/** The parts of a request that a match reads: the query without its question mark, header names in lower case. */
export interface MatchedRequest {
  method: string;
  path: string;
  query: string;
  headers: Readonly<Record<string, string | undefined>>;
}

/** A pattern in which each match of `wildcards` stands for another text, and everything else for itself. */
const patternOf = (text: string, wildcards: RegExp, meaning: (wildcard: string) => string) => {
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const parts = text.split(wildcards).map((part, i) => (i % 2 === 0 ? literal(part) : meaning(part)));
  return new RegExp(`^${parts.join('')}$`, 's');
};

export const textPattern = (text: string) => patternOf(text, /(\*+)/, () => '.*');

const pathPattern = (path: string) =>
  patternOf(path, /(\*+|:[A-Za-z_]\w*|\{\w+\})/, (wildcard) => (wildcard.startsWith('*') ? '.*' : '[^/]+'));

const withoutEnd = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

/** The path of a request, or the one in its `rest_route` parameter. */
function pathOf({ path, query }: MatchedRequest, base: string): string {
  if (!isFrontPath(path, base) || !query.includes('rest_route=')) return withoutEnd(percentDecoded(path));
  const [route] = valuesIn(query, 'rest_route');
  return route === undefined ? path : withoutEnd(`${base}${route}`);
}

/** The method that a request acts as: one in a header for any request, one in the query only for a POST, so that no link changes anything. */
export function actingMethod(method: string, headers: MatchedRequest['headers'], inQuery: unknown): string {
  const override = method === 'POST' && typeof inQuery === 'string' ? inQuery : headers['x-http-method-override']?.trim();
  return (override || method).toUpperCase();
}

const methodOf = ({ method, headers, query }: MatchedRequest): string =>
  actingMethod(method, headers, query.includes('method=') ? valuesIn(query, '_method')[0] : undefined);

/** The values of a parameter as servers read them: of a repeated one the last, and each one in a list like `tags[]=1&tags[]=2`. */
function valuesIn(query: string, name: string): string[] {
  const values = new Map<string, string>();
  for (const [key, value] of new URLSearchParams(query)) {
    if (key !== name && key.replace(/\[\d*\]$/, '') !== name) continue;
    const isItem = key !== name || key.endsWith('[]');
    if (isItem) values.delete(name);
    else values.clear();
    values.set(key.endsWith('[]') ? `${key}${values.size}` : key, value);
  }
  return [...values.values()];
}

/** Maximum length of the path of a match: it is compared with every request. */
const maxPathLength = 2000;

function faultsOf({ method, path }: RequestMatch): Record<string, Fault> {
  const faults: Record<string, Fault> = {};
  const wrong = [method ?? []].flat().find((each) => !/^[A-Za-z]+$/.test(each));
  if (wrong !== undefined) faults.method = { reason: `${JSON.stringify(wrong)} is not an HTTP method` };
  if (path !== undefined && path.length > maxPathLength) faults.path = { reason: `must be at most ${maxPathLength} characters long` };
  else if (path !== undefined && !/^[/*][^?#]*$/.test(path))
    faults.path = {
      reason: path.includes('?')
        ? `must not contain a query string; match parameters with query instead`
        : `must be a path like /events/*, not ${JSON.stringify(path)}`,
    };
  return faults;
}

/** Why a request does not match: the member, the expected and the actual value. */
export interface Mismatch {
  part: string;
  wanted: string;
  found: string;
}

/** A test of one member of a match: why a request does not match it. */
export type MatchTest<R = MatchedRequest> = (request: R) => Mismatch[];

/** The paths of a server, like `/wp-json` and `calendar/events/v1`. */
export interface ServerPaths {
  basePath: string;
  namespace: string;
  /** True if hooks may answer paths without a route. */
  answersAnyPath?: boolean | undefined;
  /** The words of addresses of the site; the default ones if absent. */
  slugs?: SiteSlugs;
}

/** Formats expected values for messages. */
export const wantedText = (expected: unknown): string => [expected].flat().join(' or ');
export const absent = 'missing';

/** Formats the values of a header or a parameter. */
const foundText = (values: readonly string[]): string => (values.length ? values.map((value) => JSON.stringify(value)).join(', ') : absent);

/** One mismatch unless a value passes. */
export const unless = (passes: boolean, part: string, wanted: string, found: () => string): Mismatch[] =>
  passes ? [] : [{ part, wanted, found: found() }];

function methodTest(methods: string | readonly string[]): MatchTest {
  const expected = [methods].flat().map((method) => method.toUpperCase());
  return (request) => {
    const method = methodOf(request);
    return unless(expected.includes(method), 'method', wantedText(expected), () => method);
  };
}

/** The test of a match without methods: browsers send preflights before requests, not the code under test. */
const preflightTest: MatchTest = ({ method, headers }) =>
  unless(
    method !== 'OPTIONS' || headers['access-control-request-method'] === undefined,
    'method',
    'that of a request',
    () => 'OPTIONS of a preflight',
  );

function pathTest(path: string, { basePath, namespace }: ServerPaths): MatchTest {
  const pattern = pathPattern(withoutEnd(percentDecoded(path)));
  const start = `${basePath}/${namespace}`;
  return (request) => {
    const actual = pathOf(request, basePath);
    const below = actual.startsWith(start) && /^(\/|$)/.test(actual.slice(start.length)) ? actual.slice(start.length) || '/' : undefined;
    return unless(pattern.test(actual) || (below !== undefined && pattern.test(below)), 'path', path, () => actual);
  };
}

/** The test of a value by name; null expects none. */
function valueTest(part: string, expected: string | null, valuesOf: (request: MatchedRequest) => readonly string[]): MatchTest {
  const pattern = expected === null ? undefined : textPattern(expected);
  const text = expected === null ? absent : JSON.stringify(expected);
  return (request) => {
    const values = valuesOf(request);
    return unless(pattern ? values.some((value) => pattern.test(value)) : !values.length, part, text, () => foundText(values));
  };
}

/**
 * The tests of a match. Throws `rest_invalid_param` if it is invalid; `at` is the prefix of member names in that failure.
 */
export function testsOf(match: RequestMatch, server: ServerPaths, at = 'match'): MatchTest[] {
  const faults = Object.entries(faultsOf(match)).map(([name, fault]): [string, Fault] => [`${at}.${name}`, fault]);
  if (faults.length) throw invalidParams(Object.fromEntries(faults));
  const tests: MatchTest[] = [];
  tests.push(match.method === undefined ? preflightTest : methodTest(match.method));
  if (match.path !== undefined && !/^\/?\*+$/.test(match.path)) tests.push(pathTest(match.path, server));
  for (const [name, value] of Object.entries(match.headers ?? {})) {
    const key = name.toLowerCase();
    tests.push(valueTest(`headers.${key}`, value, ({ headers }) => (headers[key] === undefined ? [] : [headers[key]])));
  }
  for (const [name, value] of Object.entries(match.query ?? {})) {
    tests.push(valueTest(`query.${name}`, value === null ? null : String(value), ({ query }) => valuesIn(query, name)));
  }
  return tests;
}

/** Throws like {@link testsOf}. */
export function matcherOf(match: RequestMatch, server: ServerPaths, at = 'match'): (request: MatchedRequest) => boolean {
  const tests = testsOf(match, server, at);
  return (request) => tests.every((test) => !test(request).length);
}
