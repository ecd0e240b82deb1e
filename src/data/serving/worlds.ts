import { randomBytes } from 'node:crypto';
import { Failure } from '../../model/error.ts';
import { defaultMaxWorlds, defaultWorldTtl, type WorldInfo, type WorldInput } from '../../model/operations/worlds.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import { urlInWorld, worldCookie, worldHeader } from '../../model/worlds.ts';
import { addVary, type HandlerOptions, type Request, type Response } from '../../server/http.ts';
import { corsHeaders } from '../../server/origin.ts';
import type { CompletedRequest } from '../../server/receiving/receive.ts';
import { asFailure, failureResponse } from '../../server/response.ts';
import { worldGonePage } from '../../server/world-gone.ts';
import { isForData, selectedWorld, type WorldSelector } from '../../server/world-selection.ts';
import type { WorldRegistry } from '../operations/context.ts';
import { openWorld } from '../world/open.ts';
import type { ServingOptions } from './options.ts';
import { UseCounter } from './use-counter.ts';
import { instantFor, WorldImages } from './world-image.ts';
import { type SharedParts, WorldServer } from './world-server.ts';

/** A world that was created on a server. */
export interface CreatedWorld {
  id: string;
  server: WorldServer;
  name: string | null;
  created: number;
  ttlMs: number;
  uses: UseCounter;
}

/** The worlds of a server: finds that of each request, creates and deletes them. */
export class Worlds implements WorldRegistry {
  readonly #images: WorldImages;
  readonly #created = new Map<string, CreatedWorld>();
  /** Number of worlds that are being opened. */
  #opening = 0;
  #timer: NodeJS.Timeout | undefined;
  /** True if requests for the API have to select a world. It stays so until the server stops: a test that forgets its world runs after the last world was deleted, too. */
  #isRequired: boolean;

  /** `main` handles requests that select no world. `address` returns the address that the API of the server starts with. */
  constructor(
    private readonly main: WorldServer,
    private readonly address: () => string,
    private readonly shared: SharedParts,
    private readonly handling: HandlerOptions,
    private readonly options: ServingOptions,
  ) {
    this.#isRequired = options.requireWorld ?? false;
    this.#images = new WorldImages(main.world, options);
  }

  /** Creates a world. Throws `conflict` if there are too many, and `not-found` for an unknown state. */
  async open(input: WorldInput): Promise<CreatedWorld> {
    const { maxWorlds = defaultMaxWorlds, worldTtl = defaultWorldTtl, system } = this.options;
    const ttlMs = millisecondsIn(input.ttl ?? worldTtl);
    if (this.#created.size + this.#opening >= maxWorlds)
      throw new Failure(
        'conflict',
        `Too many worlds: the maximum is ${maxWorlds}`,
        'Delete some, or start the server with a larger --max-worlds.',
      );
    this.#opening += 1;
    try {
      const id = idFor(input.name);
      const server = await this.#start(input, id);
      const created: CreatedWorld = {
        id,
        server,
        ttlMs,
        name: input.name ?? null,
        created: system(),
        uses: new UseCounter(),
      };
      this.#created.set(id, created);
      if (input.required) this.#isRequired = true;
      this.#scheduleExpiry();
      return created;
    } finally {
      this.#opening -= 1;
    }
  }

  async #start(input: WorldInput, id: string): Promise<WorldServer> {
    const { store } = this.main.world;
    const fixed = instantFor(input, store.requestContext().zone) ?? this.options.now;
    const image = await this.#images.imageFor(input, fixed);
    const { from = 'start', faults, settings = {} } = input;
    const overriding = from === 'start' ? Object.entries(this.options.settings ?? {}).filter(([name]) => !(name in settings)) : [];
    const options: ServingOptions = {
      ...this.options,
      file: undefined,
      readOnly: false,
      open: true,
      now: fixed,
      upstream: undefined,
      upstreamWrites: 'local',
      settings: Object.fromEntries(overriding),
      faults: faults ?? (from === 'start' ? this.options.faults : []),
      journalBudget: this.main.world.served.journal.budget,
      snapshotMemory: store.snapshots.memory,
    };
    // The mark of an image belongs to the store that made it.
    const world = await openWorld({ ...options, image: { bytes: image.bytes } });
    try {
      const seed = typeof from === 'string' ? (from === 'start' ? this.options.seed : from) : 'a fixture';
      return await WorldServer.create(world, { id, url: () => urlInWorld(this.address(), id), seed, open: true }, this.shared, options);
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async create(input: WorldInput): Promise<WorldInfo> {
    return infoOf(await this.open(input), this.address());
  }

  list(): WorldInfo[] {
    return [...this.#created.values()].map((world) => infoOf(world, this.address()));
  }

  get(id: string): WorldInfo {
    return infoOf(this.#find(id), this.address());
  }

  async delete(id: string): Promise<WorldInfo> {
    const world = this.#find(id);
    const info = infoOf(world, this.address());
    this.#created.delete(id);
    await world.server.world.close();
    return info;
  }

  /** Deletes a world if it still exists. */
  async remove(id: string): Promise<void> {
    if (this.#created.has(id)) await this.delete(id);
  }

  /** Deletes every world and stops the timer. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await Promise.all([...this.#created.keys()].map((id) => this.delete(id)));
  }

  /** Handles a request as the world does that it selects. */
  handle(request: Request): Response | Promise<Response> {
    let created: CreatedWorld | undefined;
    let own = request;
    try {
      ({ created, request: own } = this.#selection(request));
      if (!created) this.#checkSelected(own);
    } catch (error) {
      const failure = asFailure(error);
      const page = failure.code === 'unknown-world' ? worldGonePage(request, failure.message) : undefined;
      const hint = failure.hint === undefined ? {} : { hint: failure.hint };
      return page ?? varying(failureResponse(failure, corsHeaders(request, this.handling), hint));
    }
    const response = created ? created.uses.during(() => created.server.handle(own)) : this.main.handle(own);
    return response instanceof Promise ? response.then(varying) : varying(response);
  }

  epochOf(head: Request): AbortSignal | undefined {
    return this.#serverOf(head, (server, own) => server.epochOf(own));
  }

  admit(head: Request): number | Response {
    return this.#serverOf(head, (server, own) => server.admit(own)) ?? this.options.maxBody;
  }

  onResponse(event: CompletedRequest): void {
    this.#serverOf(event, (server, { path }) => server.onResponse(path === event.path ? event : { ...event, path }));
  }

  /** Calls work with the server of a request; returns undefined if there is none. */
  #serverOf<Head extends WorldSelector, T>(head: Head, work: (server: WorldServer, own: Head) => T): T | undefined {
    let selection: { created: CreatedWorld | undefined; request: Head };
    try {
      selection = this.#selection(head);
    } catch {
      return undefined;
    }
    return work(selection.created?.server ?? this.main, selection.request);
  }

  /** Returns the world of a request, and the request as that world sees it. Throws `unknown-world`, or `bad-request` if path and header differ. */
  #selection<Head extends WorldSelector>(head: Head): { created: CreatedWorld | undefined; request: Head } {
    const { id, prefix } = selectedWorld(head);
    const request = prefix === '' && id === undefined ? head : { ...head, prefix, world: id, path: head.path.slice(prefix.length) || '/' };
    return { created: id === undefined ? undefined : this.#find(id), request };
  }

  /** Throws `world-required` if a request that selects no world has to. */
  #checkSelected(request: Request): void {
    if (!this.#isRequired || !isForData(request, this.options)) return;
    throw new Failure(
      'world-required',
      'This server requires requests to select a world',
      `Send the header ${worldHeader} or the cookie ${worldCookie}, or start the path with /_worlds/ID. On the command line, pass --world.${this.options.requireWorld ? '' : ' Tests created worlds here that require it; restart the server to use its calendar without a world.'}`,
    );
  }

  #find(id: string): CreatedWorld {
    const world = this.#created.get(id);
    if (world) return world;
    throw new Failure(
      'unknown-world',
      `World ${JSON.stringify(id.slice(0, 100))} does not exist`,
      'Create it with POST /_calendar/worlds.',
    );
  }

  /** Deletes unused worlds when their time is over. */
  #scheduleExpiry(): void {
    clearTimeout(this.#timer);
    const next = Math.min(...[...this.#created.values()].map(({ uses, ttlMs }) => ttlMs - uses.idleMs));
    if (!Number.isFinite(next)) return;
    this.#timer = setTimeout(
      () => {
        for (const { id, uses, ttlMs } of this.#created.values()) if (uses.idleMs >= ttlMs) this.delete(id).catch(() => {});
        this.#scheduleExpiry();
      },
      Math.min(Math.max(next, 10), maxTimeoutMs),
    ).unref();
  }
}

/** The longest time of a timer. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Returns an ID that cannot be guessed, which starts with the name. */
function idFor(name = ''): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  const random = randomBytes(8).toString('hex');
  return readable === '' ? random : `${readable}-${random}`;
}

const infoOf = ({ id, name, created, uses, server }: CreatedWorld, address: string): WorldInfo => ({
  id,
  name,
  url: urlInWorld(address, id),
  header: `${worldHeader}: ${id}`,
  cookie: `${worldCookie}=${id}`,
  created: new Date(created).toISOString(),
  idle: Math.round(uses.idleMs) / 1000,
  requests: server.world.served.journal.total,
});

/** Marks a response as one that depends on header and cookie. */
function varying(response: Response): Response {
  addVary(response.headers, `${worldHeader}, Cookie`);
  return response;
}
