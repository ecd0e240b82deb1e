import { isControl } from '../model/addresses.ts';
import type { Failure } from '../model/error.ts';
import { isProgram, pageChangesPath } from '../model/web-page.ts';
import { admit } from './admit.ts';
import type { Arrival, Exchange, ServedWorld, Server, Step, WorldExchange } from './context.ts';
import { callerOf, isOwners } from './control/access.ts';
import { control } from './control/control.ts';
import { faults } from './faults/faults.ts';
import { checkHost } from './host.ts';
import { type Handled, noBody, type SealedResponse, type ServerRequest, type ServerResponse } from './http.ts';
import type { JournalEntry } from './journal/entry.ts';
import { summaryOf } from './journal/journaled.ts';
import { asFailure, failureResponse, resetFailure } from './response.ts';
import { seal, sealed } from './seal.ts';
import { selectWorld } from './select-world.ts';

/** Makes a request one of the current epoch, and adds it to the journal, unless it is a call of the TypeScript API. Requests to the control API and reads of the page belong to no epoch, except for changes of many records, which a reset ends. */
const journal: Step = (request, exchange, next) => {
  const { world, method, arrival } = exchange;
  const access = world.controlled?.access;
  const caller = callerOf(request, access);
  const ownCall = caller === 'form' ? undefined : caller;
  const isOurs = caller !== undefined || isProgram(request.headers['user-agent']);
  const isOutside = isControl(request.path) || ownCall === 'page';
  if (!isOutside || request.path === pageChangesPath) exchange.epoch = world.epoch;
  const own = { ...request, ownCall, isOurs, isOwners: isOwners(request, caller, access), epoch: exchange.epoch };
  if (!isOutside && !ownCall) {
    exchange.entry = world.journal.arrive(method, own, arrival.read !== undefined);
    publish(world, exchange.entry);
  }
  return next(own);
};

/** Runs the hooks of requests and responses, except for the control API and calls of the page and of the TypeScript API. They are loaded with the first request that has any. */
const hooks: Step = (request, exchange, next) => {
  const ownHooks = exchange.world.hooks;
  if (!ownHooks || isControl(request.path) || request.ownCall) return next(request);
  if (!ownHooks.functions.request && !ownHooks.functions.response) return next(request);
  return import('./hooks/hooks.ts').then(({ runHooks }) => runHooks(request, exchange, ownHooks, next));
};

/** A strict server rejects what it accepts from this program, and the owner sees more than a visitor. */
const responseCache: Step = (request, { world }, next) =>
  world.cache && !request.isOwners && !(request.isOurs && world.options.strict) ? world.cache(request, () => next(request)) : next(request);

const api: Step = (request, { world }) => world.api(request);

/** The steps of a request, in their order, once its host is accepted and its world is found. */
const steps: readonly Step[] = [journal, admit, control, faults, hooks, responseCache, api];

/** Runs the steps of a request and sends its response, or that of its failure. */
export function handle(exchange: Exchange): void {
  const { request } = exchange.arrival;
  let handled: Handled;
  try {
    checkHost(request, exchange);
    handled = selectWorld(request, exchange, (selected, ofWorld) => run(0, selected, ofWorld));
  } catch (error) {
    handled = failed(error);
  }
  if (handled instanceof Promise) handled.catch(failed).then((response) => end(exchange, response));
  else end(exchange, handled);
}

const run = (index: number, request: ServerRequest, exchange: WorldExchange): Handled =>
  steps[index]!(request, exchange, (following) => run(index + 1, following, exchange));

const failed = (error: unknown): ServerResponse => failureResponse(asFailure(error));

/**
 * Sends a response, or 503 if the epoch of its request is over. The connection is closed after that response and not instead of it: browsers send a request again when its connection closes
 * without a response, and would send it into the next epoch.
 */
function end(exchange: Exchange, response: ServerResponse): void {
  const { epoch } = exchange;
  const result = sealed(exchange, epoch?.aborted ? { ...failed(resetFailure()), isLast: true } : response);
  if (!(result instanceof Promise)) send(exchange, result);
  else
    result.then(
      (each) => (epoch?.aborted ? end(exchange, response) : send(exchange, each)),
      (error) => end(exchange, failed(error)),
    );
}

function send(exchange: Exchange, { response, body }: SealedResponse): void {
  const { connection, send, server } = exchange.arrival;
  const { entry } = exchange;
  const isLast = connection && (response.isLast || response.stream || response.status === 413 || connection.isLast());
  // The number in the log, by which a person finds the request of a browser.
  const isNumbered = entry && response.status !== 204 && !response.fault;
  const number = isNumbered && { [`${server.options.headerPrefix}-Request`]: String(entry.id) };
  const added = { ...(isLast && { Connection: 'close' }), ...number };
  const current = isLast || number ? { ...response, headers: { ...response.headers, ...added } } : response;
  exchange.response = current.body === body ? current : { ...current, body };
  try {
    send(current);
  } catch (error) {
    // Nothing was sent: a header can't be.
    exchange.response = seal(exchange, { ...failed(error), isLast: true });
    send(exchange.response);
  }
}

/** The response to what is not a request: malformed, too large, or incomplete. */
export function responseToNone(server: Server, failure: Failure): ServerResponse {
  const request = { method: '-', path: '-', query: '', headers: {}, body: noBody };
  const exchange = arrive({ server, request, connection: { isLast: () => true }, send: () => {} });
  end(exchange, failureResponse(failure));
  return exchange.response!;
}

/** A request that arrives now. */
export function arrive(arrival: Arrival): Exchange {
  const { server, request } = arrival;
  const { method, path, query } = request;
  return {
    arrival,
    server,
    start: performance.now(),
    method,
    target: query === '' ? path : `${path}?${query}`,
    isHostAllowed: false,
    world: undefined,
    entry: undefined,
    epoch: undefined,
    operation: undefined,
    response: undefined,
    isEnded: false,
  };
}

/** Sends a request to the clients that follow. */
function publish({ messages }: ServedWorld, entry: JournalEntry): void {
  if (messages.isFollowed) messages.publish('request', summaryOf(entry));
}

/** Reports a request whose response has ended. Does nothing if its client has gone away, and adds nothing to the journal if its epoch is over. */
export function completeEntry(exchange: Exchange): void {
  if (exchange.isEnded) return;
  exchange.isEnded = true;
  const { method, target: path, start, server, world, entry } = exchange;
  const response = exchange.response!;
  const { status, fault } = response;
  const took = performance.now() - start;
  if (world && entry && world.journal.end(entry, response, took)) publish(world, entry);
  server.onRequest?.({ method, path, status, fault, took, response });
}

/** Reports a request whose client has gone away. Does nothing if its response has ended. */
export function abort(exchange: Exchange): void {
  if (exchange.isEnded) return;
  exchange.isEnded = true;
  const { method, target: path, start, server, world, entry } = exchange;
  const took = performance.now() - start;
  if (world && entry && world.journal.abort(entry, took)) publish(world, entry);
  server.onRequest?.({ method, path, status: 0, aborted: true, fault: entry?.fault ?? undefined, took });
}

/** True if a response ends later than it begins: a slow one, or one that hangs until its client goes away. */
export function endsLater({ entry }: Exchange, { fault, slowBody }: ServerResponse): boolean {
  if (entry && fault === 'hang') entry.fault = fault;
  return fault === 'hang' || slowBody !== undefined;
}

/** A response without a socket, whose end a fault may delay. */
export interface DirectResponse extends ServerResponse {
  /** Aborts when the calendar is reset. */
  epoch?: AbortSignal;
  /** Called when a slow body has been read, or its reader has gone away. */
  onEnd?(isAborted: boolean): void;
}

/** Handles a request that came without a socket, and reports it like the others. */
export function handleDirectly(arrival: Omit<Arrival, 'send' | 'connection'>): Promise<DirectResponse> {
  return new Promise((resolve) => {
    const exchange = arrive({
      ...arrival,
      send(response) {
        if (!endsLater(exchange, response)) {
          resolve(response);
          completeEntry(exchange);
        } else resolve({ ...response, epoch: exchange.epoch, onEnd: (isAborted) => (isAborted ? abort : completeEntry)(exchange) });
      },
    });
    arrival.gone?.().addEventListener('abort', () => abort(exchange), { once: true });
    handle(exchange);
  });
}
