import { randomBytes } from 'node:crypto';
import { urlInWorld, worldCookie, worldHeader } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { defaultMaxWorlds, defaultWorldTtl, type WorldInfo, type WorldInput } from '../../model/operations/worlds.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import { addVary, type Handle, type HandlerOptions, type Request, type Response } from '../../server/http.ts';
import type { Receiver } from '../../server/receiving/receive.ts';
import { asFailure, failureResponse } from '../../server/response.ts';
import { corsHeaders } from '../../server/token.ts';
import { isForData, selectedWorld } from '../../server/worlds.ts';
import type { WorldRegistry } from '../operations/context.ts';
import { openWorld } from '../world/world.ts';
import type { ServingOptions } from './options.ts';
import { instantFor, WorldImages } from './world-image.ts';
import { type SharedParts, WorldServer } from './world-server.ts';

/** Size of all worlds of a server from which on no other one is created. */
const maxWorldBytes = 1 << 30;

/** A world that was created on a server. */
export interface CreatedWorld {
  id: string;
  server: WorldServer;
  receiver: Receiver;
  name: string | null;
  created: number;
  ttlMs: number;
  uses: UseCounter;
}

/** The worlds of a server: finds that of each request, creates and deletes them. */
export class Worlds implements WorldRegistry {
  readonly #images: WorldImages;
  readonly #mainReceiver: Receiver;
  /** Admits the requests that select an unknown world. */
  readonly #unknown = { admit: () => this.options.maxBody };
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
    this.#mainReceiver = receiverWith(main, main.handle);
  }

  /** Creates a world. Throws `conflict` if there are too many or they are too large, and `not-found` for an unknown state. */
  async open(input: WorldInput): Promise<CreatedWorld> {
    const { maxWorlds = defaultMaxWorlds, worldTtl = defaultWorldTtl, system } = this.options;
    const ttlMs = millisecondsIn(input.ttl ?? worldTtl);
    if (this.#created.size + this.#opening >= maxWorlds)
      throw new Failure(
        'conflict',
        `Too many worlds: the maximum is ${maxWorlds}`,
        'Delete some, or start the server with a larger --max-worlds.',
      );
    const bytes = [...this.#created.values()].reduce((sum, { server }) => sum + server.world.bytes, 0);
    if (bytes >= maxWorldBytes)
      throw new Failure('conflict', `The worlds of this server already use ${Math.round(bytes / 2 ** 20)} MiB`, 'Delete some first.');
    this.#opening += 1;
    try {
      const id = idFor(input.name);
      const server = await this.#start(input, id);
      const uses = new UseCounter();
      const receiver = receiverWith(server, (request) =>
        // It may have been deleted while the body arrived.
        this.#created.has(id) ? uses.during(() => server.handle(request)) : this.#rejection(request, unknownWorld(id)),
      );
      const created: CreatedWorld = { id, server, receiver, ttlMs, name: input.name ?? null, created: system(), uses };
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
    };
    const world = await openWorld({ ...options, image });
    try {
      const seed = typeof from === 'string' ? (from === 'start' ? this.options.seed : from) : 'a fixture';
      return WorldServer.create(world, { id, url: () => urlInWorld(this.address(), id), seed, open: true }, this.shared, options);
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

  /** Returns what handles a request: the world that it selects, by default the calendar of the server. Removes from its path what selected the world. */
  readonly receiverOf = (request: Request): Receiver => {
    let receiver: Omit<Receiver, 'handle'> = this.#unknown;
    try {
      const { id, prefix } = selectedWorld(request);
      const created = id === undefined ? undefined : this.#find(id);
      if (prefix !== '' || created) {
        const path = request.path.slice(prefix.length) || '/';
        Object.assign(request, { prefix, world: id, path });
      }
      if (created) return created.receiver;
      receiver = this.#mainReceiver;
      this.#checkSelected(request);
      return this.#mainReceiver;
    } catch (error) {
      const failure = asFailure(error);
      return { ...receiver, handle: () => this.#rejection(request, failure) };
    }
  };

  #rejection(request: Request, failure: Failure): Response {
    const hint = failure.hint === undefined ? {} : { hint: failure.hint };
    return varying(failureResponse(failure, corsHeaders(request, this.handling), hint));
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
    throw unknownWorld(id);
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

const unknownWorld = (id: string): Failure =>
  new Failure('unknown-world', `World ${JSON.stringify(id.slice(0, 100))} does not exist`, 'Create it with POST /_calendar/worlds.');

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

/** Returns the receiver of a world whose responses say what selected it. */
const receiverWith = (server: WorldServer, handle: Handle): Receiver => ({
  handle(request) {
    const response = handle(request);
    return response instanceof Promise ? response.then(varying) : varying(response);
  },
  admit: (head) => server.admit(head),
  epochOf: (head) => server.epochOf(head),
  onResponse: (event) => server.onResponse(event),
});

/** Marks a response as one that depends on header and cookie. */
function varying(response: Response): Response {
  addVary(response.headers, `${worldHeader}, Cookie`);
  return response;
}

/** Knows since when something is unused: a request that is handled and a stream that is open are uses. */
class UseCounter {
  #active = 0;
  #last = performance.now();

  /** Time since the last use, in ms; 0 during one. */
  get idleMs(): number {
    return this.#active > 0 ? 0 : performance.now() - this.#last;
  }

  /** Counts work as a use until its response, or the stream in it, ends. */
  during(work: () => Response | Promise<Response>): Response | Promise<Response> {
    this.#active += 1;
    try {
      const response = work();
      if (!(response instanceof Promise)) return this.#until(response);
      return response.then(
        (response) => this.#until(response),
        (error) => {
          this.#end();
          throw error;
        },
      );
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  #until(response: Response): Response {
    const { stream } = response;
    if (!stream) {
      this.#end();
      return response;
    }
    let isOpen = true;
    const stop = () => {
      if (isOpen) this.#end();
      isOpen = false;
      stream.stop();
    };
    return { ...response, stream: { ...stream, stop } };
  }

  #end(): void {
    this.#active -= 1;
    this.#last = performance.now();
  }
}
