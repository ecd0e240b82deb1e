import type { Resource } from '../../model/calendar.ts';
import type { Column } from '../../model/fields/field.ts';
import { resources } from '../../model/resources/all.ts';
import type { Sql } from '../file/sql.ts';
import { addMissingUids } from '../identity/uids.ts';
import { links, reserved } from './tables.ts';
import { foldedName } from './where.ts';

/** The version of the tables that this program writes, kept in `user_version`. */
export const schemaVersion = 1;

/** Every column of a resource's table but its ID: those of its fields, then the derived ones. */
export function columnsIn(resource: Resource): [name: string, column: Column][] {
  const stored = resource.fields.filter((field) => field.column).map((field): [string, Column] => [field.name, field.column!]);
  return [...stored, ...Object.entries(resource.derived)];
}

function columnSql([name, { type, default: value, references }]: [string, Column]): string {
  const initial = value === undefined ? '' : ` not null default ${typeof value === 'string' ? `'${value}'` : value}`;
  return `${name} ${type}${initial}${references ? ` references ${references}(id)` : ''}`;
}

/** Which records were imported from files that give them no identity. */
const importMarks =
  'create table import_marks (resource text not null, mark text not null, local integer not null, primary key (resource, mark)) without rowid';

const tables = (): string[] => [
  'create table settings (name text primary key, value text not null) without rowid',
  'create table users (id integer primary key, name text not null unique, role text not null, password text not null)',
  // The last ID that was given out; events, venues and organizers share one sequence, terms another.
  'create table sequences (name text primary key, last integer not null) without rowid',
  // Which records are copies of which records of another calendar, and where an interrupted pull goes on.
  "create table copies (site text not null, resource text not null, remote integer not null, local integer not null, modified text not null default '', uid text not null default '', primary key (site, resource, remote)) without rowid",
  'create table copying (site text primary key, state text not null) without rowid',
  'create table images (id integer primary key, url text not null unique)',
  ...Object.values(resources).map(
    (resource) => `create table ${resource.name} (id integer primary key, ${columnsIn(resource).map(columnSql).join(', ')})`,
  ),
  ...links.map(
    ({ table, from, to, owner, target }) =>
      `create table ${table} (${from} integer not null references ${owner.name}(id) on delete cascade, ${to} integer not null references ${target.name}(id) on delete cascade, position integer not null default 0, primary key (${from}, ${to})) without rowid`,
  ),
];

const indexes = (): string[] => [
  ...Object.values(resources).map(({ name }) => `create unique index ${name}_slug on ${name}(slug) where slug <> ''`),
  ...links.map(({ table, from, to }) => `create index ${table}_${to} on ${table}(${to}, ${from})`),
  'create index events_start on events(start_date, date, id)',
  "create index events_lineage on events(lineage) where lineage <> ''",
  'create index events_parent on events(post_parent) where post_parent is not null',
  'create index venues_date on venues(date, id)',
  'create index organizers_date on organizers(date, id)',
  'create index copies_local on copies(site, resource, local)',
  'create index categories_parent on categories(parent)',
];

/** Indexes that files of earlier versions lack, by name. */
const laterIndexes = {
  // All that the usual lists ask of an event: a count reads no row at all, a page only those that it shows.
  events_listed: 'events(hide_from_listings, status, start_date, date, id, end_date, featured)',
  // To find the next scheduled record without looking at all.
  events_scheduled: "events(date_utc) where status = 'future'",
  venues_scheduled: "venues(date_utc) where status = 'future'",
  organizers_scheduled: "organizers(date_utc) where status = 'future'",
  // To find records by their UIDs, and those that have none.
  events_uid: 'events(uid)',
  venues_uid: 'venues(uid)',
  organizers_uid: 'organizers(uid)',
  // To find those of a name.
  ...Object.fromEntries(['venues', 'organizers', 'categories', 'tags'].map((name) => [`${name}_name`, `${name}(${foldedName})`])),
};

/** Brings a database from an older version to {@link schemaVersion}; 0 is an empty one. */
export function migrate(db: Sql, from: number): void {
  if (from > 0) return;
  for (const sql of [...tables(), ...indexes()]) db.run(sql);
  for (const [name, last] of Object.entries(reserved)) db.run('insert into sequences (name, last) values (?, ?)', name, last);
}

/** Adds columns, UIDs and the table of import marks that a file of an earlier version lacks, and for writers indexes. Most files lack nothing, which few queries tell. */
export function complete(db: Sql, mode: 'read' | 'write'): void {
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
  // A reader would make them anew at every opening, which takes as long as one list without them.
  if (mode === 'write')
    for (const [name, on] of Object.entries(laterIndexes)) if (!written.has(name)) db.run(`create index ${name} on ${on}`);
  if (!written.get('copies')?.includes(' uid ')) db.run("alter table copies add column uid text not null default ''");
  if (!written.has('import_marks')) db.run(importMarks);
  addMissingUids(db);
}
