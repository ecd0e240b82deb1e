import type { Calendar, Collection, Entry, Input, Resource, ResourceName, WholeList } from '../model/calendar.ts';
import type { LinkBase } from '../model/context.ts';
import { extensions as allExtensions, type Extension, type Lookup, type RequestContext } from '../model/context.ts';
import { randomUuid } from '../model/formats/bytes.ts';
import type { StoredImage, Upload } from '../model/images/image.ts';
import { type Declarations, type Resources, resourcesWith } from '../model/resources/declared.ts';
import { resourceNames } from '../model/resources/names.ts';
import { anonymous, owner, type Viewer } from '../model/viewer.ts';
import { declareFields } from './declare.ts';
import { emptyCalendar } from './empty-calendar.ts';
import { filesFor } from './file/access.ts';
import { ImportMarks, SeriesTable } from './identity/identity.ts';
import { RecordFeed, type RecordListener } from './record-feed.ts';
import type { StoreContext } from './records/context.ts';
import { recountAll, ScheduledEvents } from './records/counts.ts';
import { entriesByBatch, entry, idBy, inputs, storedInput } from './records/dump.ts';
import { addUpload, findImage, hasImage } from './records/entries.ts';
import { referenceIn, withLookups } from './records/lookups.ts';
import { Posts } from './records/posts.ts';
import { findTerm, hasRow, isAuthor, isPresent } from './records/queries.ts';
import { calendarFile } from './records/schema.ts';
import { type SettingName, Settings } from './records/settings.ts';
import { Terms } from './records/terms.ts';
import { Snapshots, type StoreImage } from './snapshots.ts';
import { openInMemory } from './sqlite/memory-database.ts';
import type { Database, Durability } from './sqlite/sql.ts';
import { Users } from './users/users.ts';

export type { FullEntry } from './records/dump.ts';

export interface StoreOptions {
  mode: 'read' | 'write';
  /** Initial state of an in-memory calendar; empty by default. */
  image?: StoreImage;
  /** The current time in epoch milliseconds; called for each request. */
  now(): number;
  durability?: Durability;
  /** Time to wait for another owner of the file, in ms. */
  timeout?: number;
  /** Settings that override those in the file. */
  settings?: Partial<Record<SettingName, string>>;
  extensions?: readonly Extension[];
  /** A globally unique UID for a new record; random UUIDs by default. */
  newUid?(): string;
  /** Runs the synchronous work of {@link Store.change}. */
  blocking?<T>(work: () => T): T;
  /** Called with messages for the user. `failing` is true if callers get the same message as a failure of their change. */
  notice?(text: string, failing?: boolean): void;
}

/** The synchronous collections, the parts that they work with, and what most changes need of a record. */
export type LocalCalendar = Record<ResourceName, Posts | Terms> & {
  /** For the functions of `records`. */
  context: StoreContext;
  settings: Settings;
  users: Users;
  /** The definitions of the resources with the declared fields of the calendar. */
  resources: Resources;
  /** Declares fields. Returns whether there are new ones; {@link reload} returns the calendar with them. */
  declare(fields: Declarations): boolean;
  /** Yields every record of a resource as the input that recreates it. */
  sources(name: ResourceName): Iterable<Input & { id: number }>;
  reload(): LocalCalendar;
  /** Yields every record of a resource as the API shows it to the owner, by ascending ID, without the trash. */
  entries(name: ResourceName): Iterable<Entry>;
  /** A record as the API shows it to the owner; undefined if it is missing or in the trash. */
  entry(name: ResourceName, id: number): Entry | undefined;
  /** Returns whether a record exists and is not in the trash. */
  has(name: ResourceName, id: number): boolean;
  /** A record as the input that recreates it. */
  source(name: ResourceName, id: number): (Input & { id: number }) | undefined;
  /** The ID of the record with exactly this slug or UID, or of the event that was copied from the one with this UID. Terms have no UIDs. */
  idBy(name: ResourceName, column: 'slug' | 'uid', value: string): number | undefined;
  marks: ImportMarks;
  series: SeriesTable;
};

/** Opens the calendar in a file and creates it if it is missing; `:memory:` is not stored. Throws a StorageError. */
export async function openCalendar(file: string, options: StoreOptions): Promise<Store> {
  const { mode, durability, timeout, notice } = options;
  const image = options.image ?? (file === ':memory:' ? await emptyCalendar() : undefined);
  const feed = new RecordFeed();
  const kind = { ...calendarFile, functions: { ...calendarFile.functions, record_written: feed.written } };
  const db =
    file === ':memory:' ? await openInMemory(kind, image) : await filesFor(file).open(file, { mode, durability, timeout, notice, kind });
  try {
    return new Store(db, feed, { ...options, image });
  } catch (error) {
    await db.close();
    throw error;
  }
}

export class Store {
  readonly db: Database;
  readonly settings: Settings;
  readonly users: Users;
  readonly #now: () => number;
  readonly #extensions: readonly Extension[];
  readonly #newUid: () => string;
  readonly #blocking: <T>(work: () => T) => T;
  readonly #lookup: Lookup;
  readonly #feed: RecordFeed;
  #listener: RecordListener | undefined;
  /** The last image and its version, while it is referenced elsewhere. */
  #cachedImage: { bytes: WeakRef<Uint8Array>; version: number } | undefined;
  readonly snapshots: Snapshots;
  /** True if scheduled copies are published when their site says so, not by the clock. */
  keepsScheduledCopies = false;

  constructor(
    db: Database,
    feed: RecordFeed,
    { mode, image, now, settings, extensions = allExtensions, newUid = randomUuid, blocking = (work) => work() }: StoreOptions,
  ) {
    this.db = db;
    this.settings = new Settings(db, settings);
    this.users = new Users(db);
    this.#extensions = extensions;
    this.#newUid = newUid;
    this.#blocking = blocking;
    this.#lookup = lookupIn(db, this.users);
    this.#feed = feed;
    this.snapshots = new Snapshots(this);
    if (mode === 'write') this.snapshots.removeIncomplete();
    // Migrations may have changed the image.
    if (image && db.version === 0) this.#rememberImage(image);
    const schedule = mode === 'write' ? new ScheduledEvents(db) : undefined;
    this.#now = () => {
      const moment = now();
      schedule?.publishDue(moment, this.keepsScheduledCopies);
      return moment;
    };
  }

  /** The definitions of the resources with the declared fields. */
  get resources(): Resources {
    return resourcesWith(this.settings.fields);
  }

  /** The calendar as a viewer sees it, with links to a site. Writes resolve when they are durable. */
  calendarFor(viewer: Viewer, site: LinkBase): Calendar {
    const collections = resourceNames.map((name) => [name, durable(this.db, () => collectionIn(this.#context(viewer, site), name))]);
    return Object.fromEntries(collections) as Calendar;
  }

  /** One synchronous collection, which doesn't wait for the disk. */
  collection(viewer: Viewer, site: LinkBase, name: ResourceName): Posts | Terms {
    return collectionIn(this.#context(viewer, site), name);
  }

  /** All synchronous collections. `more` overrides parts of the request context. */
  local(viewer: Viewer, site: LinkBase, more: Partial<RequestContext> = {}): LocalCalendar {
    const { db, settings, users } = this;
    const context = this.#context(viewer, site, more);
    const collections = resourceNames.map((name) => [name, collectionIn(context, name)]);
    return {
      ...(Object.fromEntries(collections) as Record<ResourceName, Posts | Terms>),
      context,
      settings,
      users,
      resources: context.resources,
      declare: (fields) => declareFields({ db, settings, request: context.request }, fields),
      sources: (name) => inputs(context, name),
      reload: () => this.local(viewer, site, more),
      entries: (name) => entriesByBatch(context, name),
      entry: (name, id) => entry(context, name, id),
      has: (name, id) => isPresent(db, name, id),
      source: (name, id) => storedInput(context, name, id),
      idBy: (name, column, value) => idBy(db, name, column, value),
      series: new SeriesTable(this.db),
      marks: new ImportMarks(db),
    };
  }

  /** Runs several actions in one transaction; resolves when it is durable. Terms are recounted at the end of a copy, unless their counts were copied too. */
  async change<T>(
    work: (local: LocalCalendar) => T,
    viewer: Viewer = owner,
    more: Partial<RequestContext> = {},
    { recounts = more.copying } = {},
  ): Promise<T> {
    const home = this.settings.get('home');
    const change = () => {
      const outcome = withLookups(this.db, () => work(this.local(viewer, { home, root: home }, more)));
      if (recounts) recountAll(this.db);
      return outcome;
    };
    const result = this.#blocking(() => this.db.change(change));
    await this.db.synced();
    return result;
  }

  findImage(ref: number | string): StoredImage | undefined {
    return findImage(this.db, ref);
  }

  /** Adds an uploaded image. Resolves with its ID when it is durable. */
  async addUpload(path: string, upload: Upload): Promise<number> {
    const id = this.db.change(() => addUpload(this.db, path, upload));
    await this.db.synced();
    return id;
  }

  /** The current state: records, the trash, users, settings and sequences. In memory the same bytes are returned until the next write. */
  image(): StoreImage {
    let bytes = this.#unchangedImage;
    if (bytes === undefined) {
      bytes = this.db.bytes();
      this.#rememberImage(bytes);
    }
    return bytes;
  }

  /** The bytes of the current state, if they are cached. */
  get #unchangedImage(): Uint8Array | undefined {
    return this.#cachedImage?.version === this.db.version ? this.#cachedImage.bytes.deref() : undefined;
  }

  /** Restores an image immediately; resolves when it is durable. A crash leaves the state before or after. Responses that are cached stay if nothing was written since the image was restored. */
  restore(image: StoreImage): Promise<void> {
    if (this.#unchangedImage === image) this.#feed.replaced();
    else {
      this.db.replace(image);
      this.#rememberImage(image);
    }
    this.#listener?.restored?.();
    return this.db.synced();
  }

  /** Caches the bytes of the current state. Not for files, whose bytes get another checksum trailer. */
  #rememberImage(bytes: Uint8Array): void {
    const { file, version } = this.db;
    if (file === undefined) this.#cachedImage = { bytes: new WeakRef(bytes), version };
  }

  /** Size of the database and its snapshots. */
  get bytes(): number {
    const { pages, pageSize } = this.db.info();
    return pages * pageSize + this.snapshots.bytes;
  }

  requestContext(): RequestContext {
    return this.#context(anonymous, { home: '', root: '' }).request;
  }

  /** A text that differs after every change and in every second, because lists depend on the time. Publishes records that are due first. */
  stateKey(): string {
    const second = Math.floor(this.#now() / 1000);
    return `${second} ${this.db.version}`;
  }

  /** Sets the listener for changed records. It is called when a change is committed, which may be before it is durable. */
  follow(listener: RecordListener): void {
    this.#listener = listener;
    this.#feed.follow(this.db, listener);
  }

  /** Writes everything into the file and releases it. Removes a new file to which nothing was written after the version `unused` of the database. */
  close(unused?: number): Promise<void> {
    return this.db.close(unused);
  }

  /** The context of a request. Publishes records that are due first. */
  #context(viewer: Viewer, site: LinkBase, more: Partial<RequestContext> = {}): StoreContext {
    const { db, settings } = this;
    return {
      db,
      site,
      resources: this.resources,
      request: {
        viewer,
        now: this.#now(),
        zone: settings.get('timezone'),
        perPage: Number(settings.get('per_page')),
        radius: Number(settings.get('radius')),
        currency: settings.currency,
        slugs: settings.slugs,
        extensions: this.#extensions,
        copying: false,
        resetting: site.resetsOmitted,
        newUid: this.#newUid,
        store: this.#lookup,
        ...more,
      },
    };
  }
}

const lookupIn = (db: Database, users: Users): Lookup => ({
  // Without users any author is valid, so that copies of other calendars keep theirs; with users, those of records, which can be sent back, and that of records from before.
  hasUser: (id) => !users.any || users.has(id) || id === 1 || isAuthor(db, id),
  hasImage: (ref) => hasImage(db, ref),
  hasPost: (resource, id) => referenceIn(db, resource, id, () => (hasRow(db, resource, id) ? id : undefined)) !== undefined,
  findTerm: (resource, ref) => findTerm(db, resource as ResourceName, ref),
});

function collectionIn(context: StoreContext, name: ResourceName): Posts | Terms {
  const resource: Resource = context.resources[name];
  return resource.family === 'post' ? new Posts(context, resource) : new Terms(context, resource);
}

/** A collection whose writes are transactions that resolve when they are durable. */
function durable(db: Database, at: () => Posts | Terms): Collection & WholeList {
  const write = async <T>(work: () => T): Promise<T> => {
    const result = db.change(work);
    await db.synced();
    return result;
  };
  return {
    list: async (query, members) => at().list(query, members),
    listAll: (query, members, withHidden) => at().listAll(query, members, withHidden),
    countHidden: async (query) => at().countHidden(query),
    series: (uid) => at().series(uid),
    get: async (ref, query, members) => at().get(ref, query, members),
    create: (input) => write(() => at().create(input)),
    update: (ref, input) => write(() => at().update(ref, input)),
    delete: (ref) => write(() => at().delete(ref)),
  };
}
