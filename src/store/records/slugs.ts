import type { Columns, PostResource, Row } from '../../model/calendar.ts';
import type { TermKind } from '../../model/context.ts';
import { isUnpublished } from '../../model/resources/post.ts';
import { slugOf, uniqueSlug } from '../../model/slug.ts';
import type { Database } from '../file/sql.ts';
import { rowById } from './queries.ts';
import { tableOf } from './tables.ts';

/** Slugs up to this length are whole in front of any number. */
const mostWhole = 180;

/** A slug that no other record of a table has: the wanted one, else with the first free number behind it. An empty one stays empty. */
export function freeSlug(db: Database, table: string, slug: string, id: number): string {
  if (slug === '') return '';
  const taken = (candidate: string) =>
    db.get(`select 1 from ${table} where slug = ? and slug <> '' and id <> ?`, candidate, id) !== undefined;
  if (slug.length > mostWhole) return uniqueSlug(slug, taken);
  return taken(slug) ? `${slug}-${firstFree(db, table, slug, id)}` : slug;
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

/** The slug of a record that is written; undefined where it stays. Drafts of events have none until they are published. */
export function slugFor(db: Database, resource: PostResource, columns: Columns, before: Row | undefined, id: number): string | undefined {
  const free = (slug: string) => freeSlug(db, resource.name, slug, id);
  const status = columns.status ?? before?.status;
  if (columns.slug) return free(String(columns.slug));
  if (before && before.status !== 'trash' && status === 'trash') return trashedSlug(db, resource.name, before);
  if (before && before.status === 'trash' && status !== 'trash') return free(String(before.slug).replace(/__trashed(-\d+)?$/, ''));
  if (before && before.slug !== '') return undefined;
  if (resource.kind === 'event' && isUnpublished(status)) return '';
  return free(slugOf(String(columns[resource.label] ?? before?.[resource.label])) || String(id));
}

/** A slug that no other term of its kind has: below a parent with the parent's slug behind it first, then with a number. */
export function freeTermSlug(db: Database, kind: TermKind, slug: string, parent: number): string {
  const table = tableOf[kind];
  const taken = (candidate: string) => db.get(`select 1 from ${table} where slug = ?`, candidate) !== undefined;
  const above = parent ? rowById(db, table, parent) : undefined;
  return uniqueSlug(taken(slug) && above ? `${slug}-${above.slug}` : slug, taken);
}
