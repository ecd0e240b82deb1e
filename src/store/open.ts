import type { Asking, Extension, Lookup } from '../model/asking.ts';
import { extensions as allExtensions } from '../model/asking.ts';
import type { Site } from '../model/post.ts';
import type { Calendar, Collection, Entry, Immediate, Input, Resource, ResourceName } from '../model/resource.ts';
import { resources } from '../model/resources.ts';
import { anonymous, owner, type Viewer } from '../model/viewer.ts';
import { type Context, findTerm, tableOf } from './context.ts';
import { type Database, type Durability, openDatabase } from './database.ts';
import { hasImage } from './images.ts';
import { Posts } from './posts.ts';
import { Changes } from './ready/changes.ts';
import type { Ready } from './ready/texts.ts';
import type { Rows } from './rows.ts';
import { Schedule } from './schedule.ts';
import { addMissingColumns, migrate, schemaVersion } from './schema.ts';
import { type SettingName, Settings } from './settings.ts';
import { clear, entriesByBatch, entry, idBy, recountAll, source, sources } from './sources.ts';
import { Terms } from './terms.ts';
import { Users } from './users.ts';
import { sqlFunctions } from './where.ts';

/** How a calendar is opened. */
export interface StoreOptions {
  mode: 'read' | 'write';
  /** Epoch milliseconds; asked anew with every request. */
  now(): number;
  durability?: Durability;
  /** Milliseconds to wait for another owner of the file. */
  timeout?: number;
  /** Settings that stand before those of the file. */
  settings?: Partial<Record<SettingName, string>>;
  extensions?: readonly Extension[];
  /** Whether the process ends soon: SQLite is then not made faster while it runs. */
  brief?: boolean;
  /** Told what the user should know; `failing` when those who asked for a change are told the same as its failure. */
  notice?(text: string, failing?: boolean): void;
}

/** Five collections whose actions happen at once, and what only whoever has the file can do. */
export type Desk = Record<ResourceName, Posts | Terms> & {
  settings: Settings;
  users: Users;
  /** Every record of a resource as the input that makes it again. */
  sources(name: ResourceName): Iterable<Input & { id: number }>;
  /** The same desk with settings as they are now. */
  fresh(): Desk;
  /** Every record of a resource as the API shows it to the owner, by ascending ID, without the trash. */
  entries(name: ResourceName): Iterable<Entry>;
  /** One record as the API shows it to the owner; undefined where there is none, and in the trash. */
  entry(name: ResourceName, id: number): Entry | undefined;
  /** One record as the input that makes it again. */
  source(name: ResourceName, id: number): (Input & { id: number }) | undefined;
  /** The ID of the record with exactly this slug, or of the event with this lineage. */
  idBy(name: ResourceName, column: 'slug' | 'lineage', value: string): number | undefined;
  /** Takes every record away, or only those that were generated. */
  clear(only?: 'generated'): void;
};

/** A calendar in a file, or in memory. */
export interface Store {
  readonly db: Database;
  readonly settings: Settings;
  readonly users: Users;
  /** The calendar as one viewer sees it, with links that start at a site. A write is answered when it is on disk. */
  as(viewer: Viewer, site: Site): Calendar;
  /** The circumstances of a visitor's request, now. */
  asking(): Asking;
  /** The same collections without waiting for the disk; what they may do can be asked of them. */
  desk(viewer: Viewer, site: Site, more?: Partial<Asking>): Desk;
  /** One transaction over several actions; resolves when it is on disk. `more` says how it differs from a request; terms are counted at the end of a copy. */
  change<T>(work: (desk: Desk) => T, viewer?: Viewer, more?: Partial<Asking>): Promise<T>;
  /** Answers reads from memory from now on, as a server wants it: texts kept ready and an index, which cost a second of work and some memory. */
  ready(): Promise<Ready>;
  close(): Promise<void>;
}

const lookup = (db: Database, users: Users, rows: () => Rows | undefined): Lookup => ({
  // A store without users takes any author, so that copies of other calendars keep theirs.
  hasUser: (id) => users.has(id) || !users.any,
  hasImage: (ref) => hasImage(db, ref),
  hasPost: (kind, id) =>
    ((kind !== 'event' && rows()?.get(kind, id)) || db.get(`select 1 from ${tableOf[kind]} where id = ?`, id)) !== undefined,
  findTerm: (kind, ref) => findTerm(db, kind, ref),
});

const collectionIn = (context: Context, resource: Resource): Posts | Terms =>
  resource.family === 'post' ? new Posts(context, resource.kind) : new Terms(context, resource.kind);

/** Opens the calendar in a file, making it when it is missing; `:memory:` keeps nothing. Fails with a StorageError. */
export async function openCalendar(file: string, options: StoreOptions): Promise<Store> {
  const { mode, durability, timeout, brief, notice, extensions = allExtensions } = options;
  const changes = new Changes();
  const functions = { ...sqlFunctions, watched: changes.watched };
  const db = await openDatabase(file, {
    mode,
    durability,
    timeout,
    brief,
    notice,
    schema: schemaVersion,
    migrate,
    complete: addMissingColumns,
    functions,
  });
  const users = new Users(db);
  const settings = new Settings(db, options.settings);
  const store = lookup(db, users, () => rows);
  const schedule = mode === 'write' ? new Schedule(db) : undefined;
  /** The moment of a request; what was scheduled for it or before is published by then. */
  const now = (): number => {
    const moment = options.now();
    schedule?.publish(moment);
    return moment;
  };
  let ready: Ready | undefined;
  let rows: Rows | undefined;

  const contextFor = (viewer: Viewer, site: Site, more: Partial<Asking>): Context => ({
    db,
    site,
    rows,
    asking: {
      viewer,
      now: now(),
      zone: settings.get('timezone'),
      perPage: Number(settings.get('per_page')),
      radius: Number(settings.get('radius')),
      extensions,
      copying: false,
      store,
      ...more,
    },
  });
  const desk = (viewer: Viewer, site: Site, more: Partial<Asking> = {}): Desk => {
    const context = contextFor(viewer, site, more);
    const collections = Object.values(resources).map((resource) => [resource.name, collectionIn(context, resource)]);
    return {
      ...(Object.fromEntries(collections) as Record<ResourceName, Posts | Terms>),
      settings,
      users,
      sources: (name) => sources(db, name),
      fresh: () => desk(viewer, site, more),
      entries: (name) => entriesByBatch(context, name),
      entry: (name, id) => entry(context, name, id),
      source: (name, id) => source(db, name, id),
      idBy: (name, column, value) => idBy(db, name, column, value),
      clear: (only) => clear(db, only),
    };
  };

  return {
    db,
    settings,
    users,
    asking: () => contextFor(anonymous, { home: '', root: '' }, {}).asking,
    desk,
    as: (viewer, site) =>
      Object.fromEntries(
        Object.keys(resources).map((name) => [
          name,
          acknowledged(db, () => collectionIn(contextFor(viewer, site, {}), resources[name as ResourceName])),
        ]),
      ) as unknown as Calendar,
    async change(work, viewer = owner, more = {}) {
      const home = settings.get('home');
      const result = db.change(() => {
        const done = work(desk(viewer, { home, root: home }, more));
        if (more.copying) recountAll(db);
        return done;
      });
      await db.synced();
      return result;
    },
    async ready() {
      const [{ readyFor }, { Rows }] = await Promise.all([import('./ready/texts.ts'), import('./rows.ts')]);
      ready ??= readyFor(db, changes, users, (viewer, site) => contextFor(viewer, site, {}), now);
      rows ??= new Rows(db, changes);
      return ready;
    },
    close: () => db.close(),
  };
}

/** A collection whose writes are each one transaction, answered when it is on disk. */
function acknowledged(db: Database, at: () => Immediate<Collection>): Collection {
  const write = async <T>(work: () => T): Promise<T> => {
    const result = db.change(work);
    await db.synced();
    return result;
  };
  return {
    list: async (query) => at().list(query),
    get: async (ref, query) => at().get(ref, query),
    create: (input) => write(() => at().create(input)),
    update: (ref, input) => write(() => at().update(ref, input)),
    delete: (ref) => write(() => at().delete(ref)),
  };
}
