import { createHash } from 'node:crypto';
import type { Input, PostResource } from '../../model/calendar.ts';
import { mayUseAnyHtml } from '../../model/viewer.ts';
import type { Sql } from '../file/sql.ts';
import type { StoreContext } from '../records/context.ts';
import { rowWith } from '../records/lookups.ts';
import { namesIn } from '../records/tables.ts';

/** The UID of a new record: the given one if it is unused and the viewer is an editor, else a new one. */
export function uidFor({ db, request }: StoreContext, { name }: PostResource, { uid }: Input): string {
  const isWanted = typeof uid === 'string' && /^[^\p{Cc}\p{Cs}]+$/u.test(uid) && mayUseAnyHtml(request.viewer);
  const find = () => db.get<{ id: number }>(`select id from ${name} where uid = ?`, String(uid))?.id;
  return isWanted && rowWith(db, name, ['uid'], uid, find) === undefined ? uid : request.newUid();
}

/**
 * Adds UIDs to records of earlier versions. They are derived from the whole content, so that a file opened for reading gets the same ones each time
 * and different files get different ones.
 */
export function addMissingUids(db: Sql): void {
  const tables = namesIn('post');
  const without = tables.map((table) => `exists (select 1 from ${table} where uid = '')`);
  if (!db.get<{ any: number }>(`select ${without.join(' or ')} as any`)!.any) return;
  const content = createHash('sha256');
  for (const table of tables)
    for (const row of db.all(`select id, slug, date_utc, modified_utc, folded from ${table} order by id`))
      content.update(JSON.stringify(row));
  const digest = content.digest('hex');
  for (const table of tables)
    for (const { id } of db.all<{ id: number }>(`select id from ${table} where uid = ''`))
      db.run(`update ${table} set uid = ? where id = ?`, uuidOf(`${digest}:${table}:${id}`), id);
}

/** A UUID derived from a text (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
