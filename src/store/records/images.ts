import { isDeepStrictEqual } from 'node:util';
import type { Entry, PostResource, Row } from '../../model/calendar.ts';
import type { Site } from '../../model/context.ts';
import { isObject, wholeNumber } from '../../model/fields/coerce.ts';
import { type StoredImage, shownImage, type Upload, uploadPathIn } from '../../model/images/image.ts';
import { isPoster, shownPoster } from '../../model/images/poster-image.ts';
import type { Database } from '../file/sql.ts';

/** Returns an image by ID, or by the address under which it is stored. */
export function findImage(db: Database, ref: number | string): StoredImage | undefined {
  const row = db.get<{ id: number; url: string; upload: string | null }>(
    `select id, url, upload from images where ${typeof ref === 'number' ? 'id' : 'url'} = ?`,
    ref,
  );
  if (!row || row.upload === null) return row && { id: row.id, url: row.url };
  const facts = JSON.parse(row.upload);
  return { id: row.id, url: row.url, ...(row.url.startsWith('/') ? { upload: facts as Upload } : { siteFacts: facts }) };
}

/** Stores what a site shows of an image, if the calendar has it: its sizes, for example. */
export function describeImage(db: Database, image: unknown): void {
  if (!isObject(image) || typeof image.url !== 'string') return;
  const { url, id: _, ...facts } = image;
  const stored = findImage(db, url);
  if (!stored || isDeepStrictEqual(stored.siteFacts ?? { extension: facts.extension }, facts)) return;
  db.run('update images set upload = ? where id = ?', JSON.stringify(facts), stored.id);
}

/** Returns whether an image exists, by ID or URL. */
export const hasImage = (db: Database, ref: number | string): boolean => findImage(db, ref) !== undefined;

/** Returns the ID of an image by its ID or URL; null for none and for a poster. Adds a new URL without downloading it. */
export function imageId(db: Database, value: unknown): number | null {
  if (value === '' || value === null || value === undefined || isPoster(value)) return null;
  const id = wholeNumber(value);
  if (id !== undefined) return id;
  const url = String(value);
  const path = uploadPathIn(url);
  const image = (path === undefined ? undefined : findImage(db, path)) ?? findImage(db, url);
  return image?.id ?? db.insert('insert into images (url) values (?)', url);
}

/** Adds an uploaded image and returns its ID; that of the existing one if its path is known. */
export function addUpload(db: Database, path: string, upload: Upload): number {
  return findImage(db, path)?.id ?? db.insert('insert into images (url, upload) values (?, ?)', path, JSON.stringify(upload));
}

/** Returns the image of a record as responses show it; false for none. */
export function imageEntry(db: Database, site: Site, { name }: PostResource, row: Row): Entry | false {
  const image = row.image === null ? undefined : findImage(db, Number(row.image));
  if (image) return shownImage(site.home, image);
  return site.posters ? shownPoster(site.home, name, Number(row.id)) : false;
}
