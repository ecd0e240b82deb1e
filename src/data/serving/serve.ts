import { hexText, randomBytes } from '../../model/formats/bytes.ts';
import type { ClockState } from '../../model/operation-types.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import type { Arrival, HostRule } from '../../server/context.ts';
import { type DirectResponse, handleDirectly } from '../../server/handle.ts';
import type { ServerRequest } from '../../server/http.ts';
import type { Listening } from '../../server/listen.ts';
import type { Store } from '../../store/calendar.ts';
import { SiteState } from '../../store/identity/sites.ts';
import { settingKinds } from '../../store/records/settings.ts';
import { nodeFor } from '../operations/context.ts';
import type { World } from '../world/world.ts';
import { openStore, openWorld } from '../world/world.ts';
import type { SharedParts } from './controlled-world.ts';
import { checkServed, checkToken, type FollowedCopy, type NodeParts, type ServingOptions } from './options.ts';
import { mountedHost, Worlds } from './worlds.ts';

/** A world with a server that listens. */
export interface RunningServer {
  world: World;
  store: Store;
  control: CalendarControl;
  /** Handles a request as the server does, without a socket: it is journaled and logged, too. */
  handle(request: ServerRequest, gone?: Arrival['gone']): Promise<DirectResponse>;
  /** The same for a request of another server: checks host, access and size before it calls `read` for the body, if any. */
  handleForeign(request: ServerRequest, read: Arrival['read'], gone?: Arrival['gone']): Promise<DirectResponse>;
  /** Names that the Host header of such a request may have. Any without Node: where no socket listens, no name can be rebound to one. */
  hosts: HostRule | undefined;
  /** The site that it pulls from; absent without one. */
  followed: FollowedCopy | undefined;
  /** The separate calendars on the same port. */
  worlds: Worlds;
  listening: Listening;
  /** The address that the API starts with; of an empty copy, it changes when the site has answered. */
  readonly root: string;
  /** Runs `prepare` on a new calendar in memory, then replaces the data of the served one; a reset restores this state from now on. Changes nothing if it fails. */
  refill(): Promise<void>;
  /** Stops listening when open requests have finished, then closes the world. Does nothing the second time. */
  close(): Promise<void>;
}

/** Opens a world and serves it over HTTP until it is closed. Throws a Failure if the file or the port is not available, and what `prepare` throws; nothing stays open then. */
export async function serveCalendar(given: ServingOptions): Promise<RunningServer> {
  const options = { ...given, answersAnyPath: given.hooks?.functions.request !== undefined };
  checkToken(options.controlToken);
  checkServed(options);
  if (options.worldTtl !== undefined) millisecondsIn(options.worldTtl, 'worldTtl', 'ttl');
  const { media, node } = options;
  const files = media === undefined ? undefined : await nodeFor('media', node).imagesIn(media);
  const listen = options.listen === false ? undefined : await nodeFor('A port', node).listenerOf(options);
  const world = await openWorld(options);
  const { version } = world.store.db;
  try {
    const namespace = options.isDefaultNamespace ? await copiedNamespace(world.store.db, options) : undefined;
    if (namespace !== undefined) {
      Object.assign(options, { namespace, isDefaultNamespace: false });
      world.served.faults.move();
    }
    if (options.file !== undefined) options.publicUrl ??= publicHome(world.store, options);
    return await serveWorld(world, options, { files, listen });
  } catch (error) {
    await world.close(version);
    throw error;
  }
}

/** The namespace of the site that the calendar is a copy of, as far as it is known. */
async function copiedNamespace(db: Store['db'], { pull }: ServingOptions): Promise<string | undefined> {
  if (!pull) return SiteState.all(db).find((site) => site.namespace !== null)?.namespace ?? undefined;
  const { remembered } = await import('../remote/site.ts');
  const { row, namespace } = remembered(db, pull);
  return row?.namespace ?? namespace;
}

/** The setting `home` of a file as the address by which clients reach the server, unless it has its default. One with a path is none. */
function publicHome({ settings }: Store, { file, notice }: ServingOptions): string | undefined {
  const home = settings.get('home');
  if (home === settingKinds.home.default) return undefined;
  const isOrigin = new URL(home).origin === home;
  notice?.(
    isOrigin
      ? `Links start with ${home}, the setting home of ${file}`
      : `Links start with the address of the server: the setting home of ${file}, ${home}, has a path. Set an origin, and pass --base-path`,
  );
  return isOrigin ? home : undefined;
}

/** Parts of a server that are prepared before the calendar is opened. */
interface Prepared extends Pick<SharedParts, 'files'> {
  listen: Awaited<ReturnType<NodeParts['listenerOf']>> | undefined;
}

async function serveWorld(world: World, options: ServingOptions, { files, listen }: Prepared): Promise<RunningServer> {
  const { publicUrl } = options;
  const allowHosts = [...(options.allowHosts ?? []), ...(publicUrl === undefined ? [] : [new URL(publicUrl).hostname])];
  const { store, served } = world;
  // Only the file of a calendar tells its owner the token.
  const token = store.db.file === undefined ? undefined : hexText(randomBytes(24));
  const stopping = new AbortController();
  const worlds = new Worlds(options, { token, stopping: stopping.signal, files });
  const listening = (await listen?.(worlds, allowHosts)) ?? notListening;
  worlds.origin = listening.url;
  const onClock = ({ now, frozen, ahead }: ClockState) => {
    if (listening !== notListening && token !== undefined) store.db.announce(worlds.address, token, frozen ? { now } : { ahead });
  };
  let closing: Promise<void> | undefined;
  // A new file is removed if nothing was copied into it.
  let unused: number | undefined;
  const followed = options.pull && (await nodeFor('pull', options.node).follow(world, options.pull, options));
  const close = async () => {
    stopping.abort();
    served.faults.interrupt();
    await followed?.close();
    await worlds.close();
    await listening.close();
    await world.close(unused);
  };
  try {
    await options.prepare?.(store);
    await followed?.begin();
    if (followed) unused = store.db.version;
    const main = await worlds.start(world, onClock, followed);
    const hosts: HostRule | undefined = options.node && { allowed: allowHosts, addresses: true };
    onClock(world.served.clock.state);
    followed?.start();
    if (followed?.isUnnamed)
      followed.ready.then(
        () => {
          options.notice?.(`Serving the copy at ${worlds.address}`);
          onClock(world.served.clock.state);
        },
        () => {},
      );
    return {
      hosts,
      followed,
      world,
      store,
      get control() {
        return main.control;
      },
      listening,
      get root() {
        return worlds.address;
      },
      worlds,
      handle: (request, gone) => handleDirectly({ server: worlds, request, gone }),
      handleForeign: (request, read, gone) => handleDirectly({ server: worlds, request, read, hosts, gone }),
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

/** The place of a calendar that another server mounts. */
const notListening: Listening = { host: mountedHost, port: 0, url: `http://${mountedHost}`, close: async () => {} };
