import type { ReadCache, Service } from '../model/operations/service.ts';
import { type Act, type ActionCall, perform, totals } from './actions.ts';
import { type Handle, type HandlerOptions, joinPieces, type Response, type Result, sizeOf } from './http.ts';
import { pageBody, recordBody, reshapes } from './response.ts';
import { createHandler } from './router.ts';

/** The handler of a service whose reads are answered from memory where that can be: the same answers, only sooner. */
export function createCachedHandler(service: Service, options: HandlerOptions, cache: ReadCache): Handle {
  const act: Act = (call) => cachedRead(cache, call) ?? perform(call);
  return withResponseCache(createHandler({ ...service, hasUsers: cache.hasUsers }, options, act), cache.state);
}

/** What a read comes to where its records are cached; undefined for all else. */
function cachedRead(cache: ReadCache, { action, query, viewer, site, route, ref, options }: ActionCall): Result | undefined {
  if ((action !== 'list' && action !== 'get') || reshapes(query)) return undefined;
  const reads = cache.reads(viewer, site, route.resource);
  if (!reads) return undefined;
  if (action === 'get') return { status: 200, headers: {}, body: recordBody(reads.get(ref!, query)) };
  const page = reads.list(query);
  return { status: 200, headers: totals(page, options), body: pageBody(route.resource, page) };
}

/** Bytes of responses that are cached; past that all are dropped. */
const maxBytes = 4 << 20;
/** First requests that are remembered. */
const maxFirst = 500;

/** Headers that the response to a read may depend on, besides the host: with one of these it is not cached. */
const varying = ['authorization', 'origin', 'if-none-match', 'if-modified-since', 'x-wp-nonce', 'x-http-method-override'] as const;

/** Caches the response to a visitor's GET on the second request for it, for as long as the state is the same; not one that says itself how it may be kept. */
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
    if (method !== 'GET' || varying.some((name) => headers[name] !== undefined)) return handle(request);
    const now = state();
    if (now !== at) clear();
    at = now;
    const name = `${headers.host} ${request.path}?${request.query}`;
    const known = cached.get(name);
    if (known) return known;
    if (first.has(name)) return cache(name, handle(request));
    if (first.size >= maxFirst) first.clear();
    first.add(name);
    return handle(request);
  };

  async function cache(name: string, coming: Response | Promise<Response>): Promise<Response> {
    const before = at;
    const response = await coming;
    // What came later than a change may be of before it.
    if (response.status !== 200 || response.stream || response.headers['Cache-Control'] || state() !== before) return response;
    const size = sizeOf(response.body);
    if (size > maxBytes / 4) return response;
    if (bytes + size > maxBytes) clear();
    response.body = [joinPieces(response.body)];
    cached.set(name, response);
    bytes += size;
    return response;
  }
}
