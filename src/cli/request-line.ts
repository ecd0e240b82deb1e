import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { type Assignment, assign, bare, parseAssignment } from './assignment.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];

/** Returns whether a method is read-only. */
export const isReading = (method: Method): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/** A request parsed from command line arguments. */
export interface RequestLine {
  method: Method;
  /** Relative to the namespace, unless it is part of a URL, starts with the namespace, or is a route outside of it. */
  path: string;
  /** The origin of a path that was given as a URL. */
  origin: string | undefined;
  /** Without a question mark. */
  query: string;
  headers: Record<string, string>;
  /** Body fields by name, if any. */
  fields: Record<string, unknown> | undefined;
}

/**
 * Parses `[METHOD] PATH [ITEM…]`. An item is `name=text`, `name:=json`, `name==text` for the query, or `Name:value` for a header. For a read-only
 * method, values become query parameters. Dots in names create objects; repeated names and `[]` create lists. The default method is GET, or POST
 * with a body. Throws `bad-request`.
 */
export function readRequest(words: readonly string[], fixedMethod: Method | undefined, hasBody: boolean): RequestLine {
  const [first = '', ...rest] = words;
  const leading = fixedMethod === undefined && rest.length > 0 ? leadingMethod(first, rest[0]!) : undefined;
  const [target = '', ...items] = leading ? rest : words;
  if (target === '') throw new Failure('bad-request', 'Missing path', "Example: GET '/events?per_page=5'");
  const read = items.map(readItem);
  const body = read.filter(({ sign }) => sign === '=' || sign === ':=');
  const method = fixedMethod ?? leading ?? (hasBody || body.length ? 'POST' : 'GET');
  const { path, query, origin } = splitTarget(target);
  const parameters = new URLSearchParams(query);
  const fields = bare();
  const headers: Record<string, string> = {};
  for (const item of read) {
    const { path: name, sign, value } = item;
    if (sign === ':') headers[name.toLowerCase()] = value.trim();
    else if (sign === '==' || isReading(method)) parameters.append(name, value);
    else assign(fields, item);
  }
  const appended = read.some(({ sign }) => sign === '==' || (sign !== ':' && isReading(method)));
  return {
    method,
    path,
    origin,
    query: appended ? parameters.toString() : query,
    headers,
    fields: Object.keys(fields).length ? fields : undefined,
  };
}

const methodNamed = (text: string): Method | undefined => methods.find((method) => method === text.toUpperCase());

function leadingMethod(word: string, next: string): Method | undefined {
  const method = methodNamed(word);
  if (method || !/^[a-z]+$/i.test(word) || !next.startsWith('/')) return method;
  throw new Failure(
    'bad-request',
    `Unknown method ${JSON.stringify(word)}`,
    didYouMean(word, methods) ?? `Expected one of ${methods.join(', ')}.`,
  );
}

/** Returns the path and query of a target, and the origin of a URL. */
function splitTarget(target: string): Pick<RequestLine, 'path' | 'query' | 'origin'> {
  const url = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  const local = url ? url.pathname + url.search : target;
  const at = local.indexOf('?');
  const path = at < 0 ? local : local.slice(0, at);
  return { path: path === '' || path.startsWith('/') ? path : `/${path}`, query: at < 0 ? '' : local.slice(at + 1), origin: url?.origin };
}

function readItem(text: string): Assignment {
  const read = parseAssignment(text, ['==', ':=', '=', ':']);
  if (read) return read;
  throw new Failure(
    'bad-request',
    `Invalid item ${JSON.stringify(text)}`,
    'Use name=text, name:=json, name==text for the query, or Name:value for a header.',
  );
}
