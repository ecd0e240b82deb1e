import type {
  PostResource,
  Ref,
  Resource,
  Row,
  Serialize,
  SerializedPage,
  SerializedReads,
  SerializedRecord,
} from '../../model/calendar.ts';
import type { Lookup, Site } from '../../model/context.ts';
import type { Query } from '../../model/fields/filter.ts';
import type { ReadCache } from '../../model/operations/service.ts';
import { isOpen } from '../../model/redact.ts';
import { resources } from '../../model/resources/all.ts';
import { anonymous, type Viewer } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';
import { type StoreContext, viewOptions } from '../records/context.ts';
import { eventEntries, linkedTo, postEntries } from '../records/entries.ts';
import { clausesOf, listQueryOf, outlineOf, rowsOf, totalOf } from '../records/list.ts';
import { Posts } from '../records/posts.ts';
import { rowBySlug } from '../records/queries.ts';
import { tableOf } from '../records/tables.ts';
import type { Users } from '../records/users.ts';
import { type ChangeTracker, placeOf, places, watch } from './change-tracker.ts';
import type { EventIndex } from './event-index.ts';
import { LruCache, type Segment } from './lru.ts';

/** The state that the reads of one store share. */
interface Shared {
  changes: ChangeTracker;
  records: LruCache;
  index: EventIndex;
  serialize: Serialize;
}

/** The parts of the store that a cache is made of. */
interface Parts {
  db: Database;
  users: Users;
  changes: ChangeTracker;
  serialize: Serialize;
  index: EventIndex;
  contextFor(viewer: Viewer, site: Site): StoreContext;
  now(): number;
}

/** The limit of the cache, in bytes. */
const mostBytes = 44 << 20;

/** A value that is computed anew only after rows of a table were written. */
function untilWritten<T>(changes: ChangeTracker, table: string, compute: () => T): () => T {
  const place = placeOf(table);
  let known: { value: T; at: number } | undefined;
  return () => {
    const at = changes.lastChangeIn(place);
    if (known?.at !== at) known = { value: compute(), at };
    return known.value;
  };
}

/** So many names of terms are remembered. */
const mostTerms = 1000;

/** The same lookup, which finds a term that was asked for before without asking the database, until terms of its kind are written. */
function remembering(store: Lookup, changes: ChangeTracker): Lookup {
  const known = {
    category: untilWritten(changes, tableOf.category, () => new Map<string | number, number | undefined>()),
    tag: untilWritten(changes, tableOf.tag, () => new Map<string | number, number | undefined>()),
  };
  return {
    ...store,
    findTerm(kind, ref) {
      const terms = known[kind]();
      if (terms.has(ref)) return terms.get(ref);
      const id = store.findTerm(kind, ref);
      if (terms.size < mostTerms) terms.set(ref, id);
      return id;
    },
  };
}

/** Begins to watch a database. Its reads are not to be asked inside of a change, whose rows may yet be undone. */
export function readCacheFor({ db, users, changes, serialize, index, contextFor, now }: Parts): ReadCache {
  const shared = { changes, serialize, records: new LruCache(mostBytes), index };
  watch(db, changes);
  let state = { second: 0, clock: 0 };
  const usual = untilWritten(changes, 'settings', () => {
    const { request } = contextFor(anonymous, { home: '', root: '' });
    return { ...request, store: remembering(request.store, changes) };
  });
  return {
    reads(viewer, site, name) {
      const resource: Resource = resources[name];
      if (resource.family !== 'post') return undefined;
      return new CachedReads({ db, site, request: { ...usual(), viewer, now: now() } }, resource, shared);
    },
    hasUsers: untilWritten(changes, 'users', () => users.any),
    state() {
      const second = Math.floor(now() / 1000);
      if (state.second !== second || state.clock !== changes.clock) state = { second, clock: changes.clock };
      return state;
    },
  };
}

/** Serialized events, venues or organizers, seen by one viewer. Records that not everybody sees alike are made anew for each request. */
class CachedReads implements SerializedReads {
  readonly #context: StoreContext;
  readonly #resource: PostResource;
  readonly #shared: Shared;

  constructor(context: StoreContext, resource: PostResource, shared: Shared) {
    this.#context = context;
    this.#resource = resource;
    this.#shared = shared;
  }

  list(query: Query): SerializedPage {
    const { db } = this.#context;
    const listQuery = listQueryOf(this.#context, this.#resource, query);
    const found = this.#resource.kind === 'event' ? this.#shared.index.find(listQuery) : undefined;
    if (found) return { records: this.#texts(found.ids, query), ...outlineOf(this.#context, this.#resource, listQuery, found.total) };
    const clauses = clausesOf(db, this.#resource, listQuery);
    const outline = outlineOf(this.#context, this.#resource, listQuery, totalOf(db, clauses));
    const ids = rowsOf(db, this.#resource, listQuery, clauses, 'id').map(({ id }) => Number(id));
    return { records: this.#texts(ids, query), ...outline };
  }

  get(ref: Ref, query: Query): SerializedRecord {
    const { db } = this.#context;
    const id = 'id' in ref ? ref.id : Number(rowBySlug(db, this.#resource.name, ref.slug)?.id);
    const cached = query.password === undefined ? this.#segment(true).get(id, this.#shared.changes) : undefined;
    if (cached) return cached;
    // Everything that can fail, fails here as it always does.
    const entry = new Posts(this.#context, this.#resource).get(ref, query);
    const row = this.#rows([entry.id])[0]!;
    const text = this.#shared.serialize(entry);
    this.#hold(this.#segment(true), row, text);
    return text;
  }

  #segment(single: boolean): Segment {
    return this.#shared.records.segment(
      `${this.#resource.name} ${single ? 'alone' : 'listed'} ${this.#context.site.home} ${this.#context.site.root}`,
    );
  }

  #texts(ids: readonly number[], query: Query): SerializedRecord[] {
    const segment = this.#segment(false);
    const texts: (SerializedRecord | undefined)[] = ids.map((id) => segment.get(id, this.#shared.changes));
    const missing = ids.filter((_, i) => texts[i] === undefined);
    if (missing.length === 0) return texts as SerializedRecord[];
    const made = new Map<number, SerializedRecord>();
    const rows = this.#rows(missing);
    const linked = this.#resource.kind === 'event' ? linkedTo(this.#context.db, rows) : undefined;
    const view = viewOptions(this.#context, query);
    const entries = linked ? eventEntries(this.#context, rows, view, linked) : postEntries(this.#context, this.#resource.kind, rows, view);
    for (const [i, entry] of entries.entries()) {
      const text = this.#shared.serialize(entry);
      made.set(entry.id, text);
      this.#hold(segment, rows[i]!, text, linked);
    }
    return ids.map((id, i) => texts[i] ?? made.get(id)!);
  }

  #rows(ids: readonly number[]): Row[] {
    return this.#context.db.all<Row>(
      `select ${this.#resource.name}.* from json_each(?) cross join ${this.#resource.name} on ${this.#resource.name}.id = value`,
      JSON.stringify(ids),
    );
  }

  /** Caches a record, unless some see it otherwise than others. */
  #hold(
    segment: Segment,
    row: Row,
    text: SerializedRecord,
    linked = this.#resource.kind === 'event' ? linkedTo(this.#context.db, [row]) : undefined,
  ): void {
    if (!isOpen(row)) return;
    const id = Number(row.id);
    const dependencies = [places[this.#resource.kind], id];
    for (const kind of ['venue', 'organizer', 'category', 'tag'] as const)
      for (const other of linked?.[kind].get(id) ?? []) {
        if ((kind === 'venue' || kind === 'organizer') && !isOpen(other)) return;
        dependencies.push(places[kind], Number(other.id));
      }
    segment.put(id, { ...text, dependencies, validAt: this.#shared.changes.clock });
  }
}
