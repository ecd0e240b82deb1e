import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { Failure } from '../model/error.ts';
import { isLoopback } from '../model/loopback.ts';
import type { RemoteResponse } from './response.ts';

/** What a request is made of. */
export interface Sending {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

/** How requests are sent. */
export interface TransportOptions {
  /** Milliseconds for a request and all that it takes: attempts, pauses, redirects, the whole of the answer. */
  timeout: number;
  /** Where proxies are named: HTTP_PROXY, HTTPS_PROXY, NO_PROXY, in either case. */
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Epoch milliseconds. */
  now(): number;
  /** Told of every attempt. */
  trace?(line: string): void;
  /** From 0 up to 1, for the pauses between attempts. */
  random(): number;
}

/** Sends requests, and closes what it keeps open. */
export interface Transport {
  send(sending: Sending): Promise<RemoteResponse>;
  /** Asks for what has no end. Its body breaks off where nothing comes for a minute. Fails as `send` does, once, while there is no answer. */
  open(sending: Sending, signal?: AbortSignal): Promise<OpenResponse>;
  close(): Promise<void>;
}

/** An answer whose body goes on, until somebody aborts it. */
export interface OpenResponse extends Omit<RemoteResponse, 'body'> {
  body: AsyncIterable<Uint8Array> & { text(): Promise<string> };
}

/** What holds for an open answer: it may have any size, but has to bring something every minute. */
const endless = { maxResponseSize: -1, bodyTimeout: 60_000 };

/** How often a read is tried. */
const attempts = 3;
/** Statuses that another attempt may change. */
const transient = new Set([429, 502, 503, 504]);
/** Bytes of an answer past which it is given up. */
const maxResponseSize = 128 << 20;

/**
 * Sends requests over HTTP. Reading is tried again, after growing, random pauses, or those that `Retry-After` asks for where there is time;
 * writing only where the server says that it did nothing and when to come back (429 with `Retry-After`).
 * undici's retry interceptor is not used: it asks sooner than a long Retry-After, and goes on with a body that broke off although the list may have changed.
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
    async send(sending) {
      const end = performance.now() + options.timeout;
      const limited = { ...options, signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeout)]) };
      try {
        for (let attempt = 1; ; attempt++) {
          const pause = options.random() * 100 * 2 ** attempt;
          const last = attempt >= attempts;
          const answer = await follow(sending, agentFor, limited).catch((error) => {
            if (last || !isRead(sending) || limited.signal.aborted || isTooLarge(error)) throw error;
          });
          const wait = Math.max(pause, delayOf(answer?.headers['retry-after'], options.now()));
          if (answer && (last || !mayRetry(sending, answer) || performance.now() + wait > end)) return answer;
          await sleep(wait, undefined, { signal: limited.signal });
        }
      } catch (error) {
        throw unreachable(error, sending.url, options);
      }
    },
    async open({ method, url, headers, body }, signal = options.signal) {
      try {
        const dispatcher = agentFor(url, endless);
        const answer = await request(url, { method: method as Dispatcher.HttpMethod, headers, body, signal, dispatcher });
        return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: answer.body };
      } catch (error) {
        throw unreachable(error, url, options);
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

const isRead = ({ method }: Sending) => method === 'GET' || method === 'HEAD';
/** Whether another attempt may bring more, and does nothing twice. */
const mayRetry = (sending: Sending, { status, headers }: RemoteResponse) =>
  isRead(sending) ? transient.has(status) : status === 429 && headers['retry-after'] !== undefined;
const isTooLarge = (error: NodeJS.ErrnoException) => error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

const limits = ({ timeout }: TransportOptions) => ({
  connect: { timeout },
  headersTimeout: timeout,
  bodyTimeout: timeout,
  maxResponseSize,
});

function proxied({ env }: TransportOptions, limited: ReturnType<typeof limits>): Dispatcher {
  // Plain requests are handed to the proxy as they are; tunnels are for https. An empty text keeps undici from reading the process's own environment.
  return new EnvHttpProxyAgent({
    ...limited,
    proxyTunnel: false,
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  });
}

/** One attempt. Reading follows redirects, but not to where credentials must not go. */
async function follow(sending: Sending, agentFor: (url: string) => Dispatcher, options: TransportOptions): Promise<RemoteResponse> {
  let url = sending.url;
  for (let hops = 0; ; hops++) {
    const answer = await once({ ...sending, url }, agentFor(url), options);
    const { location } = answer.headers;
    if (!isRead(sending) || hops >= 5 || answer.status < 300 || answer.status >= 400 || location === undefined) return answer;
    if (!URL.canParse(location, url) || !isSamePlace(new URL(url), new URL(location, url))) return answer;
    url = new URL(location, url).href;
  }
}

/** Whether credentials may go from one address to another: on the same origin, or on the same host behind TLS, each at its usual port. */
const isSamePlace = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.hostname === to.hostname && from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '');

async function once({ method, url, headers, body }: Sending, dispatcher: Dispatcher, options: TransportOptions): Promise<RemoteResponse> {
  const start = options.now();
  const answer = await request(url, { method: method as Dispatcher.HttpMethod, headers, body, dispatcher, signal: options.signal });
  const bytes = new Uint8Array(await answer.body.arrayBuffer());
  options.trace?.(`${method} ${url} ${answer.statusCode} in ${options.now() - start} ms`);
  return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: new TextDecoder().decode(bytes), bytes };
}

const plainHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));

/** The milliseconds that a Retry-After asks for, in seconds or as a date. */
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
  UND_ERR_RES_EXCEEDED_MAX_SIZE: `the response is larger than ${maxResponseSize} bytes`,
};

function unreachable(error: unknown, url: string, { timeout, signal }: TransportOptions): unknown {
  if (signal.aborted || error instanceof Failure) return error;
  const { name, message, code = '' } = error as NodeJS.ErrnoException;
  const late = name === 'TimeoutError' || name === 'AbortError' || /TIMEOUT/.test(code);
  const inner = (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';
  const why = late ? `no response within ${timeout / 1000} s` : (causes[code] ?? causes[inner] ?? (message || code));
  const hint = late ? 'Increase --timeout, or try again later.' : 'Check the address, and that the server is running.';
  return new Failure('unreachable', `Cannot reach ${new URL(url).origin}: ${why}`, {}, hint);
}
