import { type Columns, type Entry, type Input, type PostResource, type Ref, type Row, refText } from '../../model/calendar.ts';
import { isLocked, type RequestContext, type ViewOptions } from '../../model/context.ts';
import { Failure, type Fault } from '../../model/error.ts';
import { idOrValue, toWholeNumber } from '../../model/fields/coerce.ts';
import type { Query } from '../../model/fields/list.ts';
import { capitalized } from '../../model/grammar.ts';
import { cleanTermName } from '../../model/html/sanitize.ts';
import { isPoster } from '../../model/images/poster-image.ts';
import { currentTime, derived } from '../../model/resource.ts';
import { utcOf } from '../../model/time/datetime.ts';
import { fromUtc, toUtc } from '../../model/time/time.ts';
import { requireFields } from '../../model/validate.ts';
import { mayCreate, mayEdit, mayEditAll, mayPublish, mayRead, ownership } from '../../model/viewer.ts';
import type { Database } from '../sqlite/sql.ts';
import { type AddedRecord, forbidden, SqlCollection } from './collection.ts';
import { type StoreContext, viewOptions } from './context.ts';
import { countedBy, recount } from './counts.ts';
import { linkedRowsOf, postEntries } from './entries.ts';
import { referenceIn } from './lookups.ts';
import { findTerm, hasRow, isPostId, rowById, rowsNamed, updateRow } from './queries.ts';
import { columnsIn } from './schema.ts';
import { trashedSlug } from './slugs.ts';
import { type Link, type LinkedIds, linksFrom, linksTo } from './tables.ts';
import { saveTerm } from './terms.ts';
import { columnsFor, writePost } from './write-post.ts';

/** Events, venues or organizers, as a viewer sees them. */
export class Posts extends SqlCollection<PostResource> {
  get(ref: Ref, query: Query = {}, members?: ReadonlySet<string>): Entry {
    const row = this.#find(ref, 'get', { password: query.password });
    const view = { ...viewOptions(this.context, query, true), members };
    const { kind, isLinked } = this.resource;
    if (!isLinked && row.status === 'trash')
      throw new Failure('event-no-longer-available', `${capitalized(kind)} ${row.id} is in the trash`);
    if (!mayRead(view.viewer, ownership(row)))
      throw new Failure(`${kind}-not-accessible`, `${capitalized(kind)} ${row.id} is not published`);
    if (!isLinked && isLocked(row, view))
      throw new Failure(
        'event-password-protected',
        `${capitalized(kind)} ${row.id} is password-protected`,
        'Send the password in the parameter `password`.',
      );
    return this.entriesOf([row], view)[0]!;
  }

  override create(input: Input): Entry {
    const { id, columns, linked } = this.#add(input);
    const { db } = this.context;
    const row = this.#newRow(id, columns);
    // A response to a request with a UID shows the UID that the record has.
    const view = { ...this.#writersView(row), withUids: input.uid !== undefined };
    return postEntries(this.context, this.resource, [row], view, linkedRowsOf(db, this.resource, id, linked))[0]!;
  }

  add(input: Input): AddedRecord {
    const { id, columns } = this.#add(input);
    return { id, slug: String(columns.slug) };
  }

  #add(body: Input): { id: number; columns: Columns; linked: LinkedIds } {
    const { db, request } = this.context;
    const input = withImageId(body);
    requireFields(this.resource, input);
    this.check(input);
    if (!mayCreate(request.viewer)) throw forbidden(this.context, `create ${this.resource.name}`);
    const { id, columns } = writePost(this.context, this.resource, input);
    const linked = linkRecord(this.context, this.resource, id, input, true);
    if (!request.copying) recount(db, [], countedBy(db, this.resource, id, columns.status, linked));
    if (columns.sticky && columns.status === 'publish') publishLinked(this.context, this.resource, id);
    return { id, columns, linked };
  }

  update(ref: Ref, body: Input): Entry {
    const input = withImageId(this.changesIn(ref, body));
    const before = this.#find(ref, 'update', input);
    const { db, request } = this.context;
    const { kind, name } = this.resource;
    if (!mayEdit(request.viewer, ownership(before))) throw forbidden(this.context, `change this ${kind}`);
    const id = Number(before.id);
    const whole = request.resetting ? { ...resetsOf(this.resource, body, request), ...input } : input;
    const columns = columnsFor(this.context, this.resource, whole, before);
    const counted = request.copying ? [] : countedBy(db, this.resource, id, before.status);
    updateRow(db, name, id, columns);
    linkRecord(this.context, this.resource, id, whole, false);
    if (!request.copying) recount(db, counted, countedBy(db, this.resource, id, columns.status));
    return this.stored(id);
  }

  delete(ref: Ref): Entry {
    const { db, request } = this.context;
    const { kind, name } = this.resource;
    const before = this.#find(ref, 'delete');
    if (!mayEdit(request.viewer, ownership(before))) throw forbidden(this.context, `delete this ${kind}`);
    const id = Number(before.id);
    if (before.status === 'trash') throw new Failure(`${kind}-is-in-trash`, `${capitalized(kind)} ${id} is already in the trash`);
    const modified_utc = utcOf(request.now);
    const counted = countedBy(db, this.resource, id, before.status);
    updateRow(db, name, id, {
      status: 'trash',
      slug: trashedSlug(db, name, before),
      modified: fromUtc(modified_utc, request.zone),
      modified_utc,
    });
    recount(db, counted, []);
    unlink(db, this.resource, id);
    return this.stored(id);
  }

  mayCreate(): boolean {
    return mayCreate(this.context.request.viewer);
  }

  /** True if the viewer may change a record; for a missing one, whether they may write at all. */
  mayChange(ref: Ref): boolean {
    const { viewer } = this.context.request;
    // The reference checks this for missing venues and organizers, too.
    if (mayEditAll(viewer)) return !this.resource.isLinked || 'slug' in ref || ref.id === 0 || isPostId(this.context.db, ref.id);
    const row = this.row(ref);
    return row !== undefined && mayEdit(viewer, ownership(row));
  }

  protected entriesOf(rows: readonly Row[], view: ViewOptions): Entry[] {
    return postEntries(this.context, this.resource, rows, view);
  }

  protected written(row: Row): Entry {
    return this.entriesOf([row], this.#writersView(row))[0]!;
  }

  /** The row of a new record without reading it, unless it may be an older one, or SQLite stores other text than it is given. */
  #newRow(id: number, columns: Columns): Row {
    const isRead = this.resource.isLinked || Object.values(columns).some((value) => typeof value === 'string' && loneSurrogate.test(value));
    if (isRead) return rowById(this.context.db, this.resource.name, id)!;
    const defaults = columnsIn(this.resource).map(([name, column]) => [name, column.default ?? null]);
    return { ...Object.fromEntries(defaults), ...columns };
  }

  #writersView(row: Row): ViewOptions {
    return { ...viewOptions(this.context), password: String(row.post_password), editing: true };
  }

  /**
   * The row of a record. The failure for a missing one depends on resource, reference and action (`events.delete.venue-id`,
   * `events.delete.zero`, `venues.update.nonexistent`); faults of the input are included.
   */
  #find(ref: Ref, action: 'get' | 'update' | 'delete', input: Input = {}): Row {
    const row = this.row(ref);
    const event = !this.resource.isLinked;
    const missing = !row && !(event && ('id' in ref || action === 'update'));
    // Only routes of events by ID accept a password.
    const password = event && 'id' in ref ? passwordFaults(input) : {};
    this.check(action === 'update' ? input : {}, { ...(missing ? this.noSuch(ref) : {}), ...password });
    if (row) return row;
    if (action !== 'get' && !this.mayChange(ref)) throw forbidden(this.context, `${action === 'update' ? 'change' : 'delete'} events`);
    if ('id' in ref && isPostId(this.context.db, ref.id))
      throw new Failure('rest-invalid-event-id', `${refText(ref)} is not the ID of an event`);
    throw new Failure('rest-event-not-found', `Event ${refText(ref)} not found`);
  }
}

/** An input with an embedded image replaced by its ID, and without a poster. */
function withImageId(input: Input): Input {
  if (isPoster(input.image)) {
    const { image: _, ...rest } = input;
    return rest;
  }
  const image = idOrValue(input.image);
  return image === input.image ? input : { ...input, image: String(image) };
}

const passwordFaults = ({ password }: Input): Record<string, Fault> =>
  (password ?? undefined) === undefined || (typeof password === 'string' && password !== '')
    ? {}
    : { password: { reason: 'must not be empty' } };

const loneSurrogate = /\p{Surrogate}/u;

/** Sets the links that an input contains and returns their IDs; others stay. Creates linked records that do not exist yet. */
function linkRecord(context: StoreContext, resource: PostResource, id: number, input: Input, isNew: boolean): LinkedIds {
  const linked: LinkedIds = {};
  for (const link of linksFrom(resource)) {
    const value = input[link.name];
    if (value === undefined) continue;
    const { stored, nothing } = link.field;
    if (value === null && nothing.isIgnored) continue;
    const ids = stored.join!.items(value).map((item) => linkedId(context, link, item));
    linked[link.name] = setLinks(
      context.db,
      link,
      id,
      ids.filter((each) => each !== undefined),
      isNew,
    );
  }
  return linked;
}

function setLinks(db: Database, { table, from, insertion }: Link, id: number, ids: readonly number[], isNew: boolean): number[] {
  if (!isNew) db.run(`delete from ${table} where ${from} = ?`, id);
  const different = [...new Set(ids)];
  for (const [position, other] of different.entries()) db.run(insertion, id, other, position);
  return different;
}

/**
 * The ID of the record that an item stands for: an ID, an object with an ID, the data of a new post, or the slug or name of a term.
 * Undefined for IDs and empty names that stand for no term.
 */
function linkedId(context: StoreContext, { target }: Link, item: unknown): number | undefined {
  if (target.family === 'post') {
    if (typeof item !== 'object' || item === null) return toWholeNumber(item)!;
    if ('id' in item) return toWholeNumber(item.id)!;
    const { kind, label } = target;
    if ((item as Input)[label] === '') throw new Failure(`could-not-create-${kind}`, `A new ${kind} requires a name`);
    return writePost(context, target, item as Input).id;
  }
  return referenceIn(context.db, target.name, item as string | number, () => {
    const id = toWholeNumber(item);
    if (id !== undefined) return hasRow(context.db, target.name, id) ? id : undefined;
    const bySlug = findTerm(context.db, target.name, String(item));
    if (bySlug !== undefined) return bySlug;
    // The slug of a name in another script has only escapes, which no name has.
    const name = cleanTermName(String(item));
    if (name === '') return undefined;
    const termId = rowsNamed(context.db, target, name, 'id')[0]?.id;
    return termId === undefined ? saveTerm(context, target, { name: String(item) }).id : Number(termId);
  });
}

/** Publishes the drafts among the linked posts that the viewer may change, as the reference does for a sticky event. */
function publishLinked({ db, request }: StoreContext, resource: PostResource, id: number): void {
  for (const { table, from, to, target } of linksFrom(resource)) {
    if (target.family !== 'post') continue;
    const drafts = db.all<Row>(
      `select id, date, author, status from ${target.name} where status in ('draft', 'pending') and id in (select ${to} from ${table} where ${from} = ?)`,
      id,
    );
    for (const draft of drafts)
      if (mayEdit(request.viewer, ownership(draft)))
        updateRow(db, target.name, Number(draft.id), { status: 'publish', date_utc: toUtc(String(draft.date), request.zone) });
  }
}

/** Removes a record from all records that link to it. */
function unlink(db: Database, resource: PostResource, id: number): void {
  for (const { table, to } of linksTo(resource)) db.run(`delete from ${table} where ${to} = ?`, id);
}

/** Returns the values to which the reference resets the fields that an update omits. */
function resetsOf({ resets = {} }: PostResource, body: Input, { viewer }: RequestContext): Input {
  const isDated = body.date !== undefined || body.date_utc !== undefined;
  const omitted = Object.entries(resets).filter(
    ([name, value]) => body[name] === undefined && value !== derived && !(isDated && value === currentTime),
  );
  // A contributor can't publish.
  return { ...Object.fromEntries(omitted), ...(body.status === undefined && !mayPublish(viewer) ? { status: 'draft' } : {}) };
}
