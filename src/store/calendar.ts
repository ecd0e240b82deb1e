import { randomUUID } from 'node:crypto';
import type { Calendar, Collection, Entry, Input, Resource, ResourceName, Serialize, WholeList } from '../model/calendar.ts';
import type { Site } from '../model/context.ts';
import { extensions as allExtensions, type Extension, type Lookup, type RequestContext } from '../model/context.ts';
import type { ReadCache } from '../model/operations/service.ts';
import { resources } from '../model/resources/all.ts';
import { anonymous, owner, type Viewer } from '../model/viewer.ts';
import { ChangeTracker, watch } from './cache/change-tracker.ts';
import { RecordFeed, type RecordListener } from './cache/record-feed.ts';
import { emptyCalendar } from './empty-calendar.ts';
import { openDatabase } from './file/database.ts';
import type { Database, Durability } from './file/sql.ts';
import { ImportMarks } from './identity/import-marks.ts';
import { calendarFile } from './records/calendar-file.ts';
import type { StoreContext } from './records/context.ts';
import { recountAll } from './records/counts.ts';
import { entriesByBatch, entry, idBy, inputOf, inputs } from './records/dump.ts';
import { hasImage } from './records/images.ts';
import { Posts } from './records/posts.ts';
import { findTerm, hasRow } from './records/queries.ts';
import { clear } from './records/reset.ts';
import { ScheduledEvents } from './records/scheduled.ts';
import { type SettingName, Settings } from './records/settings.ts';
import { Terms } from './records/terms.ts';
import { Snapshots, type StoreImage } from './snapshots.ts';
import { Users } from './users/users.ts';

/** How a calendar is opened. */
export interface StoreOptions {
  mode: 'read' | 'write';
  /** What a calendar in memory starts as: an image of another; empty unless told. */
  image?: StoreImage;
  /** Epoch milliseconds; asked anew with every request. */
  now(): number;
  durability?: Durability;
  /** Milliseconds to wait for another owner of the file. */
  timeout?: number;
  /** Settings that stand before those of the file. */
  settings?: Partial<Record<SettingName, string>>;
  extensions?: readonly Extension[];
  /** Makes UIDs of new records, which no other calendar may have; random UUIDs unless told. */
  newUid?(): string;
  /** Does the work of {@link Store.change}, which nothing can interrupt. */
  blocking?<T>(work: () => T): T;
  /** Whether the process may end soon, and is this program's own: SQLite is then made faster only once it has worked for a while. */
  brief?: boolean;
  /** Told what the user should know; `failing` when those who asked for a change are told the same as its failure. */
  notice?(text: string, failing?: boolean): void;
}

/** The five collections without promises, plus operations that need the file. */
export type LocalCalendar = Record<ResourceName, Posts | Terms> & {
  settings: Settings;
  users: Users;
  /** Every record of a resource as the input that makes it again. */
  sources(name: ResourceName): Iterable<Input & { id: number }>;
  /** The same calendar with settings as they are now. */
  reload(): LocalCalendar;
  /** Every record of a resource as the API shows it to the owner, by ascending ID, without the trash. */
  entries(name: ResourceName): Iterable<Entry>;
  /** One record as the API shows it to the owner; undefined where there is none, and in the trash. */
  entry(name: ResourceName, id: number): Entry | undefined;
  /** One record as the input that makes it again. */
  source(name: ResourceName, id: number): (Input & { id: number }) | undefined;
  /** The ID of the record with exactly this slug or UID, or of the event with this lineage. Terms have no UIDs. */
  idBy(name: ResourceName, column: 'slug' | 'uid' | 'lineage', value: string): number | undefined;
  /** The marks of imported records. */
  marks: ImportMarks;
  /** Takes every record away, or only those that were generated. */
  clear(only?: 'generated'): void;
};

/** Opens the calendar in a file, making it when it is missing; `:memory:` keeps nothing. Fails with a StorageError. */
export async function openCalendar(file: string, options: StoreOptions): Promise<Store> {
  const { mode, durability, timeout, brief, notice } = options;
  const image = options.image ?? (file === ':memory:' ? { bytes: await emptyCalendar() } : undefined);
  const changes = new ChangeTracker();
  const kind = { ...calendarFile, functions: { ...calendarFile.functions, watched: changes.watched } };
  const db = await openDatabase(file, { mode, bytes: image?.bytes, durability, timeout, brief, notice, kind });
  try {
    return new Store(db, changes, { ...options, image });
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** A calendar in a file, or in memory. */
export class Store {
  readonly db: Database;
  readonly settings: Settings;
  readonly users: Users;
  readonly #now: () => number;
  readonly #extensions: readonly Extension[];
  readonly #newUid: () => string;
  readonly #blocking: <T>(work: () => T) => T;
  readonly #lookup: Lookup;
  readonly #changes: ChangeTracker;
  #listener: RecordListener | undefined;
  /** The state at a version of the database, for as long as somebody else holds its bytes. */
  #cachedImage: { bytes: WeakRef<Uint8Array>; version: number } | undefined;
  /** States of this calendar that are kept. */
  readonly snapshots: Snapshots;

  constructor(
    db: Database,
    changes: ChangeTracker,
    { mode, image, now, settings, extensions = allExtensions, newUid = randomUUID, blocking = (work) => work() }: StoreOptions,
  ) {
    this.db = db;
    this.settings = new Settings(db, settings);
    this.users = new Users(db);
    this.#extensions = extensions;
    this.#newUid = newUid;
    this.#blocking = blocking;
    this.#lookup = lookupIn(db, this.users);
    this.#changes = changes;
    this.snapshots = new Snapshots(this);
    // An image of an earlier version has been changed by now.
    if (image && db.version === 0) this.#rememberImage(image.bytes);
    const schedule = mode === 'write' ? new ScheduledEvents(db) : undefined;
    this.#now = () => {
      const moment = now();
      schedule?.publishDue(moment);
      return moment;
    };
  }

  /** The calendar as one viewer sees it, with links that start at a site. A write is answered when it is on disk. */
  calendarFor(viewer: Viewer, site: Site): Calendar {
    const collections = Object.values(resources).map((resource) => [
      resource.name,
      durable(this.db, () => collectionIn(this.#context(viewer, site), resource)),
    ]);
    return Object.fromEntries(collections) as Calendar;
  }

  /** One of these collections without waiting for the disk. */
  collection(viewer: Viewer, site: Site, name: ResourceName): Posts | Terms {
    return collectionIn(this.#context(viewer, site), resources[name]);
  }

  /** All five without waiting for the disk. `more` says how the circumstances differ from those of a request. */
  local(viewer: Viewer, site: Site, more: Partial<RequestContext> = {}): LocalCalendar {
    const { db, settings, users } = this;
    const context = this.#context(viewer, site, more);
    const collections = Object.values(resources).map((resource) => [resource.name, collectionIn(context, resource)]);
    return {
      ...(Object.fromEntries(collections) as Record<ResourceName, Posts | Terms>),
      settings,
      users,
      sources: (name) => inputs(db, name),
      reload: () => this.local(viewer, site, more),
      entries: (name) => entriesByBatch(context, name),
      entry: (name, id) => entry(context, name, id),
      source: (name, id) => inputOf(db, name, id),
      idBy: (name, column, value) => idBy(db, name, column, value),
      marks: new ImportMarks(db),
      clear: (only) => clear(db, only),
    };
  }

  /** One transaction over several actions; resolves when it is on disk. Terms are counted at the end of a copy. */
  async change<T>(work: (local: LocalCalendar) => T, viewer: Viewer = owner, more: Partial<RequestContext> = {}): Promise<T> {
    const home = this.settings.get('home');
    const change = () => {
      const done = work(this.local(viewer, { home, root: home }, more));
      if (more.copying) recountAll(this.db);
      return done;
    };
    const result = this.#blocking(() => this.db.change(change));
    await this.db.synced();
    return result;
  }

  /** Everything as it is now: records, the trash, users, settings, the IDs that come next. In memory the bytes are the same ones until something is written. */
  image(): StoreImage {
    const { db } = this;
    let bytes = this.#cachedImage?.version === db.version ? this.#cachedImage.bytes.deref() : undefined;
    if (bytes === undefined) {
      bytes = db.bytes();
      this.#rememberImage(bytes);
    }
    return { bytes, mark: this.#changes.mark };
  }

  /** Restores an image at once, and resolves when it is on disk. A crash leaves the state before or after. */
  restore(image: StoreImage): Promise<void> {
    this.db.replace(image.bytes, this.#changes.timeOf(image.mark));
    this.#rememberImage(image.bytes);
    image.mark = this.#changes.mark;
    this.#changes.feed?.replaced();
    this.#listener?.restored?.();
    this.users.resetLoginThrottle();
    return this.db.synced();
  }

  /** Notes the bytes of the present state. Of a file they are not kept, for what is written to disk gets a mark of its own in them. */
  #rememberImage(bytes: Uint8Array): void {
    const { file, version } = this.db;
    if (file === undefined) this.#cachedImage = { bytes: new WeakRef(bytes), version };
  }

  /** The circumstances of a visitor's request, now. */
  requestContext(): RequestContext {
    return this.#context(anonymous, { home: '', root: '' }).request;
  }

  /** Returns reads that keep serialized records in memory, for a server. */
  async cached(serialize: Serialize): Promise<ReadCache> {
    const { createReadCache } = await import('./cache/cached-reads.ts');
    return createReadCache({
      db: this.db,
      users: this.users,
      changes: this.#changes,
      serialize,
      contextFor: (viewer, site) => this.#context(viewer, site),
      now: this.#now,
    });
  }

  /** Has one listener told which records every change writes, from now on: when the change counts, also before it is on the disk. */
  follow(listener: RecordListener): void {
    this.#listener = listener;
    this.#changes.feed = new RecordFeed(this.db, listener);
    watch(this.db, this.#changes);
  }

  close(): Promise<void> {
    return this.db.close();
  }

  /** What actions work with; what was scheduled for this moment or before is published by then. */
  #context(viewer: Viewer, site: Site, more: Partial<RequestContext> = {}): StoreContext {
    const { db, settings } = this;
    return {
      db,
      site,
      request: {
        viewer,
        now: this.#now(),
        zone: settings.get('timezone'),
        perPage: Number(settings.get('per_page')),
        radius: Number(settings.get('radius')),
        extensions: this.#extensions,
        copying: false,
        newUid: this.#newUid,
        store: this.#lookup,
        ...more,
      },
    };
  }
}

const lookupIn = (db: Database, users: Users): Lookup => ({
  // A store without users takes any author, so that copies of other calendars keep theirs.
  hasUser: (id) => users.has(id) || !users.any,
  hasImage: (ref) => hasImage(db, ref),
  hasPost: (resource, id) => hasRow(db, resource, id),
  findTerm: (resource, ref) => findTerm(db, resource as ResourceName, ref),
});

const collectionIn = (context: StoreContext, resource: Resource): Posts | Terms =>
  resource.family === 'post' ? new Posts(context, resource) : new Terms(context, resource);

/** A collection whose writes are each one transaction, answered when it is on disk. */
function durable(db: Database, at: () => Posts | Terms): Collection & WholeList {
  const write = async <T>(work: () => T): Promise<T> => {
    const result = db.change(work);
    await db.synced();
    return result;
  };
  return {
    list: async (query) => at().list(query),
    listAll: (query) => at().listAll(query),
    get: async (ref, query) => at().get(ref, query),
    create: (input) => write(() => at().create(input)),
    update: (ref, input) => write(() => at().update(ref, input)),
    delete: (ref) => write(() => at().delete(ref)),
  };
}
