import { expect } from 'vitest';
import { resolve } from '../../src/data/remote/conflicts.ts';
import { type Difference, diff } from '../../src/data/remote/diff.ts';
import { pull } from '../../src/data/remote/pull.ts';
import { push } from '../../src/data/remote/push.ts';
import type { Site } from '../../src/data/remote/site.ts';
import { sitesIn } from '../../src/data/remote/status.ts';
import type { Summary } from '../../src/data/summary.ts';
import { type Calendar, type Collection, type Entry, type Input, type ResourceName, resourceNames } from '../../src/model/calendar.ts';
import { Failure } from '../../src/model/error.ts';
import type { Conflict } from '../../src/model/operation-types.ts';
import { resources } from '../../src/model/resources/all.ts';
import { owner, type Role } from '../../src/model/viewer.ts';
import { type LocalCalendar, openCalendar, type Store } from '../../src/store/calendar.ts';
import { SiteState, StoredConflicts, siteKey } from '../../src/store/identity/sites.ts';
import { type LiveSite, liveSite } from './live-site.ts';
import { moment } from './transcript.ts';

/** Returns a random number generator (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

type Side = 'here' | 'there';

/** Fields that are edited, by resource; several of them that are one value for people are one. */
const edited: Record<ResourceName, readonly string[]> = {
  events: [
    'title',
    'description',
    'excerpt',
    'website',
    'cost',
    'when',
    'featured',
    'sticky',
    'hide_from_listings',
    'status',
    'slug',
    'venue',
    'organizer',
    'tags',
    'categories',
  ],
  venues: ['venue', 'city', 'phone', 'description', 'website'],
  organizers: ['organizer', 'email', 'phone', 'website'],
  categories: ['name', 'description', 'slug', 'parent'],
  tags: ['name', 'description', 'slug'],
};
const dates = ['start_date', 'end_date', 'timezone', 'all_day'];
const targets: Record<string, ResourceName> = {
  venue: 'venues',
  organizer: 'organizers',
  tags: 'tags',
  categories: 'categories',
  parent: 'categories',
};
const site = 'site';

/** The last edit of a field on one side. */
interface Edit {
  at: number;
  /** The value after it, as {@link Model.value} returns it. */
  value: string;
}

/** Two calendars that are edited at random and copied to each other, and what must hold whenever a pull and a push were complete. */
export class Model {
  readonly #random: (below: number) => number;
  #now = Date.parse(moment);
  readonly #system = () => this.#now;
  #step = 0;
  #count = 0;
  #here!: Store;
  #site!: LiveSite;
  /** Number of requests until one is cut, and when it is. */
  #cut = { after: -1, when: 'before' as 'before' | 'after' };
  #mayPublish = true;
  #writes = 0;
  /** Last edits by side, resource, ID and field. */
  readonly #edits = new Map<string, Edit>();
  /** Records by side, resource and ID that were deleted, and when. */
  readonly #deleted = new Map<string, number>();
  /** When both sides last agreed on a field, and its value. */
  readonly #agreed = new Map<string, Edit>();
  /** True if a pull or push was cut since. */
  #wasCut = false;
  #hasConflicts = false;
  /** Fields that an undo changed: their values of either side may win. */
  readonly #undone = new Set<string>();
  /** Name of the snapshot to go back to. */
  #kept: string | undefined;
  #isSlugRefused = false;
  #copies = 0;
  /** Long walks compare status, diff, pull and push after some copies only. */
  #copiesPerCheck = 1;
  /** Pairs by resource and local ID. */
  #pairs = new Map<string, number>();
  /** Records that a push created, by resource and local ID. */
  readonly #created = new Map<string, number[]>();

  constructor(
    private readonly seed: number,
    private readonly role: Role = 'administrator',
  ) {
    this.#random = randomFrom(seed * 7919);
  }

  async run(steps: number): Promise<void> {
    const now = this.#system;
    this.#copiesPerCheck = Math.ceil(steps / 200);
    this.#here = await openCalendar(':memory:', { mode: 'write', now });
    this.#site = await liveSite(undefined, {}, { listen: false, system: now });
    try {
      for (let count = 0; count < 3; count++) for (const name of resourceNames) await this.#create('there', name);
      for (this.#step = 1; this.#step <= steps; this.#step++) await this.#act();
      await this.#finish();
    } catch (error) {
      if (error instanceof Error) error.message = `seed ${this.seed} (${this.role}), step ${this.#step}: ${error.message}`;
      throw error;
    } finally {
      await this.#here.close();
      await this.#site.close();
    }
  }

  async #act(): Promise<void> {
    this.#trace('step', this.#step);
    const kind = this.#random(21);
    const side: Side = this.#random(2) ? 'here' : 'there';
    const name = this.#one(resourceNames);
    this.#now += this.#one([0, 1000, 61_000]);
    if (kind < 9) await this.#edit(side, name);
    else if (kind < 11) await this.#create(side, name);
    else if (kind < 12) await this.#delete(side, name);
    else if (kind < 13) await this.#restore(side);
    else if (kind < 14) await this.#exchangeSlugs(side);
    else if (kind < 15) await this.#protect();
    else if (kind < 16) await this.#refuse();
    else if (kind < 17) await this.#pushAsContributor();
    else if (kind < 18) await this.#copyCut();
    else if (kind < 19) await this.#undo();
    else await this.#copy();
  }

  /** Prints what happens, if one seed is run alone. */
  #trace(...what: unknown[]): void {
    if (process.env.SITE_SEED) console.log(...what);
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#random(list.length)]!;
  }

  #store(side: Side): Store {
    return side === 'here' ? this.#here : this.#site.origin.store;
  }

  get #state(): SiteState {
    return new SiteState(this.#here.db, siteKey(this.#site.remote().root));
  }

  #local(side: Side): LocalCalendar {
    return this.#store(side).local(owner, { home: `http://${site}`, root: `http://${site}` });
  }

  #ids(side: Side, name: ResourceName): number[] {
    return [...this.#local(side).entries(name)].map(({ id }) => id);
  }

  #token(): string {
    return `v${++this.#count}x`;
  }

  /** Changes the record of one side. Returns false if it is invalid, as when two names are equal. */
  async #change(side: Side, work: (local: LocalCalendar) => void): Promise<boolean> {
    try {
      await this.#store(side).change((local) => work(local));
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  /** Returns an input for a field, if there is a record to link to. */
  #inputOf(side: Side, field: string, id: number): Input | undefined {
    const to = targets[field];
    if (to) {
      const ids = this.#ids(side, to).filter((each) => field !== 'parent' || each !== id);
      const target = ids.length && this.#random(6) ? this.#one(ids) : 0;
      return { [field]: field === 'venue' || field === 'parent' ? target : target ? [target] : [] };
    }
    const token = this.#token();
    switch (field) {
      case 'website':
        return { website: `https://example.org/${token}` };
      case 'email':
        return { email: `${token}@example.org` };
      case 'cost':
        return { cost: String(this.#count) };
      case 'featured':
      case 'sticky':
      case 'hide_from_listings':
        return { [field]: this.#random(2) === 1 };
      case 'status':
        return { status: this.#one(['publish', 'draft', 'private']) };
      case 'when': {
        const day = `2027-0${1 + this.#random(9)}-1${this.#random(10)}`;
        const timezone = this.#one(['UTC', 'Europe/Berlin', 'Asia/Tokyo']);
        const all = { start_date: `${day} 10:00:00`, end_date: `${day} 1${1 + this.#random(9)}:00:00`, timezone };
        return this.#one<Input>([all, { timezone }, { end_date: '2027-12-31 20:00:00' }]);
      }
      default:
        return { [field]: token };
    }
  }

  async #edit(side: Side, name: ResourceName): Promise<void> {
    const ids = this.#ids(side, name);
    const field = this.#one(edited[name]);
    if (!ids.length) return;
    const id = this.#one(ids);
    const input = this.#inputOf(side, field, id);
    const before = this.#valueOf(side, name, id, field);
    if (input && (await this.#change(side, (local) => void local[name].update({ id }, input)))) this.#note(side, name, id, field, before);
  }

  /** Notes an edit, unless it changed nothing. */
  #note(side: Side, name: ResourceName, id: number, field: string, before?: string): void {
    const value = this.#valueOf(side, name, id, field);
    this.#trace(side, name, id, field, value);
    if (value !== before) this.#edits.set(`${side}:${name}:${id}:${field}`, { at: this.#step, value });
  }

  async #create(side: Side, name: ResourceName): Promise<void> {
    const { label } = resources[name];
    const day = { start_date: '2027-03-01 10:00:00', end_date: '2027-03-01 11:00:00' };
    const venue = this.#ids(side, 'venues')[0];
    const more =
      name === 'events'
        ? {
            ...day,
            ...(this.#random(2) && venue ? { venue } : {}),
            // One with a date to come is scheduled.
            ...this.#one<Input>([{ status: 'publish' }, { status: 'draft' }, { date: '2028-01-01 10:00:00' }]),
          }
        : {};
    await this.#change(side, (local) => void local[name].create({ [label]: this.#token(), ...more }));
  }

  async #delete(side: Side, name: ResourceName): Promise<void> {
    const ids = this.#ids(side, name);
    if (ids.length < 2) return;
    const id = this.#one(ids);
    if (await this.#change(side, (local) => void local[name].delete({ id }))) this.#deleted.set(`${side}:${name}:${id}`, this.#step);
    this.#trace('delete', side, name, id);
  }

  async #restore(side: Side): Promise<void> {
    const trashed = [...this.#deleted.keys()].filter((key) => /:(events|venues|organizers):/.test(key) && key.startsWith(side));
    if (!trashed.length) return;
    const key = this.#one(trashed);
    const name = key.split(':')[1] as 'events' | 'venues' | 'organizers';
    const id = Number(key.split(':')[2]);
    if (this.#local(side).has(name, id)) return;
    if (await this.#change(side, (local) => void local[name].update({ id }, { status: 'publish' }))) {
      this.#deleted.delete(key);
      // Here, it may have been created again since.
      if (side === 'there')
        for (const [each, ids] of this.#created)
          if (each.startsWith(`${name}:`))
            this.#created.set(
              each,
              ids.filter((one) => one !== id),
            );
      if (name === 'events') this.#note(side, 'events', id, 'status');
    }
  }

  /** Exchanges the slugs of two or three events or terms, or moves them on in a chain. */
  async #exchangeSlugs(side: Side): Promise<void> {
    const name = this.#one(['events', 'categories', 'tags'] as const);
    const ids = this.#ids(side, name).slice(0, 2 + this.#random(2));
    if (ids.length < 2) return;
    const slugs = ids.map((id) => String(this.#local(side).entry(name, id)!.slug));
    const last = this.#random(2) ? slugs[0]! : this.#token();
    const isChanged = await this.#change(side, (local) => {
      for (const id of ids) local[name].update({ id }, { slug: this.#token() });
      for (const [at, id] of ids.entries()) local[name].update({ id }, { slug: slugs[at + 1] ?? last });
    });
    if (isChanged) for (const id of ids) this.#note(side, name, id, 'slug');
  }

  /** Sets or removes the password of a local event. */
  async #protect(): Promise<void> {
    const id = this.#one(this.#ids('here', 'events'));
    if (id === undefined) return;
    const { post_password } = this.#local('here').source('events', id)!;
    await this.#change('here', (local) => void local.events.update({ id }, { post_password: post_password ? '' : 'secret' }));
  }

  /** Goes back to an earlier state of the file, or keeps the state for that. What an undo changes are edits. */
  async #undo(): Promise<void> {
    const kept = this.#kept;
    this.#kept = kept === undefined ? (await this.#here.snapshots.keep('walk')).name : undefined;
    if (kept === undefined) return;
    const values = () =>
      new Map<string, string>(
        resourceNames.flatMap((name) =>
          this.#ids('here', name).flatMap((id) =>
            edited[name].map((field) => [`${name}:${id}:${field}`, this.#valueOf('here', name, id, field)] as [string, string]),
          ),
        ),
      );
    const before = values();
    await this.#here.snapshots.restore(kept);
    const after = values();
    this.#trace('undo');
    for (const [key, value] of after)
      if (before.get(key) !== value) {
        this.#edits.set(`here:${key}`, { at: this.#step, value });
        this.#undone.add(key);
      }
    const records = (keys: Iterable<string>) => new Set([...keys].map((key) => key.split(':').slice(0, 2).join(':')));
    const [had, has] = [records(before.keys()), records(after.keys())];
    // A category or tag is known by its name or slug: with both changed, it is another record.
    const isOther = (record: string) =>
      ['name', 'slug'].every(
        (field) => after.has(`${record}:${field}`) && before.get(`${record}:${field}`) !== after.get(`${record}:${field}`),
      );
    for (const record of has) if (isOther(record)) has.delete(record);
    for (const record of has) this.#deleted.delete(`here:${record}`);
    // Other records may get the IDs of those that are gone.
    for (const map of [this.#pairs, this.#created, this.#edits, this.#deleted])
      for (const key of map.keys()) {
        const record = key
          .replace(/^here:/, '')
          .split(':')
          .slice(0, 2)
          .join(':');
        if ((had.has(record) || map === this.#pairs) && !has.has(record) && !key.startsWith('there:')) map.delete(key);
      }
  }

  /** Those of pull and push. A contributor sends only what stays unpublished. */
  get #options() {
    return { delete: true, system: this.#system, unpublished: this.role === 'contributor' };
  }

  /** Gives a local event an image that the site can't download. */
  async #refuse(): Promise<void> {
    const id = this.#one(this.#ids('here', 'events'));
    if (id !== undefined)
      await this.#change('here', (local) => void local.events.update({ id }, { image: `https://example.org/${this.#token()}.jpg` }));
  }

  /** The site as `pull` and `push` see it. */
  #remote(): Site {
    const remote = this.#site.remote(this.#mayPublish ? this.role : 'contributor');
    const cuttable = async <T>(work: () => Promise<T>): Promise<T> => {
      const isCut = --this.#cut.after === 0;
      if (isCut && this.#cut.when === 'before') throw new Failure('unreachable', 'cut');
      const result = await work();
      if (isCut) throw new Failure('unreachable', 'cut');
      return result;
    };
    const written = (name: ResourceName, input: Input) => {
      this.#trace('write', name, JSON.stringify(input));
      this.#writes++;
    };
    const collection = (name: ResourceName): Collection => {
      const own = remote.calendar[name];
      return {
        list: (query) => cuttable(async () => own.list(query)),
        get: (ref, query) => cuttable(async () => own.get(ref, query)),
        create: (input) =>
          cuttable(async () => {
            written(name, input);
            const entry = await own.create(input);
            const marks = this.#state.marks(name);
            const key = `${name}:${marks.at(-1)!.local}`;
            this.#created.set(key, [...(this.#created.get(key) ?? []), entry.id]);
            return entry;
          }),
        update: (ref, input) =>
          cuttable(async () => {
            written(name, input);
            return own.update(ref, input);
          }),
        delete: (ref) => cuttable(async () => own.delete(ref)),
      };
    };
    const calendar = Object.fromEntries(resourceNames.map((name) => [name, collection(name)])) as unknown as Calendar;
    const allEvents = async () => [...this.#local('there').entries('events')].map(({ id, title }) => ({ id, title: String(title) }));
    return { ...remote, visitors: undefined, calendar, allEvents };
  }

  /** Pulls and pushes, one of which is cut. */
  async #copyCut(): Promise<void> {
    const published = this.#published();
    this.#cut = { after: 1 + this.#random(30), when: this.#one(['before', 'after']) };
    this.#wasCut = true;
    for (const copy of [pull, push])
      await copy(this.#here, this.#remote(), this.#options).catch((error) => {
        if (!(error instanceof Failure)) throw error;
      });
    this.#cut.after = -1;
    this.#checkPublished(published);
  }

  /** A push by a user who may not publish sends nothing until it is confirmed. */
  async #pushAsContributor(): Promise<void> {
    const [published, writes] = [this.#published(), this.#writes];
    this.#mayPublish = false;
    try {
      await push(this.#here, this.#remote(), { system: this.#system });
      this.#wasCut = true;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect([error.code, this.#writes]).toEqual(['not-confirmed', writes]);
    } finally {
      this.#mayPublish = true;
    }
    expect([...published].filter((id) => !this.#published().has(id))).toEqual([]);
  }

  async #copy(): Promise<Summary[]> {
    const published = this.#published();
    const pulled = await pull(this.#here, this.#remote(), this.#options);
    const pushed = await push(this.#here, this.#remote(), this.#options);
    this.#trace('copy', JSON.stringify([pulled.conflicts, pulled.problems, pulled.notes, pushed.conflicts, pushed.problems, pushed.notes]));
    this.#checkPublished(published);
    this.#check(pulled, pushed);
    if (this.#copies++ % this.#copiesPerCheck === 0) await this.#checkInStep();
    this.#wasCut = false;
    // The next edits come after it.
    this.#step += 0.5;
    return [pulled, pushed];
  }

  /** Status, diff, a dry pull and a dry push never contradict each other. */
  async #checkInStep(): Promise<void> {
    // It takes the members of new records that this program doesn't know.
    await pull(this.#here, this.#remote(), this.#options);
    const { in_step: isInStep, text } = sitesIn(this.#here, () => false, this.#now)[0]!;
    const differences: unknown[] = [];
    for await (const each of diff(this.#here, this.#remote(), { problems: [] }))
      if (!('fields' in each) || (!each.protected && (Object.keys(each.fields).length || each.refused === undefined)))
        differences.push(each);
    const changes: unknown[] = [];
    for (const copy of [pull, push]) {
      const { records, conflicts, problems } = (
        await copy(this.#here, this.#remote(), { ...this.#options, dryRun: true, listChanges: true })
      ).done(0);
      changes.push(
        ...(records ?? []).filter(({ action }) => action !== 'unchanged' && action !== 'skipped'),
        ...(conflicts ?? []),
        ...problems,
      );
    }
    const isIdle = differences.length + changes.length === 0;
    if (isInStep || isIdle)
      expect(
        { text, isInStep, differences, changes },
        `status, diff, pull and push agree: ${text} ${JSON.stringify([isInStep, differences, changes]).slice(0, 600)}`,
      ).toMatchObject({
        isInStep: true,
        differences: [],
        changes: [],
      });
  }

  /** IDs of the events that visitors of the site see. */
  #published(): Set<number> {
    return new Set([...this.#local('there').entries('events')].filter(({ status }) => status === 'publish').map(({ id }) => id));
  }

  /** Nothing is published or unpublished that is not here. */
  #checkPublished(before: Set<number>): void {
    const [state, here] = [this.#state, this.#local('here')];
    const after = this.#published();
    for (const id of after) {
      const pair = state.ofRemote('events', id);
      if (before.has(id) || !pair || !here.has('events', pair.local)) continue;
      const { post_password } = here.source('events', pair.local)!;
      const { status } = here.entry('events', pair.local)!;
      expect([id, status, post_password || ''], 'nothing is published').toEqual([id, 'publish', '']);
    }
    for (const id of before) {
      const pair = state.ofRemote('events', id);
      if (after.has(id) || !pair || !this.#local('there').has('events', id)) continue;
      expect([id, here.entry('events', pair.local)?.status], 'nothing is unpublished').not.toEqual([id, 'publish']);
    }
  }

  /** Returns the value of a field as text, with the IDs of linked records there. */
  #valueOf(side: Side, name: ResourceName, id: number, field: string): string {
    const entry = this.#local(side).entry(name, id);
    if (!entry) return '';
    if (field === 'when') return JSON.stringify(dates.map((each) => entry[each]));
    const to = targets[field];
    // An event without a website has the address of its page there.
    if (field === 'website' && String(entry.website).startsWith(`http://${site}`)) return '""';
    if (!to) return JSON.stringify(entry[field] ?? '');
    const state = this.#state;
    const ids = [entry[field] ?? []].flat().flatMap((each) => Number((each as Entry)?.id ?? each) || []);
    return JSON.stringify(ids.map((each) => (side === 'there' ? each : (state.ofLocal(to, each)?.remote ?? `here ${each}`))).sort());
  }

  /** Returns whether a local category is above another one, which can't be its parent then. */
  #isAbove(id: number, below: number | undefined): boolean {
    const local = this.#local('here');
    let above = below ?? 0;
    for (let depth = 0; above && above !== id && depth < 100; depth++) above = Number(local.entry('categories', above)?.parent ?? 0);
    return above === id;
  }

  #check(pulled: Summary, pushed: Summary): void {
    const state = this.#state;
    const conflicts = new StoredConflicts(this.#here.db).all();
    this.#hasConflicts = conflicts.length > 0;
    this.#isSlugRefused = resourceNames.some((name) => state.pairs(name).some(({ refused = {} }) => 'slug' in refused));
    for (const name of resourceNames) {
      const [here, there] = [new Set(this.#ids('here', name)), new Set(this.#ids('there', name))];
      const pairs = new Map(state.pairs(name).map((pair) => [pair.local, pair]));
      const remotes = new Set([...pairs.values()].map(({ remote }) => remote));
      const isUnpublished = (id: number) =>
        pushed.notes.some(({ at, reason }) => reason.startsWith('would not be published') && at.startsWith(`${name} ${id} `));
      // One that links to a record in the trash of the site is a problem of the push.
      const isUnsent = (id: number) =>
        pushed.problems.some(({ at, reason }) => reason.endsWith('; not sent') && at.startsWith(`${name} ${id} `));
      const conflictOf = (remote: number) => conflicts.find((each) => each.resource === name && each.remote === remote);
      // Every record has a counterpart, except those that a push leaves out.
      for (const id of there) expect([name, id, remotes.has(id)], 'a record of the site has a copy').toEqual([name, id, true]);
      for (const id of here) {
        const isLeftOut =
          this.#local('here').source(name, id)!.post_password ||
          [...pulled.problems, ...pushed.problems].some(({ at }) => at.startsWith(`${name} ${id} `)) ||
          isUnpublished(id);
        if (!isLeftOut) expect([name, id, pairs.has(id)], 'a local record is on the site').toEqual([name, id, true]);
      }
      for (const [id, pair] of pairs) {
        const conflict = conflictOf(pair.remote);
        const key = `${name}:${id}`;
        const before = this.#pairs.get(key);
        if (before !== undefined && there.has(before) && here.has(id)) expect([key, pair.remote], 'IDs are stable').toEqual([key, before]);
        this.#pairs.set(key, pair.remote);
        // Both are in the trash.
        if (!here.has(id) && !there.has(pair.remote)) continue;
        if (!here.has(id) || !there.has(pair.remote)) {
          expect([key, conflict?.kind], 'a deletion is copied').toEqual([key, here.has(id) ? 'deleted-there' : 'deleted-here']);
          continue;
        }
        if (!isUnpublished(id) && !isUnsent(id)) this.#checkPair(name, id, pair.remote, conflict, Object.keys(pair.refused ?? {}));
      }
    }
    for (const [key, ids] of this.#created) {
      const [name, id] = key.split(':') as [ResourceName, string];
      const live = ids.filter((each) => this.#local('there').has(name, each));
      expect([key, id, live.length < 2], 'no record is created twice').toEqual([key, id, true]);
    }
  }

  #checkPair(
    name: ResourceName,
    here: number,
    there: number,
    conflict: { kind: Conflict['kind']; fields: object } | undefined,
    refused: string[],
  ): void {
    const isProtected = Boolean(this.#local('here').source(name, here)!.post_password);
    for (const field of edited[name]) {
      const [mine, theirs] = [this.#valueOf('here', name, here, field), this.#valueOf('there', name, there, field)];
      const edits = [this.#edits.get(`here:${name}:${here}:${field}`), this.#edits.get(`there:${name}:${there}:${field}`)];
      const agreed = this.#agreed.get(`${name}:${here}:${field}`) ?? { at: 0, value: undefined };
      const [changedHere, changedThere] = edits.map((edit) => edit !== undefined && edit.at > agreed.at && edit.value !== agreed.value);
      const members = field === 'when' ? dates : [field];
      const at = `${name} ${here}/${there} ${field}`;
      if (conflict && members.some((member) => member in conflict.fields)) continue;
      if (refused.some((each) => members.includes(each))) continue;
      // Nothing is written for a record with a conflict, and nothing is sent of one with a password.
      if (conflict || isProtected) continue;
      // Another record with a conflict, one that is deleted later, or one of the other side may have the slug. The site chooses one for a draft without.
      if (field === 'slug' && (this.#hasConflicts || this.#deleted.size || mine === '""' || this.#isSlugRefused)) continue;
      // A link to a record that has no copy, or whose copy is in the trash, is taken when it has one.
      const isLinked = (id: unknown) => this.#local('here').has(targets[field]!, this.#state.localOf(targets[field]!, Number(id)) ?? 0);
      if (field === 'parent' && this.#isAbove(here, this.#state.localOf('categories', Number(JSON.parse(theirs)[0])))) continue;
      const linkable = (value: string) => (targets[field] ? JSON.stringify((JSON.parse(value) as unknown[]).filter(isLinked)) : value);
      // What a contributor publishes waits for review.
      if (this.role === 'contributor' && field === 'status' && theirs === '"pending"') continue;
      expect([at, linkable(mine)], 'both sides are equal').toEqual([at, linkable(theirs)]);
      this.#agreed.set(`${name}:${here}:${field}`, { at: this.#step, value: mine });
      if (this.#undone.delete(`${name}:${here}:${field}`)) continue;
      // A link goes with the record that it refers to.
      const isGone = (value: string) =>
        (JSON.parse(value) as unknown[]).some((id) => !this.#local('there').has(targets[field]!, Number(id)));
      if (targets[field] && edits.some((edit) => edit && isGone(edit.value))) continue;
      if ([theirs, ...edits.flatMap((edit) => edit?.value ?? [])].some((value) => value !== linkable(value))) continue;
      // A pull or push that was cut may have copied one of them, and the other one replaced it.
      if (this.#wasCut && edits.every((edit) => edit && edit.at > agreed.at)) continue;
      if (changedHere !== changedThere)
        expect([at, mine], 'the edit is on both sides').toEqual([at, (changedHere ? edits[0] : edits[1])!.value]);
      else if (changedHere && !this.#wasCut)
        expect([at, edits.map((edit) => edit!.value)], 'one of the edits is on both sides').toEqual([at, expect.arrayContaining([mine])]);
    }
  }

  /** Once conflicts are resolved, both sides agree, and nothing is left to copy. */
  async #finish(): Promise<void> {
    const ids = this.#ids('here', 'events');
    for (const id of ids) await this.#change('here', (local) => void local.events.update({ id }, { post_password: '' }));
    await this.#copy();
    await resolve(this.#here, { prefer: this.#one(['ours', 'theirs'] as const) }, {});
    for (let time = 0; time < 3; time++) {
      await pull(this.#here, this.#remote(), this.#options);
      await push(this.#here, this.#remote(), this.#options);
    }
    const writes = this.#writes;
    const [pulled, pushed] = [await pull(this.#here, this.#remote(), this.#options), await push(this.#here, this.#remote(), this.#options)];
    expect([pulled.conflicts, pushed.conflicts, pulled.problems, pushed.problems], 'no conflict stays').toEqual([[], [], [], []]);
    expect([pulled.hasChanged, this.#writes - writes], 'nothing is left to copy').toEqual([false, 0]);
    const state = this.#state;
    // Records of both sides can want one slug, or be above each other. That is reported.
    const refused = new Set(resourceNames.flatMap((name) => state.pairs(name).flatMap((pair) => Object.keys(pair.refused ?? {}))));
    const isReported = (field: string) => ['slug', 'parent'].includes(field) && refused.has(field);
    const isCircle = ({ resource, local, fields }: Difference) =>
      resource === 'categories' && 'parent' in fields && this.#isAbove(local ?? 0, Number(fields.parent!.remote));
    const differing: unknown[] = [];
    for await (const difference of diff(this.#here, this.#remote(), { problems: [] }))
      if (
        'fields' in difference &&
        !pushed.notes.some(({ at }) => at.startsWith(`${difference.resource} ${difference.local} `)) &&
        !Object.keys(difference.fields).every(isReported) &&
        !isCircle(difference)
      )
        differing.push(difference);
    expect(differing, 'diff finds nothing').toEqual([]);
  }
}
