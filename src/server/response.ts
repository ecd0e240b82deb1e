import fresh from 'fresh';
import { machine } from '../machine.ts';
import type { Page, ResourceName } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { listOf } from '../model/fields/coerce.ts';
import type { Query } from '../model/fields/list.ts';
import type { MistakeName } from '../model/mistakes/table.ts';
import { isTerms } from '../model/resources/names.ts';
import { fieldHints, hintHeader, ofForm } from './hints.ts';
import { type Call, type Result, type ServerRequest, type ServerResponse, textBody } from './http.ts';
import { apiRoot } from './namespace-index.ts';

const commonHeaders = {
  'Content-Type': 'application/json; charset=UTF-8',
  'X-Robots-Tag': 'noindex',
  'Access-Control-Expose-Headers': 'Link',
  'Access-Control-Allow-Headers':
    'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-Modified-Since, If-None-Match, X-Requested-With, X-Calendar-World',
};

export const isReadMethod = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Headers of every response to a signed-in user, as WordPress sends them. */
const ofUsers = {
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
};

/** The mistakes of a whole request, which may be why it is rejected. */
const ofRequests: ReadonlySet<MistakeName> = new Set(['unknown-name', 'repeated-parameter', 'ignored-body']);

/** Converts a result to a response: applies the parameters of every route, and adds the headers of the API. */
export function formatted(result: Result, call: Call): ServerResponse {
  const { query, options } = call;
  const Link = `<${apiRoot(call)}>; rel="https://api.w.org/"`;
  const headers: Record<string, string> = { ...commonHeaders, Link };
  // An envelope has the headers of the result instead, except for what caches need.
  const isEnveloped = query._envelope !== undefined && !result.body && !result.stream;
  for (const name in result.headers) if (!isEnveloped || name === 'Vary') headers[name] = String(result.headers[name]);
  if (result.isSignedIn) Object.assign(headers, ofUsers);
  if (query._fields !== undefined && result.status < 400)
    for (const text of fieldHints(result.value, query._fields)) call.mistakes.push({ rule: 'no-member', text });
  if (options.copyOf?.pulled) headers[`${options.headerPrefix}-As-Of`] = options.copyOf.pulled;
  // Of a request that is rejected, nothing is stored: its failure says what is wrong with values.
  const mistakes = result.status < 400 ? call.mistakes : call.mistakes.filter(({ rule }) => ofRequests.has(rule));
  const hints = [...ofForm(mistakes), ...call.hints, ...(result.hint === undefined ? [] : [result.hint])];
  if (hints.length) headers[`${options.headerPrefix}-Hint`] = hintHeader(hints);
  const response = bodyOf(result, call, headers);
  return mistakes.length && result.status < 400 ? { ...response, mistakes } : response;
}

function bodyOf(result: Result, { request, method, query }: Call, headers: ServerResponse['headers']): ServerResponse {
  const { fixed } = result;
  if (result.stream) return { status: result.status, headers, body: [], stream: result.stream };
  if (result.body) return tagged({ status: result.status, headers, body: result.body.pieces }, request, result.body.tag);
  let { status, value } = result;
  if (status < 400) value = pickFields(value, query);
  if (query._envelope !== undefined) {
    value = { body: value, status, headers: result.headers };
    status = 200;
  }
  // None for a result without a value.
  let text = JSON.stringify(value, null, query._pretty === undefined ? undefined : 2) ?? '';
  if (typeof query._jsonp === 'string') {
    text = `/**/${query._jsonp}(${text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')})`;
    headers['Content-Type'] = scriptType;
  }
  const reads = isReadMethod(request.method) && isReadMethod(method);
  const response = { status, headers, fixed, body: textBody(text) };
  return status === 200 && reads ? tagged(response, request, tagOf(text)) : response;
}

/** The content type of JSONP. */
export const scriptType = 'application/javascript; charset=UTF-8';

/** A page as the wire wraps it, with its members in the reference's order (`events.list.default`, `categories.list.default`). */
export function envelope(resource: ResourceName, { entries, total, total_pages, rest_url, ...neighbors }: Page): unknown {
  return isTerms(resource)
    ? { rest_url, total, total_pages, [resource]: entries, ...neighbors }
    : { [resource]: entries, rest_url, ...neighbors, total, total_pages };
}

export const tagOf = (content: string | Uint8Array): string => machine.hash('sha1', content, 'base64url').slice(0, 22);

/** Adds an ETag to a response, and lets clients use a copy only after they have asked for changes. Returns 304 if the client has the content, and no body for HEAD. */
function tagged(response: ServerResponse, { method, headers: requestHeaders }: ServerRequest, tag: string): ServerResponse {
  const { status, headers } = response;
  const etag = `W/"${tag}"`;
  headers.ETag = etag;
  // Without it, the caches of some clients return old content, such as that of the test before.
  const mayCache = headers['Cache-Control'] === undefined || headers['Cache-Control'] === ofUsers['Cache-Control'];
  headers['Cache-Control'] ??= 'no-cache';
  // `fetch` adds `Cache-Control: no-cache` to conditional requests. It is meant for caches, not for this server (RFC 9111, 5.2.1.4).
  if (fresh({ 'if-none-match': requestHeaders['if-none-match'] }, { etag })) return { status: 304, headers, body: [] };
  return method === 'HEAD' ? { status, headers, body: [] } : { ...response, mayCache };
}

/** No `WWW-Authenticate`: with it, browsers show their own dialog, and the request of a page doesn't end. */
const headersOf = ({ code }: Failure): Record<string, string> =>
  code === 'not-ready' ? { 'Retry-After': '1' } : code === 'rest_callback_invalid' ? { 'Content-Type': scriptType } : {};

/** Converts a failure to a result. */
export function failureResult(failure: Failure): Result {
  const { additional_data, ...data } = failure.data;
  return {
    status: failure.status,
    headers: headersOf(failure),
    hint: failure.hint,
    value: {
      code: failure.code,
      message: failure.message,
      ...(failure.code === 'rest_callback_invalid' ? {} : { data: { status: failure.status, ...data } }),
      ...(additional_data ? { additional_data } : {}),
    },
  };
}

/** Converts a failure to a response outside of the API, where the hint is a member of the body. */
export function failureResponse(failure: Failure, headers: Record<string, string> = {}): ServerResponse {
  const { status, headers: own, value, hint } = failureResult(failure);
  return {
    status,
    headers: { 'Content-Type': commonHeaders['Content-Type'], ...(own as Record<string, string>), ...headers },
    body: textBody(JSON.stringify({ ...(value as object), hint })),
  };
}

/** Converts a thrown value to a failure; `unexpected-failure` if it is not one. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('unexpected-failure', error instanceof Error ? error.message : String(error));
}

type Tree = { [name: string]: Tree | true };

function treeOf(paths: readonly string[]): Tree {
  // Without a prototype, because names are chosen by clients.
  const branch = (): Tree => Object.create(null);
  const tree = branch();
  for (const path of paths) {
    let at = tree;
    const names = path.split('.');
    names.forEach((name, depth) => {
      if (at[name] === true) return;
      if (depth === names.length - 1) at[name] = true;
      else {
        at[name] ??= branch();
        at = at[name] as Tree;
      }
    });
  }
  return tree;
}

function pick(value: unknown, tree: Tree | true): unknown {
  if (tree === true || value === null || typeof value !== 'object') return value;
  // The reference returns an empty list for a path into a list.
  if (Array.isArray(value)) return [];
  const members = Object.entries(value).filter(([name]) => Object.hasOwn(tree, name));
  // In PHP, an object without members is an empty list.
  return members.length ? Object.fromEntries(members.map(([name, inner]) => [name, pick(inner, tree[name]!)])) : [];
}

/** The paths of the fields that a request selects, like `_fields=id,venue.city`; undefined for all. */
export function selectedFields({ _fields }: Query): string[] | undefined {
  const paths = listOf(_fields).map(String);
  return paths.length ? paths : undefined;
}

function pickFields(value: unknown, query: Query): unknown {
  const paths = selectedFields(query);
  return paths ? pick(value, treeOf(paths)) : value;
}

export const resetFailure = () => new Failure('world-reset', 'The calendar was reset while this request was in progress');

/** Throws `world-reset` if the epoch of a request is over. Called in the same step as a write. */
export function checkEpoch({ epoch }: Pick<ServerRequest, 'epoch'>): void {
  if (epoch?.aborted) throw resetFailure();
}
