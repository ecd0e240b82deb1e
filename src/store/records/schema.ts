import { type Resource, resourceNames } from '../../model/calendar.ts';
import type { Column } from '../../model/fields/field.ts';
import { resources } from '../../model/resources/all.ts';
import type { FileKind } from '../file/format.ts';
import type { Sql } from '../file/sql.ts';
import { keySites } from '../identity/sites.ts';
import { addMissingUids } from '../identity/uids.ts';
import { links } from './tables.ts';
import { foldedName, sqlFunctions } from './where.ts';

/** Table of {@link ImportMarks}. The first files of version 1 lack it. */
const importMarks =
  'create table import_marks (resource text not null, mark text not null, local integer not null, primary key (resource, mark)) without rowid';

/**
 * The tables of version 1. Columns of fields that were added since are not in here: they are added to every file that lacks them.
 * The last ID of each sequence is in `sequences`: events, venues and organizers share one, terms another.
 */
const version1 = [
  'create table settings (name text primary key, value text not null) without rowid',
  'create table users (id integer primary key, name text not null unique, role text not null, password text not null)',
  'create table sequences (name text primary key, last integer not null) without rowid',
  "create table copies (site text not null, resource text not null, remote integer not null, local integer not null, modified text not null default '', uid text not null default '', primary key (site, resource, remote)) without rowid",
  'create table copying (site text primary key, state text not null) without rowid',
  'create table images (id integer primary key, url text not null unique)',
  "create table events (id integer primary key, author INTEGER not null default 1, date TEXT, date_utc TEXT, title TEXT not null default '', description TEXT not null default '', slug TEXT not null default '', excerpt TEXT not null default '', status TEXT not null default 'publish', timezone TEXT not null default '', all_day INTEGER not null default 0, start_date TEXT, end_date TEXT, image INTEGER references images(id), cost TEXT not null default '[]', website TEXT, show_map INTEGER not null default 0, show_map_link INTEGER not null default 0, hide_from_listings INTEGER not null default 0, sticky INTEGER not null default 0, featured INTEGER not null default 0, post_password TEXT not null default '', post_parent INTEGER references events(id), ticketed INTEGER not null default 0, modified TEXT, modified_utc TEXT, folded TEXT not null default '', generated INTEGER not null default 0, uid TEXT not null default '', utc_start_date TEXT, utc_end_date TEXT, lineage TEXT not null default '', sequence INTEGER not null default 0)",
  "create table venues (id integer primary key, author INTEGER not null default 1, date TEXT, date_utc TEXT, venue TEXT not null default '', description TEXT not null default '', status TEXT not null default 'publish', show_map INTEGER not null default 1, show_map_link INTEGER not null default 1, address TEXT not null default '', city TEXT not null default '', country TEXT not null default '', province TEXT not null default '', state TEXT not null default '', zip TEXT not null default '', phone TEXT not null default '', stateprovince TEXT not null default '', website TEXT not null default '', image INTEGER references images(id), post_password TEXT not null default '', geo_lat REAL not null default 0, geo_lng REAL not null default 0, modified TEXT, modified_utc TEXT, folded TEXT not null default '', generated INTEGER not null default 0, uid TEXT not null default '', slug TEXT)",
  "create table organizers (id integer primary key, author INTEGER not null default 1, date TEXT, date_utc TEXT, organizer TEXT not null default '', description TEXT not null default '', status TEXT not null default 'publish', phone TEXT not null default '', website TEXT not null default '', email TEXT not null default '', image INTEGER references images(id), post_password TEXT not null default '', modified TEXT, modified_utc TEXT, folded TEXT not null default '', generated INTEGER not null default 0, uid TEXT not null default '', slug TEXT)",
  "create table categories (id integer primary key, name TEXT not null default '', description TEXT not null default '', slug TEXT not null default '', parent INTEGER not null default 0, count INTEGER not null default 0, folded TEXT not null default '', generated INTEGER not null default 0)",
  "create table tags (id integer primary key, name TEXT not null default '', description TEXT not null default '', slug TEXT not null default '', count INTEGER not null default 0, folded TEXT not null default '', generated INTEGER not null default 0)",
  'create table event_categories (event_id integer not null references events(id) on delete cascade, category_id integer not null references categories(id) on delete cascade, position integer not null default 0, primary key (event_id, category_id)) without rowid',
  'create table event_tags (event_id integer not null references events(id) on delete cascade, tag_id integer not null references tags(id) on delete cascade, position integer not null default 0, primary key (event_id, tag_id)) without rowid',
  'create table event_venues (event_id integer not null references events(id) on delete cascade, venue_id integer not null references venues(id) on delete cascade, position integer not null default 0, primary key (event_id, venue_id)) without rowid',
  'create table event_organizers (event_id integer not null references events(id) on delete cascade, organizer_id integer not null references organizers(id) on delete cascade, position integer not null default 0, primary key (event_id, organizer_id)) without rowid',
  "create unique index events_slug on events(slug) where slug <> ''",
  "create unique index venues_slug on venues(slug) where slug <> ''",
  "create unique index organizers_slug on organizers(slug) where slug <> ''",
  "create unique index categories_slug on categories(slug) where slug <> ''",
  "create unique index tags_slug on tags(slug) where slug <> ''",
  'create index event_categories_category_id on event_categories(category_id, event_id)',
  'create index event_tags_tag_id on event_tags(tag_id, event_id)',
  'create index event_venues_venue_id on event_venues(venue_id, event_id)',
  'create index event_organizers_organizer_id on event_organizers(organizer_id, event_id)',
  'create index events_start on events(start_date, date, id)',
  "create index events_lineage on events(lineage) where lineage <> ''",
  'create index events_parent on events(post_parent) where post_parent is not null',
  'create index venues_date on venues(date, id)',
  'create index organizers_date on organizers(date, id)',
  'create index copies_local on copies(site, resource, local)',
  'create index categories_parent on categories(parent)',
  'create index events_listed on events(hide_from_listings, status, start_date, date, id, end_date, featured)',
  "create index events_scheduled on events(date_utc) where status = 'future'",
  "create index venues_scheduled on venues(date_utc) where status = 'future'",
  "create index organizers_scheduled on organizers(date_utc) where status = 'future'",
  'create index events_uid on events(uid)',
  'create index venues_uid on venues(uid)',
  'create index organizers_uid on organizers(uid)',
  'create index venues_name on venues(substr(folded, 1, instr(folded, char(31)) - 1))',
  'create index organizers_name on organizers(substr(folded, 1, instr(folded, char(31)) - 1))',
  'create index categories_name on categories(substr(folded, 1, instr(folded, char(31)) - 1))',
  'create index tags_name on tags(substr(folded, 1, instr(folded, char(31)) - 1))',
  importMarks,
  "insert into sequences (name, last) values ('posts', 7)",
  "insert into sequences (name, last) values ('terms', 2)",
];

/** Both forms of copied records when they last agreed, conflicts, and the last pull and push of each site. */
const version2 = [
  'alter table copies add column local_base text',
  'alter table copies add column remote_base text',
  'create table conflicts (site text not null, resource text not null, remote integer not null, local integer not null, kind text not null, fields text not null, entry text, primary key (site, resource, remote)) without rowid',
  'create table sites (site text primary key, pulled text, pushed text, remote_changes integer not null default 0) without rowid',
];

/** The rules of recurring events. */
const version3 = [
  'create table series (uid text primary key, rule text not null, start_date text not null, end_date text not null, timezone text not null, all_day integer not null default 0, expanded_from real not null, expanded_until real not null) without rowid',
];

/** The live site whose copy a file is, what of it the copy covers, and how its responses differ from those of this program. */
const version4 = [
  'create table upstream (site text primary key, namespace text not null) without rowid',
  'create table coverage (resource text not null, viewer text not null, statuses text not null, start text not null, until text not null, as_of text not null, has_singles integer not null default 0, primary key (resource, viewer, statuses, start, until)) without rowid',
  'create table upstream_forms (resource text not null, id integer not null, form text not null, patch text not null, as_of text not null, primary key (resource, id, form)) without rowid',
];

/** The facts about uploaded images, and what other sites show of theirs, as JSON. */
const version5 = ['alter table images add column upload text'];

/** Long rows in tables with row IDs: without, each row that is longer than a quarter of a page takes another page. */
const version6 = [
  'drop index if exists copies_local',
  'alter table copies rename to copies_before',
  "create table copies (site text not null, resource text not null, remote integer not null, local integer not null, modified text not null default '', uid text not null default '', local_base text, remote_base text, unique (site, resource, remote))",
  'insert into copies select site, resource, remote, local, modified, uid, local_base, remote_base from copies_before',
  'drop table copies_before',
  'create index copies_local on copies(site, resource, local)',
  'alter table upstream_forms rename to upstream_forms_before',
  'create table upstream_forms (resource text not null, id integer not null, form text not null, patch text not null, as_of text not null, unique (resource, id, form))',
  'insert into upstream_forms select * from upstream_forms_before',
  'drop table upstream_forms_before',
];

/** The values of records of tables when they were last imported, as hashes by field. */
const version7 = ['alter table import_marks add column imported text'];

/** Sites by host and path, other names of them, what a site did not accept or does not show, and records that are being sent. */
const version8 = [
  'alter table copies drop column uid',
  'alter table copies add column refused text',
  "alter table copies add column withheld text not null default ''",
  'alter table sites add column namespace text',
  'alter table sites add column hides integer not null default 0',
  `insert into sites (site, namespace, hides) select site, namespace, exists (select 1 from coverage where viewer = 'user') from upstream where true
   on conflict (site) do update set namespace = excluded.namespace, hides = excluded.hides`,
  'create table site_aliases (alias text primary key, site text not null) without rowid',
  'create table sending (site text not null, resource text not null, local integer not null, after integer not null, form text not null, unique (site, resource, local))',
  ...['copying', 'coverage', 'upstream_forms', 'upstream'].map((table) => `drop table ${table}`),
];

/** Where the API of a site was found, notes about it that were printed, what the last whole pull or push left, and the last one of some resources since. */
const version9 = ['address', 'told', 'leftovers', 'part'].map((column) => `alter table sites add column ${column} text`);

/**
 * The statements that migrate a file to version 1, 2, 3… Never change a released one. A new field needs none. A new resource needs its table with `id
 * integer primary key` and the tables of its links; columns and indexes are added automatically.
 */
export const migrations: readonly (readonly string[])[] = [
  version1,
  version2,
  version3,
  version4,
  version5,
  version6,
  version7,
  version8,
  version9,
];

/** Runs the migrations that a file of a version lacks; 0 is an empty file. */
function migrate(db: Sql, from: number): void {
  const uids = "select 1 from pragma_table_info('copies') where name = 'uid'";
  // The first files of version 1 lack both.
  if (from > 0 && from < 6 && !db.all(uids).length) db.run("alter table copies add column uid text not null default ''");
  if (from > 0 && from < 7 && !db.all("select 1 from sqlite_schema where name = 'import_marks'").length) db.run(importMarks);
  for (const sql of migrations.slice(from).flat()) db.run(sql);
  if (from > 0 && from < 8) keySites(db);
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

/** The indexes of resources and links, by name. Files of version 1 have most of them. */
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

/** Adds what a file of an earlier release lacks: columns of new fields, UIDs and, for writers, indexes. */
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
  addMissingUids(db);
}

export const calendarFile: FileKind = {
  noun: 'calendar',
  /** `cal1` in ASCII. */
  applicationId: 0x63616c31,
  schema: migrations.length,
  migrate,
  complete,
  functions: sqlFunctions,
  hints: {
    locked: 'Wait until it finishes, increase --timeout, or stop that process.',
    damaged: 'Run `calendar db check` to see what is damaged, or restore a backup with `calendar db restore FILE`.',
    restore: 'Restore a backup with `calendar db restore FILE`.',
    repair: 'Restore a backup, or keep the changes before the damage with `calendar db repair`.',
    replaced:
      'Acknowledged changes are in memory and in the log. Put the file back, or save the current state with `calendar db backup FILE`.',
    removed: 'Put the file or its folder back, or stop the server and restore a backup.',
  },
};
