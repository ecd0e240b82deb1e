import type { PostKind } from '../model/asking.ts';
import { Failure, invalidParams } from '../model/error.ts';
import { when } from '../model/event-dates.ts';
import type { Query } from '../model/filter.ts';
import { isLocked, isUnpublished, publication } from '../model/post.ts';
import {
  type Collection,
  type Columns,
  check,
  columnsOf,
  type Entry,
  type Immediate,
  type Input,
  type PostResource,
  type Ref,
  type Row,
  requireAll,
} from '../model/resource.ts';
import { resources } from '../model/resources.ts';
import { slugOf, uniqueSlug } from '../model/slug.ts';
import { fromUtc, utcOf } from '../model/time.ts';
import { stateProvince } from '../model/venue.ts';
import { mayCreate, mayEdit, mayRead } from '../model/viewer.ts';
import { type Context, change, insert, lookOf, nextId, reserved, rowById, rowBySlug, tableOf } from './context.ts';
import type { Database } from './database.ts';
import { eventEntries, type Linked, linkedBy, postEntries } from './entries.ts';
import { imageId } from './images.ts';
import { countedBy, type Links, linkEvent, publishLinked, recount, unlink } from './links.ts';
import { list } from './list.ts';
import { columnsIn } from './schema.ts';
import { fold, foldedTexts } from './where.ts';

const resourceOf: Record<PostKind, PostResource> = { event: resources.events, venue: resources.venues, organizer: resources.organizers };
const owned = (row: Row) => ({ author: Number(row.author), status: String(row.status) });

/** The failure of somebody who may not do this: asked to say who they are, or turned away. */
export const forbidden = ({ asking }: Context, what: string): Failure =>
  new Failure(
    'rest_forbidden',
    `${asking.viewer.name || 'a visitor'} may not ${what}`,
    {},
    undefined,
    asking.viewer.role === 'anonymous' ? 401 : 403,
  );

/** Events, venues or organizers in SQL, as one viewer sees them. */
export class Posts implements Immediate<Collection> {
  readonly #context: Context;
  readonly #kind: PostKind;
  readonly #resource: PostResource;

  constructor(context: Context, kind: PostKind) {
    this.#context = context;
    this.#kind = kind;
    this.#resource = resourceOf[kind];
  }

  list(query: Query = {}) {
    const look = lookOf(this.#context, query);
    return list(this.#context, this.#resource, query, (rows) => postEntries(this.#context, this.#kind, rows, look));
  }

  get(ref: Ref, query: Query = {}): Entry {
    checkPassword(query);
    const row = this.#find(ref, 'get');
    const look = lookOf(this.#context, query, true);
    const { viewer } = this.#context.asking;
    if (this.#kind === 'event' && row.status === 'trash') throw new Failure('event-no-longer-available', `event ${row.id} is in the trash`);
    if (!mayRead(viewer, owned(row))) throw new Failure(`${this.#kind}-not-accessible`, `${this.#kind} ${row.id} is not published`);
    if (this.#kind === 'event' && isLocked(row, look))
      throw new Failure('event-password-protected', `event ${row.id} is protected by a password`, {}, 'send it as password');
    return postEntries(this.#context, this.#kind, [row], look)[0]!;
  }

  create(input: Input): Entry {
    const { id, event } = this.#add(input);
    return event ? this.#entry(newRow(this.#context.db, event.columns), linkedBy(this.#context, id, event.links)) : this.#shown(id);
  }

  /** Makes a record like `create`, and answers its ID alone. */
  add(input: Input): number {
    return this.#add(input).id;
  }

  #add(input: Input): Saved {
    const { asking } = this.#context;
    requireAll(this.#resource, input);
    check(this.#resource.fields, sent(input, asking), asking);
    if (!mayCreate(asking.viewer)) throw forbidden(this.#context, `create ${this.#resource.name}`);
    return savePost(this.#context, this.#kind, input);
  }

  update(ref: Ref, input: Input): Entry {
    const before = this.#find(ref, 'update', input);
    if (!mayEdit(this.#context.asking.viewer, owned(before))) throw forbidden(this.#context, `change this ${this.#kind}`);
    const id = Number(before.id);
    const columns = written(this.#context, this.#resource, input, before);
    const { db, asking } = this.#context;
    const counts = this.#kind === 'event' && !asking.copying;
    const counted = counts ? countedBy(db, id, before.status) : [];
    change(db, this.#resource.name, id, columns);
    if (this.#kind === 'event') linkEvent(this.#context, id, input, false);
    if (counts) recount(db, counted, countedBy(db, id, columns.status));
    return this.#shown(id);
  }

  delete(ref: Ref): Entry {
    const { db, asking } = this.#context;
    const before = this.#find(ref, 'delete');
    if (!mayEdit(asking.viewer, owned(before))) throw forbidden(this.#context, `delete this ${this.#kind}`);
    const id = Number(before.id);
    if (before.status === 'trash') throw new Failure(`${this.#kind}-is-in-trash`, `${this.#kind} ${id} is in the trash already`);
    const date_utc = utcOf(asking.now);
    const counted = this.#kind === 'event' ? countedBy(db, id, before.status) : [];
    change(db, this.#resource.name, id, {
      status: 'trash',
      slug: this.#freeSlug(trashedSlug(before), id),
      modified: fromUtc(date_utc, asking.zone),
      modified_utc: date_utc,
    });
    if (this.#kind === 'event') recount(db, counted, []);
    else unlink(db, this.#kind, id);
    return this.#shown(id);
  }

  /** Whether this viewer may make records at all. */
  mayCreate(): boolean {
    return mayCreate(this.#context.asking.viewer);
  }

  /** Whether this viewer may change the record that is named; of one that is not there, whether they may write at all. */
  mayChange(ref: Ref): boolean {
    const row =
      'id' in ref ? rowById(this.#context.db, this.#resource.name, ref.id) : rowBySlug(this.#context.db, this.#resource.name, ref.slug);
    const { viewer } = this.#context.asking;
    if (row) return mayEdit(viewer, owned(row));
    // The reference asks this of a venue or organizer that is not there, and nobody may change that.
    if (this.#kind !== 'event' && 'id' in ref && ref.id !== 0 && !isPost(this.#context, ref.id)) return false;
    return mayEdit(viewer, { author: -1, status: 'publish' });
  }

  #shown(id: number): Entry {
    return this.#entry(rowById(this.#context.db, this.#resource.name, id)!);
  }

  /** A row as whoever has just written it sees it. */
  #entry(row: Row, linked?: Linked): Entry {
    const look = { ...lookOf(this.#context), password: String(row.post_password), editing: true };
    return linked ? eventEntries(this.#context, [row], look, linked)[0]! : postEntries(this.#context, this.#kind, [row], look)[0]!;
  }

  #freeSlug(slug: string, id: number): string {
    return freeSlug(this.#context, this.#resource.name, slug, id);
  }

  /** The row that is named. What fails when there is none depends on kind, name and action, as in the reference. */
  #find(ref: Ref, action: 'get' | 'update' | 'delete', input: Input = {}): Row {
    const { db, asking } = this.#context;
    const event = this.#kind === 'event';
    const row = 'id' in ref ? rowById(db, this.#resource.name, ref.id) : rowBySlug(db, this.#resource.name, ref.slug);
    const name = 'id' in ref ? 'id' : 'slug';
    if (!row && !(event && (name === 'id' || action === 'update')))
      throw invalidParams({ [name]: { reason: `names no ${this.#kind}: ${'id' in ref ? ref.id : JSON.stringify(ref.slug)}` } });
    if (action === 'update') check(this.#resource.fields, sent(input, asking), asking);
    if (row) return row;
    if (action !== 'get' && !this.mayChange(ref)) throw forbidden(this.#context, `${action === 'update' ? 'change' : 'delete'} events`);
    if ('id' in ref && isPost(this.#context, ref.id)) throw new Failure('rest-invalid-event-id', `${ref.id} is not the ID of an event`);
    throw new Failure('rest-event-not-found', `there is no event ${'id' in ref ? ref.id : JSON.stringify(ref.slug)}`);
  }
}

function checkPassword(query: Query): void {
  if (query.password !== undefined && (typeof query.password !== 'string' || query.password === ''))
    throw invalidParams({ password: { reason: 'must not be empty' } });
}

/** Whether an ID of the sequence of posts is taken, by a record or by the site itself. */
const isPost = ({ db }: Context, id: number): boolean =>
  (id > 0 && id <= reserved.posts) || ['events', 'venues', 'organizers'].some((table) => rowById(db, table, id) !== undefined);

const suffix = '__trashed';
const trashedSlug = (row: Row) => `${row.slug}${suffix}`;

function freeSlug({ db }: Context, table: string, slug: string, id: number): string {
  if (slug === '') return '';
  const taken = (candidate: string) =>
    db.get(`select 1 from ${table} where slug = ? and slug <> '' and id <> ?`, candidate, id) !== undefined;
  if (slug.length > mostWhole) return uniqueSlug(slug, taken);
  return taken(slug) ? `${slug}-${firstFree(db, table, slug, id)}` : slug;
}

/** Slugs up to this length are whole in front of any number. */
const mostWhole = 180;

/** The first number that makes a slug free: one look at the index, however many records have the same name. */
function firstFree(db: Database, table: string, slug: string, id: number): number {
  const { ends } = db.get<{ ends: string | null }>(
    `select group_concat(substr(slug, ?)) as ends from ${table} where slug >= ? and slug < ? and slug <> '' and id <> ?`,
    slug.length + 2,
    `${slug}-1`,
    `${slug}-:`,
    id,
  )!;
  const taken = new Set(ends?.split(','));
  let number = 2;
  while (taken.has(String(number))) number += 1;
  return number;
}

/** The slug of a record that is written; undefined where it stays. Drafts of events have none until they are published. */
function slugFor(context: Context, resource: PostResource, columns: Columns, before: Row | undefined, id: number): string | undefined {
  const free = (slug: string) => freeSlug(context, resource.name, slug, id);
  const status = columns.status ?? before?.status;
  if (columns.slug) return free(String(columns.slug));
  if (before && before.status !== 'trash' && status === 'trash') return free(trashedSlug(before));
  if (before && before.status === 'trash' && status !== 'trash') return free(String(before.slug).replace(/__trashed(-\d+)?$/, ''));
  if (before && before.slug !== '') return undefined;
  if (resource.kind === 'event' && isUnpublished(status)) return '';
  return free(slugOf(String(columns[resource.label] ?? before?.[resource.label])) || String(id));
}

/** The columns that a create or an update writes. */
function written(context: Context, resource: PostResource, input: Input, before: Row | undefined, id = Number(before?.id)): Columns {
  const { asking, db } = context;
  const columns = { ...columnsOf(resource, input, asking), ...publication(input, before, asking) };
  if (resource.kind === 'event') Object.assign(columns, when(input, columns, before, asking));
  if (resource.kind === 'venue') Object.assign(columns, stateProvince(columns, before));
  // An empty description is no change: the reference keeps the old one.
  if (before && !asking.copying && resource.kind !== 'event' && columns.description === '') delete columns.description;
  if (!before && columns.website === '' && resource.kind === 'event') columns.website = null;
  if (input.image !== undefined) columns.image = imageId(db, input.image);
  const slug = slugFor(context, resource, columns, before, id);
  if (slug !== undefined) columns.slug = slug;
  if (asking.copying) Object.assign(columns, keptColumns(context, resource, input, id));
  columns.folded = foldedTexts(resource.search.map((name) => columns[name] ?? before?.[name]));
  return columns;
}

/** What a copy keeps besides its fields. */
function keptColumns(context: Context, resource: PostResource, input: Input, id: number): Columns {
  const dates = ['date', 'date_utc', 'modified', 'modified_utc'].filter((name) => isDateTime(input[name]));
  const others = ['generated', 'lineage'].filter((name) => input[name] !== undefined && name in resource.derived);
  const columns: Columns = Object.fromEntries([...dates, ...others].map((name) => [name, input[name] as string | number]));
  // A whole copy has its status as it is, whatever this clock says of its date.
  if (isDateTime(input.modified_utc) && input.status !== undefined) columns.status = String(input.status);
  return input.slug === undefined ? columns : { ...columns, slug: freeSlug(context, resource.name, String(input.slug), id) };
}

const isDateTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value);

/** What of an input is checked: a copy may also say that there is nothing. */
export const sent = (input: Input, asking: Context['asking']): Input =>
  asking.copying ? Object.fromEntries(Object.entries(input).filter(([, value]) => value !== '' && value !== 0)) : input;

/** The record that a new venue or organizer repeats: the same name and, where one is given, the same description. As in the reference. */
function duplicateOf({ db, asking }: Context, resource: PostResource, input: Input): Row | undefined {
  const columns = columnsOf(
    resource,
    { [resource.label]: input[resource.label], ...(input.description ? { description: input.description } : {}) },
    asking,
  );
  return db
    .all<Row>(
      `select * from ${resource.name} where fold(${resource.label}) = ? and status <> 'trash' order by id`,
      fold(String(columns[resource.label])),
    )
    .find((row) => columns.description === undefined || fold(String(row.description)) === fold(String(columns.description)));
}

/** A record that was written; of a new event what was written of it. */
interface Saved {
  id: number;
  event?: { columns: Columns & { id: number }; links: Links };
}

/** The columns of an event that nothing is written to. */
const unwritten: Row = Object.fromEntries(columnsIn(resources.events).map(([name, column]) => [name, column.default ?? null]));

/** The row that columns make. What is no Unicode comes back from SQLite as something else: such a row is read. */
const newRow = (db: Database, columns: Columns & { id: number }): Row =>
  Object.values(columns).some((value) => typeof value === 'string' && loneSurrogate.test(value))
    ? rowById(db, 'events', columns.id)!
    : { ...unwritten, ...columns };
const loneSurrogate = /\p{Surrogate}/u;

/** Makes a record, or finds the venue or organizer that it repeats and overwrites its details. */
export function savePost(context: Context, kind: PostKind, input: Input): Saved {
  const { db, asking } = context;
  const resource = resourceOf[kind];
  const duplicate = kind === 'event' || asking.copying ? undefined : duplicateOf(context, resource, input);
  if (duplicate) {
    overwrite(context, resource, input, duplicate);
    return { id: Number(duplicate.id) };
  }
  const id = nextId(db, 'posts', wantedId(context, input));
  const columns = written(context, resource, input, undefined, id);
  const whole = { id, author: asking.viewer.id, ...columns };
  insert(db, tableOf[kind], whole);
  if (kind !== 'event') return { id };
  const links = { venue: [], organizer: [], category: [], tag: [], ...linkEvent(context, id, input, true) };
  if (!asking.copying) recount(db, [], countedBy(db, id, columns.status, links));
  if (columns.sticky && columns.status === 'publish') publishLinked(context, id);
  return { id, event: { columns: whole, links } };
}

/** Gives a repeated venue or organizer the details of a new one: those that were sent, and the usual ones of switches and of what follows from others. */
function overwrite(context: Context, resource: PostResource, input: Input, row: Row): void {
  const {
    [resource.label]: _name,
    description: _description,
    status: _status,
    author: _author,
    date: _date,
    date_utc: _utc,
    ...details
  } = input;
  const columns = written(context, resource, details, row);
  for (const { name, column, wire } of resource.fields)
    if (column?.default === 1 && wire.type === 'string' && details[name] === undefined) columns[name] = 1;
  if (resource.kind === 'venue') Object.assign(columns, stateProvince(columns, undefined));
  change(context.db, resource.name, Number(row.id), columns);
}

/** An ID asked for by whoever copies a calendar, when it is free. */
function wantedId(context: Context, input: Input): number | undefined {
  const id = context.asking.copying ? Number(input.id) : 0;
  return id > 0 && !isPost(context, id) ? id : undefined;
}
