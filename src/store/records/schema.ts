import { type Resource, resourceNames } from '../../model/calendar.ts';
import type { Column } from '../../model/fields/field.ts';
import { resources } from '../../model/resources/all.ts';
import type { Sql } from '../file/sql.ts';
import { addMissingUids } from '../identity/uids.ts';
import { importMarks } from './migrations.ts';
import { links } from './tables.ts';
import { foldedName } from './where.ts';

/** Returns the columns of a resource's table except its ID: those of its fields, then the derived ones. */
export function columnsIn(resource: Resource): [name: string, column: Column][] {
  const stored = resource.fields.filter((field) => field.column).map((field): [string, Column] => [field.name, field.column!]);
  return [...stored, ...Object.entries(resource.derived)];
}

function columnSql([name, { type, default: value, references }]: [string, Column]): string {
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

/** Adds what a file of an earlier release lacks: columns of new fields, UIDs, import marks and, for writers, indexes. */
export function complete(db: Sql, mode: 'read' | 'write'): void {
  const existing = new Map(
    db.all<{ name: string; sql: string | null }>('select name, sql from sqlite_schema').map(({ name, sql }) => [name, sql]),
  );
  for (const resource of Object.values<Resource>(resources)) {
    const columns = columnsIn(resource);
    const text = existing.get(resource.name) ?? '';
    if (columns.every((column) => text.includes(`, ${columnSql(column)}`))) continue;
    const present = new Set(db.all<{ name: string }>(`pragma table_info(${resource.name})`).map(({ name }) => name));
    for (const column of columns) if (!present.has(column[0])) db.run(`alter table ${resource.name} add column ${columnSql(column)}`);
  }
  // Readers don't create indexes: that takes as long as a list without them.
  if (mode === 'write') for (const [name, index] of Object.entries(indexes)) if (!existing.has(name)) db.run(`create ${index}`);
  if (!existing.has('import_marks')) db.run(importMarks);
  addMissingUids(db);
}
