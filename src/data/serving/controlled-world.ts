import project from '../../../package.json' with { type: 'json' };
import { isLoopback } from '../../model/addresses.ts';
import type { Calendar, Collection } from '../../model/calendar.ts';
import type { ClockState } from '../../model/operation-types.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import type { Service } from '../../model/operations/service.ts';
import { anonymous } from '../../model/viewer.ts';
import type { ServedWorld } from '../../server/context.ts';
import { type ControlAccess, type ControlOptions, reachOf } from '../../server/control/access.ts';
import type { Handle, HandlerOptions, ImageFiles, ServerResponse } from '../../server/http.ts';
import { createResponseCache, type ResponseCache } from '../../server/response-cache.ts';
import { createHandler } from '../../server/router.ts';
import { SiteState } from '../../store/identity/sites.ts';
import { serviceOf } from '../../store/service.ts';
import type { OperationContext } from '../operations/context.ts';
import { createControl, readOnlyFailure, rejectChange } from '../operations/control.ts';
import type { World } from '../world/world.ts';
import type { FollowedCopy, ServingOptions } from './options.ts';

/** The parts of a server that all its worlds share. */
export interface SharedParts {
  /** Token of the owner of the server's file. */
  token?: string;
  /** Aborts when the server stops. */
  stopping: AbortSignal;
  worlds: OperationContext['worlds'];
  /** The files of uploaded images; absent if uploads are not served. */
  files?: ImageFiles;
}

/** The members of a world that differ from those of the server. */
interface Place {
  /** ID of the world; absent for the calendar of the server. */
  id?: string;
  /** The address that its API starts with. */
  url(): string;
  /** The seed that health reports. */
  seed?: string;
  /** True if every caller may reset, seed and replace it. */
  open: boolean;
  /** Called when its clock was set. */
  onClock?(state: ClockState): void;
  /** The site that it pulls from; absent without one. */
  followed?: FollowedCopy;
}

/** One calendar of a server: a world with its control API and its handler. */
export class ControlledWorld implements ServedWorld {
  readonly id: string | undefined;
  readonly maxBodyBytes: number;
  readonly controlled: ControlOptions;
  readonly clock: World['served']['clock'];
  readonly faults: World['served']['faults'];
  readonly journal: World['served']['journal'];
  readonly messages: World['served']['messages'];
  readonly hooks: ServingOptions['hooks'];
  readonly cache: ResponseCache;
  readonly stopping: AbortSignal;
  during: ServedWorld['during'];
  #control: CalendarControl | undefined;

  private constructor(
    readonly world: World,
    private readonly place: Place,
    private readonly shared: SharedParts,
    private readonly serving: ServingOptions,
    readonly options: HandlerOptions,
    access: ControlAccess,
    readonly api: Handle,
  ) {
    this.id = place.id;
    this.maxBodyBytes = serving.maxBody;
    this.controlled = { access, control: () => this.control };
    const { clock, faults, journal, messages } = world.served;
    this.clock = clock;
    this.faults = faults;
    this.journal = journal;
    this.messages = messages;
    this.hooks = serving.hooks;
    this.cache = createResponseCache(() => `${world.store.stateKey()} ${world.strict}`);
    this.stopping = shared.stopping;
  }

  /** Starts a world that is filled. A reset restores its current state, unless resets are not allowed. */
  static async create(
    world: World,
    place: Place,
    shared: SharedParts,
    serving: ServingOptions,
    resets: 'to now' | 'never',
  ): Promise<ControlledWorld> {
    const access = {
      ...accessOf(shared.token, { ...serving, open: place.open }),
      isInMemory: shared.token === undefined || place.id !== undefined,
    };
    const { followed } = place;
    const handling = { ...handlingOf(serving, access, shared), copyOf: followed };
    // A test can change one, and the first pull of a copy the other.
    const options = Object.defineProperties(handling, {
      strict: { get: () => world.strict, enumerable: true },
      namespace: { get: () => serving.namespace, enumerable: true },
    });
    const api = await apiOf(world, options, serving);
    world.begin(resets === 'to now' ? world.store.image() : undefined);
    return new ControlledWorld(world, place, shared, serving, options, access, api);
  }

  /** Created on first use: most worlds of tests are never controlled. */
  get control(): CalendarControl {
    if (this.#control) return this.#control;
    const { world, place, shared, serving } = this;
    const parts = { store: world.store, world, version: project.version, node: serving.node, worlds: shared.worlds };
    this.#control = createControl({ ...parts, ...place }, serving);
    return this.#control;
  }

  get slugs(): ServedWorld['slugs'] {
    return this.world.store.settings.slugs;
  }

  get epoch(): AbortSignal {
    return this.world.epoch;
  }

  track(label: string, response: Promise<ServerResponse>): Promise<ServerResponse> {
    return this.world.track(label, response);
  }
}

const accessOf = (
  ownerToken: string | undefined,
  { host, open, readOnly, controlToken, pageToken, publicUrl }: ServingOptions,
): ControlAccess => ({
  publicUrl,
  loopback: isLoopback(host),
  open,
  readOnly,
  ownerToken,
  pageToken,
  controlToken,
});

const handlingOf = (options: ServingOptions, access: ControlAccess, { files }: SharedParts): HandlerOptions => ({
  ...options,
  files,
  token: access.ownerToken,
  control: reachOf(access),
  exposed: !access.loopback,
  examples: async () => (await import('../examples.ts')).openApiExamples(),
});

async function apiOf({ store, served: { undoLog } }: World, handling: HandlerOptions, options: ServingOptions): Promise<Handle> {
  const plain = serviceOf(store);
  // What a user of a site sees is not for every caller, and an image may belong to a record that visitors don't see.
  const hides = SiteState.all(store.db).some((site) => site.hides === 1);
  const origin: Service = hides ? { ...plain, defaultViewer: () => anonymous, findImage: () => undefined } : plain;
  const service = options.readOnly ? readOnlyService(origin) : origin;
  const handle = createHandler(service, handling, undoLog);
  if (!options.hooks?.functions.change) return handle;
  const { hookedService } = await import('../../server/hooks/hooks.ts');
  const hookedHandle = createHandler(hookedService(service, options.hooks), handling, undoLog);
  return (request) => (request.ownCall ? handle(request) : hookedHandle(request));
}

const rejectUpload = () => {
  throw readOnlyFailure();
};

/** A service that rejects every change of a record with `read-only`, and allows no method that changes one. */
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
