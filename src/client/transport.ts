import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { Failure } from '../model/error.ts';
import type { Answer } from './answer.ts';

/** What a request is made of. */
export interface Sending {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

/** How requests are sent. */
export interface TransportOptions {
  /** Milliseconds for one attempt. */
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
  send(sending: Sending): Promise<Answer>;
  close(): Promise<void>;
}

const attempts = 3;
const worthAnother = new Set([429, 502, 503, 504]);
/** Longer than that nobody waits for a server that asks for patience, in milliseconds. */
const mostPatience = 10_000;

/** Sends requests over HTTP. Only reading is tried again, with growing, random pauses; `Retry-After` is respected. */
export function transportOf(options: TransportOptions): Transport {
  const agents = new Map<boolean, Dispatcher>();
  const agentFor = (url: string): Dispatcher => {
    const near = isLoopback(new URL(url).hostname);
    const agent = agents.get(near) ?? (near ? new Agent(limits(options)) : proxied(options));
    agents.set(near, agent);
    return agent;
  };
  return {
    async send(sending) {
      const safe = sending.method === 'GET' || sending.method === 'HEAD';
      for (let attempt = 1; ; attempt++) {
        const last = !safe || attempt >= attempts;
        const pause = options.random() * 100 * 2 ** attempt;
        try {
          const answer = await follow(sending, agentFor, options, safe);
          const wait = Math.max(pause, patience(answer.headers['retry-after'], options.now()));
          if (last || !worthAnother.has(answer.status) || wait > mostPatience) return answer;
          await sleep(wait, undefined, { signal: options.signal });
        } catch (error) {
          if (last || options.signal.aborted || (error as Error).name === 'TimeoutError') throw unreachable(error, sending.url, options);
          await sleep(pause, undefined, { signal: options.signal });
        }
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

const limits = ({ timeout }: TransportOptions) => ({ connect: { timeout }, headersTimeout: timeout, bodyTimeout: timeout });

function proxied(options: TransportOptions): Dispatcher {
  const { env } = options;
  // Plain requests are handed to the proxy as they are; tunnels are for https. An empty text keeps undici from reading the process's own environment.
  return new EnvHttpProxyAgent({
    ...limits(options),
    proxyTunnel: false,
    httpProxy: env.http_proxy ?? env.HTTP_PROXY ?? '',
    httpsProxy: env.https_proxy ?? env.HTTPS_PROXY ?? '',
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  });
}

/** Whether a host is this machine: no proxy stands between. */
const isLoopback = (host: string) => host === 'localhost' || host.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(host);

/** One attempt. Reading follows redirects on the same origin, or from http to https on the same host. */
async function follow(sending: Sending, agentFor: (url: string) => Dispatcher, options: TransportOptions, safe: boolean): Promise<Answer> {
  let url = sending.url;
  for (let hops = 0; ; hops++) {
    const answer = await once({ ...sending, url }, agentFor(url), options);
    const { location } = answer.headers;
    if (!safe || hops >= 5 || answer.status < 300 || answer.status >= 400 || location === undefined || !URL.canParse(location, url))
      return answer;
    const [from, to] = [new URL(url), new URL(location, url)];
    // Credentials go nowhere else.
    if (to.hostname !== from.hostname || (to.protocol !== from.protocol && to.protocol !== 'https:')) return answer;
    url = to.href;
  }
}

async function once({ method, url, headers, body }: Sending, dispatcher: Dispatcher, options: TransportOptions): Promise<Answer> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeout)]);
  const start = options.now();
  const answer = await request(url, { method: method as Dispatcher.HttpMethod, headers, body, dispatcher, signal });
  const text = await answer.body.text();
  options.trace?.(`${method} ${url} ${answer.statusCode} in ${options.now() - start} ms`);
  const plain = Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]);
  return { status: answer.statusCode, headers: Object.fromEntries(plain), body: text };
}

/** The milliseconds that a Retry-After asks for, in seconds or as a date. */
function patience(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now);
}

const causes: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'no way there',
  ENETUNREACH: 'no way there',
};

function unreachable(error: unknown, url: string, { timeout, signal }: TransportOptions): unknown {
  if (signal.aborted || error instanceof Failure) return error;
  const { name, message, code = '' } = error as NodeJS.ErrnoException;
  const late = name === 'TimeoutError' || /TIMEOUT/.test(code);
  const inner = (error as { errors?: NodeJS.ErrnoException[] }).errors?.[0]?.code ?? '';
  const why = late ? `no answer within ${timeout / 1000} s` : (causes[code] ?? causes[inner] ?? (message || code));
  const hint = late ? 'Raise --timeout, or try again later.' : 'Is the server running, and the address right?';
  return new Failure('unreachable', `cannot reach ${new URL(url).origin}: ${why}`, {}, hint);
}
