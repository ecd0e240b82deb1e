import { isControl, worldHeader } from '../model/addresses.ts';
import { isPageRead } from '../model/web-page.ts';
import { admit } from './admit.ts';
import { compress } from './compression.ts';
import type { Arrival, Context, SelectedContext, Step } from './context.ts';
import { control } from './control/control.ts';
import { currentResponse } from './epoch.ts';
import { faults } from './faults/faults.ts';
import { checkHost } from './host.ts';
import { addVary, type Response } from './http.ts';
import { summaryOf } from './journal/journal.ts';
import { selectWorld } from './select-world.ts';

/** Makes a request one of the current epoch, which is added to the journal when its response leaves. Requests to the control API and the page's own reads belong to no epoch. */
const journal: Step = (context, next) => {
  const { request, world } = context;
  if (!isControl(request.path) && !isPageRead(request)) {
    request.epoch = world.epoch;
    context.journaled = request;
  }
  return next();
};

/** Runs the hooks of requests and responses, except for the control API and the page's own reads. They are loaded with the first request that has any. */
const hooks: Step = (context, next) => {
  const { request, world } = context;
  const ownHooks = world.hooks;
  if (!ownHooks || isControl(request.path) || isPageRead(request)) return next();
  if (!ownHooks.functions.request && !ownHooks.functions.response) return next();
  return import('./hooks/hooks.ts').then(({ runHooks }) => runHooks(context, ownHooks, next));
};

const responseCache: Step = ({ request, world }, next) => (world.cache ? world.cache(request, next) : next());

const api: Step = ({ request, world }) => world.api(request);

/** The steps of a request, in their order. */
const steps: readonly Step[] = [checkHost as Step, selectWorld as Step, journal, admit, control, faults, hooks, responseCache, api];

/** Returns the response to a request. The caller sends it, then calls {@link complete}. */
export function handle(context: Context): Response | Promise<Response> {
  const response = run(context as SelectedContext, 0);
  return response instanceof Promise ? response.then((each) => finish(context, each)) : finish(context, response);
}

const run = (context: SelectedContext, index: number): Response | Promise<Response> =>
  steps[index]!(context, () => run(context, index + 1));

/** Adds what every response has: what it depends on, the time of the calendar, and its coding. */
function finish(context: Context, response: Response): Response | Promise<Response> {
  const { request, world } = context;
  addVary(response.headers, `${worldHeader}, Cookie`);
  // Clients resolve words like `tomorrow` by it (RFC 9110, 6.6.1). A cached response is not changed.
  context.response = world?.clock.isSet
    ? { ...response, headers: { ...response.headers, Date: new Date(world.clock.now()).toUTCString() } }
    : response;
  return context.mayCompress ? compress(context.response, request.headers['accept-encoding']) : context.response;
}

/** Returns the context of a request that arrives now. It has every member from the start: objects that grow are slower. */
export function arrive({ server, request, read, hosts, hasSeveralHosts, mayCompress }: Arrival): Context {
  const { method, path, query } = request;
  return {
    server,
    request,
    read,
    hosts,
    hasSeveralHosts,
    mayCompress,
    start: performance.now(),
    method,
    target: query === '' ? path : `${path}?${query}`,
    world: undefined,
    journaled: undefined,
    operation: undefined,
    response: undefined,
  };
}

/** Reports a request with the response that was sent, before compression, and adds it to the journal unless its epoch is over. */
export function complete({ method, target: path, start, server, world, journaled }: Context, response: Response): void {
  const { status, fault } = response;
  const took = performance.now() - start;
  if (world && journaled && !journaled.epoch?.aborted) {
    world.journal.add({ method, path, status, fault, took, request: journaled, response });
    if (world.messages.isFollowed) world.messages.publish('request', summaryOf(world.journal.last()));
  }
  server.onRequest?.({ method, path, status, fault, took, response });
}

/** Handles a request that came without a socket, and reports it like the others. */
export async function handleDirectly(arrival: Arrival): Promise<Response> {
  const context = arrive(arrival);
  const result = await handle(context);
  const response = currentResponse(context.journaled?.epoch, result);
  complete(context, response);
  return response;
}
