import { Failure } from '../model/error.ts';
import { isLoopback } from '../model/loopback.ts';
import { serverOf } from '../model/worlds.ts';
import type { Handle, Request as ServerRequest } from '../server/http.ts';
import type { ControlledCalendar } from './calendar.ts';
import { fetchResponse } from './response.ts';
import { createRequest } from './web-request.ts';

type Fetch = ControlledCalendar['fetch'];

/** Returns the URL of a path below the API, of one below the server, or of a whole URL. Throws `bad-request` for another server. */
export function addressAt(url: string, input: string | URL | Request): URL {
  const text = typeof input === 'string' ? input : 'href' in input ? input.href : input.url;
  const root = new URL(url);
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text)
    ? new URL(text)
    : new URL(text.startsWith('/') ? serverOf(url) + text : `${url}/${text}`);
  const isSame = address.host === root.host || (address.port === root.port && isLoopback(address.hostname) && isLoopback(root.hostname));
  if (isSame && address.protocol === root.protocol) return address;
  throw new Failure(
    'bad-request',
    `${address.origin} is not the server of this calendar, which is ${root.origin}`,
    'Pass a path, or a URL that starts with the url of the calendar.',
  );
}

/** Returns a `fetch` that calls a handler without a socket. It rejects like that of a browser: on abort, and for connection faults. */
export function fetchOver(handle: Handle, url: string): Fetch {
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
    const handled = await unlessAborted(handle(request), webRequest.signal);
    const response = await fetchResponse(handled, request, webRequest.signal);
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
