import type { Asking, LinkKind, PostKind, TermKind } from '../model/asking.ts';
import type { Query } from '../model/filter.ts';
import type { Look, Site } from '../model/post.ts';
import type { Columns, Row } from '../model/resource.ts';
import { slugOf } from '../model/slug.ts';
import { wholeNumber } from '../model/value.ts';
import type { Database } from './database.ts';
import type { Rows } from './rows.ts';

/** What the actions of one request work with. */
export interface Context {
  db: Database;
  asking: Asking;
  site: Site;
  /** Rows that are kept in memory, where changes are watched. */
  rows?: Rows;
}

/** How this request looks at a record. */
export const lookOf = ({ asking, site }: Context, query: Query = {}, single = false): Look => ({
  site,
  viewer: asking.viewer,
  single,
  password: typeof query.password === 'string' ? query.password : undefined,
  editing: query.context === 'edit',
});

/** The table of each kind of record that shares the sequence of posts. */
export const tableOf: Record<PostKind | TermKind, string> = {
  event: 'events',
  venue: 'venues',
  organizer: 'organizers',
  category: 'categories',
  tag: 'tags',
};

/** The row of a record by its ID. */
export const rowById = (db: Database, table: string, id: number): Row | undefined => db.get<Row>(`select * from ${table} where id = ?`, id);

/** The row of a record that events are linked to; not to be changed. */
export const linkedRow = ({ db, rows }: Pick<Context, 'db' | 'rows'>, kind: LinkKind, id: number): Row | undefined =>
  rows ? rows.get(kind, id) : rowById(db, tableOf[kind], id);

/** The row of a record by its slug, in whatever case it is written. */
export const rowBySlug = (db: Database, table: string, slug: string): Row | undefined =>
  slug === '' ? undefined : db.get<Row>(`select * from ${table} where slug = ? and slug <> ''`, slugOf(slug));

/** How many IDs of each sequence the site itself takes: a fresh one has pages and terms that are no part of the calendar. */
export const reserved = { posts: 7, terms: 2 } as const;

/** The next ID of a sequence; a wanted one is given when no record has it yet. */
export function nextId(db: Database, sequence: 'posts' | 'terms', wanted?: number): number {
  const last = db.get<{ last: number }>('select last from sequences where name = ?', sequence)!.last;
  const id = wanted ?? last + 1;
  if (id > last) db.run('update sequences set last = ? where name = ?', id, sequence);
  return id;
}

/** Writes a new row. */
export function insert(db: Database, table: string, columns: Columns): void {
  const names = Object.keys(columns);
  db.run(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`, ...Object.values(columns));
}

/** Changes columns of a row. */
export function change(db: Database, table: string, id: number, columns: Columns): void {
  const names = Object.keys(columns);
  if (names.length)
    db.run(`update ${table} set ${names.map((name) => `${name} = ?`).join(', ')} where id = ?`, ...Object.values(columns), id);
}

/** A term's ID by slug, else by ID. */
export function findTerm(db: Database, kind: TermKind, ref: string | number): number | undefined {
  const bySlug = typeof ref === 'string' ? rowBySlug(db, tableOf[kind], ref) : undefined;
  const id = bySlug ? Number(bySlug.id) : wholeNumber(ref);
  if (id === undefined) return undefined;
  return bySlug || db.get(`select 1 from ${tableOf[kind]} where id = ?`, id) ? id : undefined;
}
