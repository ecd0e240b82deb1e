import { type Resource, resourceNames } from '../../model/calendar.ts';
import { resources } from '../../model/resources/all.ts';
import type { Database } from '../file/sql.ts';
import { recountAll } from './counts.ts';
import { remove } from './queries.ts';
import { links } from './tables.ts';

/** Deletes all records, or only generated ones. Users and settings stay; IDs are not used again. */
export function clear(db: Database, only?: 'generated'): void {
  if (!only) for (const { table } of links) db.run(`delete from ${table}`);
  for (const name of resourceNames) forgetReferences(db, resources[name], only);
  for (const name of resourceNames) {
    // Records that were cleared don't count as deleted when the calendar is synchronized.
    db.run(`delete from copies where resource = ? and local in (select id from ${name} where ${only ?? '1'})`, name);
    remove(db, name, only ?? '1');
  }
  if (!only) for (const table of ['copies', 'copying', 'conflicts', 'sites', 'coverage', 'upstream_forms']) db.run(`delete from ${table}`);
  if (!only) db.run('delete from images');
  recountAll(db);
}

/** Clears the columns that refer to records of the same resource. */
function forgetReferences(db: Database, { name, fields }: Resource, only?: 'generated'): void {
  for (const field of fields)
    if (field.column && field.links === name)
      db.run(
        `update ${name} set ${field.name} = ?${only ? ` where ${field.name} in (select id from ${name} where generated)` : ''}`,
        field.column.default ?? null,
      );
}
