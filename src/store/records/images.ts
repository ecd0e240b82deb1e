import type { Entry } from '../../model/calendar.ts';
import { wholeNumber } from '../../model/fields/coerce.ts';
import type { Database } from '../file/sql.ts';

/** Returns whether an image exists, by ID or URL. */
export const hasImage = (db: Database, ref: number | string): boolean =>
  db.get(`select 1 from images where ${typeof ref === 'number' ? 'id' : 'url'} = ?`, ref) !== undefined;

/** Returns the ID of an image by its ID or URL; null for none. Adds a new URL without downloading it. */
export function imageId(db: Database, value: unknown): number | null {
  if (value === '' || value === null || value === undefined) return null;
  const id = wholeNumber(value);
  if (id !== undefined) return id;
  const url = String(value);
  const known = db.get<{ id: number }>('select id from images where url = ?', url);
  if (known) return known.id;
  return db.run('insert into images (url) values (?)', url).lastId;
}

/** Returns an image as records show it, without what only its bytes could tell; false for none. */
export function imageEntry(db: Database, id: unknown): Entry | false {
  const image = id === null ? undefined : db.get<{ id: number; url: string }>('select id, url from images where id = ?', Number(id));
  if (!image) return false;
  return { url: image.url, id: image.id, extension: new URL(image.url).pathname.split('.').pop()!.toLowerCase() };
}
