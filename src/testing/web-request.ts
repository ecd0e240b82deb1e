import { worldHeader, worldPrefixOf, worldsPath } from '../model/worlds.ts';

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
