import type { Columns, Entry, Input, Ref, Row, TermResource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { givenExtra, withDeclared } from '../../model/fields/extra.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { capitalized, withArticle } from '../../model/grammar.ts';
import { requireFields, validColumns } from '../../model/validate.ts';
import { mayCreateTerms, mayEditTerms } from '../../model/viewer.ts';
import { type AddedRecord, forbidden, SqlCollection } from './collection.ts';
import type { StoreContext } from './context.ts';
import { termEntries } from './entries.ts';
import { forgetReferences } from './lookups.ts';
import { deleteRow, insert, newId, rowById, rowsNamed, updateRow } from './queries.ts';
import { freeTermSlug } from './slugs.ts';
import { foldedTexts } from './where.ts';

/** Categories or tags, as a viewer sees them. */
export class Terms extends SqlCollection<TermResource> {
  get(ref: Ref): Entry {
    return termEntries(this.context, this.resource, [this.#find(ref)], 'single')[0]!;
  }

  add(input: Input): AddedRecord {
    const { viewer } = this.context.request;
    requireFields(this.resource, input);
    this.check(input);
    if (!mayCreateTerms(viewer, this.resource)) throw forbidden(this.context, `create ${this.resource.name}`);
    rejectParent(this.resource, input);
    return saveTerm(this.context, this.resource, input);
  }

  update(ref: Ref, body: Input): Entry {
    const input = this.changesIn(ref, body);
    const { db, request } = this.context;
    const { kind, name } = this.resource;
    const before = this.#find(ref, input);
    if (!mayEditTerms(request.viewer)) throw forbidden(this.context, `change ${name}`);
    const id = Number(before.id);
    rejectParent(this.resource, input);
    const columns = validColumns(this.resource, input, request);
    if (columns.slug === '') columns.slug = slugOfName(this.context, this.resource, { ...before, ...columns }, before);
    if (columns.slug !== undefined && db.get(`select 1 from ${name} where slug = ? and slug <> '' and id <> ?`, columns.slug, id))
      throw new Failure('duplicate_term_slug', `Another ${kind} already has the slug ${JSON.stringify(columns.slug)}`);
    if (columns.parent !== undefined && isBelow(this.context, this.resource, Number(columns.parent), id)) columns.parent = 0;
    const newColumns = { ...columns, ...copiedExtra(this.context, input), folded: folded(this.resource, columns, before) };
    updateRow(db, name, id, withDeclared(this.resource.fields, newColumns, before));
    forgetReferences(db);
    return this.stored(id);
  }

  delete(ref: Ref): Entry {
    const { db, request } = this.context;
    const { name, isTree } = this.resource;
    const row = this.#find(ref);
    if (!mayEditTerms(request.viewer)) throw forbidden(this.context, `delete ${name}`);
    const entry = this.written(row);
    if (isTree) db.run(`update ${name} set parent = ? where parent = ?`, row.parent!, row.id!);
    deleteRow(db, name, Number(row.id));
    return entry;
  }

  mayCreate(): boolean {
    return mayCreateTerms(this.context.request.viewer, this.resource);
  }

  mayChange(): boolean {
    return mayEditTerms(this.context.request.viewer);
  }

  protected entriesOf(rows: readonly Row[]): Entry[] {
    return termEntries(this.context, this.resource, rows);
  }

  protected written(row: Row): Entry {
    return this.entriesOf([row])[0]!;
  }

  /** Throws if there is none or if the input is invalid, with all faults. */
  #find(ref: Ref, input: Input = {}): Row {
    const row = this.row(ref);
    this.check(input, row ? {} : this.noSuch(ref));
    return row!;
  }
}

/** The column with members of another site. */
function copiedExtra({ request }: StoreContext, input: Input): Columns {
  const extra = givenExtra(input, request);
  return extra === undefined ? {} : { extra };
}

const folded = (resource: TermResource, columns: Columns, before?: Row) =>
  foldedTexts(resource.search.map((name) => columns[name] ?? before?.[name]));

/** Throws if a term without a tree is given a parent (`tags.create.with-parent`). */
function rejectParent({ isTree, name }: TermResource, { parent }: Input): void {
  if (!isTree && parent !== undefined && parent !== null && Number(parent) !== 0)
    throw new Failure('rest_taxonomy_not_hierarchical', `${capitalized(name)} cannot have a parent`);
}

/** The slug made from a term's name: the current one if it is the same. */
function slugOfName({ db }: StoreContext, resource: TermResource, { id, name, parent }: Row, before?: Row): string {
  const slug = slugOf(String(name)) || String(id);
  return slug === before?.slug ? slug : freeTermSlug(db, resource.name, slug, Number(parent ?? 0));
}

function isBelow({ db }: StoreContext, { name }: TermResource, id: number, top: number): boolean {
  for (let at = id; at; at = Number(rowById(db, name, at)?.parent ?? 0)) if (at === top) return true;
  return false;
}

/**
 * Creates a term. Throws `term_exists` if the same parent has a term with this name (`tags.create.duplicate-*`,
 * `categories.create.same-name-under-parent`).
 */
export function saveTerm(context: StoreContext, resource: TermResource, input: Input): AddedRecord {
  const { db, request } = context;
  const { kind, isTree } = resource;
  const columns = validColumns(resource, input, request);
  const parent = isTree ? Number(columns.parent ?? 0) : 0;
  const twin = request.copying
    ? undefined
    : rowsNamed(db, resource, String(columns.name), '*').find((row) => !isTree || row.parent === parent);
  if (twin && (!columns.slug || columns.slug === twin.slug))
    throw new Failure(
      'term_exists',
      `${capitalized(withArticle(kind))} named ${JSON.stringify(columns.name)} already exists (ID ${twin.id})`,
      undefined,
      {
        term_id: twin.id,
        additional_data: [twin.id, twin.id],
      },
    );
  const id = newId(db, 'terms', request.copying ? input.id : undefined);
  columns.slug = columns.slug
    ? freeTermSlug(db, resource.name, String(columns.slug), parent)
    : slugOfName(context, resource, { ...columns, id, parent });
  const generated = request.copying ? Number(input.generated ?? 0) : 0;
  const newColumns = { id, ...columns, ...copiedExtra(context, input), generated, folded: folded(resource, columns) };
  insert(db, resource, withDeclared(resource.fields, newColumns, undefined));
  forgetReferences(db);
  return { id, slug: String(columns.slug) };
}
