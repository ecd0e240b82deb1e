import { applyPatch, type Operation } from 'rfc6902';
import { Failure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { headerName, headerValue } from '../../model/grammar.ts';
import type { PatchStep } from '../../model/operation-types.ts';
import type { PatchedRequest, PatchedResponse } from '../../model/operations/faults.ts';
import { lenientQuery } from '../body.ts';
import type { Exchange } from '../context.ts';
import { fixedNames, foreignHeaders } from '../headers.ts';
import { type Handled, joinPieces, type ServerRequest, type ServerResponse, textBody } from '../http.ts';
import { asFailure, failureResponse, tagOf } from '../response.ts';
import { seal } from '../seal.ts';
import type { Patch } from './fault.ts';

/** Applies a JSON merge patch (RFC 7396): objects are merged, null removes a member, and everything else replaces. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** Headers that make a response depend on what a client has. */
const conditional = ['if-none-match', 'if-modified-since'];

/** A request whose response is complete, so that it can be patched: without conditions, and GET instead of HEAD. */
export const completeRequest = (request: ServerRequest): ServerRequest => ({
  ...request,
  method: request.method === 'HEAD' ? 'GET' : request.method,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !conditional.includes(name))),
});

const isJson = (type = '') => /json/.test(type);
const bodyValue = (bytes: Uint8Array, type: string | undefined): unknown => {
  const text = new TextDecoder().decode(bytes);
  if (!isJson(type)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Applies a JSON Patch (RFC 6902). Throws if a step does not apply. */
function applySteps(value: unknown, steps: readonly PatchStep[]): unknown {
  // Its root is a member, so that a step can replace the whole value.
  const holder = { value };
  const inHolder = (path: string) => `/value${path}`;
  const own = steps.map(({ from, path, ...step }) => ({
    ...step,
    path: inHolder(path),
    ...(from === undefined ? {} : { from: inHolder(from) }),
  }));
  const results = applyPatch(holder, own as Operation[]);
  const failed = results.findIndex((result) => result !== null);
  if (failed >= 0) throw new Error(`step ${failed + 1}, ${steps[failed]!.op} ${steps[failed]!.path}, does not apply`);
  return holder.value;
}

/** A body as it is sent: text as it is, other values as JSON, and nothing for undefined. */
export const bodyText = (body: unknown): string => (typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));

/** A response with another body, and its ETag. */
function withContent(response: ServerResponse, body: unknown): ServerResponse {
  const text = bodyText(body);
  const headers = { ...response.headers };
  if (headers.ETag !== undefined && !response.fixed?.has('etag')) headers.ETag = `W/"${tagOf(text)}"`;
  return { ...response, headers, body: textBody(text) };
}

/** A request as a function of this process sees it. */
export const plainRequest = ({ method, path, query, headers, body }: ServerRequest): PatchedRequest => ({
  method,
  path,
  query: lenientQuery(query),
  headers,
  body: bodyValue(body, headers['content-type']),
});

/** The failure of a function that returned something else than expected: its stack trace leads to no line of it. */
export const invalidResult = (message: string) => new Failure('unexpected-failure', message);

/** Throws if a function returned a response that cannot be sent. */
export function checkPatch({ status, headers }: Partial<PatchedResponse>): void {
  if (!Number.isInteger(status) || status! < 200 || status! > 599) throw invalidResult('it must return a status from 200 to 599');
  if (!isObject(headers)) throw invalidResult('it must return headers');
  const wrong = Object.entries(headers).find(
    ([name, value]) => !headerName.test(name) || typeof value !== 'string' || !headerValue.test(value),
  );
  if (wrong) throw invalidResult(`it returned the invalid header ${wrong[0]}`);
}

/** A sealed response as a function of this process changes it; unchanged if it returns nothing. */
export async function changeResponse(
  response: ServerResponse,
  request: ServerRequest,
  change: (response: PatchedResponse, request: PatchedRequest) => PatchedResponse | undefined | Promise<PatchedResponse | undefined>,
): Promise<ServerResponse> {
  const body = bodyValue(joinPieces(response.body), response.headers['Content-Type']);
  const result = await change({ status: response.status, headers: { ...response.headers }, body }, plainRequest(request));
  if (!result) return response;
  checkPatch(result);
  const headers = foreignHeaders(result.headers, response.headers);
  const fixed = fixedNames(response.headers, headers, response.fixed);
  const patchedResponse = { ...response, status: result.status, headers, fixed };
  // Bytes don't survive as text.
  return result.body === body && typeof body === 'string' ? patchedResponse : withContent(patchedResponse, result.body);
}

function changed(response: ServerResponse, patch: Patch, request: ServerRequest, exchange: Exchange): Handled {
  if (typeof patch === 'function') return changeResponse(seal(exchange, response), request, patch);
  const type = response.headers['Content-Type'];
  if (response.body.length === 0) return response;
  if (!isJson(type)) throw new Error(`its body is ${type ?? 'of no type'}, not JSON`);
  const value = bodyValue(joinPieces(response.body), type);
  return withContent(response, Array.isArray(patch) ? applySteps(value, patch) : mergePatch(value, patch));
}

/** A response with a text before its body, and its ETag. */
function withPreamble(response: ServerResponse, preamble: string): ServerResponse {
  if (response.body.length === 0) return response;
  const body = [...textBody(preamble), ...response.body];
  const { ETag } = response.headers;
  return { ...response, headers: { ...response.headers, ...(ETag === undefined ? {} : { ETag: `W/"${tagOf(joinPieces(body))}"` }) }, body };
}

/** A changed response; 500 if a patch does not apply. A merge patch and a JSON Patch change JSON bodies only, and leave responses without a body as they are. */
export async function patched(
  response: ServerResponse,
  then: { patch: unknown } | { preamble: string },
  request: ServerRequest,
  exchange: Exchange,
  id: number,
): Promise<ServerResponse> {
  try {
    if ('preamble' in then) return withPreamble(response, then.preamble);
    return await changed(response, then.patch as Patch, request, exchange);
  } catch (error) {
    return failureResponse(new Failure('unexpected-failure', `Fault ${id} cannot patch the response: ${asFailure(error).message}`));
  }
}
