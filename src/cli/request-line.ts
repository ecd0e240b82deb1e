import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { type Assignment, assign, bare, parseAssignment } from './assignment.ts';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export type Method = (typeof methods)[number];

/** Whether a method changes nothing. */
export const isReading = (method: Method): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/** A request as the words of a command line say it. */
export interface RequestLine {
  method: Method;
  /** Below the namespace unless it is that of a whole address, starts with the namespace, or is one of the few that stand beside it. */
  path: string;
  /** Whether it was given as a whole address. */
  whole: boolean;
  /** Without a question mark. */
  query: string;
  headers: Record<string, string>;
  /** The values of the body, by name; undefined when none was given. */
  fields: Record<string, unknown> | undefined;
}

/**
 * Reads `[METHOD] PATH [ITEM…]`. An item is `name=text`, `name:=json`, `name==text` for the query, or `Name:value` for a header; the values of a
 * method that reads go into the query too. Names go into objects by dots, and into lists when they repeat or end in `[]`. Without a method, a body
 * makes it POST. Fails with `bad-request` on anything else.
 */
export function readRequest(words: readonly string[], named: Method | undefined, hasBody: boolean): RequestLine {
  const [first = '', ...rest] = words;
  const leading = named === undefined && rest.length > 0 ? leadingMethod(first, rest[0]!) : undefined;
  const [target = '', ...items] = leading ? rest : words;
  if (target === '') throw new Failure('bad-request', 'a request needs a path', {}, "Write it like GET '/events?per_page=5'.");
  const read = items.map(readItem);
  const body = read.filter(({ sign }) => sign === '=' || sign === ':=');
  const method = named ?? leading ?? (hasBody || body.length ? 'POST' : 'GET');
  const { path, query, whole } = splitTarget(target);
  const asked = new URLSearchParams(query);
  const fields = bare();
  const headers: Record<string, string> = {};
  for (const item of read) {
    const { path: name, sign, value } = item;
    if (sign === ':') headers[name.toLowerCase()] = value.trim();
    else if (sign === '==' || isReading(method)) asked.append(name, value);
    else assign(fields, item);
  }
  const appended = read.some(({ sign }) => sign === '==' || (sign !== ':' && isReading(method)));
  return {
    method,
    path,
    whole,
    query: appended ? asked.toString() : query,
    headers,
    fields: Object.keys(fields).length ? fields : undefined,
  };
}

/** A method by its name, in either case. */
const methodNamed = (text: string): Method | undefined => methods.find((method) => method === text.toUpperCase());

function leadingMethod(word: string, next: string): Method | undefined {
  const method = methodNamed(word);
  if (method || !/^[a-z]+$/i.test(word) || !next.startsWith('/')) return method;
  throw new Failure(
    'bad-request',
    `not a method: ${JSON.stringify(word)}`,
    {},
    didYouMean(word, methods) ?? `Methods are ${methods.join(', ')}.`,
  );
}

/** The path and query of a target; of a whole URL the origin is ignored. */
function splitTarget(target: string): { path: string; query: string; whole: boolean } {
  const whole = /^https?:\/\//.test(target) && URL.canParse(target);
  const local = whole ? new URL(target).pathname + new URL(target).search : target;
  const at = local.indexOf('?');
  const path = at < 0 ? local : local.slice(0, at);
  return { path: path === '' || path.startsWith('/') ? path : `/${path}`, query: at < 0 ? '' : local.slice(at + 1), whole };
}

function readItem(text: string): Assignment {
  const read = parseAssignment(text, ['==', ':=', '=', ':']);
  if (read) return read;
  throw new Failure(
    'bad-request',
    `not a value: ${JSON.stringify(text)}`,
    {},
    'Write name=text, name:=json, name==text for the query, or Name:value for a header.',
  );
}
