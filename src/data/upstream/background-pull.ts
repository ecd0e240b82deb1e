import type { Entry, Resource, ResourceName } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { unknownMembers } from '../../model/fields/extra.ts';
import { anyDateQuery } from '../../model/resources/all.ts';
import { isTerms } from '../../model/resources/names.ts';
import { resourceOrder } from '../../model/resources/relations.ts';
import { pagesOf } from '../sync/pages.ts';
import type { RemoteCalendar } from '../sync/remote.ts';
import { unlisted } from '../sync/unlisted.ts';
import type { World } from '../world/world.ts';
import { listedStatuses, rowFor, type Selection, wholeSelection } from './coverage.ts';
import type { Upstream, UpstreamOptions } from './options.ts';
import { type Learned, SiteCopy } from './site-copy.ts';

/** Time until a site is requested again that did not respond, in ms. */
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
    private readonly world: World,
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
      const user = await this.upstream.connectAsUser?.();
      if (user) for (const name of resourceOrder) if (!isTerms(name)) await this.#pullAsUser(user, name);
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
    const { store } = this.#copy;
    const startedMs = this.options.system();
    if (this.#isRecent('public', wholeSelection(name))) return;
    const resource: Resource = store.resources[name];
    // As visitors see it, without UIDs, like the responses that are forwarded.
    const remote: RemoteCalendar = { ...site, isOurs: async () => false, maySeeUnpublished: async () => false };
    const ids = new Set<number>();
    const singles = new SingleForms(remote, this.#copy, name, resource);
    for await (const { entries } of pagesOf(remote, name)) {
      for (const { id } of entries) ids.add(id);
      await this.#learnPage(name, entries, singles, 'public');
      if (this.#isOver) return;
    }
    const query = { ...anyDateQuery(resource, {}), ...(resource.family === 'term' ? { hide_empty: 'false' } : {}) };
    const asOf = new Date(startedMs).toISOString();
    await this.#copy.learn([], asOf, [{ resource: name, query, ids, asOf, hasSingles: true, isAnyDate: true }]);
  }

  /** Reads the records of a resource that only the user sees, unless an earlier run did. */
  async #pullAsUser(site: Upstream, name: ResourceName): Promise<void> {
    const copy = this.#copy;
    const maySee = await site.maySeeUnpublished(name);
    const { statuses } = wholeSelection(name, maySee ? listedStatuses : undefined);
    if (this.#isOver || this.#isRecent('user', wholeSelection(name, statuses))) return;
    const asOf = new Date(this.options.system()).toISOString();
    const remote: RemoteCalendar = { ...site, isOurs: async () => false };
    const ids = new Set<number>();
    const singles = new SingleForms(remote, copy, name, copy.store.resources[name]);
    for await (const { entries } of pagesOf(remote, name)) {
      for (const { id } of entries) ids.add(id);
      const hidden = entries.filter(({ id, status }) => status !== 'publish' || !copy.isVisible(name, id));
      await this.#learnPage(name, hidden, singles, 'user');
      if (this.#isOver) return;
    }
    for (const id of maySee ? copy.state.hiddenCopies(copy.root, name) : []) {
      if (ids.has(id) || typeof (await unlisted(remote, name, id)) === 'object') continue;
      if (this.#isOver) return;
      await copy.forget(name, { id }, 'user');
    }
    await copy.coverForUser({ resource: name, statuses, asOf });
  }

  /** Stores a page of a list, and those of its records that are read from their own addresses, in one transaction. */
  async #learnPage(name: ResourceName, entries: readonly Entry[], singles: SingleForms, viewer: 'public' | 'user'): Promise<void> {
    const singleEntries: Entry[] = [];
    const learn = async (forms: Learned[]) => {
      if (!this.#isOver) await this.#copy.learn(forms, new Date(this.options.system()).toISOString());
    };
    const single = (): Learned => ({ resource: name, entries: singleEntries, form: 'single', viewer });
    try {
      for await (const each of singles.of(entries)) singleEntries.push(each);
    } catch (error) {
      // The next run doesn't read them again.
      if (singleEntries.length) await learn([single()]);
      throw error;
    }
    if (entries.length) await learn([single(), { resource: name, entries, form: 'list', viewer }]);
  }

  #isRecent(viewer: 'public' | 'user', selection: Selection): boolean {
    const rows = this.#copy.state.coverage().filter((row) => row.viewer === viewer);
    const row = rowFor(rows, selection);
    return row?.hasSingles === true && this.options.system() - Date.parse(row.asOf) < this.upstream.maxAgeMs / 2;
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

  async *of(entries: readonly Entry[]): AsyncGenerator<Entry> {
    for (const entry of entries) {
      if (this.#hasMore === false) return;
      if (this.copy.hasSingle(this.name, entry)) continue;
      const single = await this.#read(entry.id);
      if (!single) continue;
      this.#hasMore ??= Object.keys(unknownMembers(this.resource, single)).some((member) => !(member in entry));
      yield single;
    }
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
