import type { LinkKind } from '../model/asking.ts';
import type { Column } from '../model/field.ts';
import type { Resource } from '../model/resource.ts';
import { resources } from '../model/resources.ts';
import { reserved } from './context.ts';
import type { Sql } from './database.ts';

/** The version of the tables that this program writes, kept in `user_version`. */
export const schemaVersion = 1;

/** A link between events and records of another resource, as a table. */
export interface Link {
  table: string;
  column: string;
}
/** The tables that link events with the other four resources. */
export const linkTables = {
  venue: { table: 'event_venues', column: 'venue_id' },
  organizer: { table: 'event_organizers', column: 'organizer_id' },
  category: { table: 'event_categories', column: 'category_id' },
  tag: { table: 'event_tags', column: 'tag_id' },
} as const satisfies Record<LinkKind, Link>;

/** Every column of a resource's table but its ID: those of its fields, then the derived ones. */
export function columnsIn(resource: Resource): [name: string, column: Column][] {
  const stored = resource.fields.filter((field) => field.column).map((field): [string, Column] => [field.name, field.column!]);
  return [...stored, ...Object.entries(resource.derived)];
}

function columnSql([name, { type, default: value, references }]: [string, Column]): string {
  const initial = value === undefined ? '' : ` not null default ${typeof value === 'string' ? `'${value}'` : value}`;
  return `${name} ${type}${initial}${references ? ` references ${references}(id)` : ''}`;
}

const tables = (): string[] => [
  'create table settings (name text primary key, value text not null) without rowid',
  'create table users (id integer primary key, name text not null unique, role text not null, password text not null)',
  // What the last record of a sequence was given as its ID; events, venues and organizers share one, terms another.
  'create table sequences (name text primary key, last integer not null) without rowid',
  // Which records are copies of which records of another calendar, and how far a copying has got.
  "create table copies (site text not null, resource text not null, remote integer not null, local integer not null, modified text not null default '', primary key (site, resource, remote)) without rowid",
  'create table copying (site text primary key, state text not null) without rowid',
  'create table images (id integer primary key, url text not null unique)',
  ...Object.values(resources).map(
    (resource) => `create table ${resource.name} (id integer primary key, ${columnsIn(resource).map(columnSql).join(', ')})`,
  ),
  ...Object.entries(linkTables).map(([kind, { table, column }]) => {
    const target = Object.values(resources).find((resource) => resource.kind === kind)!.name;
    return `create table ${table} (event_id integer not null references events(id) on delete cascade, ${column} integer not null references ${target}(id) on delete cascade, position integer not null default 0, primary key (event_id, ${column})) without rowid`;
  }),
];

const indexes = (): string[] => [
  ...Object.values(resources).map(({ name }) => `create unique index ${name}_slug on ${name}(slug) where slug <> ''`),
  ...Object.values(linkTables).map(({ table, column }) => `create index ${table}_${column} on ${table}(${column}, event_id)`),
  'create index events_start on events(start_date, date, id)',
  "create index events_lineage on events(lineage) where lineage <> ''",
  'create index events_parent on events(post_parent) where post_parent is not null',
  'create index venues_date on venues(date, id)',
  'create index organizers_date on organizers(date, id)',
  'create index copies_local on copies(site, resource, local)',
  'create index categories_parent on categories(parent)',
];

/** Indexes of what is scheduled, so that finding the next of it does not look at all there is. Files of earlier versions get them too. */
const scheduled = Object.values(resources)
  .filter(({ family }) => family === 'post')
  .map(({ name }) => ({ index: `${name}_scheduled`, sql: `create index ${name}_scheduled on ${name}(date_utc) where status = 'future'` }));

/** Brings a database from an older version to {@link schemaVersion}; 0 is an empty one. */
export function migrate(db: Sql, from: number): void {
  if (from > 0) return;
  for (const sql of [...tables(), ...indexes()]) db.run(sql);
  for (const [name, last] of Object.entries(reserved)) db.run('insert into sequences (name, last) values (?, ?)', name, last);
}

/** Adds the columns that definitions have gained since the file was made, and indexes that it lacks. Most files lack nothing, which one query tells. */
export function addMissingColumns(db: Sql): void {
  const written = new Map(
    db.all<{ name: string; sql: string | null }>('select name, sql from sqlite_schema').map(({ name, sql }) => [name, sql]),
  );
  for (const resource of Object.values(resources)) {
    const columns = columnsIn(resource);
    const text = written.get(resource.name) ?? '';
    if (columns.every((column) => text.includes(`, ${columnSql(column)}`))) continue;
    const present = new Set(db.all<{ name: string }>(`pragma table_info(${resource.name})`).map(({ name }) => name));
    for (const column of columns) if (!present.has(column[0])) db.run(`alter table ${resource.name} add column ${columnSql(column)}`);
  }
  for (const { index, sql } of scheduled) if (!written.has(index)) db.run(sql);
}
