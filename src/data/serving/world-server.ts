import { setTimeout as sleep } from 'node:timers/promises';
import project from '../../../package.json' with { type: 'json' };
import { isControl, isLoopback } from '../../model/addresses.ts';
import type { Calendar, Collection } from '../../model/calendar.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import type { ClockState } from '../../model/operations/clock.ts';
import type { Service } from '../../model/operations/service.ts';
import { isPageRead } from '../../model/web-page.ts';
import { withResponseCache } from '../../server/cached.ts';
import { type ControlAccess, reachOf } from '../../server/control/access.ts';
import { admitControl, type ControlOptions, withControl } from '../../server/control/handler.ts';
import { type Sleep, withFaults } from '../../server/faults/with-faults.ts';
import { hookedService, withHooks } from '../../server/hooks.ts';
import type { Handle, HandlerOptions, Request, Response } from '../../server/http.ts';
import { summaryOf } from '../../server/journal/journal.ts';
import type { CompletedRequest, Receiver } from '../../server/receiving/receive.ts';
import { createHandler } from '../../server/router.ts';
import { withDate } from '../../server/with-date.ts';
import { maxUploadOf } from '../../server/wordpress/routes.ts';
import { UpstreamState } from '../../store/identity/upstream-state.ts';
import { serviceOf } from '../../store/service.ts';
import type { StoreImage } from '../../store/snapshots.ts';
import type { WorldRegistry } from '../operations/context.ts';
import { createControl, readOnlyFailure, rejectChange } from '../operations/control.ts';
import { copiedCalendar } from '../upstream/copied-calendar.ts';
import type { World } from '../world/world.ts';
import { MediaFolder } from './media-folder.ts';
import type { ServingOptions } from './options.ts';

/** The parts of a server that all its worlds share. */
export interface SharedParts {
  /** Token of the owner of the server's file. */
  token?: string;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
  worlds: WorldRegistry;
}

/** The members of a world that differ from those of the server. */
export interface WorldPlace {
  /** ID of the world; absent for the calendar of the server. */
  id?: string;
  /** Returns the address that its API starts with. */
  url(): string;
  /** The seed that health reports. */
  seed?: string;
  /** True if every caller may reset, seed and replace it. */
  open: boolean;
  /** Called when its clock was set. */
  onClock?(state: ClockState): void;
}

/** Handles the requests for one world. */
export class WorldServer implements Receiver {
  readonly world: World;
  readonly handle: Handle;
  readonly #controlled: ControlOptions;
  readonly #maxBody: number;
  readonly #handling: HandlerOptions;

  private constructor(world: World, place: WorldPlace, shared: SharedParts, options: ServingOptions) {
    const { connectTo } = options;
    this.world = world;
    this.#maxBody = options.maxBody;
    let control: CalendarControl | undefined;
    this.#controlled = {
      // Created on first use: most worlds of tests are never controlled.
      get control() {
        control ??= createControl(
          {
            store: world.store,
            world,
            version: project.version,
            connectTo,
            worlds: shared.worlds,
            upstreamMode: options.upstream?.mode,
            ...place,
          },
          options,
        );
        return control;
      },
      access: accessOf(shared.token, { ...options, open: place.open }),
    };
    this.#handling = handlingOf(options, this.access);
    const handle = handlerOf(world, this.#controlled, shared.stopping, this.#handling, options);
    const root = `${options.basePath}/${options.namespace}`;
    this.handle = (request) => {
      const response = handle(request);
      if (!(response instanceof Promise) || !request.epoch) return response;
      const { method, path } = request;
      return world.track(`${method} ${path.startsWith(`${root}/`) ? path.slice(root.length) : path}`, response);
    };
  }

  /** Starts a world that is filled. `start` is the state that a reset restores, the current one by default; null if resets are not allowed. */
  static create(world: World, place: WorldPlace, shared: SharedParts, options: ServingOptions, start?: StoreImage | null): WorldServer {
    const { store } = world;
    world.begin(start === null ? undefined : (start ?? store.image()));
    return new WorldServer(world, place, shared, options);
  }

  get control(): CalendarControl {
    return this.#controlled.control;
  }

  get access(): ControlAccess {
    return this.#controlled.access;
  }

  /** Returns the epoch that a request belongs to; undefined for requests that a reset does not end. */
  epochOf(head: Request): AbortSignal | undefined {
    return isControl(head.path) || isPageRead(head) ? undefined : this.world.epoch;
  }

  /** Returns the maximum body size of a request, or the response that rejects it. */
  admit(head: Request): number | Response {
    if (isControl(head.path)) return admitControl(head, this.#controlled, this.#maxBody);
    return maxUploadOf(head, this.#handling) ?? this.#maxBody;
  }

  /** Adds a request of the current epoch to the journal. */
  onResponse(event: CompletedRequest): void {
    const { journal, messages } = this.world.served;
    const { epoch } = event.request;
    if (!epoch || epoch.aborted) return;
    journal.add(event);
    if (messages.isFollowed) messages.publish('request', summaryOf(journal.last()));
  }
}

const accessOf = (ownerToken: string | undefined, { host, open, readOnly, controlToken }: ServingOptions): ControlAccess => ({
  loopback: isLoopback(host),
  open,
  readOnly,
  ownerToken,
  controlToken,
});

/** Returns the options of the handlers of a server. */
export const handlingOf = (options: ServingOptions, access: ControlAccess): HandlerOptions => {
  const { basePath, namespace, headerPrefix, cors, page, host, strict, taxonomy, media, maxUpload, posters } = options;
  const files = media === undefined ? undefined : new MediaFolder(media);
  const own = { token: access.ownerToken, control: reachOf(access), exposed: !isLoopback(host) };
  const examples = async () => (await import('../examples.ts')).openApiExamples();
  return { basePath, namespace, headerPrefix, cors, page, strict, taxonomy, files, maxUpload, posters, examples, ...own };
};

/** Returns the handler of a world: the API with its cache, then layers that see or change every exchange, the innermost first. */
function handlerOf(
  world: World,
  controlled: ControlOptions,
  stopping: AbortSignal,
  handling: HandlerOptions,
  options: ServingOptions,
): Handle {
  const { clock, faults } = world.served;
  const plain = serviceOf(world.store);
  const wait: Sleep = (ms, epoch) =>
    sleep(ms, undefined, { signal: epoch ? AbortSignal.any([stopping, epoch]) : stopping }).catch(() => {});
  const site = options.upstream?.root ?? new UpstreamState(world.store.db).site?.root;
  const copied = site === undefined ? undefined : copiedCalendar(world, site, plain, handling, controlled.access, options);
  const service = copied?.service ?? plain;
  const changeable = options.hooks ? hookedService(service, options.hooks) : service;
  const own = copied ? { ...handling, copyOf: copied.copyOf } : handling;
  const uncached = createHandler(options.readOnly ? readOnlyService(service) : changeable, own, copied?.handleAction);
  const api = withResponseCache(uncached, () => world.store.stateKey());
  const hooked = options.hooks ? withHooks(api, options.hooks) : api;
  return withDate(withControl(withFaults(hooked, faults, handling, wait, stopping), controlled), clock);
}

const rejectUpload = () => {
  throw readOnlyFailure();
};

/** Returns a service that rejects every change of a record with `read-only`, and allows no method that changes one. */
export function readOnlyService(service: Service): Service {
  const readOnly = (collection: Collection): Collection => ({
    ...collection,
    create: rejectChange,
    update: rejectChange,
    delete: rejectChange,
  });
  return {
    ...service,
    checkUpload: rejectUpload,
    may: (viewer, action, resource, ref) => (action === 'list' || action === 'get') && service.may(viewer, action, resource, ref),
    calendar(viewer, site) {
      const collections = Object.entries(service.calendar(viewer, site)).map(([name, collection]) => [name, readOnly(collection)]);
      return Object.fromEntries(collections) as Calendar;
    },
  };
}
