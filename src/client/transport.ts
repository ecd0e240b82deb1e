import { type Dispatcher, request } from 'undici';
import { Failure } from '../model/error.ts';
import { wait, withTimeout } from '../model/time/duration.ts';
import { Gate, hasSecrets } from './gate.ts';
import { redactedError, redactorOf } from './redact.ts';
import { Agents, redirectOf, unreachable } from './redirects.ts';
import type { RemoteResponse } from './response.ts';

/** A request to send. */
export interface OutgoingRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
  /** True to skip text before the JSON of a response, with a warning. */
  skipsText?: boolean;
  /** True to follow redirects only to the same host, as with credentials. */
  staysOnHost?: boolean;
  /** True to follow redirects when a stream is opened, as other reads do. */
  follows?: boolean;
}

export interface TransportOptions {
  /** Timeout for a request with all attempts, pauses, redirects and the response body, in ms. Waiting for `Retry-After` doesn't count. */
  timeout: number;
  /** The User-Agent header. Firewalls reject requests without one. */
  userAgent: string;
  /** Headers of every request, with names in lower case. Their values are redacted in messages. */
  headers?: Record<string, string>;
  /** Environment with HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in either case. */
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Epoch milliseconds. */
  now(): number;
  /** Called after every attempt. */
  trace?(line: string): void;
  /** Called with a remark on a response, and before a wait of more than a second. */
  notice?(line: string): void;
  /** Called in place of `notice` before a wait of more than a second, with the status and when it ends, in epoch ms. */
  onWait?(status: number, untilMs: number): void;
  /** Maximum number of attempts for reads (default 3). */
  attempts?: number;
  /** Maximum time to wait for `Retry-After`, in ms (default: ten minutes). */
  maxWaitMs?: number;
  /** A random number from 0 to 1, for pauses between attempts. */
  random(): number;
}

/** Sends requests over reused connections. A {@link Gate} decides what each of them may send. */
export interface Transport {
  readonly gate: Gate;
  send(outgoing: OutgoingRequest): Promise<RemoteResponse>;
  /** Opens a stream, which ends if nothing arrives for a minute. Throws like `send`, after one attempt, before a response arrives. */
  open(outgoing: OutgoingRequest, signal?: AbortSignal): Promise<OpenResponse>;
  close(): Promise<void>;
}

/** A response with a stream as its body. */
interface OpenResponse extends Omit<RemoteResponse, 'body' | 'bytes'> {
  body: AsyncIterable<Uint8Array> & { text(): Promise<string>; arrayBuffer(): Promise<ArrayBuffer> };
}

const defaultAttempts = 3;
const maxRedirects = 5;
/** Statuses that are worth another attempt. */
const transient = new Set([429, 502, 503, 504]);
const defaultMaxWaitMs = 600_000;

/**
 * Sends requests over HTTP. Reads are retried after growing random pauses, or after `Retry-After`. Writes are retried only if the server rejected them with
 * 429 and `Retry-After`. undici's retry interceptor is not used: it ignores long Retry-After times, and resumes an interrupted body although the list may
 * have changed.
 */
export function transportOf(
  options: TransportOptions,
  gate = new Gate((to, from) => options.notice?.(`Using ${to} in place of ${from}`)),
): Transport {
  const agents = new Agents(options.timeout, options.env);
  const complete = (outgoing: OutgoingRequest): OutgoingRequest => ({
    ...outgoing,
    headers: { 'user-agent': options.userAgent, ...options.headers, ...outgoing.headers },
  });
  return {
    gate,
    async send(partial) {
      const outgoing = complete(partial);
      const redact = redactorOf(outgoing.headers);
      try {
        return withoutSecrets(await sendRepeatedly(outgoing, agents, gate, options), outgoing, redact, options);
      } catch (error) {
        throw redactedError(unreachable(error, outgoing.url, options), redact);
      }
    },
    async open(partial, signal = options.signal) {
      const outgoing = complete(partial);
      const redact = redactorOf(outgoing.headers);
      try {
        const response = await follow(outgoing, agents, gate, { ...options, signal }, true);
        return response.status < 300 ? response : { ...response, headers: redactedHeaders(response.headers, redact) };
      } catch (error) {
        throw redactedError(unreachable(error, outgoing.url, options), redact);
      }
    },
    close: () => agents.close(),
  };
}

/** Sends a request, and repeats it while that can help. Only the time of requests and short pauses counts for the timeout. */
async function sendRepeatedly(outgoing: OutgoingRequest, agents: Agents, gate: Gate, options: TransportOptions): Promise<RemoteResponse> {
  const { maxWaitMs = defaultMaxWaitMs, attempts = defaultAttempts } = options;
  let remainingMs = options.timeout;
  for (let attempt = 1; ; attempt++) {
    const start = performance.now();
    const isLast = attempt >= attempts;
    const response = await withTimeout(remainingMs, options.signal, (signal) =>
      sendOnce(outgoing, agents, gate, { ...options, signal }).catch((error) => {
        if (isLast || !isReadRequest(outgoing) || signal.aborted || isTooLarge(error) || error.code === 'not-a-calendar') throw error;
      }),
    );
    remainingMs -= performance.now() - start;
    const pause = Math.min(options.random() * 100 * 2 ** attempt, Math.max(0, remainingMs));
    const delay = delayOf(response?.headers['retry-after'], options.now());
    remainingMs -= pause;
    if (response && (isLast || !mayRetry(outgoing, response) || delay > maxWaitMs || (remainingMs <= 0 && delay === 0))) return response;
    if (delay > 1000 && options.onWait) options.onWait(response!.status, options.now() + delay);
    else if (delay > 1000)
      options.notice?.(`${new URL(outgoing.url).host} returned ${response!.status}. Retrying in ${Math.ceil(delay / 1000)} s`);
    await wait(Math.max(pause, delay), { signal: options.signal });
    options.signal.throwIfAborted();
    if (delay > 0) remainingMs = Math.max(remainingMs, options.timeout / attempts);
  }
}

/** A response for messages: without values of headers in errors, and without text before JSON. */
function withoutSecrets(
  response: RemoteResponse,
  { skipsText, url }: OutgoingRequest,
  redact: (text: string) => string,
  { notice }: TransportOptions,
): RemoteResponse {
  const json = skipsText ? jsonAfterText(response.body) : undefined;
  if (json) notice?.(`${new URL(url).host}: Skipped text before the JSON of a response: ${redact(json.line) || 'a byte order mark'}`);
  const body = json?.json ?? response.body;
  if (response.status < 300) return json ? { ...response, body } : response;
  return { ...response, headers: redactedHeaders(response.headers, redact), body: redact(body) };
}

const redactedHeaders = (headers: Record<string, string>, redact: (text: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]));

const isReadRequest = ({ method }: OutgoingRequest) => method === 'GET' || method === 'HEAD';
/** True if a request can be retried without repeating a write. */
const mayRetry = (outgoing: OutgoingRequest, { status, headers }: RemoteResponse) =>
  isReadRequest(outgoing) ? transient.has(status) : status === 429 && headers['retry-after'] !== undefined;
const isTooLarge = (error: NodeJS.ErrnoException) => error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';

/** Sends a request once, and reads the response. */
async function sendOnce(outgoing: OutgoingRequest, agents: Agents, gate: Gate, options: TransportOptions): Promise<RemoteResponse> {
  const { body, ...response } = await follow(outgoing, agents, gate, options);
  const bytes = await body.arrayBuffer().catch((error) => {
    throw response.url !== undefined && !isTooLarge(error) ? unreachable(error, response.url, options) : error;
  });
  return { ...response, body: new TextDecoder().decode(bytes), bytes: new Uint8Array(bytes) };
}

/** Sends what the gate lets pass of a request, once. Reads follow redirects, as far as these are safe. */
async function follow(
  outgoing: OutgoingRequest,
  agents: Agents,
  gate: Gate,
  options: TransportOptions,
  isStream = false,
): Promise<OpenResponse> {
  const { url: address, staysOnHost, follows = !isStream } = outgoing;
  const passed = await gate.pass(outgoing, ({ url, headers, mustBePublic }) =>
    probe({ method: 'GET', url, headers }, agents.for(url, { isStream: true, mustBePublic }), options),
  );
  if ('redirect' in passed) return passed.redirect;
  const { headers } = passed;
  const firstUrl = new URL(passed.url);
  let url = firstUrl;
  let { mustBePublic } = passed;
  for (let hops = 0; ; hops++) {
    const { href } = url;
    const response = await openOnce({ ...outgoing, headers, url: href }, agents.for(href, { isStream, mustBePublic }), options).catch(
      (error) => {
        throw hops > 0 && !isTooLarge(error) ? unreachable(error, href, options) : error;
      },
    );
    const { location } = response.headers;
    const isRedirect = response.status >= 300 && response.status < 400 && location !== undefined;
    const mayFollow = isRedirect && follows && isReadRequest(outgoing);
    const redirect = mayFollow ? redirectOf(firstUrl, url, location, staysOnHost || hasSecrets(headers)) : undefined;
    const isSignedIn = headers.authorization !== undefined;
    if (!redirect) {
      if (hops > 0) gate.noteRedirect(passed.url, href);
      return { ...response, isSignedIn, ...(href === address ? {} : { url: href }) };
    }
    await response.body.arrayBuffer();
    if (hops === maxRedirects)
      throw new Failure(
        'not-a-calendar',
        `${address} redirects again and again, after ${hops} redirects to ${redirect.url.href}`,
        'Open it in a browser. If it is fine there, the site or its proxy redirects other programs: ask its owner.',
      );
    ({ url, mustBePublic } = redirect);
  }
}

async function openOnce(
  { method, url, headers, body }: OutgoingRequest,
  dispatcher: Dispatcher,
  { now, trace, signal }: TransportOptions,
): Promise<OpenResponse & { body: Dispatcher.ResponseData['body'] }> {
  const start = now();
  // The client of a proxy adds the host to the headers it is given.
  const own = { ...headers };
  const response = await request(url, { method: method as Dispatcher.HttpMethod, headers: own, body, dispatcher, signal });
  trace?.(`${method} ${url} ${response.statusCode} in ${now() - start} ms`);
  return { status: response.statusCode, headers: plainHeaders(response.headers), body: response.body };
}

/** Sends a request, and ignores the body of the response, which may have no end. */
async function probe(outgoing: OutgoingRequest, dispatcher: Dispatcher, options: TransportOptions): Promise<OpenResponse> {
  const { body, ...response } = await openOnce(outgoing, dispatcher, options);
  body.on('error', () => {}).destroy();
  const empty = Object.assign(ReadableStream.from([]), { text: async () => '', arrayBuffer: async () => new ArrayBuffer(0) });
  return { ...response, body: empty };
}

const plainHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));

/** The delay in a Retry-After header in ms, given in seconds or as a date. */
function delayOf(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now);
}

/** Text before JSON is at most this long, in characters. */
const maxPreamble = 65_536;
/** Number of positions at which JSON is tried. */
const maxTries = 50;

/** JSON and the text before it. */
interface FoundJson {
  json: string;
  /** First line of the text before it; empty for a byte order mark. */
  line: string;
}

/** The JSON object or list in a body that doesn't start with it, as behind a notice of PHP; undefined if the body starts with JSON, or contains none. */
function jsonAfterText(body: string): FoundJson | undefined {
  if (/^[ \t\r\n]*(\{|\[\s*[\]{["])/.test(body) || /^\s*(<!doctype|<html)/i.test(body)) return undefined;
  const starts = body.slice(0, maxPreamble).matchAll(/\{\s*["}]|\[\s*[\]{]/g);
  let tries = 0;
  for (const { index } of starts) {
    if (++tries > maxTries) return undefined;
    const json = body.slice(index);
    if (!/[\]}]\s*$/.test(json)) return undefined;
    if (isJson(json)) return { json, line: firstLine(body.slice(0, index)) };
  }
  return undefined;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const firstLine = (text: string): string =>
  text
    .replace(/<[^<>]*>/g, '')
    .replace(/\uFEFF/g, '')
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '')
    ?.slice(0, 200) ?? '';
