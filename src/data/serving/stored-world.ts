import project from '../../../package.json' with { type: 'json' };
import { controlPath } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { type OwnCopy, ownCopyPath } from '../../model/web-page.ts';
import { calendarFile } from '../../store/records/schema.ts';
import { imageOf, type StoreImage } from '../../store/snapshots.ts';
import { openInMemory } from '../../store/sqlite/memory-database.ts';
import { reset } from '../world/reset.ts';
import type { World, WorldParts } from '../world/world.ts';

/** The place where a browser stores a static site, as plain data by name. */
export interface Shelf {
  /** Everything that is stored. Who reads it last is the only one who may write. */
  read(): Promise<Map<string, unknown>>;
  /** Stores all changes or none; undefined removes. Resolves when they survive a stop of the browser, if `isDurable`. Throws `store-changed` after another has read. */
  write(changes: ReadonlyMap<string, unknown>, isDurable: boolean): Promise<void>;
}

/** The calendar of a site that is open, and the function that answers requests. */
interface OpenSite {
  world: World;
  handler(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** The values that are stored besides images and requests. */
interface StoredState {
  /** Version of the program. */
  version: string;
  /** Hash of the calendar of the site that the visitor has seen. */
  data: string;
  /** True if the records differ from those of the site, by what the visitor did. */
  isChanged: boolean;
  parts: WorldParts;
  strict: World['strict'];
  partsBefore: [snapshot: string, parts: WorldParts][];
  note: Note;
}

/** The calendar of a site with a seed, as this browser filled it. */
interface StoredSeed {
  image: StoreImage;
  data: string;
  /** The day of the browser's clock in UTC: dates of a seed can be relative to it. */
  day: string;
}

/** The state that a reset restores, if the visitor has set it. */
interface StoredStart extends Pick<StoredState, 'parts' | 'strict'> {
  image: StoreImage;
}

/** Changes that the visitor has to know of: the site was published with another calendar and theirs was kept, or it was lost since it is of a later version. */
type Note = 'none' | 'kept' | 'lost';

const where = 'Changes are stored in this browser only.';

const feet: Record<Note, OwnCopy> = {
  none: { text: where, actions: [] },
  kept: {
    text: `${where} This site was published again with another calendar. You still see the one before, with your changes.`,
    actions: [
      ['Discard my changes', 'DELETE'],
      ['Keep them', 'POST'],
    ],
  },
  lost: { text: `${where} Yours were made with a later version of this site, and can’t be read here.`, actions: [['OK', 'POST']] },
};

type Snapshot = World['store']['snapshots']['saved'] extends Map<string, infer Each> ? Each : never;
type Entry = ReturnType<World['served']['journal']['exchanges']>[number];

const requestKey = (id: number): string => `request ${id}`;
const snapshotKey = (name: string): string => `snapshot ${name}`;

/** The values whose names start with a word. */
const startingWith = (stored: ReadonlyMap<string, unknown>, word: string): unknown[] =>
  [...stored].filter(([name]) => name.startsWith(`${word} `)).map(([, value]) => value);

/** Brings an image of an earlier version to the format of this one. Throws a StorageError for one of a later version. */
async function upgraded(image: StoreImage): Promise<StoreImage> {
  const db = await openInMemory(calendarFile, await imageOf(image));
  try {
    return db.bytes();
  } finally {
    await db.close();
  }
}

/** True for a request that only reads, which may still publish scheduled records. */
const isRead = ({ method, headers }: Request): boolean => /^(GET|HEAD|OPTIONS)$/.test(method) && !headers.has('x-http-method-override');

/** The calendar of a static site in one browser. Every change is stored before its response. */
export class StoredWorld {
  /** The values that are stored, by identity. */
  #stored = new Map<string, unknown>();
  #start: StoredStart | undefined;
  /** Absent if the site has an image. */
  #seed: StoredSeed | undefined;
  #saving: Promise<void> = Promise.resolve();
  #data: string;
  #isChanged = false;
  #note: Note = 'none';
  /** The calendar of the site. */
  readonly #siteImage: StoreImage;
  /** True once it can't be used any more, since something could not be stored. */
  isOver = false;

  private constructor(
    private readonly site: OpenSite,
    /** Hash of the calendar of the site. */
    private readonly data: string,
    private readonly shelf: Shelf,
  ) {
    this.#data = data;
    this.#siteImage = site.world.start!;
  }

  /**
   * Opens the calendar of a site, and restores what is stored of it. `data` is the hash of the calendar of the site. One with a seed is filled again on another day, unless the visitor has
   * changed it: `open` gets the image of the day, if any.
   */
  static async open(
    shelf: Shelf,
    { data, hasSeed }: { data: string; hasSeed: boolean },
    open: (image?: StoreImage) => Promise<OpenSite>,
  ): Promise<StoredWorld> {
    const stored = await shelf.read();
    const state = stored.get('state') as StoredState | undefined;
    const day = new Date().toISOString().slice(0, 10);
    const before = hasSeed ? (stored.get('seed') as StoredSeed | undefined) : undefined;
    const isCurrent = before?.data === data && (before.day === day || state?.isChanged);
    const image = isCurrent ? await imageOf(before!.image).catch(() => undefined) : undefined;
    const opened = new StoredWorld(await open(image), data, shelf);
    if (hasSeed) opened.#seed = image ? before : { image: opened.#siteImage, data, day };
    await opened.#restore(stored, hasSeed && !image);
    return opened;
  }

  /** The foot of the page. */
  get foot(): OwnCopy {
    return feet[this.#note];
  }

  async #restore(stored: Map<string, unknown>, isFilled: boolean): Promise<void> {
    const state = stored.get('state') as StoredState | undefined;
    this.#stored = stored;
    if (!state) return;
    const { world } = this.site;
    const { store, served } = world;
    const isOutdated = (isFilled || state.data !== this.data) && !state.isChanged;
    if (!isOutdated) this.#data = state.data;
    [this.#isChanged, this.#note] = [state.isChanged, this.#data === this.data ? state.note : 'kept'];
    const current = async <T extends { image: StoreImage }>(each: T): Promise<T> =>
      state.version === project.version ? each : { ...each, image: await upgraded(each.image) };
    try {
      const start = stored.get('start') as StoredStart | undefined;
      const image = stored.get('image') as StoreImage | undefined;
      const snapshots = await Promise.all((startingWith(stored, 'snapshot') as Snapshot[]).map(current));
      const [ownStart, own] = isOutdated ? [] : [start && (await current(start)), image && (await current({ image }))];
      for (const snapshot of snapshots) store.snapshots.saved.set(snapshot.info.name, snapshot);
      if (ownStart) {
        await store.restore(ownStart.image);
        world.restoreParts(ownStart.parts);
        world.strict = ownStart.strict;
        world.makeStart();
        this.#start = ownStart;
      }
      if (own) await store.restore(own.image);
      world.restoreParts(state.parts);
      world.strict = state.strict;
    } catch {
      // They are of a later version of the program, which was published before.
      [this.#start, world.start] = [undefined, this.#siteImage];
      await store.restore(this.#siteImage);
      store.snapshots.saved.clear();
      served.clock.reset();
      served.faults.reset();
      [this.#data, this.#isChanged, this.#note] = [this.data, false, 'lost'];
    }
    for (const [name, parts] of state.partsBefore) world.partsBefore.set(name, parts);
    const requests = (startingWith(stored, 'request') as Entry[]).sort((a, b) => a.id - b.id);
    served.journal.restore(requests, requests.at(-1)?.id ?? 0);
  }

  /** Returns the response when all that it changed is stored; `saved` resolves when its log is, too. */
  async handle(request: Request): Promise<{ response: Response; saved?: Promise<void> }> {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith(`${controlPath}/worlds`) && request.method === 'POST')
      throw new Failure('bad-request', 'A static site has one calendar', 'For worlds, start a server: calendar serve.');
    const response = pathname.endsWith(ownCopyPath) ? await this.#settle(request.method === 'DELETE') : await this.site.handler(request);
    this.#check();
    this.#isChanged = this.site.world.store.image() !== this.#siteImage && (this.#isChanged || !isRead(request));
    if (!this.#isChanged && this.#note === 'kept') [this.#data, this.#note] = [this.data, 'none'];
    const isDurable = hasState(this.#changes());
    const saved = this.#saving.then(() => this.#save());
    this.#saving = saved;
    if (isDurable) await saved;
    return { response, saved };
  }

  /** Throws once it is over, since nothing is stored any more. */
  #check(): void {
    if (this.isOver) throw new Failure('store-changed', 'The calendar was replaced while it handled this request', 'Send it again.');
  }

  /** Confirms what the foot says, or starts over with the calendar of the site, which can be undone. */
  async #settle(startsOver: boolean): Promise<Response> {
    [this.#data, this.#note] = [this.data, 'none'];
    if (startsOver) {
      const { world } = this.site;
      const { store, parts } = world;
      [this.#start, world.start] = [undefined, this.#siteImage];
      const { undo } = await store.snapshots.undoable(
        'reset',
        () => reset(store, world, {}, {}),
        () => true,
      );
      world.partsBefore.set(undo!, parts);
    }
    return new Response(null, { status: 204 });
  }

  /** Everything that is to be stored and differs from what is. */
  #changes(): Map<string, unknown> {
    const { store, served, strict, parts, partsBefore, start } = this.site.world;
    if (start !== (this.#start?.image ?? this.#siteImage)) this.#start = { image: start!, parts, strict };
    const image = store.image();
    const state: StoredState = {
      ...{ version: project.version, data: this.#data, isChanged: this.#isChanged, parts, strict },
      ...{ partsBefore: [...partsBefore], note: this.#note },
    };
    const isSame = JSON.stringify(state) === JSON.stringify(this.#stored.get('state'));
    const values = new Map<string, unknown>([
      ['state', isSame ? this.#stored.get('state') : structuredClone(state)],
      ...(this.#seed ? [['seed', this.#seed] as const] : []),
      ...(image === this.#siteImage ? [] : [['image', image] as const]),
      ...(this.#start ? [['start', this.#start] as const] : []),
      ...[...store.snapshots.saved].map(([name, snapshot]) => [snapshotKey(name), snapshot] as const),
      ...served.journal.exchanges().flatMap((entry) => (entry.took === null ? [] : [[requestKey(entry.id), entry] as const])),
    ]);
    const changes = new Map([...values].filter(([name, value]) => this.#stored.get(name) !== value));
    for (const name of this.#stored.keys()) if (!values.has(name)) changes.set(name, undefined);
    return changes;
  }

  async #save(): Promise<void> {
    this.#check();
    const changes = this.#changes();
    if (changes.size === 0) return;
    try {
      await this.shelf.write(changes, hasState(changes));
    } catch (error) {
      // What was not stored must not be seen: the next request reads what was.
      await this.end();
      throw error;
    }
    for (const [name, value] of changes)
      if (value === undefined) this.#stored.delete(name);
      else this.#stored.set(name, value);
  }

  /** Ends its streams and the requests in progress. */
  async end(): Promise<void> {
    this.isOver = true;
    await this.site.close();
  }
}

const hasState = (changes: ReadonlyMap<string, unknown>): boolean => [...changes.keys()].some((name) => !name.startsWith('request '));
