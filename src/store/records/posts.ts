import type { Columns, Entry, Input, PostResource, Ref, Row } from '../../model/calendar.ts';
import { idOrValue } from '../../model/coerce.ts';
import type { ViewOptions } from '../../model/context.ts';
import { Failure, type Fault } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { isLocked } from '../../model/redact.ts';
import { resources } from '../../model/resources/all.ts';
import { utcOf } from '../../model/time/datetime.ts';
import { fromUtc } from '../../model/time/time.ts';
import { requireFields } from '../../model/validate.ts';
import { mayCreate, mayEdit, mayEditAll, mayRead, ownership } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';
import { SqlCollection } from './collection.ts';
import { viewOptions } from './context.ts';
import { countedBy, recount } from './counts.ts';
import { eventEntries, linkedBy, postEntries } from './entries.ts';
import { linkEvent, publishLinked, unlink } from './links.ts';
import { forbidden } from './permissions.ts';
import { isPostId, rowById, update } from './queries.ts';
import { columnsIn } from './schema.ts';
import { trashedSlug } from './slugs.ts';
import type { EventLinkIds } from './tables.ts';
import { columnsFor, writePost } from './write-post.ts';

/** Events, venues or organizers in SQL, as one viewer sees them. */
export class Posts extends SqlCollection<PostResource> {
  get(ref: Ref, query: Query = {}): Entry {
    const row = this.#find(ref, 'get', { password: query.password });
    const view = viewOptions(this.context, query, true);
    const { kind } = this.resource;
    if (kind === 'event' && row.status === 'trash') throw new Failure('event-no-longer-available', `event ${row.id} is in the trash`);
    if (!mayRead(view.viewer, ownership(row))) throw new Failure(`${kind}-not-accessible`, `${kind} ${row.id} is not published`);
    if (kind === 'event' && isLocked(row, view))
      throw new Failure('event-password-protected', `event ${row.id} is protected by a password`, {}, 'send it as password');
    return this.entriesOf([row], view)[0]!;
  }

  override create(input: Input): Entry {
    const { id, columns, links } = this.#add(input);
    const { db } = this.context;
    const row = links ? newEventRow(db, id, columns) : rowById(db, this.resource.name, id)!;
    // Who sends a UID hears which one the record has.
    const view = { ...this.#writersView(row), withUids: input.uid !== undefined };
    return links ? eventEntries(this.context, [row], view, linkedBy(this.context, id, links))[0]! : this.entriesOf([row], view)[0]!;
  }

  add(input: Input): number {
    return this.#add(input).id;
  }

  #add(sent: Input): { id: number; columns: Columns; links?: EventLinkIds } {
    const { db, request } = this.context;
    const input = withImageId(sent);
    requireFields(this.resource, input);
    this.check(input);
    if (!mayCreate(request.viewer)) throw forbidden(this.context, `create ${this.resource.name}`);
    const made = writePost(this.context, this.resource, input);
    if (this.resource.kind !== 'event') return made;
    const { id, columns } = made;
    const links = { venue: [], organizer: [], category: [], tag: [], ...linkEvent(this.context, id, input, true) };
    if (!request.copying) recount(db, [], countedBy(db, id, columns.status, links));
    if (columns.sticky && columns.status === 'publish') publishLinked(this.context, id);
    return { id, columns, links };
  }

  update(ref: Ref, sent: Input): Entry {
    const input = withImageId(this.changesIn(ref, sent));
    const before = this.#find(ref, 'update', input);
    const { db, request } = this.context;
    const { kind, name } = this.resource;
    if (!mayEdit(request.viewer, ownership(before))) throw forbidden(this.context, `change this ${kind}`);
    const id = Number(before.id);
    const columns = columnsFor(this.context, this.resource, input, before);
    const counts = kind === 'event' && !request.copying;
    const counted = counts ? countedBy(db, id, before.status) : [];
    update(db, name, id, columns);
    if (kind === 'event') linkEvent(this.context, id, input, false);
    if (counts) recount(db, counted, countedBy(db, id, columns.status));
    return this.stored(id);
  }

  delete(ref: Ref): Entry {
    const { db, request } = this.context;
    const { kind, name } = this.resource;
    const before = this.#find(ref, 'delete');
    if (!mayEdit(request.viewer, ownership(before))) throw forbidden(this.context, `delete this ${kind}`);
    const id = Number(before.id);
    if (before.status === 'trash') throw new Failure(`${kind}-is-in-trash`, `${kind} ${id} is in the trash already`);
    const modified_utc = utcOf(request.now);
    const counted = kind === 'event' ? countedBy(db, id, before.status) : [];
    update(db, name, id, {
      status: 'trash',
      slug: trashedSlug(db, name, before),
      modified: fromUtc(modified_utc, request.zone),
      modified_utc,
    });
    if (kind === 'event') recount(db, counted, []);
    else unlink(db, kind, id);
    return this.stored(id);
  }

  /** Whether this viewer may make records at all. */
  mayCreate(): boolean {
    return mayCreate(this.context.request.viewer);
  }

  /** Whether this viewer may change the record that is named; of one that is not there, whether they may write at all. */
  mayChange(ref: Ref): boolean {
    const { viewer } = this.context.request;
    // The reference asks this of a venue or organizer that is not there, and nobody may change that.
    if (mayEditAll(viewer)) return this.resource.kind === 'event' || 'slug' in ref || ref.id === 0 || isPostId(this.context.db, ref.id);
    const row = this.row(ref);
    return row !== undefined && mayEdit(viewer, ownership(row));
  }

  protected entriesOf(rows: readonly Row[], view: ViewOptions): Entry[] {
    return postEntries(this.context, this.resource.kind, rows, view);
  }

  protected written(row: Row): Entry {
    return this.entriesOf([row], this.#writersView(row))[0]!;
  }

  #writersView(row: Row): ViewOptions {
    return { ...viewOptions(this.context), password: String(row.post_password), editing: true };
  }

  /**
   * The row that is named. What fails when there is none depends on kind, name and action (`events.delete.venue-id`, `events.delete.zero`,
   * `venues.update.nonexistent`); what is wrong with the name and with the input is said at once.
   */
  #find(ref: Ref, action: 'get' | 'update' | 'delete', input: Input = {}): Row {
    const row = this.row(ref);
    const event = this.resource.kind === 'event';
    const missing = !row && !(event && ('id' in ref || action === 'update'));
    // The routes of events by ID take a password, and no others do.
    const password = event && 'id' in ref ? passwordFaults(input) : {};
    this.check(action === 'update' ? input : {}, { ...(missing ? this.noSuch(ref) : {}), ...password });
    if (row) return row;
    if (action !== 'get' && !this.mayChange(ref)) throw forbidden(this.context, `${action === 'update' ? 'change' : 'delete'} events`);
    if ('id' in ref && isPostId(this.context.db, ref.id)) throw new Failure('rest-invalid-event-id', `${ref.id} is not the ID of an event`);
    throw new Failure('rest-event-not-found', `there is no event ${'id' in ref ? ref.id : JSON.stringify(ref.slug)}`);
  }
}

/** An input whose image, where that is one that was read, is its ID. */
function withImageId(input: Input): Input {
  const image = idOrValue(input.image);
  return image === input.image ? input : { ...input, image: String(image) };
}

/** What is wrong with the password that comes along. */
const passwordFaults = ({ password }: Input): Record<string, Fault> =>
  (password ?? undefined) === undefined || (typeof password === 'string' && password !== '')
    ? {}
    : { password: { reason: 'must not be empty' } };

/** The columns of an event that nothing was written to. */
const defaults: Row = Object.fromEntries(columnsIn(resources.events).map(([name, column]) => [name, column.default ?? null]));

/** The row of a new event, without reading it; read it is where SQLite gives back other text than it was given. */
const newEventRow = (db: Database, id: number, columns: Columns): Row =>
  Object.values(columns).some((value) => typeof value === 'string' && loneSurrogate.test(value))
    ? rowById(db, 'events', id)!
    : { ...defaults, ...columns };
const loneSurrogate = /\p{Surrogate}/u;
