import { isObject } from '../../model/fields/coerce.ts';
import { joinPieces, type Request, type Response, textBody } from '../http.ts';
import { tagOf } from '../response.ts';

/** Applies a JSON merge patch (RFC 7396): objects are merged, null removes a member, and everything else replaces. */
export function mergePatch(target: unknown, patch: unknown): unknown {
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

/** Returns a request without conditions: a patched response is always sent as a whole. */
export const unconditional = (request: Request): Request => ({
  ...request,
  headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => !conditional.includes(name))),
});

/** Returns a response with a patched JSON body and its ETag; unchanged if its body is not JSON. */
export function patched(response: Response, patch: unknown): Response {
  if (!/json/.test(response.headers['Content-Type'] ?? '') || response.body.length === 0) return response;
  const value: unknown = JSON.parse(new TextDecoder().decode(joinPieces(response.body)));
  const text = JSON.stringify(mergePatch(value, patch));
  const headers = { ...response.headers };
  if (headers.ETag !== undefined) headers.ETag = `W/"${tagOf(text)}"`;
  return { ...response, headers, body: textBody(text) };
}
