import { defaultSlugs } from '../../src/model/site-address.ts';
import type { ServedWorld, Server, Step } from '../../src/server/context.ts';
import { FaultList } from '../../src/server/faults/fault-list.ts';
import { arrive } from '../../src/server/handle.ts';
import type { Handle, Handled, ServerRequest } from '../../src/server/http.ts';
import { Journal } from '../../src/server/journal/journal.ts';
import { MessageLog } from '../../src/server/journal/message-log.ts';
import { createResponseCache } from '../../src/server/response-cache.ts';

/** A server whose only world has a handler as its API, and other parts if they are given. */
export function serverWith(api: Handle, parts: Partial<ServedWorld> = {}, onRequest?: Server['onRequest']): Server {
  const options = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' };
  const never = new AbortController().signal;
  const world: ServedWorld = {
    options,
    slugs: defaultSlugs,
    maxBodyBytes: 1 << 20,
    clock: { now: Date.now },
    faults: new FaultList(options),
    journal: new Journal({ ...options, system: Date.now, now: Date.now }),
    messages: new MessageLog('served'),
    epoch: never,
    stopping: never,
    api,
    track: (_, response) => response,
    ...parts,
  };
  return {
    options: { ...options, ...world.options, maxBody: world.maxBodyBytes },
    isWorldRequired: false,
    refuse: () => {},
    worldFor: () => world,
    now: () => world.clock.now(),
    onRequest,
  };
}

/** Returns a handler that runs some steps of a request, the last of which is an API. */
export function handlerOf(steps: readonly Step[], api: Handle, parts: Partial<ServedWorld>): Handle {
  const server = serverWith(api, parts);
  return (request) => {
    const exchange = Object.assign(arrive({ server, request, send: () => {} }), { world: server.worldFor(request, undefined) });
    const run = (index: number, changed: ServerRequest): Handled =>
      steps[index]?.(changed, exchange, (following) => run(index + 1, following)) ?? api(changed);
    return run(0, request);
  };
}

/** Returns a handler with a cache of responses. */
export function cachedHandle(handle: Handle, state: () => unknown): Handle {
  const cache = createResponseCache(state);
  return (request) => cache(request, () => handle(request));
}
