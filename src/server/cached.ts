import type { ReadCache, Service } from '../model/operations/service.ts';
import { type ActionCall, type ActionHandler, runAction, totals } from './actions.ts';
import { type Handle, type HandlerOptions, joinPieces, type Response, type Result, sizeOf } from './http.ts';
import { needsEnvelope, pageBody, recordBody, scriptType } from './response.ts';
import { createHandler } from './router.ts';

/** Creates a handler that reads from memory where possible; its responses are the same. With another `handleAction`, only whole responses are cached. */
export function createCachedHandler(
  service: Service,
  options: HandlerOptions,
  cache: ReadCache,
  handleAction: ActionHandler = (call) => cachedRead(cache, call) ?? runAction(call),
): Handle {
  return withResponseCache(createHandler({ ...service, hasUsers: cache.hasUsers }, options, handleAction), cache.state);
}

/** Returns the result of a read from the cache; undefined for anything else. */
function cachedRead(cache: ReadCache, { action, query, viewer, site, route, ref, options }: ActionCall): Result | undefined {
  if ((action !== 'list' && action !== 'get') || needsEnvelope(query)) return undefined;
  const reads = cache.reads(viewer, site, route.resource);
  if (!reads) return undefined;
  if (action === 'get') return { status: 200, headers: {}, body: recordBody(reads.get(ref!, query)) };
  const page = reads.list(query);
  return { status: 200, headers: totals(page, options), body: pageBody(route.resource, page) };
}

/** Maximum size of all cached responses; past it, the cache is cleared. */
const maxBytes = 4 << 20;
/** Maximum number of requests that were seen once. */
const maxFirst = 500;

/** Headers that a response may depend on, besides Host: requests with one of them are not cached. */
const varying = ['authorization', 'origin', 'if-none-match', 'if-modified-since', 'x-wp-nonce', 'x-http-method-override'] as const;

/** Caches the response to a visitor's second equal GET request until the state changes, unless it has a Cache-Control header. */
function withResponseCache(handle: Handle, state: () => unknown): Handle {
  const cached = new Map<string, Response>();
  const first = new Set<string>();
  let bytes = 0;
  let at: unknown;
  const clear = (): void => {
    cached.clear();
    bytes = 0;
  };
  return (request) => {
    const { method, headers } = request;
    if (method !== 'GET') return handle(request);
    for (const name of varying) if (headers[name] !== undefined) return handle(request);
    const now = state();
    if (now !== at) clear();
    at = now;
    const name = `${request.protocol ?? ''} ${headers.host} ${request.prefix ?? ''}${request.path}?${request.query}`;
    const hit = cached.get(name);
    if (hit) return hit;
    if (first.has(name)) return cache(name, handle(request));
    if (first.size >= maxFirst) first.clear();
    first.add(name);
    return handle(request);
  };

  async function cache(name: string, pending: Response | Promise<Response>): Promise<Response> {
    const before = at;
    const response = await pending;
    // A response that arrives after a change may be from before it.
    const { headers } = response;
    // Whether a script may be loaded depends on Sec-Fetch-Site and Referer, which every request of a browser has.
    const isScript = headers['Content-Type'] === scriptType;
    if (response.status !== 200 || response.stream || headers['Cache-Control'] || isScript || state() !== before) return response;
    const size = sizeOf(response.body);
    if (size > maxBytes / 4) return response;
    if (bytes + size > maxBytes) clear();
    response.body = [joinPieces(response.body)];
    cached.set(name, response);
    bytes += size;
    return response;
  }
}
