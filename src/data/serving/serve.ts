import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import project from '../../../package.json' with { type: 'json' };
import { Failure } from '../../model/error.ts';
import { isLoopback } from '../../model/loopback.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import type { ClockState } from '../../model/operations/clock.ts';
import { isControl } from '../../model/operations/control.ts';
import type { ReadCache } from '../../model/operations/service.ts';
import { isPageRead } from '../../model/web-page.ts';
import { createCachedHandler } from '../../server/cached.ts';
import { type ControlAccess, reachOf } from '../../server/control/access.ts';
import { admitControl, type ControlOptions, withControl } from '../../server/control/handler.ts';
import { currentResponse } from '../../server/epoch.ts';
import { type Sleep, withFaults } from '../../server/faults/with-faults.ts';
import type { Handle, Request } from '../../server/http.ts';
import { summaryOf } from '../../server/journal/journal.ts';
import { type CompletedRequest, type Listening, listen } from '../../server/listen.ts';
import { failureResponse, serialize } from '../../server/response.ts';
import { withDate } from '../../server/with-date.ts';
import type { Store } from '../../store/calendar.ts';
import { serviceOf } from '../../store/service.ts';
import { createControl } from '../operations/control.ts';
import { openStore, openWorld } from '../world/open.ts';
import type { ServedWorld } from '../world/world.ts';
import { checkNames, checkToken, listenFailure } from './names.ts';
import type { ServingOptions } from './options.ts';
import { readOnlyService } from './read-only.ts';

/** A world with a server that listens. */
export interface ServedCalendar {
  world: ServedWorld;
  store: Store;
  control: CalendarControl;
  /** Handles a request as the server does, without a socket: it is journaled and logged, too. */
  handle: Handle;
  listening: Listening;
  /** The address that the API starts with. */
  root: string;
  /** Runs `prepare` on a new calendar in memory, then replaces the data of the served one; a reset restores this state from now on. Changes nothing if it fails. */
  refill(): Promise<void>;
  /** Stops listening when open requests have finished, then closes the world. Does nothing the second time. */
  close(): Promise<void>;
}

/** Opens a world and serves it over HTTP until it is closed. Throws a Failure if the file or the port is not available, and what `prepare` throws; nothing stays open then. */
export async function serveCalendar(options: ServingOptions): Promise<ServedCalendar> {
  checkToken(options.controlToken);
  checkNames(options);
  const world = await openWorld(options);
  try {
    return await serveWorld(world, options);
  } catch (error) {
    await world.close();
    throw error;
  }
}

async function serveWorld(world: ServedWorld, options: ServingOptions): Promise<ServedCalendar> {
  const { host, port, maxBody, seed, connectTo } = options;
  const { store, served } = world;
  const token = randomBytes(24).toString('base64url');
  const stopping = new AbortController();
  let handle: Handle = notReady;
  let controlled: ControlOptions | undefined;
  const epochOf = (head: Request) => (isControl(head.path) || isPageRead(head) ? undefined : world.epoch);
  const onResponse = (event: CompletedRequest): void => {
    if (event.epoch && !event.epoch.aborted) {
      served.journal.add(event);
      if (served.messages.isFollowed) served.messages.publish('request', summaryOf(served.journal.last()));
    }
    options.onRequest?.(event);
  };
  const listening = await listen((request) => handle(request), {
    host,
    port,
    epochOf,
    admit: (head) => (controlled && isControl(head.path) ? admitControl(head, controlled, maxBody) : maxBody),
    onRequest: onResponse,
    onConnectionError: options.onRequest,
  }).catch((error) => listenFailure(error, options));
  const root = `${listening.url}${options.basePath}/${options.namespace}`;
  const onClock = ({ now, frozen, ahead }: ClockState) => store.db.announce(root, token, frozen ? { now } : { ahead });
  let closing: Promise<void> | undefined;
  const close = async () => {
    stopping.abort();
    await listening.close();
    await world.close();
  };
  try {
    await options.prepare?.(store);
    // Before the image is taken: the cache marks what is written after it.
    const cache = await store.cached(serialize);
    // Only those who can be reset need a second copy in memory.
    world.begin((options.open || options.keepsStart) && !options.readOnly ? store.image() : undefined);
    const context = { world, version: project.version, url: () => root, seed, connectTo, onClock };
    const control = createControl(context, options);
    const access = accessOf(token, options);
    handle = handlerOf(world, cache, { control, access }, stopping.signal, options);
    controlled = { control, access };
    onClock(world.clockState);
    return {
      ...{ world, store, control, listening, root },
      handle: (request) => handleDirectly(handle, request, epochOf(request), onResponse),
      async refill() {
        const fresh = await openStore(options, served.clock.now);
        try {
          await options.prepare?.(fresh);
          const image = fresh.image();
          if (world.start) world.start = image;
          await store.restore(image);
        } finally {
          await fresh.close();
        }
      },
      close() {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await listening.close();
    throw error;
  }
}

/** Handles a request that came without a socket, and reports it like the others. */
async function handleDirectly(
  handle: Handle,
  request: Request,
  epoch: AbortSignal | undefined,
  onResponse: (event: CompletedRequest) => void,
) {
  const start = performance.now();
  request.epoch = epoch;
  const response = currentResponse(epoch, await handle(request));
  const path = request.query === '' ? request.path : `${request.path}?${request.query}`;
  const { method, headers, body } = request;
  const { status, fault } = response;
  onResponse({ method, path, headers, body, response, status, fault, epoch, took: performance.now() - start });
  return response;
}

const accessOf = (ownerToken: string, { host, open, readOnly, controlToken }: ServingOptions): ControlAccess => ({
  ...{ loopback: isLoopback(host), open, readOnly, ownerToken, controlToken },
});

/** Handles requests until the calendar is filled. */
const notReady: Handle = () => failureResponse(new Failure('not-ready', 'The calendar is not ready yet'), { 'Retry-After': '1' });

/** Returns the handler of a world: the API with its caches, then layers that see or change every exchange, the innermost first. */
function handlerOf(
  world: ServedWorld,
  cache: ReadCache,
  { control, access }: ControlOptions,
  stopping: AbortSignal,
  options: ServingOptions,
): Handle {
  const { basePath, namespace, headerPrefix, cors, page, readOnly, host, strict, taxonomy } = options;
  const { clock, faults } = world.served;
  const service = serviceOf(world.store);
  const own = { token: access.ownerToken, control: reachOf(access), exposed: !isLoopback(host) };
  const handling = { basePath, namespace, headerPrefix, cors, page, strict, taxonomy, ...own };
  const wait: Sleep = (ms, epoch) =>
    sleep(ms, undefined, { signal: epoch ? AbortSignal.any([stopping, epoch]) : stopping }).catch(() => {});
  const api = createCachedHandler(readOnly ? readOnlyService(service) : service, handling, cache);
  return withDate(withControl(withFaults(api, faults, handling, wait), { control, access }), clock);
}
