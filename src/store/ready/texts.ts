import { hash } from 'node:crypto';
import type { Lookup } from '../../model/asking.ts';
import type { Query } from '../../model/filter.ts';
import { isOpen, type Site } from '../../model/post.ts';
import type { PostResource, Ref, Resource, ResourceName, Row } from '../../model/resource.ts';
import { resources } from '../../model/resources.ts';
import type { Text, TextPage, Texts } from '../../model/text.ts';
import { anonymous, type Viewer } from '../../model/viewer.ts';
import { type Context, lookOf, rowBySlug, tableOf } from '../context.ts';
import type { Database } from '../database.ts';
import { eventEntries, linkedTo, postEntries } from '../entries.ts';
import { arrangementOf, clausesOf, outlineOf, rowsOf, totalOf } from '../list.ts';
import { Posts } from '../posts.ts';
import type { Users } from '../users.ts';
import { type Changes, placeOf, places, triggers } from './changes.ts';
import { EventIndex } from './event-index.ts';
import { Room, type Shelf } from './kept.ts';

/** What the readers of one store share. */
interface Shared {
  changes: Changes;
  room: Room;
  index: EventIndex;
}

/** The reads of a store, answered from memory where that can be. Not to be asked inside of a change, whose rows may yet be taken back. */
export interface Ready {
  /** Undefined for terms, which are quickly made anew. */
  texts(viewer: Viewer, site: Site, resource: ResourceName): Texts | undefined;
  /** Whether there are users. */
  hasUsers(): boolean;
  /** Another value after every row that was written, and in every second: what lists show depends on the time. */
  state(): unknown;
}

/** How many bytes of texts are kept. */
const mostBytes = 44 << 20;

/** A value that is computed anew only after rows of a table were written. */
function untilWritten<T>(changes: Changes, table: string, compute: () => T): () => T {
  const place = placeOf(table);
  let known: { value: T; at: number } | undefined;
  return () => {
    const at = changes.ofTable(place);
    if (known?.at !== at) known = { value: compute(), at };
    return known.value;
  };
}

/** So many names of terms are remembered. */
const mostTerms = 1000;

/** The same lookup, which finds a term that was asked for before without asking the database, until terms of its kind are written. */
function remembering(store: Lookup, changes: Changes): Lookup {
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

/** Begins to watch a database, and to read its events in the background. */
export function readyFor(
  db: Database,
  changes: Changes,
  users: Users,
  contextFor: (viewer: Viewer, site: Site) => Context,
  now: () => number,
): Ready {
  const shared = { changes, room: new Room(mostBytes), index: new EventIndex(db, changes) };
  db.watch(triggers, { replaced: () => changes.touchAll(), undone: () => changes.undone() });
  void shared.index.read();
  let state = { second: 0, clock: 0 };
  const usual = untilWritten(changes, 'settings', () => {
    const { asking } = contextFor(anonymous, { home: '', root: '' });
    return { ...asking, store: remembering(asking.store, changes) };
  });
  return {
    texts(viewer, site, name) {
      const resource: Resource = resources[name];
      if (resource.family !== 'post') return undefined;
      return new KeptTexts({ db, site, asking: { ...usual(), viewer, now: now() } }, resource, shared);
    },
    hasUsers: untilWritten(changes, 'users', () => users.any),
    state() {
      const second = Math.floor(now() / 1000);
      if (state.second !== second || state.clock !== changes.clock) state = { second, clock: changes.clock };
      return state;
    },
  };
}

const tagOf = (bytes: Uint8Array) => hash('sha1', bytes, 'base64url').slice(0, 22);
const textOf = (entry: unknown): Text => {
  const json = JSON.stringify(entry);
  // Memory of its own: what is kept must not keep a page of other buffers.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(json));
  bytes.write(json);
  return { bytes, tag: tagOf(bytes) };
};

/** Events, venues or organizers as texts, seen by one viewer. What is not open to everybody is made anew for each request. */
class KeptTexts implements Texts {
  readonly #context: Context;
  readonly #resource: PostResource;
  readonly #ready: Shared;

  constructor(context: Context, resource: PostResource, ready: Shared) {
    this.#context = context;
    this.#resource = resource;
    this.#ready = ready;
  }

  list(query: Query): TextPage {
    const { db } = this.#context;
    const arrangement = arrangementOf(this.#context, this.#resource, query);
    const found = this.#resource.kind === 'event' ? this.#ready.index.find(arrangement) : undefined;
    if (found) return { texts: this.#texts(found.ids, query), ...outlineOf(this.#context, this.#resource, arrangement, found.total) };
    const clauses = clausesOf(db, this.#resource, arrangement);
    const outline = outlineOf(this.#context, this.#resource, arrangement, totalOf(db, clauses));
    const ids = rowsOf(db, this.#resource, arrangement, clauses, 'id').map(({ id }) => Number(id));
    return { texts: this.#texts(ids, query), ...outline };
  }

  get(ref: Ref, query: Query): Text {
    const { db } = this.#context;
    const id = 'id' in ref ? ref.id : Number(rowBySlug(db, this.#resource.name, ref.slug)?.id);
    const kept = query.password === undefined ? this.#shelf(true).get(id, this.#ready.changes) : undefined;
    if (kept) return kept;
    // Everything that can fail, fails here as it always does.
    const entry = new Posts(this.#context, this.#resource.kind).get(ref, query);
    const row = this.#rows([entry.id])[0]!;
    const text = textOf(entry);
    this.#keep(this.#shelf(true), row, text);
    return text;
  }

  #shelf(single: boolean): Shelf {
    return this.#ready.room.shelf(
      `${this.#resource.name} ${single ? 'alone' : 'listed'} ${this.#context.site.home} ${this.#context.site.root}`,
    );
  }

  #texts(ids: readonly number[], query: Query): Text[] {
    const shelf = this.#shelf(false);
    const texts: (Text | undefined)[] = ids.map((id) => shelf.get(id, this.#ready.changes));
    const missing = ids.filter((_, i) => texts[i] === undefined);
    if (missing.length === 0) return texts as Text[];
    const made = new Map<number, Text>();
    const rows = this.#rows(missing);
    const linked = this.#resource.kind === 'event' ? linkedTo(this.#context.db, rows) : undefined;
    const look = lookOf(this.#context, query);
    const entries = linked ? eventEntries(this.#context, rows, look, linked) : postEntries(this.#context, this.#resource.kind, rows, look);
    for (const [i, entry] of entries.entries()) {
      const text = textOf(entry);
      made.set(entry.id, text);
      this.#keep(shelf, rows[i]!, text, linked);
    }
    return ids.map((id, i) => texts[i] ?? made.get(id)!);
  }

  #rows(ids: readonly number[]): Row[] {
    return this.#context.db.all<Row>(
      `select ${this.#resource.name}.* from json_each(?) cross join ${this.#resource.name} on ${this.#resource.name}.id = value`,
      JSON.stringify(ids),
    );
  }

  /** Keeps a text that everybody sees alike. */
  #keep(
    shelf: Shelf,
    row: Row,
    text: Text,
    linked = this.#resource.kind === 'event' ? linkedTo(this.#context.db, [row]) : undefined,
  ): void {
    if (!isOpen(row)) return;
    const id = Number(row.id);
    const needs = [places[this.#resource.kind], id];
    for (const kind of ['venue', 'organizer', 'category', 'tag'] as const)
      for (const other of linked?.[kind].get(id) ?? []) {
        if ((kind === 'venue' || kind === 'organizer') && !isOpen(other) && other.status !== 'trash') return;
        needs.push(places[kind], Number(other.id));
      }
    shelf.put(id, { ...text, needs, right: this.#ready.changes.clock });
  }
}
