import type { Columns, Input, PostResource, ResourceName, Row } from '../../model/calendar.ts';
import { isOpen, type RequestContext } from '../../model/context.ts';
import { givenExtra, withDeclared } from '../../model/fields/extra.ts';
import { postersPath } from '../../model/images/poster-image.ts';
import { publication } from '../../model/resources/post.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { validColumns } from '../../model/validate.ts';
import { mayEdit, mayWriteForOthers, ownership } from '../../model/viewer.ts';
import { uidFor } from '../identity/uids.ts';
import { forbidden } from './collection.ts';
import type { StoreContext } from './context.ts';
import { imageId } from './entries.ts';
import { insert, newId, rowById, rowsNamed, updateRow } from './queries.ts';
import { freeSlug, slugFor } from './slugs.ts';
import { fold, foldedTexts } from './where.ts';

/**
 * Creates a record without its links. A venue or organizer with the name and description of an existing one is that record: it is updated if the
 * viewer may change it, and otherwise left as it is.
 */
export function writePost(context: StoreContext, resource: PostResource, input: Input): { id: number; columns: Columns } {
  const { db, request } = context;
  const repeated = !resource.isLinked || request.copying ? undefined : repeatedBy(context, resource, input);
  if (repeated)
    return mayEdit(request.viewer, ownership(repeated))
      ? overwrite(context, resource, input, repeated)
      : { id: Number(repeated.id), columns: {} };
  const id = newId(db, 'posts', request.copying ? input.id : undefined);
  const uid = uidFor(context, resource, input);
  const columns = columnsFor(context, resource, input, undefined, id);
  columns.id = id;
  columns.uid = uid;
  columns.author ??= request.viewer.id;
  insert(db, resource, columns);
  return { id, columns };
}

export function columnsFor(
  context: StoreContext,
  resource: PostResource,
  input: Input,
  before: Row | undefined,
  id = Number(before?.id),
): Columns {
  const { request, db } = context;
  const columns = publishedColumns(resource, input, before, request);
  if (columns.author !== undefined && columns.author !== (before?.author ?? request.viewer.id) && !mayWriteForOthers(request.viewer))
    throw forbidden(context, `name user ${columns.author} as the author`);
  Object.assign(columns, resource.derive?.(input, columns, before, request));
  // An empty description leaves the old one, like the reference.
  if (before && !request.copying && resource.isLinked && columns.description === '') delete columns.description;
  if (request.copying && input.poster === true) columns.image = imageId(db, postersPath);
  else if (input.image !== undefined) columns.image = imageId(db, input.image);
  const slug =
    request.copying && input.slug !== undefined
      ? freeSlug(db, resource.name, String(input.slug), id)
      : slugFor(db, resource, columns, before, id);
  if (slug !== undefined) columns.slug = slug;
  if (request.copying) copyColumns(columns, resource, input);
  const extra = givenExtra(input, request);
  if (extra !== undefined) columns.extra = extra;
  columns.folded = foldedTexts(resource.search.map((name) => columns[name] ?? before?.[name]));
  return withDeclared(resource.fields, columns, before);
}

/** The columns for the given values, with status and publication date. */
const publishedColumns = (resource: PostResource, input: Input, before: Row | undefined, request: RequestContext): Columns =>
  Object.assign(validColumns(resource, input, request), publication(input, resource.isLinked, before, request));

/** The fields that the dates of a record depend on, besides the time and the time zone. */
export const datingFields: readonly string[] = ['status', 'date', 'date_utc', 'timezone', 'all_day', 'start_date', 'end_date'];

/** Gives a record the dates and the UID that it would have if it were created now. `input` has its {@link datingFields}. */
export function dateRecord({ db, request, resources }: StoreContext, name: ResourceName, id: number, input: Input): void {
  const resource = resources[name] as PostResource;
  const columns = publishedColumns(resource, input, undefined, request);
  if (hasDates(name)) Object.assign(columns, resource.derive!(input, columns, undefined, request));
  updateRow(db, name, id, { ...columns, uid: request.newUid() });
}

/** Adds the columns that a copy has as they are. */
function copyColumns(columns: Columns, resource: PostResource, input: Input): void {
  for (const name of ['date', 'date_utc', 'modified', 'modified_utc']) if (isDateTime(input[name])) columns[name] = String(input[name]);
  for (const name of ['generated', 'lineage', 'sequence'])
    if (input[name] !== undefined && name in resource.derived) columns[name] = input[name] as string | number;
  // A complete copy keeps its status, even with a future publication date.
  if (isDateTime(input.modified_utc) && input.status !== undefined) columns.status = String(input.status);
}

const isDateTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value);

/**
 * The existing venue or organizer with the same name and, if given, the same description, among those that the viewer may change and those
 * that are public (`venues.create.duplicate-*`, `organizers.create.duplicate-*`).
 */
function repeatedBy({ db, request }: StoreContext, resource: PostResource, input: Input): Row | undefined {
  const columns = validColumns(
    resource,
    { [resource.label]: input[resource.label], ...(input.description ? { description: input.description } : {}) },
    request,
  );
  const description = columns.description === undefined ? undefined : fold(String(columns.description));
  const repeated = rowsNamed(db, resource, String(columns[resource.label]), 'id, author, status, post_password, description')
    .filter((row) => row.status !== 'trash' && (isOpen(row) || mayEdit(request.viewer, ownership(row))))
    .find((row) => description === undefined || fold(String(row.description)) === description);
  return repeated && rowById(db, resource.name, Number(repeated.id));
}

/** Updates an existing venue or organizer with the details of a new one: given values, defaults of switches, and derived columns. */
function overwrite(context: StoreContext, resource: PostResource, input: Input, row: Row): { id: number; columns: Columns } {
  const {
    [resource.label]: _name,
    description: _description,
    status: _status,
    author: _author,
    date: _date,
    date_utc: _utc,
    ...details
  } = input;
  const columns = columnsFor(context, resource, details, row);
  for (const { name, stored } of resource.fields)
    if (stored.onRepeat !== undefined && details[name] === undefined) columns[name] = stored.onRepeat;
  Object.assign(columns, resource.derive?.(details, columns, undefined, context.request));
  updateRow(context.db, resource.name, Number(row.id), columns);
  return { id: Number(row.id), columns };
}
