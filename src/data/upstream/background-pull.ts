import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { unknownMembers } from '../../model/extra.ts';
import { resourceOrder } from '../../model/resources/relations.ts';
import { anyDateQuery } from '../../model/resources/whole-list.ts';
import { pagesOf } from '../sync/pages.ts';
import type { RemoteCalendar } from '../sync/remote.ts';
import type { ServedWorld } from '../world/world.ts';
import { rowFor, wholeSelection } from './coverage.ts';
import type { Upstream, UpstreamOptions } from './options.ts';
import { SiteCopy } from './site-copy.ts';

/** Time until a site is requested again that did not answer, in ms. */
const retryMs = 60_000;

export interface BackgroundOptions {
  namespace: string;
  /** Returns the time of the system, in epoch ms. */
  system(): number;
  notice?(text: string): void;
}

/** Completes the copy of a live site in the background, one request at a time. Ends with a reset, and if the site rejects requests. */
export class BackgroundPull {
  readonly #copy: SiteCopy;
  readonly #epoch: AbortSignal;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Settles when the current run ends. */
  running: Promise<void> = Promise.resolve();

  constructor(
    private readonly world: ServedWorld,
    private readonly upstream: UpstreamOptions,
    private readonly options: BackgroundOptions,
  ) {
    this.#copy = new SiteCopy(world.store, upstream.root, options.namespace);
    this.#epoch = world.epoch;
  }

  start(): void {
    this.running = this.#run();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.running;
  }

  get #isOver(): boolean {
    return this.#isClosed || this.#epoch.aborted || this.world.served.clock.isSet;
  }

  async #run(): Promise<void> {
    const { mode, maxAgeMs } = this.upstream;
    try {
      const site = await this.upstream.connect();
      for (const name of resourceOrder) await this.#pull(site, name);
      if (mode === 'prefer-local') this.#again(maxAgeMs / 2);
    } catch (error) {
      if (this.#isOver) return;
      if (!(error instanceof Failure)) throw error;
      const isRejected = [401, 403, 429].includes(error.status);
      this.options.notice?.(`Stopped copying ${this.upstream.root}: ${error.message}`);
      if (!isRejected) this.#again(retryMs);
    }
  }

  #again(afterMs: number): void {
    if (!this.#isOver) this.#timer = setTimeout(() => this.start(), afterMs).unref();
  }

  /** Reads one resource, unless an earlier run did. */
  async #pull(site: Upstream, name: ResourceName): Promise<void> {
    const { state, store } = this.#copy;
    const startedMs = this.options.system();
    const row = rowFor(state.coverage(), wholeSelection(name));
    if (row?.hasSingles && startedMs - Date.parse(row.asOf) < this.upstream.maxAgeMs / 2) return;
    const resource: Resource = store.resources[name];
    // As visitors see it, without UIDs, like the responses that are forwarded.
    const remote: RemoteCalendar = { ...site, isOurs: async () => false, maySeeUnpublished: async () => false };
    const ids = new Set<number>();
    const singles = new SingleForms(remote, this.#copy, name, resource);
    const time = () => new Date(this.options.system()).toISOString();
    for await (const { entries } of pagesOf(remote, name)) {
      for (const { id } of entries) ids.add(id);
      for (const single of await singles.of(entries)) {
        if (this.#isOver) return;
        await this.#copy.learn([{ resource: name, entries: [single], form: 'single' }], time());
      }
      if (this.#isOver) return;
      await this.#copy.learn([{ resource: name, entries, form: 'list' }], time());
    }
    const query = { ...anyDateQuery(resource, {}), ...(resource.family === 'term' ? { hide_empty: 'false' } : {}) };
    const asOf = new Date(startedMs).toISOString();
    await this.#copy.learn([], asOf, [{ resource: name, query, ids, asOf, hasSingles: true, isAnyDate: true }]);
  }
}

/** Reads records from their own addresses, if they have more members there than in lists. One record is tried. */
class SingleForms {
  #hasMore: boolean | undefined;

  constructor(
    private readonly remote: RemoteCalendar,
    private readonly copy: SiteCopy,
    private readonly name: ResourceName,
    private readonly resource: Resource,
  ) {}

  async of(entries: readonly Entry[]): Promise<Entry[]> {
    const found: Entry[] = [];
    for (const entry of entries) {
      if (this.#hasMore === false) break;
      if (this.copy.hasSingle(this.name, entry)) continue;
      const single = await this.#read(entry.id);
      if (!single) continue;
      this.#hasMore ??= Object.keys(unknownMembers(this.resource, single)).some((member) => !(member in entry));
      found.push(single);
    }
    return found;
  }

  async #read(id: number): Promise<Entry | undefined> {
    try {
      return await this.remote.calendar[this.name].get({ id });
    } catch (error) {
      const isRejected = error instanceof Failure && (error.status === 401 || error.status === 429 || error.status >= 500);
      // Deleted meanwhile, or hidden from visitors.
      if (error instanceof Failure && !isRejected) return undefined;
      throw error;
    }
  }
}
