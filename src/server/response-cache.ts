import { type Handled, joinPieces, type ServerRequest, type ServerResponse, sizeOf } from './http.ts';
import { scriptType } from './response.ts';

/** Limits of a cache. */
const cacheLimits = {
  /** Maximum size of all cached responses; past it, the cache is cleared. */
  maxBytes: 4 << 20,
  /** Maximum number of requests that were seen once. */
  maxFirst: 500,
};

/** Headers whose requests are not cached: credentials, conditions, a nonce, and another method. */
export const passingHeaders: readonly string[] = [
  'authorization',
  'if-none-match',
  'if-modified-since',
  'x-wp-nonce',
  'x-http-method-override',
];

export type ResponseCache = (request: ServerRequest, respond: () => Handled) => Handled;

/**
 * Creates a cache of responses to a visitor's second equal GET request until the state changes, if they may be cached. `state` returns what responses depend on besides the request. They are
 * stored before they are sealed, so that one serves pages of every origin, and by the headers that their own Vary names.
 */
export function createResponseCache(state: () => unknown, { maxBytes, maxFirst } = cacheLimits): ResponseCache {
  const cached = new Map<string, ServerResponse>();
  const first = new Set<string>();
  /** Names in the Vary headers of responses, by address. */
  const varying = new Map<string, readonly string[]>();
  let bytes = 0;
  let at: unknown;
  const clear = (): void => {
    cached.clear();
    bytes = 0;
  };
  const nameOf = ({ headers }: ServerRequest, address: string): string => {
    const names = varying.get(address);
    return names ? JSON.stringify([address, ...names.map((name) => headers[name])]) : address;
  };
  return (request, respond) => {
    const { method, headers } = request;
    if (method !== 'GET') return respond();
    for (const name of passingHeaders) if (headers[name] !== undefined) return respond();
    const now = state();
    if (now !== at) clear();
    at = now;
    const address = `${request.protocol ?? ''} ${headers.host} ${request.prefix ?? ''} ${request.path}?${request.query}`;
    const name = nameOf(request, address);
    const hit = cached.get(name);
    if (hit) return hit;
    if (first.has(name)) return cache(request, address, respond());
    if (first.size >= maxFirst) {
      first.clear();
      varying.clear();
    }
    first.add(name);
    return respond();
  };

  async function cache(request: ServerRequest, address: string, pending: Handled): Promise<ServerResponse> {
    const before = at;
    const response = await pending;
    const { headers } = response;
    // Scripts may be loaded by some pages only.
    const isScript = headers['Content-Type'] === scriptType;
    // A response that arrives after a change may be from before it.
    if (response.status !== 200 || response.stream || !response.mayCache || isScript || state() !== before) return response;
    const names = headers.Vary?.toLowerCase()
      .split(',')
      .map((name) => name.trim());
    if (names?.includes('*')) return response;
    if (names) varying.set(address, names);
    const name = nameOf(request, address);
    const size = sizeOf(response.body);
    if (size > maxBytes / 4 || cached.has(name)) return response;
    if (bytes + size > maxBytes) clear();
    const stored = { ...response, body: [joinPieces(response.body)] };
    cached.set(name, stored);
    bytes += size;
    return stored;
  }
}
