import { resourceNames } from '../../model/calendar.ts';
import type { Database } from '../file/sql.ts';
import { recountAll } from './counts.ts';
import { slugFreed } from './slugs.ts';
import { linkTables } from './tables.ts';

/** Takes every record away, or only those that were generated. Users and settings stay; IDs are not given again. */
export function clear(db: Database, only?: 'generated'): void {
  if (!only) for (const { table } of Object.values(linkTables)) db.run(`delete from ${table}`);
  for (const name of resourceNames) {
    if (name === 'events')
      db.run(`update events set post_parent = null${only ? ' where post_parent in (select id from events where generated)' : ''}`);
    if (name === 'categories' && only)
      db.run('update categories set parent = 0 where parent in (select id from categories where generated)');
    db.run(`delete from ${name}${only ? ' where generated' : ''}`);
  }
  if (!only) db.run('delete from images');
  slugFreed(db);
  recountAll(db);
}
