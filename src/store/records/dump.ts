import type { Entry, Input, Resource, ResourceName, Row } from '../../model/calendar.ts';
import type { ViewOptions } from '../../model/context.ts';
import { resources } from '../../model/resources/all.ts';
import { owner } from '../../model/viewer.ts';
import type { Database } from '../file/sql.ts';
import type { StoreContext } from './context.ts';
import { postEntries, termEntries } from './entries.ts';
import { linkTables } from './tables.ts';

/** The links of an event as the fields that write them. */
const linkFields = { venue: 'venue', organizer: 'organizer', categories: 'category', tags: 'tag' } as const;

/** Columns beyond the fields that an input carries, where the resource has them. */
const copied = ['slug', 'uid', 'modified', 'modified_utc', 'generated', 'lineage', 'sequence'];

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
function inputFrom(db: Database, resource: Resource, row: Row): Input {
  const input: Input = { id: row.id };
  for (const { name, column, links, restored } of resource.fields) {
    const value = row[name];
    if (!column || value === null || value === undefined || value === '' || (column.default !== undefined && value === column.default))
      continue;
    if (links === 'images') input[name] = db.get<{ url: string }>('select url from images where id = ?', value)?.url;
    else input[name] = restored(value);
  }
  for (const name of copied) if (row[name]) input[name] = row[name];
  return resource.kind === 'event' ? { ...input, ...linksOf(db, Number(row.id)) } : input;
}

/** One record as the input that makes it again; undefined when there is none. */
export function inputOf(db: Database, name: ResourceName, id: number): (Input & { id: number }) | undefined {
  const row = db.get<Row>(`select * from ${name} where id = ?`, id);
  return row && (inputFrom(db, resources[name], row) as Input & { id: number });
}

/** The ID of the record with exactly this slug or UID, or of the event with this lineage. */
export function idBy(db: Database, name: ResourceName, column: 'slug' | 'uid' | 'lineage', value: string): number | undefined {
  return value === '' ? undefined : db.get<{ id: number }>(`select id from ${name} where ${column} = ? and ${column} <> ''`, value)?.id;
}

const batch = 500;

/** Every record of a resource by ascending ID, trashed ones too, as the input that makes it again. Only a few hundred are held at a time. */
export function* inputs(db: Database, name: ResourceName): Generator<Input & { id: number }> {
  const resource: Resource = resources[name];
  for (let last = 0; ; ) {
    const rows = db.all<Row>(`select * from ${name} where id > ? order by id limit ${batch}`, last);
    for (const row of rows) yield inputFrom(db, resource, row) as Input & { id: number };
    if (rows.length < batch) return;
    last = Number(rows.at(-1)!.id);
  }
}

/** Every record of a resource as the API shows it to the owner, with its UID, by ascending ID, without the trash. Only a few hundred are held at a time. */
export function* entriesByBatch(context: StoreContext, name: ResourceName): Generator<Entry> {
  const resource: Resource = resources[name];
  const view: ViewOptions = {
    site: context.site,
    viewer: owner,
    single: false,
    editing: true,
    extensions: context.request.extensions,
    withUids: true,
  };
  const where = resource.family === 'post' ? "status not in ('trash', 'auto-draft') and" : '';
  for (let last = 0; ; ) {
    const rows = context.db.all<Row>(`select * from ${name} where ${where} id > ? order by id limit ${batch}`, last);
    yield* resource.family === 'post' ? postEntries(context, resource.kind, rows, view) : termEntries(context, resource.kind, rows);
    if (rows.length < batch) return;
    last = Number(rows.at(-1)!.id);
  }
}

/** One record as the API shows it to the owner, with its UID; undefined where there is none, and in the trash. */
export function entry(context: StoreContext, name: ResourceName, id: number): Entry | undefined {
  const resource: Resource = resources[name];
  const row = context.db.get<Row>(`select * from ${name} where id = ?`, id);
  if (!row || row.status === 'trash' || row.status === 'auto-draft') return undefined;
  const view: ViewOptions = {
    site: context.site,
    viewer: owner,
    single: false,
    editing: true,
    extensions: context.request.extensions,
    withUids: true,
  };
  return (resource.family === 'post' ? postEntries(context, resource.kind, [row], view) : termEntries(context, resource.kind, [row]))[0];
}
