import { Failure } from '../model/error.ts';
import type { Arrangement, Query, Shown } from '../model/filter.ts';
import { check, type Entry, type Page, type Resource, type Row } from '../model/resource.ts';
import type { Context } from './context.ts';
import type { Database } from './database.ts';
import type { Param } from './sqlite.ts';
import { clauseOf, orderSql } from './where.ts';

/** The categories under some, themselves included. */
export const below = (db: Database, ids: number[]): number[] =>
  db
    .all<{ id: number }>(
      'with recursive under(id) as (select value from json_each(?) union select categories.id from categories join under on parent = under.id) select id from under',
      JSON.stringify(ids),
    )
    .map(({ id }) => id);

/** A text as it stands in a query, in the way of URLSearchParams; words and dates are most of them, and written at once. */
const encoded = (text: string): string =>
  /^[\w.*: -]*$/.test(text) ? text.replaceAll(' ', '+').replaceAll(':', '%3A') : new URLSearchParams([['', text]]).toString().slice(1);

/** The addresses of a page and of its neighbours. As in the reference. */
function addresses(base: string, shown: Shown[], page: number, pages: number, bare: boolean) {
  let own = '';
  let others = '';
  for (const [name, value, where] of shown) {
    const pair = `&${name}=${encoded(value)}`;
    if (where !== 'onward' && !bare) own += pair;
    if (where !== 'here' && name !== 'page') others += pair;
  }
  const address = (query: string) => (query === '' ? base : `${base}?${query.slice(1)}`);
  const at = (number: number) => address(number === 1 ? others : `${others}&page=${number}`);
  return {
    rest_url: address(own),
    ...(page < pages ? { next_rest_url: at(page + 1) } : {}),
    ...(page > 1 ? { previous_rest_url: at(page - 1) } : {}),
  };
}

/** What a query asks of a list, once it is checked. */
export function arrangementOf({ asking }: Context, resource: Resource, query: Query): Arrangement {
  check(resource.filters, query, asking);
  return resource.arrange(query, asking);
}

/** What stands around the records of a page: how many there are in all, and addresses. Fails past the last page, except of terms. */
export function outlineOf(
  { site }: Context,
  resource: Resource,
  { page, perPage, shown }: Arrangement,
  total: number,
): Omit<Page, 'entries'> {
  const total_pages = Math.ceil(total / perPage);
  if (resource.family === 'post' && page > 1 && page > total_pages)
    throw new Failure(`${resource.kind}-archive-page-not-found`, `there is no page ${page}: the last is ${Math.max(total_pages, 1)}`);
  return { total, total_pages, ...addresses(`${site.root}/${resource.name}/`, shown, page, total_pages, resource.family === 'term') };
}

/** An arrangement in SQL: what follows `select …` up to the order, and its parameters. */
export function clausesOf(db: Database, resource: Resource, { where }: Arrangement): { sql: string; params: Param[] } {
  const clauses = where.map((condition) => clauseOf(condition, resource, (ids) => below(db, ids)));
  return {
    sql: `from ${resource.name} where ${clauses.map((clause) => clause.sql).join(' and ') || '1'}`,
    params: clauses.flatMap((clause) => clause.params),
  };
}

/** The rows of a page, or some columns of them. */
export function rowsOf(
  db: Database,
  resource: Resource,
  { order, page, perPage }: Arrangement,
  clauses: { sql: string; params: Param[] },
  columns = '*',
): Row[] {
  const sql = `select ${columns} ${clauses.sql} order by ${orderSql(order, resource)} limit ? offset ?`;
  return db.all<Row>(sql, ...clauses.params, perPage, (page - 1) * perPage);
}

/** How many rows there are on all pages. */
export const totalOf = (db: Database, { sql, params }: { sql: string; params: Param[] }): number =>
  db.get<{ total: number }>(`select count(*) as total ${sql}`, ...params)!.total;

/**
 * One page of a list. A page past the last is empty for terms, and a failure for the others.
 * `entriesOf` shows rows as the API does.
 */
export function list(context: Context, resource: Resource, query: Query, entriesOf: (rows: Row[]) => Entry[]): Page {
  const arrangement = arrangementOf(context, resource, query);
  const clauses = clausesOf(context.db, resource, arrangement);
  const outline = outlineOf(context, resource, arrangement, totalOf(context.db, clauses));
  return { entries: entriesOf(rowsOf(context.db, resource, arrangement, clauses)), ...outline };
}
