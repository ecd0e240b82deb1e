import { Failure } from '../model/error.ts';
import { isLoopback } from '../model/loopback.ts';
import type { Handle } from '../server/http.ts';
import type { ControlledCalendar } from './calendar.ts';
import { responseOf } from './response.ts';

type Fetch = ControlledCalendar['fetch'];

/** The address that is meant: below the API, below the server, or a whole one. Fails with `bad-request` for one of another server. */
export function addressAt(url: string, input: string | URL | Request): URL {
  const text = typeof input === 'string' ? input : 'href' in input ? input.href : input.url;
  const root = new URL(url);
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) ? new URL(text) : new URL(text.startsWith('/') ? root.origin + text : `${url}/${text}`);
  const isSame = address.host === root.host || (address.port === root.port && isLoopback(address.hostname) && isLoopback(root.hostname));
  if (isSame && address.protocol === root.protocol) return address;
  throw new Failure(
    'bad-request',
    `${address.origin} is not this calendar, which is at ${root.origin}`,
    {},
    'Give a path, or an address that starts with its url.',
  );
}

/** Fetches from a handler, without a socket. Rejects, as the `fetch` of a browser does, only where no answer comes: when its signal says so, or a fault of the connection. */
export function fetchOver(handle: Handle, url: string): Fetch {
  return async (input, init) => {
    const address = addressAt(url, input);
    // What a Request says is kept; what is given beside it goes before.
    const request = new Request(address, typeof input === 'object' && 'headers' in input ? new Request(input, init) : init);
    request.signal.throwIfAborted();
    const sent = new Uint8Array(await request.arrayBuffer());
    const headers: Record<string, string> = { host: address.host, ...Object.fromEntries(request.headers) };
    if (sent.length) headers['content-length'] = String(sent.length);
    const coming = handle({ method: request.method, path: address.pathname, query: address.search.slice(1), headers, body: sent });
    const answer = await unlessAborted(coming, request.signal);
    const response = await responseOf(answer, request.method, request.signal);
    Object.defineProperty(response, 'url', { value: address.href });
    return response;
  };
}

async function unlessAborted<T>(coming: T | Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([coming, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
