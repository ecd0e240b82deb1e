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
import type { Site } from '../../model/context.ts';
import type { Query } from '../../model/fields/list.ts';
import type { ReadCache } from '../../model/operations/service.ts';
import { isOpen } from '../../model/redact.ts';
import type { Resources } from '../../model/resources/declared.ts';
import type { Viewer } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';
import { type StoreContext, viewOptions } from '../records/context.ts';
import { type LinkedRows, linkedTo, postEntries } from '../records/entries.ts';
import { pageOf } from '../records/list.ts';
import { Posts } from '../records/posts.ts';
import { rowBySlug } from '../records/queries.ts';
import type { Users } from '../users/users.ts';
import { type ChangeTracker, placeOf, watch } from './change-tracker.ts';
import { RecordCache } from './record-cache.ts';

/** The parts of a store that its read cache needs. */
interface Parts {
  db: Database;
  users: Users;
  changes: ChangeTracker;
  serialize: Serialize;
  contextFor(viewer: Viewer, site: Site): StoreContext;
  now(): number;
}

/** Creates the cached reads of a store. Don't call them inside a change, whose rows may yet be rolled back. */
export function createReadCache({ db, users, changes, serialize, contextFor, now }: Parts): ReadCache {
  const records = new RecordCache(changes);
  watch(db, changes);
  let state = { second: 0, clock: 0 };
  return {
    reads(viewer, site, name) {
      const context = contextFor(viewer, site);
      const resource: Resource = context.resources[name];
      return resource.family === 'post' ? new CachedReads(context, resource, records, serialize) : undefined;
    },
    hasUsers: () => users.any,
    state() {
      const second = Math.floor(now() / 1000);
      if (state.second !== second || state.clock !== changes.clock) state = { second, clock: changes.clock };
      return state;
    },
  };
}

const versions = new WeakMap<Resources, number>();
let lastVersion = 0;

/** Returns a number that differs if the declared fields do. */
function versionOf(resources: Resources): number {
  const version = versions.get(resources) ?? ++lastVersion;
  versions.set(resources, version);
  return version;
}

/** Returns the image of a row as a dependency; a pull may change what is known about it. */
const imageOf = ({ image }: Row): number[] => (image ? [placeOf('images'), Number(image)] : []);

/** Serialized reads of one resource as one viewer sees it. Caches only records that look the same to everyone. */
class CachedReads implements SerializedReads {
  readonly #context: StoreContext;
  readonly #resource: PostResource;
  readonly #records: RecordCache;
  readonly #serialize: Serialize;

  constructor(context: StoreContext, resource: PostResource, records: RecordCache, serialize: Serialize) {
    this.#context = context;
    this.#resource = resource;
    this.#records = records;
    this.#serialize = serialize;
  }

  list(query: Query): SerializedPage {
    const { rows, ...page } = pageOf(this.#context, this.#resource, query, 'id');
    return {
      records: this.#listed(
        rows.map(({ id }) => Number(id)),
        query,
      ),
      ...page,
    };
  }

  get(ref: Ref, query: Query): SerializedRecord {
    const { db } = this.#context;
    const id = 'id' in ref ? ref.id : Number(rowBySlug(db, this.#resource.name, ref.slug)?.id);
    const form = this.#form('single');
    const cached = query.password === undefined ? this.#records.get(form, id) : undefined;
    if (cached) return cached;
    const entry = new Posts(this.#context, this.#resource).get(ref, query);
    const [row] = this.#rows([entry.id]);
    const record = this.#serialize(entry);
    this.#cache(form, [row!], [record], linkedTo(db, this.#resource, [row!]));
    return record;
  }

  #form(view: 'single' | 'listed'): string {
    const { site, resources } = this.#context;
    return `${this.#resource.name} ${view} ${site.home} ${site.root} ${versionOf(resources)}`;
  }

  #listed(ids: readonly number[], query: Query): SerializedRecord[] {
    const form = this.#form('listed');
    const cached = new Map(ids.map((id) => [id, this.#records.get(form, id)]));
    const missing = ids.filter((id) => !cached.get(id));
    if (missing.length > 0) {
      const rows = this.#rows(missing);
      const linked = linkedTo(this.#context.db, this.#resource, rows);
      const entries = postEntries(this.#context, this.#resource, rows, viewOptions(this.#context, query), linked);
      const records = entries.map(this.#serialize);
      for (const [i, { id }] of entries.entries()) cached.set(id, records[i]!);
      this.#cache(form, rows, records, linked);
    }
    return ids.map((id) => cached.get(id)!);
  }

  #rows(ids: readonly number[]): Row[] {
    const { name } = this.#resource;
    return this.#context.db.all<Row>(`select ${name}.* from json_each(?) cross join ${name} on ${name}.id = value`, JSON.stringify(ids));
  }

  /** Caches the records that look the same to everyone. */
  #cache(form: string, rows: readonly Row[], records: readonly SerializedRecord[], linked: LinkedRows): void {
    for (const [i, row] of rows.entries()) {
      const id = Number(row.id);
      const others = [...linked].flatMap(([{ target }, byId]) => (byId.get(id) ?? []).map((other) => ({ target, other })));
      if (![row, ...others.map(({ other }) => other)].every(isOpen)) continue;
      const dependencies = others.flatMap(({ target, other }) => [placeOf(target.name), Number(other.id), ...imageOf(other)]);
      this.#records.put(form, id, records[i]!, [placeOf(this.#resource.name), id, ...imageOf(row), ...dependencies]);
    }
  }
}
