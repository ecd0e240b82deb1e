import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import { isControl, worldHeader } from '../model/addresses.ts';
import { pageChangesPath } from '../model/web-page.ts';
import { admit } from './admit.ts';
import type { Arrival, Context, SelectedContext, ServedWorld, Step } from './context.ts';
import { ownCallOf } from './control/access.ts';
import { control } from './control/control.ts';
import { faults } from './faults/faults.ts';
import { checkHost } from './host.ts';
import { addVary, joinPieces, type ServerResponse, sizeOf } from './http.ts';
import { exchangeOf, type StoredRequest, summaryOf } from './journal/journal.ts';
import { asFailure, currentResponse, failureResponse } from './response.ts';
import { selectWorld } from './select-world.ts';

/** Minimum size of a body to compress, in bytes. Smaller ones arrive faster as they are; files of the page are loaded once. */
const [minBytes, minFileBytes] = [4096, 256];

/** Content codings, the better one first, at levels that take little time. */
const codings = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 4 }),
};
type Coding = keyof typeof codings;
const preferred = Object.keys(codings) as Coding[];

/** Types whose content is compressed already. */
const isCompressed = /^image\/(?!svg)/;
const isFile = /^text\/(javascript|css)/;

/** Compresses the body of a response if it is large and the client accepts it; not one with a fault. */
export function compress(response: ServerResponse, accepted: string | undefined): ServerResponse | Promise<ServerResponse> {
  const { status, body, headers } = response;
  const type = headers['Content-Type'] ?? '';
  const size = sizeOf(body);
  if (size < minFileBytes || (size < minBytes && !isFile.test(type))) return response;
  if (status === 304 || isCompressed.test(type) || response.fault || response.slowBody) return response;
  addVary(headers, 'Accept-Encoding');
  const coding = accepted ? codingFor(accepted) : undefined;
  return coding ? encode(coding, status, headers, joinPieces(body)) : response;
}

function codingFor(accepted: string): Coding | undefined {
  const acceptable = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(preferred);
  return preferred.find((coding) => acceptable.includes(coding));
}

async function encode(coding: Coding, status: number, headers: ServerResponse['headers'], bytes: Uint8Array): Promise<ServerResponse> {
  return { status, headers: { ...headers, 'Content-Encoding': coding }, body: [await codings[coding](bytes)] };
}

/** Makes a request one of the current epoch, and adds it to the journal, unless it is a call of the TypeScript API. Requests to the control API and reads of the page belong to no epoch, except for changes of many records, which a reset ends. */
const journal: Step = (context, next) => {
  const { request, world } = context;
  request.ownCall = ownCallOf(request, world.controlled?.access);
  if (request.path === pageChangesPath) request.epoch = world.epoch;
  if (isControl(request.path) || request.ownCall === 'page') return next();
  request.epoch = world.epoch;
  if (!request.ownCall) {
    context.entry = world.journal.arrive(context.method, request, context.read !== undefined);
    publish(world, context.entry);
  }
  return next();
};

/** Runs the hooks of requests and responses, except for the control API and calls of the page and of the TypeScript API. They are loaded with the first request that has any. */
const hooks: Step = (context, next) => {
  const { request, world } = context;
  const ownHooks = world.hooks;
  if (!ownHooks || isControl(request.path) || request.ownCall) return next();
  if (!ownHooks.functions.request && !ownHooks.functions.response) return next();
  return import('./hooks/hooks.ts').then(({ runHooks }) => runHooks(context, ownHooks, next));
};

const responseCache: Step = ({ request, world }, next) => (world.cache ? world.cache(request, next) : next());

const api: Step = ({ request, world }) => world.api(request);

/** The steps of a request, in their order. */
const steps: readonly Step[] = [checkHost as Step, selectWorld as Step, journal, admit, control, faults, hooks, responseCache, api];

/** Returns the response to a request. The caller sends it, then calls {@link complete}. */
export function handle(context: Context): ServerResponse | Promise<ServerResponse> {
  const response = run(context as SelectedContext, 0);
  return response instanceof Promise ? response.then((each) => finish(context, each)) : finish(context, response);
}

const run = (context: SelectedContext, index: number): ServerResponse | Promise<ServerResponse> =>
  steps[index]!(context, () => run(context, index + 1));

/** Adds what every response has but the Date header: what it depends on, and its coding. */
function finish(context: Context, response: ServerResponse): ServerResponse | Promise<ServerResponse> {
  const { request } = context;
  addVary(response.headers, `${worldHeader}, Cookie`);
  context.response = response;
  return context.mayCompress ? compress(response, request.headers['accept-encoding']) : response;
}

/** The text of a second, which many responses share. */
const lastDate = { second: Number.NaN, text: '' };

/**
 * Returns the Date header of a response: the time of the calendar, by which clients resolve words like `tomorrow` (RFC 9110, 6.6.1). Undefined without a calendar. Node would add the time of the
 * machine, also under fake timers.
 */
export function dateOf({ world }: Context): string | undefined {
  if (!world) return undefined;
  const instant = world.clock.now();
  const second = Math.floor(instant / 1000);
  if (second !== lastDate.second) Object.assign(lastDate, { second, text: new Date(instant).toUTCString() });
  return lastDate.text;
}

/** Returns a response with its Date header. The given one may be cached, and is not changed. */
export function dated(context: Context, response: ServerResponse): ServerResponse {
  const date = dateOf(context);
  return date === undefined ? response : { ...response, headers: { ...response.headers, Date: date } };
}

/** Returns the context of a request that arrives now. It has every member from the start: objects that grow are slower. */
export function arrive({ server, request, read, hosts, hasSeveralHosts, mayCompress, gone }: Arrival): Context {
  const { method, path, query } = request;
  return {
    server,
    request,
    read,
    hosts,
    hasSeveralHosts,
    mayCompress,
    gone,
    start: performance.now(),
    method,
    target: query === '' ? path : `${path}?${query}`,
    world: undefined,
    entry: undefined,
    isEnded: false,
    operation: undefined,
    response: undefined,
  };
}

/** Sends a request to the clients that follow. */
function publish({ messages }: ServedWorld, entry: StoredRequest): void {
  if (messages.isFollowed) messages.publish('request', summaryOf(exchangeOf(entry)));
}

/** Reports a request with its response, before compression, when that has ended. Does nothing if its client has gone away, and adds nothing to the journal if its epoch is over. */
export function complete(context: Context, response: ServerResponse): void {
  if (context.isEnded) return;
  context.isEnded = true;
  const { method, target: path, start, server, world, entry } = context;
  const { status, fault } = response;
  const took = performance.now() - start;
  if (world && entry && world.journal.end(entry, response, took)) publish(world, entry);
  server.onRequest?.({ method, path, status, fault, took, response });
}

/** Reports a request whose client has gone away. Does nothing if its response has ended. */
export function abort(context: Context): void {
  if (context.isEnded) return;
  context.isEnded = true;
  const { method, target: path, start, server, world, entry } = context;
  const took = performance.now() - start;
  if (world && entry && world.journal.abort(entry, took)) publish(world, entry);
  server.onRequest?.({ method, path, status: 0, aborted: true, fault: entry?.fault ?? undefined, took });
}

/** Returns whether a response ends later than it begins: a slow one, or one that hangs until its client goes away. */
export function endsLater({ entry }: Context, { fault, slowBody }: ServerResponse): boolean {
  if (entry && fault === 'hang') entry.fault = fault;
  return fault === 'hang' || slowBody !== undefined;
}

/** Handles a request that came without a socket, and reports it like the others. */
export async function handleDirectly(arrival: Arrival): Promise<ServerResponse> {
  const context = arrive(arrival);
  arrival.gone?.().addEventListener('abort', () => abort(context), { once: true });
  try {
    const handled = await handle(context);
    const response = dated(context, currentResponse(arrival.request.epoch, handled));
    if (endsLater(context, response))
      return { ...response, onEnd: (isAborted) => (isAborted ? abort(context) : complete(context, response)) };
    complete(context, response);
    return response;
  } catch (error) {
    complete(context, failureResponse(asFailure(error)));
    throw error;
  }
}
