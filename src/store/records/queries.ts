import type { Columns, Resource, ResourceName, Row } from '../../model/calendar.ts';
import { invalidParams } from '../../model/error.ts';
import { quoted, toWholeNumber } from '../../model/fields/coerce.ts';
import { siteSlug } from '../../model/fields/sayings.ts';
import { slugOf } from '../../model/fields/slug.ts';
import { lettersOfKey } from '../../model/html/name-key.ts';
import { htmlNameKey } from '../../model/html/plain-text.ts';
import { maxId } from '../../model/record.ts';
import { resources } from '../../model/resources/all.ts';
import type { Database } from '../sqlite/sql.ts';
import { addToLookups, forgetLookups, lastId, setLastId } from './lookups.ts';
import { columnsIn } from './schema.ts';
import { namesIn, reserved } from './tables.ts';
import { fold, foldedName } from './where.ts';

export const rowById = (db: Database, table: string, id: number): Row | undefined => db.get<Row>(`select * from ${table} where id = ?`, id);

export const hasRow = (db: Database, table: string, id: number): boolean => db.get(`select 1 from ${table} where id = ?`, id) !== undefined;

/** Returns whether a record exists and is not in the trash. */
export const isPresent = (db: Database, table: ResourceName, id: number): boolean =>
  db.get(
    `select 1 from ${table} where id = ?${namesIn('post').includes(table) ? " and status not in ('trash', 'auto-draft')" : ''}`,
    id,
  ) !== undefined;

/** The row with a slug, ignoring case. Of the copies whose site shows one slug, of which all but one have another here, the first by ID, as WordPress finds it. */
export function rowBySlug(db: Database, table: string, text: string): Row | undefined {
  const slug = text === '' ? '' : slugOf(text);
  if (slug === '') return undefined;
  const row = db.get<Row>(`select * from ${table} where slug = ? and slug <> ''`, slug);
  if (row && siteSlug(row) === undefined) return row;
  const numbered = db.all<Row>(
    `select * from ${table} where slug >= ? and slug < ? and slug <> '' and extra <> '' order by id`,
    ...[`${slug}-1`, `${slug}-:`],
  );
  const shared = numbered.find((each) => siteSlug(each) === slug);
  return row && (!shared || Number(row.id) < Number(shared.id)) ? row : shared;
}

/**
 * Columns of the records with a name: of those that are written alike but for case and accents, else of those with the same {@link htmlNameKey}, by ID. The first use the
 * index `TABLE_name`, a single word has no other form.
 */
export function rowsNamed(db: Database, { name: table, label }: Resource, name: string, columns: string): Row[] {
  const alike = db.all<Row>(
    `select ${columns} from ${table} where ${foldedName} = ? and fold(${label}) = ? order by id`,
    fold(name),
    fold(name),
  );
  if (alike.length || /^[\p{L}\p{M}]+$/u.test(name)) return alike;
  const key = htmlNameKey(name);
  if (key === '') return [];
  return db.all<Row>(
    `select ${columns} from ${table} where instr(folded, ?) > 0 and name_key(${label}) = ? order by id`,
    lettersOfKey(key),
    key,
  );
}

/** A term's ID by slug, else by ID. A signed number is neither, although slugs are compared without punctuation. */
export function findTerm(db: Database, resource: ResourceName, ref: string | number): number | undefined {
  if (typeof ref === 'string' && /^\s*[+-][\s\d]*$/.test(ref)) return undefined;
  const slug = typeof ref === 'string' ? slugOf(ref) : '';
  const bySlug = slug && db.get<{ id: number }>(`select id from ${resource} where slug = ? and slug <> ''`, slug)?.id;
  if (bySlug) return bySlug;
  const id = toWholeNumber(ref);
  return id !== undefined && hasRow(db, resource, id) ? id : undefined;
}

const anyIn = (family: Resource['family']) =>
  namesIn(family)
    .map((table) => `select 1 from ${table} where id = ?1`)
    .join(' union all ');
const anyPost = anyIn('post');
const anyTerm = anyIn('term');

const anyAuthor = namesIn('post')
  .map((table) => `select 1 from ${table} where author = ?1`)
  .join(' union all ');

/** True if a record has an author with this ID. */
export const isAuthor = (db: Database, id: number): boolean => db.get(`select 1 from (${anyAuthor}) limit 1`, id) !== undefined;

const hasPostId = (db: Database, id: number): boolean => db.get(anyPost, id) !== undefined;

/** True if an ID belongs to a post, or to the site itself. */
export const isPostId = (db: Database, id: number): boolean => (id > 0 && id <= reserved.posts) || hasPostId(db, id);

const isTermId = (db: Database, id: number): boolean => db.get(anyTerm, id) !== undefined;

/**
 * The ID of a new record: the wanted one if it is free, else the next of its sequence. No record has an ID after the last of its sequence. Throws
 * `rest_invalid_param` for a wanted ID that is not from 1 to {@link maxId}.
 */
export function newId(db: Database, sequence: 'posts' | 'terms', wanted?: unknown): number {
  const last = lastId(db, sequence);
  const isTaken = sequence === 'posts' ? hasPostId : isTermId;
  const number = wanted === undefined ? 0 : toWholeNumber(wanted);
  if (number === undefined || number > maxId || (wanted !== undefined && number < 1))
    throw invalidParams({ id: { reason: `must be a whole number from 1 to ${maxId}, not ${quoted(wanted)}` } });
  if (number > 0 && number <= last && !isTaken(db, number)) return number;
  const id = number > last ? number : last + 1;
  setLastId(db, sequence, id);
  return id;
}

/** Inserts a row with all of its columns. */
export function insert(db: Database, { name }: { name: ResourceName }, columns: Columns): void {
  const { sql, names, defaults } = insertions[name];
  db.run(sql, ...names.map((column, i) => columns[column] ?? defaults[i]!));
  addToLookups(db, name, columns);
}

/** The statements that insert all columns, which SQLite compiles once. */
const insertions = Object.fromEntries(
  Object.values<Resource>(resources).map((resource) => {
    const columns = columnsIn(resource);
    const names = ['id', ...columns.map(([name]) => name)];
    const sql = `insert into ${resource.name} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
    return [resource.name, { sql, names, defaults: [null, ...columns.map(([, column]) => column.default ?? null)] }];
  }),
) as Record<ResourceName, { sql: string; names: string[]; defaults: (string | number | null)[] }>;

export function updateRow(db: Database, table: string, id: number, columns: Columns): void {
  const names = Object.keys(columns);
  if (names.length === 0) return;
  if ('slug' in columns || 'lineage' in columns) forgetLookups(db);
  db.run(`update ${table} set ${names.map((name) => `${name} = ?`).join(', ')} where id = ?`, ...Object.values(columns), id);
}

/** Sets the columns of a row that differ. Returns whether there are any. */
export function setColumns(db: Database, table: string, id: number, columns: Columns): boolean {
  const row = rowById(db, table, id) ?? {};
  const changed = Object.fromEntries(Object.entries(columns).filter(([name, value]) => row[name] !== value));
  updateRow(db, table, id, changed);
  return Object.keys(changed).length > 0;
}

/** Deletes one row by its ID, or those that match a condition. */
export function deleteRow(db: Database, table: string, which: number | string): void {
  forgetLookups(db);
  if (typeof which === 'number') db.run(`delete from ${table} where id = ?`, which);
  else db.run(`delete from ${table} where ${which}`);
}
