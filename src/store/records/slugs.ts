import type { Columns, PostResource, ResourceName, Row } from '../../model/calendar.ts';
import { numberedSlug, slugOf } from '../../model/fields/slug.ts';
import { isUnpublished } from '../../model/resources/post.ts';
import type { Database } from '../sqlite/sql.ts';
import { forgetLookups, rowWith, takenNumbers } from './lookups.ts';
import { hasRow, rowById } from './queries.ts';

/** Slugs up to this length are never cut to fit a number. */
const maxUncutLength = 180;

/** A slug with the first free number from 2. `first` returns that number if none is cached. */
function numbered(db: Database, table: string, slug: string, isTaken: (candidate: string) => boolean, first?: () => number): string {
  const numbers = takenNumbers(db);
  const key = `${table} ${slug}`;
  let number = numbers.get(key) ?? 1;
  // The numbers may have been rolled back.
  if (number > 1 && !isTaken(numberedSlug(slug, number))) number = 1;
  if (number === 1 && first) number = first();
  else
    do number += 1;
    while (isTaken(numberedSlug(slug, number)));
  numbers.set(key, number);
  return numberedSlug(slug, number);
}

/** The wanted slug if it is free, else with the first free number. An empty one stays empty. */
export function freeSlug(db: Database, table: string, slug: string, id: number): string {
  if (slug === '') return '';
  const find = (candidate: string) => db.get<{ id: number }>(`select id from ${table} where slug = ? and slug <> ''`, candidate)?.id;
  const isTaken = (candidate: string) => (rowWith(db, table, ['slug'], candidate, () => find(candidate)) ?? id) !== id;
  if (!isTaken(slug)) return slug;
  // An existing record frees its current slug.
  const isNew = !hasRow(db, table, id);
  if (!isNew) forgetLookups(db);
  const free = numbered(db, table, slug, isTaken, slug.length > maxUncutLength ? undefined : () => firstFree(db, table, slug, id));
  if (!isNew) forgetLookups(db);
  return free;
}

/** The first free number from 2, with one index lookup. */
function firstFree(db: Database, table: string, slug: string, id: number): number {
  const { ends } = db.get<{ ends: string | null }>(
    `select group_concat(substr(slug, ?)) as ends from ${table} where slug >= ? and slug < ? and slug <> '' and id <> ?`,
    slug.length + 2,
    `${slug}-1`,
    `${slug}-:`,
    id,
  )!;
  const takenEnds = new Set(ends?.split(','));
  let number = 2;
  while (takenEnds.has(String(number))) number += 1;
  return number;
}

const trashed = '__trashed';

/** The slug of a record in the trash, which frees its own slug. */
export const trashedSlug = (db: Database, table: string, row: Row): string => freeSlug(db, table, `${row.slug}${trashed}`, Number(row.id));

/**
 * The slug of a written record; undefined if it doesn't change. Drafts of events have none until they are published. An empty slug is derived
 * from the name (`random.slug.given.*`).
 */
export function slugFor(db: Database, resource: PostResource, columns: Columns, before: Row | undefined, id: number): string | undefined {
  const free = (slug: string) => freeSlug(db, resource.name, slug, id);
  const status = columns.status ?? before?.status;
  if (columns.slug) return free(String(columns.slug));
  if (before && before.status !== 'trash' && status === 'trash') return trashedSlug(db, resource.name, before);
  if (before && before.status === 'trash' && status !== 'trash') return free(String(before.slug).replace(/__trashed(-\d+)?$/, ''));
  if (before && before.slug !== '' && columns.slug !== '') return undefined;
  if (!resource.isLinked && isUnpublished(status)) return '';
  return free(slugOf(String(columns[resource.label] ?? before?.[resource.label])) || String(id));
}

/** A free slug for a term: below a parent with the parent's slug appended, then with a number. */
export function freeTermSlug(db: Database, table: ResourceName, slug: string, parent: number): string {
  const isTaken = (candidate: string) => db.get(`select 1 from ${table} where slug = ? and slug <> ''`, candidate) !== undefined;
  if (!isTaken(slug)) return slug;
  const above = parent ? rowById(db, table, parent) : undefined;
  const combined = above ? `${slug}-${above.slug}` : slug;
  return above && !isTaken(combined) ? combined : numbered(db, table, combined, isTaken);
}
