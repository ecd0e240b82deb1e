import { joinPieces, type ServerRequest, type ServerResponse, sizeOf } from './http.ts';
import { scriptType } from './response.ts';

/** Maximum size of all cached responses; past it, the cache is cleared. */
const maxBytes = 4 << 20;
/** Maximum number of requests that were seen once. */
const maxFirst = 500;

/** Headers that a response may depend on, besides Host: requests with one of them are not cached. */
const varying = ['authorization', 'origin', 'if-none-match', 'if-modified-since', 'x-wp-nonce', 'x-http-method-override'] as const;

/** Returns the cached response to a request, or that of `respond`. */
export type ResponseCache = (
  request: ServerRequest,
  respond: () => ServerResponse | Promise<ServerResponse>,
) => ServerResponse | Promise<ServerResponse>;

/** Creates a cache of responses to a visitor's second equal GET request until the state changes, if they may be cached. `state` returns what responses depend on besides the request. */
export function createResponseCache(state: () => unknown): ResponseCache {
  const cached = new Map<string, ServerResponse>();
  const first = new Set<string>();
  let bytes = 0;
  let at: unknown;
  const clear = (): void => {
    cached.clear();
    bytes = 0;
  };
  return (request, respond) => {
    const { method, headers } = request;
    if (method !== 'GET') return respond();
    for (const name of varying) if (headers[name] !== undefined) return respond();
    const now = state();
    if (now !== at) clear();
    at = now;
    const name = `${request.protocol ?? ''} ${headers.host} ${request.prefix ?? ''}${request.path}?${request.query}`;
    const hit = cached.get(name);
    if (hit) return hit;
    if (first.has(name)) return cache(name, respond());
    if (first.size >= maxFirst) first.clear();
    first.add(name);
    return respond();
  };

  async function cache(name: string, pending: ServerResponse | Promise<ServerResponse>): Promise<ServerResponse> {
    const before = at;
    const response = await pending;
    // A response that arrives after a change may be from before it.
    const { headers } = response;
    // Whether a script may be loaded depends on Sec-Fetch-Site and Referer, which every request of a browser has.
    const isScript = headers['Content-Type'] === scriptType;
    if (response.status !== 200 || response.stream || !response.mayCache || isScript || state() !== before) return response;
    const size = sizeOf(response.body);
    if (size > maxBytes / 4) return response;
    if (bytes + size > maxBytes) clear();
    response.body = [joinPieces(response.body)];
    cached.set(name, response);
    bytes += size;
    return response;
  }
}
