import type { RunningServer } from '../data/serving/serve.ts';
import { isLoopback, serverUrl, worldHeader, worldPrefixOf, worldsPath } from '../model/addresses.ts';
import { Failure } from '../model/error.ts';
import type { ServerRequest } from '../server/http.ts';
import type { ControlledCalendar } from './calendar.ts';
import { fetchResponse } from './response.ts';

type Fetch = ControlledCalendar['fetch'];

/** Returns the URL of a path below the API, of one below the server, or of a whole URL. Throws `bad-request` for another server. */
export function addressAt(url: string, input: string | URL | Request): URL {
  const text = typeof input === 'string' ? input : 'href' in input ? input.href : input.url;
  const root = new URL(url);
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text)
    ? new URL(text)
    : new URL(text.startsWith('/') ? serverUrl(url) + text : `${url}/${text}`);
  const isSame = address.host === root.host || (address.port === root.port && isLoopback(address.hostname) && isLoopback(root.hostname));
  if (isSame && address.protocol === root.protocol) return address;
  throw new Failure(
    'bad-request',
    `${address.origin} is not the server of this calendar, which is ${root.origin}`,
    'Pass a path, or a URL that starts with the url of the calendar. Its handler takes requests for other hosts.',
  );
}

/** Returns a `fetch` that calls a handler without a socket. It rejects like that of a browser: on abort, and for connection faults. */
export function fetchOver(handle: RunningServer['handle'], url: string): Fetch {
  return async (input, init) => {
    const address = addressAt(url, input);
    const webRequest = createRequest(address, input, init, url);
    webRequest.signal.throwIfAborted();
    const body = new Uint8Array(await webRequest.arrayBuffer());
    const headers: Record<string, string> = { host: address.host };
    // Headers of happy-dom keep the case of names.
    for (const [name, value] of webRequest.headers) headers[name.toLowerCase()] = value;
    if (body.length) headers['content-length'] = String(body.length);
    const request: ServerRequest = { method: webRequest.method, path: address.pathname, query: address.search.slice(1), headers, body };
    const handled = await unlessAborted(
      handle(request, () => webRequest.signal),
      webRequest.signal,
    );
    const response = await fetchResponse(handled, webRequest.method, webRequest.signal);
    Object.defineProperty(response, 'url', { value: address.href });
    return response;
  };
}

async function unlessAborted<T>(pending: T | Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([pending, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Returns the name of an object's interface, which is the same in each realm, unlike its class. */
const interfaceOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Returns a signal that node's fetch accepts: environments like jsdom have another class. */
function nativeSignal(signal: AbortSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  const foreign = signal as AbortSignal;
  const abort = () => controller.abort(foreign.reason);
  if (foreign.aborted) abort();
  else foreign.addEventListener('abort', abort, { once: true });
  return controller.signal;
}

type Body = NonNullable<RequestInit['body']>;

/** Returns a body that node's fetch sends as what it is: forms of another realm would become text. */
function nativeBody(body: Body): Body {
  const kind = interfaceOf(body);
  if (kind === 'URLSearchParams' && !(body instanceof URLSearchParams)) return new URLSearchParams(String(body));
  if (kind !== 'FormData' || body instanceof FormData) return body;
  const form = new FormData();
  for (const [name, value] of body as unknown as Iterable<[string, string]>) form.append(name, value);
  return form;
}

/**
 * Creates a request from the arguments of `fetch`, at another address. Accepts signals and forms of the document of a test. Selects the world of the calendar at `url`, also for an address
 * that lacks its prefix.
 */
export function createRequest(address: URL, input: string | URL | Request, init: RequestInit | undefined, url: string): Request {
  const { signal, body } = init ?? {};
  const native = { ...init, ...(signal ? { signal: nativeSignal(signal) } : {}), ...(body ? { body: nativeBody(body) } : {}) };
  // `init` overrides the members of a Request.
  const request = new Request(address, typeof input === 'object' && 'headers' in input ? new Request(input, native) : native);
  const world = worldPrefixOf(new URL(url).pathname).slice(worldsPath.length + 1);
  if (world !== '' && worldPrefixOf(address.pathname) === '') request.headers.set(worldHeader, world);
  return request;
}
