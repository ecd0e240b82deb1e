import { randomBytes } from 'node:crypto';
import { Failure } from '../../model/error.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import type { ClockState } from '../../model/operations/clock.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import type { Request, Response } from '../../server/http.ts';
import { type Listening, listen } from '../../server/listen.ts';
import type { HostRule } from '../../server/receiving/host.ts';
import { createListener, type Listener, type ListenerOptions } from '../../server/receiving/listener.ts';
import { type ReadBody, type Receiver, type ReceiverOf, receiveDirectly } from '../../server/receiving/receive.ts';
import { failureResponse } from '../../server/response.ts';
import type { Store } from '../../store/calendar.ts';
import { UpstreamState } from '../../store/identity/upstream-state.ts';
import type { WorldRegistry } from '../operations/context.ts';
import type { BackgroundPull } from '../upstream/background-pull.ts';
import type { World } from '../world/world.ts';
import { openStore, openWorld } from '../world/world.ts';
import { prepareMediaFolder } from './media-folder.ts';
import type { ServingOptions } from './options.ts';
import { checkNames, checkToken, listenFailure } from './options.ts';
import { handlingOf, WorldServer } from './world-server.ts';
import { Worlds } from './worlds.ts';

/** A world with a server that listens. */
export interface ServedCalendar {
  world: World;
  store: Store;
  control: CalendarControl;
  /** Handles a request as the server does, without a socket: it is journaled and logged, too. */
  receive(request: Request): Promise<Response>;
  /** The same for a request of another server: checks host, access and size before it calls `read` for the body, if any. */
  receiveForeign(request: Request, read: ReadBody | undefined): Promise<Response>;
  /** Creates a listener for the requests of another server. */
  createListener(originOf: ListenerOptions['originOf']): Listener;
  /** Completes the copy of a live site; absent without one. */
  background: BackgroundPull | undefined;
  /** The separate calendars on the same port. */
  worlds: Worlds;
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
  if (options.worldTtl !== undefined) millisecondsIn(options.worldTtl);
  if (options.media !== undefined) await prepareMediaFolder(options.media);
  const world = await openWorld(options);
  const { version } = world.store.db;
  try {
    const { upstream, namespace, readOnly = false } = options;
    if (upstream) {
      const { beginCopy } = await import('../upstream/begin.ts');
      await beginCopy(world.store, upstream, namespace, readOnly);
    }
    const { site } = new UpstreamState(world.store.db);
    if (!upstream && options.isDefaultNamespace && site && site.namespace !== namespace) {
      await world.close();
      return serveCalendar({ ...options, namespace: site.namespace });
    }
    return await serveWorld(world, options);
  } catch (error) {
    await world.close(version);
    throw error;
  }
}

async function serveWorld(world: World, options: ServingOptions): Promise<ServedCalendar> {
  const { host, port, maxBody, seed, allowHosts, readOnly } = options;
  const { store, served } = world;
  // Only the file of a calendar tells its owner the token.
  const token = store.db.file === undefined ? undefined : randomBytes(24).toString('base64url');
  const stopping = new AbortController();
  let worlds: Worlds | undefined;
  const { onRequest } = options;
  const starting: Receiver = { handle: notReady, admit: () => maxBody };
  /** Origin of the server that contains a calendar without a port, from its last request. */
  let mountedAt: string | undefined;
  const receiverOf: ReceiverOf = (head) => {
    const { host } = head.headers;
    if (listening === notListening && host !== undefined && host !== notListening.host) mountedAt = `${head.protocol ?? 'http'}://${host}`;
    return worlds ? worlds.receiverOf(head) : starting;
  };
  const listening =
    options.listen === false
      ? notListening
      : await listen(receiverOf, { host, port, allowHosts, onRequest, onConnectionError: onRequest }).catch((error) =>
          listenFailure(error, options),
        );
  const apiPath = `${options.basePath}/${options.namespace}`;
  const root = `${listening.url}${apiPath}`;
  const address = () => `${mountedAt ?? listening.url}${apiPath}`;
  const onClock = ({ now, frozen, ahead }: ClockState) => {
    if (listening !== notListening && token !== undefined) store.db.announce(root, token, frozen ? { now } : { ahead });
  };
  let closing: Promise<void> | undefined;
  let background: BackgroundPull | undefined;
  const close = async () => {
    stopping.abort();
    await background?.close();
    await worlds?.close();
    await listening.close();
    await world.close();
  };
  try {
    await options.prepare?.(store);
    const { open } = options;
    // Only those who can be reset need a second copy in memory.
    const start = (open || options.keepsStart) && !readOnly ? undefined : null;
    const registry: WorldRegistry = {
      list: () => worlds!.list(),
      get: (id) => worlds!.get(id),
      create: (input) => worlds!.create(input),
      delete: (id) => worlds!.delete(id),
    };
    const shared = { token, stopping: stopping.signal, worlds: registry };
    const main = WorldServer.create(world, { url: address, seed, open, onClock }, shared, options, start);
    worlds = new Worlds(main, address, shared, handlingOf(options, main.access), options);
    const hosts: HostRule = { allowed: allowHosts, addresses: true };
    onClock(world.served.clock.state);
    const { upstream } = options;
    if (upstream?.pulls && upstream.mode !== 'offline' && !served.clock.isSet) {
      const { BackgroundPull } = await import('../upstream/background-pull.ts');
      background = new BackgroundPull(world, upstream, options);
      background.start();
    }
    return {
      background,
      world,
      store,
      get control() {
        return main.control;
      },
      listening,
      root,
      worlds,
      receive: (request) => receiveDirectly(receiverOf, request, undefined, { onRequest }),
      receiveForeign: (request, read) => receiveDirectly(receiverOf, request, read, { onRequest, hosts }),
      createListener: (originOf) => createListener(receiverOf, { onRequest, hosts, originOf }),
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

/** The place of a calendar that another server mounts. Its name leads to no other machine. */
const notListening: Listening = { host: 'calendar.localhost', port: 0, url: 'http://calendar.localhost', close: async () => {} };

/** Handles requests until the calendar is filled. */
const notReady = (): Response => failureResponse(new Failure('not-ready', 'The calendar is not ready yet'), { 'Retry-After': '1' });
