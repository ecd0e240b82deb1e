import type { Look } from '../model/post.ts';
import type { Entry, Input, Resource, ResourceName, Row } from '../model/resource.ts';
import { resources } from '../model/resources.ts';
import { owner } from '../model/viewer.ts';
import { type Context, tableOf } from './context.ts';
import type { Database } from './database.ts';
import { postEntries, termEntries } from './entries.ts';
import { linkTables } from './schema.ts';

/** The links of an event as the fields that write them. */
const linkFields = { venue: 'venue', organizer: 'organizer', categories: 'category', tags: 'tag' } as const;

/** Columns that say something of a record beyond its fields, where its resource has them. */
const kept = ['slug', 'modified', 'modified_utc', 'generated', 'lineage'];

function linksOf(db: Database, event: number): Input {
  const links: Input = {};
  for (const [field, kind] of Object.entries(linkFields)) {
    const { table, column } = linkTables[kind];
    const ids = db
      .all<{ id: number }>(`select ${column} as id from ${table} where event_id = ? order by position`, event)
      .map(({ id }) => id);
    if (ids.length) links[field] = ids;
  }
  return links;
}

/** A row as the input that makes it again: raw texts, linked records by ID, an image by its address, switches as true and false. Empty values are left out. */
function sourceOf(db: Database, resource: Resource, row: Row): Input {
  const source: Input = { id: row.id };
  for (const { name, column, wire } of resource.fields) {
    const value = row[name];
    if (!column || value === null || value === undefined || value === '' || (column.default !== undefined && value === column.default))
      continue;
    if (name === 'cost') source[name] = JSON.parse(String(value));
    else if (name === 'image') source[name] = db.get<{ url: string }>('select url from images where id = ?', value)?.url;
    else if (wire.type === 'boolean') source[name] = value === 1;
    else if (column.type === 'INTEGER' && wire.type === 'string') source[name] = value === 1 ? 'true' : 'false';
    else source[name] = value;
  }
  for (const name of kept) if (row[name]) source[name] = row[name];
  return resource.kind === 'event' ? { ...source, ...linksOf(db, Number(row.id)) } : source;
}

/** One record as the input that makes it again; undefined when there is none. */
export function source(db: Database, name: ResourceName, id: number): (Input & { id: number }) | undefined {
  const row = db.get<Row>(`select * from ${name} where id = ?`, id);
  return row && (sourceOf(db, resources[name], row) as Input & { id: number });
}

/** The ID of the record with exactly this slug, or of the event with this lineage. */
export function idBy(db: Database, name: ResourceName, column: 'slug' | 'lineage', value: string): number | undefined {
  return value === '' ? undefined : db.get<{ id: number }>(`select id from ${name} where ${column} = ? and ${column} <> ''`, value)?.id;
}

const batch = 500;

/** Every record of a resource by ascending ID, trashed ones too, as the input that makes it again. Only a few hundred are held at a time. */
export function* sources(db: Database, name: ResourceName): Generator<Input & { id: number }> {
  const resource: Resource = resources[name];
  for (let last = 0; ; ) {
    const rows = db.all<Row>(`select * from ${name} where id > ? order by id limit ${batch}`, last);
    for (const row of rows) yield sourceOf(db, resource, row) as Input & { id: number };
    if (rows.length < batch) return;
    last = Number(rows.at(-1)!.id);
  }
}

/** Every record of a resource as the API shows it to the owner, by ascending ID, without the trash. Only a few hundred are held at a time. */
export function* entriesByBatch(context: Context, name: ResourceName): Generator<Entry> {
  const resource: Resource = resources[name];
  const look: Look = { site: context.site, viewer: owner, single: false, editing: true };
  const where = resource.family === 'post' ? "status not in ('trash', 'auto-draft') and" : '';
  for (let last = 0; ; ) {
    const rows = context.db.all<Row>(`select * from ${name} where ${where} id > ? order by id limit ${batch}`, last);
    yield* resource.family === 'post' ? postEntries(context, resource.kind, rows, look) : termEntries(context, resource.kind, rows);
    if (rows.length < batch) return;
    last = Number(rows.at(-1)!.id);
  }
}

/** One record as the API shows it to the owner; undefined where there is none, and in the trash. */
export function entry(context: Context, name: ResourceName, id: number): Entry | undefined {
  const resource: Resource = resources[name];
  const row = context.db.get<Row>(`select * from ${name} where id = ?`, id);
  if (!row || row.status === 'trash' || row.status === 'auto-draft') return undefined;
  const look: Look = { site: context.site, viewer: owner, single: false, editing: true };
  return (resource.family === 'post' ? postEntries(context, resource.kind, [row], look) : termEntries(context, resource.kind, [row]))[0];
}

/** Takes every record away, or only those that were generated. Users and settings stay; IDs are not given again. */
export function clear(db: Database, only?: 'generated'): void {
  for (const { table } of Object.values(linkTables)) if (!only) db.run(`delete from ${table}`);
  for (const name of ['events', 'venues', 'organizers', 'categories', 'tags']) {
    if (name === 'events')
      db.run(`update events set post_parent = null${only ? ' where post_parent in (select id from events where generated)' : ''}`);
    if (name === 'categories' && only)
      db.run('update categories set parent = 0 where parent in (select id from categories where generated)');
    db.run(`delete from ${name}${only ? ' where generated' : ''}`);
  }
  if (!only) db.run('delete from images');
  recountAll(db);
}

/** Counts anew how many published events every term has. */
export function recountAll(db: Database): void {
  for (const kind of ['category', 'tag'] as const) {
    const { table, column } = linkTables[kind];
    const name = tableOf[kind];
    db.run(
      `update ${name} set count = (select count(*) from ${table} join events on events.id = event_id where ${column} = ${name}.id and status = 'publish')`,
    );
  }
}
