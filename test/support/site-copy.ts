import { afterAll, beforeAll, beforeEach } from 'vitest';
import { resolve } from '../../src/data/remote/conflicts.ts';
import { type PullOptions, pull } from '../../src/data/remote/pull.ts';
import { type PushOptions, push } from '../../src/data/remote/push.ts';
import type { Site } from '../../src/data/remote/site.ts';
import type { Summary } from '../../src/data/summary.ts';
import type { Entry, Input, ResourceName } from '../../src/model/calendar.ts';
import type { ResolveInput } from '../../src/model/operation-types.ts';
import { owner, type Role } from '../../src/model/viewer.ts';
import type { LocalCalendar, Store } from '../../src/store/calendar.ts';
import { StoredConflicts } from '../../src/store/identity/sites.ts';
import { memory } from './calendars.ts';
import { type LiveSite, liveSite, type Quirks } from './live-site.ts';
import { moment } from './transcript.ts';

/** The time of the system at the start of each test. */
const start = Date.parse(moment);
/** The event of the seed. */
export const event = 'summer-concert';
export const day = { start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 12:00:00' };

/** The numbers of a summary that are not zero, as `1 updated, 4 unchanged`. */
export const countsOf = ({ counts }: Summary): string =>
  Object.entries(counts)
    .flatMap(([outcome, count]) => (count ? `${count} ${outcome}` : []))
    .join(', ');
/** The conflicts of a summary, as `edited cost`. */
export const conflictsOf = ({ conflicts }: Summary): string[] =>
  conflicts.map(({ kind, fields }) => [kind, ...Object.keys(fields)].join(' '));
export const reasonsOf = (problems: Summary['problems']): string[] =>
  problems.map(({ at, reason }) => `${at.replace(/ \d+/, '')}: ${reason}`);

type Side = 'here' | 'there';

/** A calendar and a site in memory, of which the first has a copy. Each test starts with the same state. */
export class SiteCopy {
  site!: LiveSite;
  here!: Store;
  /** The remote calendar in place of that of the site. */
  remote?: Site;
  /** The time of the system of pulls and pushes. */
  now = start;

  constructor(quirks: Partial<Quirks> = {}, prepare: (site: LiveSite) => Promise<unknown> = async () => {}) {
    let copied: ReturnType<Store['image']>;
    beforeAll(async () => {
      [this.site, this.here] = [await liveSite('minimal', quirks, { listen: false }), await memory()];
      await prepare(this.site);
      await this.pull();
      copied = this.here.image();
    });
    beforeEach(async () => {
      this.remote = undefined;
      this.now = start;
      await this.site.reset();
      await this.here.restore(copied);
    });
    afterAll(async () => {
      await this.site.close();
      await this.here.close();
    });
  }

  pull({ as, ...options }: PullOptions & { as?: Role } = {}): Promise<Summary> {
    return pull(this.here, this.remote ?? this.site.remote(as), { system: () => this.now, ...options });
  }

  push({ as, ...options }: PushOptions & { as?: Role } = {}): Promise<Summary> {
    return push(this.here, this.remote ?? this.site.remote(as), { system: () => this.now, ...options });
  }

  resolve(choice: 'ours' | 'theirs' | ResolveInput): Promise<Summary> {
    return resolve(this.here, typeof choice === 'string' ? { prefer: choice } : choice, {});
  }

  change(side: Side, work: (local: LocalCalendar) => unknown): Promise<unknown> {
    return (side === 'here' ? this.here : this.site.origin.store).change((local) => work(local));
  }

  /** Updates a record, by default the event of the seed. */
  update(side: Side, input: Input, name: ResourceName = 'events', slug = event): Promise<unknown> {
    return this.change(side, (local) => local[name].update({ slug }, input));
  }

  delete(side: Side, name: ResourceName = 'events', slug = event): Promise<unknown> {
    return this.change(side, (local) => local[name].delete({ slug }));
  }

  /** Returns a record; undefined if there is none or it is in the trash. */
  shown(side: Side, name: ResourceName = 'events', slug = event): Entry | undefined {
    const store = side === 'here' ? this.here : this.site.origin.store;
    return [...store.local(owner, { home: 'http://site', root: 'http://site' }).entries(name)].find((entry) => entry.slug === slug);
  }

  count(side: Side, name: ResourceName): number {
    const store = side === 'here' ? this.here : this.site.origin.store;
    return [...store.local(owner, { home: '', root: '' }).entries(name)].length;
  }

  get conflicts(): string[] {
    return new StoredConflicts(this.here.db).all().map(({ kind }) => kind);
  }

  /** Writes that the site received. */
  get writes(): string[] {
    return this.site.log.filter((line) => !line.startsWith('GET'));
  }
}
