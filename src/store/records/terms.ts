import type { Columns, Entry, Input, Ref, Row, TermResource } from '../../model/calendar.ts';
import { wholeNumber } from '../../model/coerce.ts';
import type { TermKind } from '../../model/context.ts';
import { Failure } from '../../model/error.ts';
import { resources } from '../../model/resources/all.ts';
import { slugOf } from '../../model/slug.ts';
import { columnsOf, requireFields } from '../../model/validate.ts';
import { mayCreateTerms, mayEditTerms } from '../../model/viewer.ts';
import { SqlCollection } from './collection.ts';
import type { StoreContext } from './context.ts';
import { termEntries } from './entries.ts';
import { forbidden } from './permissions.ts';
import { hasRow, insert, nextId, rowById, rowsNamed, update } from './queries.ts';
import { freeTermSlug, slugFreed } from './slugs.ts';
import { foldedTexts } from './where.ts';

/** The resource of each kind of term. */
export const termResources: Record<TermKind, TermResource> = { category: resources.categories, tag: resources.tags };

/** Categories or tags in SQL, as one viewer sees them. */
export class Terms extends SqlCollection<TermResource> {
  get(ref: Ref): Entry {
    return this.written(this.#find(ref));
  }

  add(input: Input): number {
    const { viewer } = this.context.request;
    const { kind, name } = this.resource;
    requireFields(this.resource, input);
    this.check(input);
    if (!mayCreateTerms(viewer, kind)) throw forbidden(this.context, `create ${name}`);
    refuseParent(kind, input);
    return saveTerm(this.context, kind, input);
  }

  update(ref: Ref, sent: Input): Entry {
    const input = this.changesIn(ref, sent);
    const { db, request } = this.context;
    const { kind, name } = this.resource;
    const before = this.#find(ref, input);
    if (!mayEditTerms(request.viewer)) throw forbidden(this.context, `change ${name}`);
    const id = Number(before.id);
    refuseParent(kind, input);
    const columns = columnsOf(this.resource, input, request);
    if (columns.slug === '') columns.slug = slugOfName(this.context, kind, { ...before, ...columns }, before);
    if (columns.slug !== undefined && db.get(`select 1 from ${name} where slug = ? and id <> ?`, columns.slug, id))
      throw new Failure('duplicate_term_slug', `slug: another ${kind} has ${JSON.stringify(columns.slug)}`);
    if (columns.parent !== undefined && isBelow(this.context, Number(columns.parent), id)) columns.parent = 0;
    if (columns.slug !== undefined) slugFreed(db);
    update(db, name, id, { ...columns, folded: folded(this.resource, columns, before) });
    return this.stored(id);
  }

  delete(ref: Ref): Entry {
    const { db, request } = this.context;
    const { kind, name } = this.resource;
    const row = this.#find(ref);
    if (!mayEditTerms(request.viewer)) throw forbidden(this.context, `delete ${name}`);
    const entry = this.written(row);
    if (kind === 'category') db.run('update categories set parent = ? where parent = ?', row.parent!, row.id!);
    db.run(`delete from ${name} where id = ?`, row.id!);
    slugFreed(db);
    return entry;
  }

  /** Whether this viewer may make terms. */
  mayCreate(): boolean {
    return mayCreateTerms(this.context.request.viewer, this.resource.kind);
  }

  /** Whether this viewer may change terms. */
  mayChange(): boolean {
    return mayEditTerms(this.context.request.viewer);
  }

  protected entriesOf(rows: readonly Row[]): Entry[] {
    return termEntries(this.context, this.resource.kind, rows);
  }

  protected written(row: Row): Entry {
    return this.entriesOf([row])[0]!;
  }

  /** The row that is named. Fails where there is none, and where an input is wrong: with both at once, where both are so. */
  #find(ref: Ref, input: Input = {}): Row {
    const row = this.row(ref);
    this.check(input, row ? {} : this.noSuch(ref));
    return row!;
  }
}

const folded = (resource: TermResource, columns: Columns, before?: Row) =>
  foldedTexts(resource.search.map((name) => columns[name] ?? before?.[name]));

/** Fails where a tag is to have a parent (`tags.create.with-parent`). */
function refuseParent(kind: TermKind, { parent }: Input): void {
  if (kind === 'tag' && parent !== undefined && parent !== null && Number(parent) !== 0)
    throw new Failure('rest_taxonomy_not_hierarchical', 'tags have no parents: leave parent out');
}

/** The slug that a term has by its name alone: the one that it had, where that is the same. */
function slugOfName({ db }: StoreContext, kind: TermKind, { id, name, parent }: Row, before?: Row): string {
  const slug = slugOf(String(name)) || String(id);
  return slug === before?.slug ? slug : freeTermSlug(db, kind, slug, Number(parent ?? 0));
}

/** Whether a category is the given one or somewhere under it. */
function isBelow({ db }: StoreContext, id: number, top: number): boolean {
  for (let at = id; at; at = Number(rowById(db, 'categories', at)?.parent ?? 0)) if (at === top) return true;
  return false;
}

/** Makes a term. Fails with `term_exists` where one of this name stands under the same parent. Answers the ID (`tags.create.duplicate-*`, `categories.create.same-name-under-parent`). */
export function saveTerm(context: StoreContext, kind: TermKind, input: Input): number {
  const { db, request } = context;
  const resource = termResources[kind];
  const columns = columnsOf(resource, input, request);
  const parent = kind === 'category' ? Number(columns.parent ?? 0) : 0;
  const twin = rowsNamed(db, resource, String(columns.name), '*').find((row) => kind === 'tag' || row.parent === parent);
  if (twin && !request.copying && (!columns.slug || columns.slug === twin.slug))
    throw new Failure('term_exists', `name: a ${kind} is called ${JSON.stringify(columns.name)} already, with ID ${twin.id}`, {
      term_id: twin.id,
      additional_data: [twin.id, twin.id],
    });
  const wanted = request.copying ? wholeNumber(input.id) : undefined;
  const free = wanted !== undefined && !['categories', 'tags'].some((table) => hasRow(db, table, wanted));
  const id = nextId(db, 'terms', free ? wanted : undefined);
  columns.slug = columns.slug
    ? freeTermSlug(db, kind, String(columns.slug), parent)
    : slugOfName(context, kind, { ...columns, id, parent });
  const generated = request.copying ? Number(input.generated ?? 0) : 0;
  insert(db, resource.name, { id, ...columns, generated, folded: folded(resource, columns) });
  return id;
}
