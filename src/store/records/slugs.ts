import type { Columns, PostResource, ResourceName, Row } from '../../model/calendar.ts';
import { numberedSlug, slugOf } from '../../model/fields/slug.ts';
import { isUnpublished } from '../../model/resources/post.ts';
import type { Database } from '../file/sql.ts';
import { hasRow, rowById } from './queries.ts';
import { forgetSlugNumbers, takenNumbers } from './slug-numbers.ts';

/** Slugs up to this length are whole in front of any number. */
const maxUncutLength = 180;

/** The slug with the first number from 2 that makes it free. `first` finds that number where none is known. */
function numbered(db: Database, table: string, slug: string, taken: (candidate: string) => boolean, first?: () => number): string {
  const numbers = takenNumbers(db);
  const key = `${table} ${slug}`;
  let number = numbers.get(key) ?? 1;
  // What was written since may have been undone.
  if (number > 1 && !taken(numberedSlug(slug, number))) number = 1;
  if (number === 1 && first) number = first();
  else
    do number += 1;
    while (taken(numberedSlug(slug, number)));
  numbers.set(key, number);
  return numberedSlug(slug, number);
}

/** A slug that no other record of a table has: the wanted one, else with the first free number behind it. An empty one stays empty. */
export function freeSlug(db: Database, table: string, slug: string, id: number): string {
  if (slug === '') return '';
  // A record that is there already gives back the slug that it has.
  const isNew = !hasRow(db, table, id);
  if (!isNew) forgetSlugNumbers(db);
  const taken = (candidate: string) =>
    db.get(`select 1 from ${table} where slug = ? and slug <> '' and id <> ?`, candidate, id) !== undefined;
  if (!taken(slug)) return slug;
  const free = numbered(db, table, slug, taken, slug.length > maxUncutLength ? undefined : () => firstFree(db, table, slug, id));
  if (!isNew) forgetSlugNumbers(db);
  return free;
}

/** The first number from 2 that makes a slug free: one look at the index, however many records have the same name. */
function firstFree(db: Database, table: string, slug: string, id: number): number {
  const { ends } = db.get<{ ends: string | null }>(
    `select group_concat(substr(slug, ?)) as ends from ${table} where slug >= ? and slug < ? and slug <> '' and id <> ?`,
    slug.length + 2,
    `${slug}-1`,
    `${slug}-:`,
    id,
  )!;
  const taken = new Set(ends?.split(','));
  let number = 2;
  while (taken.has(String(number))) number += 1;
  return number;
}

const trashed = '__trashed';

/** The slug that a record has in the trash, which leaves its own to others. */
export const trashedSlug = (db: Database, table: string, row: Row): string => freeSlug(db, table, `${row.slug}${trashed}`, Number(row.id));

/**
 * The slug of a record that is written; undefined where it stays. Drafts of events have none until they are published. One of which nothing is left is
 * made of the name (`random.slug.given.*`).
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

/** A slug that no other term of its kind has: below a parent with the parent's slug behind it first, then with a number. */
export function freeTermSlug(db: Database, table: ResourceName, slug: string, parent: number): string {
  const taken = (candidate: string) => db.get(`select 1 from ${table} where slug = ?`, candidate) !== undefined;
  if (!taken(slug)) return slug;
  const above = parent ? rowById(db, table, parent) : undefined;
  const wanted = above ? `${slug}-${above.slug}` : slug;
  return above && !taken(wanted) ? wanted : numbered(db, table, wanted, taken);
}
