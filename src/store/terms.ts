import type { TermKind } from '../model/asking.ts';
import { Failure, invalidParams } from '../model/error.ts';
import type { Query } from '../model/filter.ts';
import {
  type Collection,
  type Columns,
  check,
  columnsOf,
  type Entry,
  type Immediate,
  type Input,
  type Ref,
  type Row,
  requireAll,
  type TermResource,
} from '../model/resource.ts';
import { resources } from '../model/resources.ts';
import { slugOf, uniqueSlug } from '../model/slug.ts';
import { wholeNumber } from '../model/value.ts';
import { mayCreateTerms, mayEditTerms } from '../model/viewer.ts';
import { type Context, change, insert, nextId, rowById, rowBySlug } from './context.ts';
import { termEntries } from './entries.ts';
import { list } from './list.ts';
import { forbidden, sent } from './posts.ts';
import { fold, foldedTexts } from './where.ts';

const resourceOf: Record<TermKind, TermResource> = { category: resources.categories, tag: resources.tags };

/** Categories or tags in SQL, as one viewer sees them. */
export class Terms implements Immediate<Collection> {
  readonly #context: Context;
  readonly #kind: TermKind;
  readonly #resource: TermResource;

  constructor(context: Context, kind: TermKind) {
    this.#context = context;
    this.#kind = kind;
    this.#resource = resourceOf[kind];
  }

  list(query: Query = {}) {
    return list(this.#context, this.#resource, query, (rows) => termEntries(this.#context, this.#kind, rows));
  }

  get(ref: Ref): Entry {
    return this.#shown(this.#find(ref));
  }

  create(input: Input): Entry {
    return this.#shown(rowById(this.#context.db, this.#resource.name, this.add(input))!);
  }

  /** Makes a record like `create`, and answers its ID alone. */
  add(input: Input): number {
    requireAll(this.#resource, input);
    check(this.#resource.fields, sent(input, this.#context.asking), this.#context.asking);
    if (!mayCreateTerms(this.#context.asking.viewer, this.#kind)) throw forbidden(this.#context, `create ${this.#resource.name}`);
    const parent = input.parent ?? null;
    if (this.#kind === 'tag' && parent !== null && Number(parent) !== 0)
      throw new Failure('rest_taxonomy_not_hierarchical', 'tags have no parents: leave parent out');
    return saveTerm(this.#context, this.#kind, input);
  }

  update(ref: Ref, input: Input): Entry {
    const { db, asking } = this.#context;
    const before = this.#find(ref);
    check(this.#resource.fields, sent(input, asking), asking);
    if (!mayEditTerms(asking.viewer)) throw forbidden(this.#context, `change ${this.#resource.name}`);
    const id = Number(before.id);
    const columns = columnsOf(this.#resource, input, asking);
    if (columns.slug !== undefined && db.get(`select 1 from ${this.#resource.name} where slug = ? and id <> ?`, columns.slug, id))
      throw new Failure('duplicate_term_slug', `slug: another ${this.#kind} has ${JSON.stringify(columns.slug)}`);
    if (columns.parent !== undefined && isBelow(this.#context, Number(columns.parent), id)) columns.parent = 0;
    change(db, this.#resource.name, id, { ...columns, folded: folded(this.#resource, columns, before) });
    return this.#shown(rowById(db, this.#resource.name, id)!);
  }

  delete(ref: Ref): Entry {
    const { db, asking } = this.#context;
    const row = this.#find(ref);
    if (!mayEditTerms(asking.viewer)) throw forbidden(this.#context, `delete ${this.#resource.name}`);
    const entry = this.#shown(row);
    if (this.#kind === 'category') db.run('update categories set parent = ? where parent = ?', row.parent!, row.id!);
    db.run(`delete from ${this.#resource.name} where id = ?`, row.id!);
    return entry;
  }

  /** Whether this viewer may make terms. */
  mayCreate(): boolean {
    return mayCreateTerms(this.#context.asking.viewer, this.#kind);
  }

  /** Whether this viewer may change terms. */
  mayChange(): boolean {
    return mayEditTerms(this.#context.asking.viewer);
  }

  #shown(row: Row): Entry {
    return termEntries(this.#context, this.#kind, [row])[0]!;
  }

  #find(ref: Ref): Row {
    const { db } = this.#context;
    const row = 'id' in ref ? rowById(db, this.#resource.name, ref.id) : rowBySlug(db, this.#resource.name, ref.slug);
    const name = 'id' in ref ? 'id' : 'slug';
    if (!row) throw invalidParams({ [name]: { reason: `names no ${this.#kind}: ${'id' in ref ? ref.id : JSON.stringify(ref.slug)}` } });
    return row;
  }
}

const folded = (resource: TermResource, columns: Columns, before?: Row) =>
  foldedTexts(resource.search.map((name) => columns[name] ?? before?.[name]));

/** Whether a category is the given one or somewhere under it. */
function isBelow({ db }: Context, id: number, top: number): boolean {
  for (let at = id; at; at = Number(rowById(db, 'categories', at)?.parent ?? 0)) if (at === top) return true;
  return false;
}

/** Makes a term. Fails with `term_exists` where one of this name stands under the same parent. Answers the ID. As in the reference. */
export function saveTerm(context: Context, kind: TermKind, input: Input): number {
  const { db, asking } = context;
  const resource = resourceOf[kind];
  const columns = columnsOf(resource, input, asking);
  const parent = kind === 'category' ? Number(columns.parent ?? 0) : 0;
  const twin = db
    .all<Row>(`select * from ${resource.name} where fold(name) = ? order by id`, fold(String(columns.name)))
    .find((row) => kind === 'tag' || row.parent === parent);
  if (twin && !asking.copying && (columns.slug === undefined || columns.slug === twin.slug))
    throw new Failure('term_exists', `name: a ${kind} is called ${JSON.stringify(columns.name)} already, with ID ${twin.id}`, {
      term_id: twin.id,
      additional_data: [twin.id, twin.id],
    });
  const wanted = asking.copying ? wholeNumber(input.id) : undefined;
  const free = wanted !== undefined && !['categories', 'tags'].some((table) => rowById(db, table, wanted));
  const id = nextId(db, 'terms', free ? wanted : undefined);
  columns.slug = freeSlug(context, kind, String(columns.slug ?? slugOf(String(columns.name))) || String(id), parent);
  const generated = asking.copying ? Number(input.generated ?? 0) : 0;
  insert(db, resource.name, { id, ...columns, generated, folded: folded(resource, columns) });
  return id;
}

/** A slug no other term of its kind has: below a parent with the parent's slug behind it first, then with a number. */
function freeSlug({ db }: Context, kind: TermKind, slug: string, parent: number): string {
  const { name } = resourceOf[kind];
  const taken = (candidate: string) => db.get(`select 1 from ${name} where slug = ?`, candidate) !== undefined;
  const above = parent ? rowById(db, name, parent) : undefined;
  return uniqueSlug(taken(slug) && above ? `${slug}-${above.slug}` : slug, taken);
}
