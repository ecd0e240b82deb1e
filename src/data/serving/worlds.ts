import { machine } from '../../machine.ts';
import { addressesOf, urlInWorld, worldCookie, worldHeader } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { hexText, randomBytes } from '../../model/formats/bytes.ts';
import { combinedHints } from '../../model/mistakes/hints.ts';
import type { ClockState, Hint, WorldInfo, WorldInput } from '../../model/operation-types.ts';
import { serverOptions } from '../../model/server-options.ts';
import { maxTimerMs, millisecondsIn } from '../../model/time/duration.ts';
import { pageHeader } from '../../model/web-page.ts';
import type { ServedWorld, Server } from '../../server/context.ts';
import type { ServerRequest, ServerResponse } from '../../server/http.ts';
import { Coverage } from '../../server/journal/coverage.ts';
import { withoutSecrets } from '../../server/journal/credentials.ts';
import type { Journal } from '../../server/journal/journal.ts';
import { unknownWorld } from '../../server/select-world.ts';
import { checkRoles } from '../users.ts';
import { openWorld, type World } from '../world/world.ts';
import { ControlledWorld, type SharedParts } from './controlled-world.ts';
import type { FollowedCopy, ServingOptions } from './options.ts';
import { instantFor, StoreImages } from './store-images.ts';

/** Size of all worlds of a server from which on no other one is created. */
const maxWorldBytes = 1 << 30;
/** Maximum number of refused requests that are kept, and of characters of each. */
const maxRefused = 1000;
const maxRefusedText = 300;

/** A world that was created on a server. */
interface CreatedWorld {
  id: string;
  server: ControlledWorld;
  name: string | null;
  created: number;
  ttlMs: number;
  uses: UseCounter;
}

/** The requests of a world that was created on a server. */
export interface WorldLog {
  id: string;
  name: string | null;
  journal: Journal;
}

const logOf = ({ id, name, server }: CreatedWorld): WorldLog => ({ id, name, journal: server.journal });

/** The host of a calendar without a port, before its first request. Its name leads to no other machine. */
export const mountedHost = 'calendar.localhost';

/** The calendars of a server: its own, and the worlds that it creates and deletes. */
export class Worlds implements Server {
  readonly #shared: SharedParts;
  #main: ControlledWorld | undefined;
  #images: StoreImages | undefined;
  readonly #created = new Map<string, CreatedWorld>();
  /** Number of worlds that are being opened. */
  #opening = 0;
  /** The last requests that selected no world, or one that is gone. */
  readonly #refused: { at: number; text: string }[] = [];
  /** Mistakes of clients in worlds that are deleted. */
  #endedHints: Hint[] = [];
  /** Coverage of them; absent if that is not noted. */
  #endedCoverage: Coverage | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** True if requests for the API have to select a world. It stays so until the server stops: a test that forgets its world runs after the last world was deleted, too. */
  isWorldRequired: boolean;
  readonly onRequest: ServingOptions['onRequest'];
  /** Called with the log of a world that is deleted, before it is emptied. */
  onDelete: ((log: WorldLog) => void) | undefined;
  /** Where it listens; of a calendar without a port, where the last request was sent to. */
  origin = `http://${mountedHost}`;

  constructor(
    readonly options: ServingOptions,
    shared: Omit<SharedParts, 'worlds'>,
  ) {
    this.#shared = { ...shared, worlds: this };
    this.isWorldRequired = options.requireWorld ?? false;
    this.onRequest = options.onRequest;
  }

  /** Starts the calendar of the server, which is filled; until then, requests get 503. */
  async start(world: World, onClock: (state: ClockState) => void, followed?: FollowedCopy): Promise<ControlledWorld> {
    const { seed, open, keepsStart, readOnly, controlToken, pageToken } = this.options;
    // Only those who can be reset need a second copy in memory.
    const resets = (open || keepsStart || controlToken !== undefined || pageToken !== undefined) && !readOnly ? 'to now' : 'never';
    if (this.options.coverage) this.#endedCoverage = new Coverage(this.options, () => '');
    const place = { url: () => this.address, seed, open, onClock, followed };
    this.#main = await ControlledWorld.create(world, place, this.#shared, this.options, resets);
    this.#images = new StoreImages(world, this.options, (id) => this.#created.get(id)?.server.world);
    return this.#main;
  }

  /** The address that its API starts with. */
  get address(): string {
    return `${this.origin}${this.options.basePath}/${this.options.namespace}`;
  }

  now(): number {
    return this.#main?.clock.now() ?? this.options.now ?? this.options.system();
  }

  worldFor({ protocol = 'http', headers: { host }, prefix = '' }: ServerRequest, id: string | undefined): ServedWorld {
    if (this.options.listen === false && host !== undefined && host !== mountedHost) this.origin = `${protocol}://${host}${prefix}`;
    if (!this.#main) throw new Failure('not-ready', 'The calendar is not ready yet');
    return id === undefined ? this.#main : this.#find(id).server;
  }

  /** Creates a world. Throws `conflict` if there are too many or they are too large, and `not-found` for an unknown state. */
  async open(input: WorldInput): Promise<CreatedWorld> {
    const pending = this.#main?.options.copyOf?.pending;
    if (pending !== undefined) throw new Failure('not-ready', pending);
    const { maxWorlds = serverOptions.maxWorlds.default, worldTtl = serverOptions.worldTtl.default, system } = this.options;
    const ttlMs = millisecondsIn(input.ttl ?? worldTtl, 'ttl', 'ttl');
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
      server.during = (work) => uses.during(work);
      const created: CreatedWorld = { id, server, ttlMs, name: input.name ?? null, created: system(), uses };
      this.#created.set(id, created);
      if (input.required) this.isWorldRequired = true;
      this.#scheduleExpiry();
      return created;
    } finally {
      this.#opening -= 1;
    }
  }

  async #start(input: WorldInput, id: string): Promise<ControlledWorld> {
    const { store } = this.#main!.world;
    checkRoles(input.users, { host: this.options.host });
    const fixed = instantFor(input, store.requestContext().zone) ?? this.options.now;
    const image = await this.#images!.imageFor(input, fixed);
    const withUsers = this.#images!.withUsers(image, input);
    const { from = 'start', faults, settings = {} } = input;
    const overriding = from === 'start' ? Object.entries(this.options.settings ?? {}).filter(([name]) => !(name in settings)) : [];
    const options: ServingOptions = {
      ...this.options,
      file: undefined,
      readOnly: false,
      open: true,
      now: fixed,
      settings: Object.fromEntries(overriding),
      strict: input.strict ?? this.options.strict,
      hints: input.hints ?? this.options.hints,
      anonymous: input.anonymous ?? this.options.anonymous,
      partialUpdates: input.partial_updates ?? this.options.partialUpdates,
      faults: faults ?? (from === 'start' ? this.options.faults : []),
    };
    const world = await openWorld({
      ...options,
      worldName: input.name,
      image: withUsers ?? image,
      answersAnyPath: options.hooks?.functions.request !== undefined,
    });
    try {
      if (!withUsers) await this.#images!.addUsers(world.store, input);
      const seed = typeof from === 'string' ? (from === 'start' ? this.options.seed : from) : 'a fixture';
      const place = { id, url: () => urlInWorld(this.address, id), seed, open: true };
      const created = await ControlledWorld.create(world, place, this.#shared, options, 'to now');
      if (input.users && !withUsers) this.#images!.keepUsers(image, input, world.start!);
      return created;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  async create(input: WorldInput): Promise<WorldInfo> {
    return this.#infoOf(await this.open(input));
  }

  list(): WorldInfo[] {
    return [...this.#created.values()].map((world) => this.#infoOf(world));
  }

  get(id: string): WorldInfo {
    return this.#infoOf(this.#find(id));
  }

  async delete(id: string): Promise<WorldInfo> {
    const world = this.#find(id);
    const info = this.#infoOf(world);
    this.#created.delete(id);
    this.onDelete?.(logOf(world));
    this.#endedHints = combinedHints([...this.#endedHints, ...world.server.journal.allHints()]);
    if (this.#endedCoverage) world.server.journal.cover(this.#endedCoverage);
    await world.server.world.close();
    return info;
  }

  hints(): Hint[] {
    return combinedHints([...this.#endedHints, ...[...this.#created.values()].flatMap(({ server }) => server.journal.allHints())]);
  }

  refuse({ method, path, query, headers }: ServerRequest, { code, status }: Failure): void {
    // A call of a test fails where it is.
    if (headers[pageHeader] !== undefined) return;
    const text = `${method} ${path}${query && `?${withoutSecrets(query)}`}`.slice(0, maxRefusedText);
    if (this.#refused.length >= maxRefused) this.#refused.shift();
    this.#refused.push({ at: machine.uptime(), text: `${text} ${status} ${code}` });
  }

  refusedSince(since: number): string[] {
    return this.#refused.filter(({ at }) => at >= since).map(({ text }) => text);
  }

  cover(report: Coverage): void {
    if (this.#endedCoverage) report.merge(this.#endedCoverage);
    for (const { server } of this.#created.values()) server.journal.cover(report);
  }

  /** The logs of the worlds that are not deleted. */
  logs(): WorldLog[] {
    return [...this.#created.values()].map(logOf);
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

  /** A world; its API is at the public address, and what controls it at that of this machine. */
  #infoOf(world: CreatedWorld): WorldInfo {
    return infoOf(world, this.address, this.options.publicUrl ?? this.origin);
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
      Math.min(Math.max(next, 10), maxTimerMs),
    );
    this.#timer.unref?.();
  }
}

/** An ID that cannot be guessed, which starts with the name. */
function idFor(name = ''): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  const random = hexText(randomBytes(8));
  return readable === '' ? random : `${readable}-${random}`;
}

const infoOf = ({ id, name, created, uses, server }: CreatedWorld, address: string, origin: string): WorldInfo => ({
  id,
  name,
  ...addressesOf(urlInWorld(address, id)),
  url: urlInWorld(origin + new URL(address).pathname, id),
  header: `${worldHeader}: ${id}`,
  cookie: `${worldCookie}=${id}${origin.startsWith('https:') ? '; Secure' : ''}`,
  created: new Date(created).toISOString(),
  idle: Math.round(uses.idleMs) / 1000,
  requests: server.world.served.journal.total,
});

/** Knows since when something is unused: a request that is handled and a stream that is open are uses. */
class UseCounter {
  #active = 0;
  #last = performance.now();

  /** Time since the last use, in ms; 0 during one. */
  get idleMs(): number {
    return this.#active > 0 ? 0 : performance.now() - this.#last;
  }

  /** Counts work as a use until its response, or the stream in it, ends. */
  during(work: () => ServerResponse | Promise<ServerResponse>): ServerResponse | Promise<ServerResponse> {
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

  #until(response: ServerResponse): ServerResponse {
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
