import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { Failure } from '../model/error.ts';
import { isLoopback } from '../model/loopback.ts';
import type { RemoteResponse } from './response.ts';

/** A request to send. */
export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export interface TransportOptions {
  /** Timeout for a request with all attempts, pauses, redirects and the response body, in ms. */
  timeout: number;
  /** Environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. */
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Epoch milliseconds. */
  now(): number;
  /** Called after every attempt. */
  trace?(line: string): void;
  /** Returns a random number from 0 to 1, for pauses between attempts. */
  random(): number;
}

/** Sends requests over reused connections. */
export interface Transport {
  send(outgoing: OutgoingRequest): Promise<RemoteResponse>;
  /** Opens a stream, which ends if nothing arrives for a minute. Throws like `send`, after one attempt, before a response arrives. */
  open(outgoing: OutgoingRequest, signal?: AbortSignal): Promise<OpenResponse>;
  close(): Promise<void>;
}

/** A response with a stream as its body. */
export interface OpenResponse extends Omit<RemoteResponse, 'body'> {
  body: AsyncIterable<Uint8Array> & { text(): Promise<string> };
}

/** Limits of a stream: any size, but some data every minute. */
const streamLimits = { maxResponseSize: -1, bodyTimeout: 60_000 };

/** Number of attempts for reads. */
const attempts = 3;
/** Statuses that are worth another attempt. */
const transient = new Set([429, 502, 503, 504]);
/** Maximum size of a response body in bytes. */
export const maxResponseBytes = 128 << 20;

/**
 * Sends requests over HTTP. Reads are retried after growing random pauses, or after `Retry-After` if there is time. Writes are retried only if the
 * server rejected them with 429 and `Retry-After`. undici's retry interceptor is not used: it ignores long Retry-After times, and resumes an
 * interrupted body although the list may have changed.
 */
export function transportOf(options: TransportOptions): Transport {
  const agents = new Map<string, Dispatcher>();
  const agentFor = (url: string, more: Partial<ReturnType<typeof limits>> = {}): Dispatcher => {
    const near = isLoopback(new URL(url).hostname);
    const name = `${near} ${more.maxResponseSize}`;
    const limited = { ...limits(options), ...more };
    const agent = agents.get(name) ?? (near ? new Agent(limited) : proxied(options, limited));
    agents.set(name, agent);
    return agent;
  };
  return {
    async send(outgoing) {
      const end = performance.now() + options.timeout;
      const limited = { ...options, signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeout)]) };
      try {
        for (let attempt = 1; ; attempt++) {
          const pause = options.random() * 100 * 2 ** attempt;
          const last = attempt >= attempts;
          const response = await follow(outgoing, agentFor, limited).catch((error) => {
            if (last || !isReadRequest(outgoing) || limited.signal.aborted || isTooLarge(error)) throw error;
          });
          const wait = Math.max(pause, delayOf(response?.headers['retry-after'], options.now()));
          if (response && (last || !mayRetry(outgoing, response) || performance.now() + wait > end)) return response;
          await sleep(wait, undefined, { signal: limited.signal });
        }
      } catch (error) {
        throw unreachable(error, outgoing.url, options);
      }
    },
    async open({ method, url, headers, body }, signal = options.signal) {
      try {
        const dispatcher = agentFor(url, streamLimits);
        const response = await request(url, { method: method as Dispatcher.HttpMethod, headers, body, signal, dispatcher });
        return { status: response.statusCode, headers: plainHeaders(response.headers), body: response.body };
      } catch (error) {
        throw unreachable(error, url, options);
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

const isReadRequest = ({ method }: OutgoingRequest) => method === 'GET' || method === 'HEAD';
/** Returns whether a request can be retried without repeating a write. */
const mayRetry = (outgoing: OutgoingRequest, { status, headers }: RemoteResponse) =>
  isReadRequest(outgoing) ? transient.has(status) : status === 429 && headers['retry-after'] !== undefined;
const isTooLarge = (error: NodeJS.ErrnoException) => error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

const limits = ({ timeout }: TransportOptions) => ({
  connect: { timeout },
  headersTimeout: timeout,
  bodyTimeout: timeout,
  maxResponseSize: maxResponseBytes,
});

function proxied({ env }: TransportOptions, limited: ReturnType<typeof limits>): Dispatcher {
  // Plain HTTP requests are sent to the proxy directly; tunnels are for HTTPS. An empty string keeps undici from reading the environment of the process.
  return new EnvHttpProxyAgent({
    ...limited,
    proxyTunnel: false,
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  });
}

/** Sends a request once. Reads follow redirects, unless credentials must not be sent there. */
async function follow(
  outgoing: OutgoingRequest,
  agentFor: (url: string) => Dispatcher,
  options: TransportOptions,
): Promise<RemoteResponse> {
  let url = outgoing.url;
  for (let hops = 0; ; hops++) {
    const response = await once({ ...outgoing, url }, agentFor(url), options);
    const { location } = response.headers;
    if (!isReadRequest(outgoing) || hops >= 5 || response.status < 300 || response.status >= 400 || location === undefined) return response;
    if (!URL.canParse(location, url) || !isSamePlace(new URL(url), new URL(location, url))) return response;
    url = new URL(location, url).href;
  }
}

/** Returns whether credentials may be sent to a redirect target: the same origin, or the same host with TLS on default ports. */
const isSamePlace = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.hostname === to.hostname && from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '');

async function once(
  { method, url, headers, body }: OutgoingRequest,
  dispatcher: Dispatcher,
  options: TransportOptions,
): Promise<RemoteResponse> {
  const start = options.now();
  const response = await request(url, { method: method as Dispatcher.HttpMethod, headers, body, dispatcher, signal: options.signal });
  const bytes = new Uint8Array(await response.body.arrayBuffer());
  options.trace?.(`${method} ${url} ${response.statusCode} in ${options.now() - start} ms`);
  return { status: response.statusCode, headers: plainHeaders(response.headers), body: new TextDecoder().decode(bytes), bytes };
}

const plainHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));

/** Returns the delay in a Retry-After header in ms, given in seconds or as a date. */
function delayOf(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now);
}

const causes: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'DNS lookup failed',
  ECONNRESET: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to host',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: `the response is larger than ${maxResponseBytes} bytes`,
};

function unreachable(error: unknown, url: string, { timeout, signal }: TransportOptions): unknown {
  if (signal.aborted || error instanceof Failure) return error;
  const { name, message, code = '' } = error as NodeJS.ErrnoException;
  const late = name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT/.test(code);
  const inner = (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';
  const why = late ? `no response within ${timeout / 1000} s` : (causes[code] ?? causes[inner] ?? (message || code));
  const { hostname, port, protocol } = new URL(url);
  // A person who omits the port of this machine means that of calendar serve.
  const noPort = port === '' && protocol === 'http:' && isLoopback(hostname) ? ` Did you mean ${hostname}:8787?` : '';
  const hint = late ? 'Increase --timeout, or try again later.' : `Check the address, and that the server is running.${noPort}`;
  return new Failure('unreachable', `Cannot reach ${new URL(url).origin}: ${why}`, {}, hint);
}
