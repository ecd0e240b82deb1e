import { type Resource, resourceNames } from '../../model/calendar.ts';
import type { Column } from '../../model/fields/field.ts';
import { resources } from '../../model/resources/all.ts';
import type { FileKind, Sql } from '../sqlite/sql.ts';
import { links, reserved } from './tables.ts';
import { foldedName, sqlFunctions } from './where.ts';

/** The tables beside those of resources and links. */
const tables = [
  'settings (name text primary key, value text not null) without rowid',
  'users (id integer primary key, name text not null unique, role text not null, password text not null)',
  // The last ID of each sequence: events, venues and organizers share one, terms another.
  'sequences (name text primary key, last integer not null) without rowid',
  // The facts about uploaded images, and what other sites show of theirs, are JSON.
  'images (id integer primary key, url text not null unique, upload text)',
  // The values of records of tables when they were last imported, as hashes by field.
  'import_marks (resource text not null, mark text not null, local integer not null, imported text, primary key (resource, mark)) without rowid',
  'series (uid text primary key, rule text not null, start_date text not null, end_date text not null, timezone text not null, all_day integer not null default 0, expanded_from real not null, expanded_until real not null) without rowid',
  // Both forms of copied records when they last agreed. Long rows have row IDs: without, each that is longer than a quarter of a page takes another page.
  "copies (site text not null, resource text not null, remote integer not null, local integer not null, modified text not null default '', local_base text, remote_base text, refused text, withheld text not null default '', unique (site, resource, remote))",
  'conflicts (site text not null, resource text not null, remote integer not null, local integer not null, kind text not null, fields text not null, entry text, primary key (site, resource, remote)) without rowid',
  'sites (site text primary key, pulled text, pushed text, remote_changes integer not null default 0, namespace text, hides integer not null default 0, address text, told text, leftovers text, part text) without rowid',
  'site_aliases (alias text primary key, site text not null) without rowid',
  'sending (site text not null, resource text not null, local integer not null, after integer not null, form text not null, unique (site, resource, local))',
];

/** The format of the first release. Those before had numbers below it. */
const firstSchema = 9;

/**
 * The statements that bring a file of format 9, 10, 11… to the next one. Never change a released one. A new field needs none. A new resource needs its table with
 * `id integer primary key` and the tables of its links; columns and indexes are added automatically. A new file has the tables of today, so a change of
 * {@link tables} is made there and here.
 */
const migrations: readonly (readonly string[])[] = [];

/** Creates the tables of a new file. */
function create(db: Sql): void {
  const ofRecords = Object.values<Resource>(resources).map(
    (resource) => `${resource.name} (${['id integer primary key', ...columnsIn(resource).map(columnDefinition)].join(', ')})`,
  );
  const ofLinks = links.map(({ table, from, to, owner, target }) => {
    const column = (name: string, to: Resource) => `${name} integer not null references ${to.name}(id) on delete cascade`;
    return `${table} (${column(from, owner)}, ${column(to, target)}, position integer not null default 0, primary key (${from}, ${to})) without rowid`;
  });
  for (const table of [...tables, ...ofRecords, ...ofLinks]) db.run(`create table ${table}`);
  db.run('create index copies_local on copies(site, resource, local)');
  for (const [name, last] of Object.entries(reserved)) db.run('insert into sequences (name, last) values (?, ?)', name, last);
}

/** Creates the tables of a new file, whose version is 0, or runs the migrations that a file lacks. */
function migrate(db: Sql, from: number): void {
  if (from === 0) create(db);
  else for (const sql of migrations.slice(from - firstSchema).flat()) db.run(sql);
}

/** The columns of a resource's table except its ID: those of its fields, then the derived ones. */
export function columnsIn(resource: Resource): [name: string, column: Column][] {
  const stored = resource.fields
    .filter((field) => field.stored.column)
    .map((field): [string, Column] => [field.name, field.stored.column!]);
  return [...stored, ...Object.entries(resource.derived)];
}

function columnDefinition([name, { type, default: value, references }]: [string, Column]): string {
  const initial = value === undefined ? '' : ` not null default ${typeof value === 'string' ? `'${value}'` : value}`;
  return `${name} ${type}${initial}${references ? ` references ${references}(id)` : ''}`;
}

/** The indexes of resources and links, by name. */
const indexes: Record<string, string> = {
  // Counting a typical list of events reads only this index.
  events_listed: 'index events_listed on events(hide_from_listings, status, start_date, date, id, end_date, featured)',
  ...Object.assign({}, ...resourceNames.map((name) => indexesOf(resources[name]))),
  ...Object.fromEntries(links.map(({ table, from, to }) => [`${table}_${to}`, `index ${table}_${to} on ${table}(${to}, ${from})`])),
};

function indexesOf(resource: Resource): Record<string, string> {
  const { name, family } = resource;
  const isNamed = family === 'term' || resource.isLinked;
  return {
    [`${name}_slug`]: `unique index ${name}_slug on ${name}(slug) where slug <> ''`,
    ...(isNamed && { [`${name}_name`]: `index ${name}_name on ${name}(${foldedName})` }),
    ...(family === 'post' && {
      // To find the next scheduled record without reading all.
      [`${name}_scheduled`]: `index ${name}_scheduled on ${name}(date_utc) where status = 'future'`,
      [`${name}_uid`]: `index ${name}_uid on ${name}(uid)`,
    }),
    ...(family === 'post' && isNamed && { [`${name}_date`]: `index ${name}_date on ${name}(date, id)` }),
  };
}

/** Adds what a file of an earlier release lacks: columns of new fields and, for writers, indexes. */
function complete(db: Sql, mode: 'read' | 'write'): void {
  const existing = new Map(
    db.all<{ name: string; sql: string | null }>('select name, sql from sqlite_schema').map(({ name, sql }) => [name, sql]),
  );
  for (const resource of Object.values<Resource>(resources)) {
    const columns = columnsIn(resource);
    const text = existing.get(resource.name) ?? '';
    if (columns.every((column) => text.includes(`, ${columnDefinition(column)}`))) continue;
    const present = new Set(db.all<{ name: string }>(`pragma table_info(${resource.name})`).map(({ name }) => name));
    for (const column of columns)
      if (!present.has(column[0])) db.run(`alter table ${resource.name} add column ${columnDefinition(column)}`);
  }
  // Readers don't create indexes: that takes as long as a list without them.
  if (mode === 'write') for (const [name, index] of Object.entries(indexes)) if (!existing.has(name)) db.run(`create ${index}`);
}

export const calendarFile: FileKind = {
  noun: 'calendar',
  /** `cal1` in ASCII. */
  applicationId: 0x63616c31,
  schema: firstSchema + migrations.length,
  firstSchema,
  migrate,
  complete,
  functions: sqlFunctions,
  hints: {
    older:
      'Move its calendar: run `calendar export -o calendar.json` with that version, then `calendar import calendar.json` with this one.',
    locked: 'Wait until it finishes, increase --timeout, or stop that process.',
    damaged: 'Run `calendar db check` to see what is damaged, or restore a backup with `calendar db restore FILE`.',
    restore: 'Restore a backup with `calendar db restore FILE`.',
    repair: 'Restore a backup, or keep the changes before the damage with `calendar db repair`.',
    replaced:
      'Acknowledged changes are in memory and in the log. Put the file back, or save the current state with `calendar db backup FILE`.',
    removed: 'Put the file or its folder back, or stop the server and restore a backup.',
  },
};
