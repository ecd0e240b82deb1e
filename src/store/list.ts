import { Failure } from '../model/error.ts';
import type { Query, Shown } from '../model/filter.ts';
import { check, type Entry, type Page, type Resource, type Row } from '../model/resource.ts';
import type { Context } from './context.ts';
import type { Database } from './database.ts';
import { clauseOf, orderSql } from './where.ts';

/** The categories under some, themselves included. */
const below = (db: Database, ids: number[]): number[] =>
  db
    .all<{ id: number }>(
      'with recursive under(id) as (select value from json_each(?) union select categories.id from categories join under on parent = under.id) select id from under',
      JSON.stringify(ids),
    )
    .map(({ id }) => id);

const queryOf = (shown: readonly Shown[]) => new URLSearchParams(shown.map(([name, value]): [string, string] => [name, value])).toString();

/** The addresses of a page and of its neighbours. behaviour.md, 2.4. */
function addresses(base: string, shown: Shown[], page: number, pages: number, bare: boolean) {
  const own = bare ? [] : shown.filter(([, , onward]) => !onward);
  const others = shown.filter(([name]) => name !== 'page');
  const address = (list: Shown[]) => (list.length ? `${base}?${queryOf(list)}` : base);
  const at = (number: number) => address(number === 1 ? others : [...others, ['page', String(number)]]);
  return {
    rest_url: address(own),
    ...(page < pages ? { next_rest_url: at(page + 1) } : {}),
    ...(page > 1 ? { previous_rest_url: at(page - 1) } : {}),
  };
}

/**
 * One page of a list. A page past the last is empty for terms, and a failure for the others.
 * `entriesOf` shows rows as the API does.
 */
export function list({ db, asking, site }: Context, resource: Resource, query: Query, entriesOf: (rows: Row[]) => Entry[]): Page {
  check(resource.filters, query, asking);
  const { where, order, page, perPage, shown } = resource.arrange(query, asking);
  const clauses = where.map((condition) => clauseOf(condition, resource, (ids) => below(db, ids)));
  const sql = `from ${resource.name} where ${clauses.map((clause) => clause.sql).join(' and ') || '1'}`;
  const params = clauses.flatMap((clause) => clause.params);
  const { total } = db.get<{ total: number }>(`select count(*) as total ${sql}`, ...params)!;
  const total_pages = Math.ceil(total / perPage);
  if (resource.family === 'post' && page > 1 && page > total_pages)
    throw new Failure(`${resource.kind}-archive-page-not-found`, `there is no page ${page}: the last is ${Math.max(total_pages, 1)}`);
  const rows = db.all<Row>(`select * ${sql} order by ${orderSql(order, resource)} limit ? offset ?`, ...params, perPage, (page - 1) * perPage);
  const entries = entriesOf(rows);
  return { entries, total, total_pages, ...addresses(`${site.root}/${resource.name}/`, shown, page, total_pages, resource.family === 'term') };
}
