import { namespaceOf, rootUrl } from '../../client/site.ts';
import { Failure } from '../../model/error.ts';
import type { Done } from '../../model/operation-types.ts';
import { namespace as defaultNamespace } from '../../model/routes.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import { SiteState, siteKey } from '../../store/identity/sites.ts';
import { withSnapshot } from '../operations/data.ts';
import { Follow } from '../remote/follow.ts';
import { pull } from '../remote/pull.ts';
import { type ConnectTo, inTurn, remembered } from '../remote/site.ts';
import { isEmpty } from '../transaction.ts';
import type { World } from '../world/world.ts';
import type { FollowedCopy, ServingOptions } from './options.ts';

/** See {@link FollowedCopy}. */
export class FollowedSite implements FollowedCopy {
  readonly host: string;
  readonly ready: Promise<void>;
  readonly failed: Promise<never>;
  readonly #follow: Follow;
  readonly #stopping = new AbortController();
  readonly #typed: string;
  #isPending = false;
  isUnnamed = false;
  #records = 0;
  #running: Promise<void> = Promise.resolve();
  #asOf: { version: number; pulled: string | null } = { version: -1, pulled: null };
  /** Lines about records that were told before. */
  readonly #told = new Set<string>();
  #isReady!: () => void;
  #fail!: (error: unknown) => void;

  constructor(
    private readonly connectTo: ConnectTo,
    private readonly world: World,
    private readonly site: Required<ServingOptions>['pull'],
    private readonly options: ServingOptions,
  ) {
    const { every, system, keepsRunning } = options;
    this.host = new URL(site.root).host;
    this.#typed = siteKey(site.namespace === undefined ? site.root : rootUrl(site.root, site.namespace));
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {});
    const complete = new Promise<void>((resolve) => {
      this.#isReady = resolve;
    });
    this.ready = Promise.race([complete, this.failed]);
    this.ready.catch(() => {});
    this.#follow = new Follow({
      ...{ host: this.host, system, keepsRunning, signal: this.#stopping.signal },
      everyMs: every === undefined ? undefined : millisecondsIn(every, 'every', 'ttl'),
      pull: () => this.#pull(),
      pulled: () => this.pulled,
      isPaused: () => world.served.clock.isSet,
      needsFirst: () => this.#isPending,
      notice: (line) => options.notice?.(line),
    });
  }

  async begin(): Promise<void> {
    const { store } = this.world;
    const { namespace, readOnly, notice } = this.options;
    if (readOnly) throw new Failure('bad-request', 'Use either --pull or --read-only, not both');
    // A calendar with another time is a simulation.
    this.#isPending = isEmpty(store) && !this.world.served.clock.isSet;
    if (this.world.served.clock.isSet) notice?.(`Nothing is requested from ${this.host}, because the clock is stopped.`);
    this.isUnnamed = this.#isPending && namespace === defaultNamespace && this.options.isDefaultNamespace === true;
    const state = new SiteState(store.db, this.#key);
    if (state.hasOthers()) notice?.(`The calendar has other records: its IDs differ from those of ${this.host}.`);
    await store.change(() => state.serve(this.isUnnamed ? null : namespace, this.site.isUser ?? false));
    store.keepsScheduledCopies = !this.world.served.clock.isSet;
  }

  start(): void {
    if (!this.#isPending) this.#isReady();
    this.#running = this.#follow.run().catch((error) => {
      if (this.#isPending || error.code === 'not-confirmed') this.#fail(error);
    });
  }

  get #key(): string {
    const { db } = this.world.store;
    const { row, root } = remembered(db, this.site);
    return row?.site ?? SiteState.aliasOf(db, siteKey(root)) ?? siteKey(root);
  }

  get pulled(): string | null {
    const { db } = this.world.store;
    if (this.#asOf.version !== db.version) this.#asOf = { version: db.version, pulled: new SiteState(db, this.#key).row?.pulled ?? null };
    return this.#asOf.pulled;
  }

  get pending(): string | undefined {
    return this.#isPending ? `Copying ${this.host}: ${this.#records} records so far` : undefined;
  }

  get text(): string {
    return this.#follow.text;
  }

  isAt(root: string): boolean {
    return [this.#typed, this.#key].includes(siteKey(root));
  }

  failsAt(site: string): boolean {
    return this.#follow.isFailing && site === this.#key;
  }

  pullNow(): Promise<Done> {
    return this.#follow.pullNow();
  }

  async #pull(): Promise<Done> {
    const { world, options, site } = this;
    const { store } = world;
    const onWait = (status: number, untilMs: number) => this.#follow.onWait(status, untilMs);
    const remote = await this.connectTo(remembered(store.db, site).root, site.authorization, site.headers, onWait);
    const onProgress = (count: number) => {
      this.#records = count;
    };
    try {
      const done = await inTurn(store, () =>
        withSnapshot({ store, onProgress }, 'pull', {}, (more) =>
          pull(store, remote, { ...more, system: options.system, anyHost: true, delete: true, hides: site.isUser }),
        ),
      );
      if (this.isUnnamed) await this.#settleNamespace(remote.root);
      await this.#complete(done);
      return done;
    } finally {
      await remote.close();
    }
  }

  /** Serves the copy below the namespace of its site. */
  async #settleNamespace(root: string): Promise<void> {
    const { store, served } = this.world;
    this.isUnnamed = false;
    this.options.namespace = namespaceOf(root) ?? defaultNamespace;
    served.faults.move();
    await store.change(() => new SiteState(store.db, this.#key).serve(this.options.namespace, this.site.isUser ?? false));
  }

  /** A pull that changes nothing is silent. */
  async #complete({ created, updated, deleted, problems, conflicts = [] }: Done): Promise<void> {
    const { notice } = this.options;
    if (this.#isPending) {
      this.#isPending = false;
      if (this.world.start) this.world.start = this.world.store.image();
      this.#isReady();
    } else if (created + updated + deleted)
      notice?.(`Pulled from ${this.host}: ${created} created, ${updated} updated, ${deleted} deleted.`);
    const lines = problems.map(({ at, reason }) => `${at}: ${reason}`);
    for (const { resource, id, name } of conflicts)
      lines.push(`Conflict: ${resource} ${id} (${name}) was changed on both sides. See: calendar conflicts list`);
    for (const line of lines.filter((each) => !this.#told.has(each))) {
      this.#told.add(line);
      notice?.(line);
    }
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}
