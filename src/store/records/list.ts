import type { Page, Resource, Row } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { LinkParameter, ListQuery } from '../../model/fields/list.ts';
import { listQueryOf, type Query } from '../../model/fields/list.ts';
import { wholeQuery } from '../../model/resources/all.ts';
import { check } from '../../model/validate.ts';
import type { Database } from '../sqlite/sql.ts';
import type { Param } from '../sqlite/sqlite.ts';
import type { StoreContext } from './context.ts';
import { clauseOf, orderSql } from './where.ts';

/** Throws past the last page, except for terms. */
function outlineOf(
  { site }: StoreContext,
  resource: Resource,
  { page, perPage, linkParameters }: ListQuery,
  total: number,
): Omit<Page, 'entries'> {
  const total_pages = Math.ceil(total / perPage);
  if (resource.family === 'post' && page > 1 && page > total_pages)
    throw new Failure(`${resource.kind}-archive-page-not-found`, `Page ${page} not found; the last page is ${Math.max(total_pages, 1)}`);
  return {
    total,
    total_pages,
    ...pageLinks(`${site.root}/${resource.name}/`, linkParameters, page, total_pages, resource.family === 'term'),
  };
}

function clausesOf(db: Database, resource: Resource, { where }: ListQuery): { sql: string; params: Param[] } {
  const clauses = where.map((condition) => clauseOf(condition, resource, db));
  const all = `from ${resource.name} where ${clauses.map((clause) => clause.sql).join(' and ') || '1'}`;
  const places = `select id, row_number() over (partition by coalesce(series_of(uid), id) order by utc_start_date, id) as place ${all}`;
  const isReduced = where.some(({ test }) => test === 'firstOfSeries');
  return {
    sql: isReduced ? `from ${resource.name} where id in (select id from (${places}) where place = 1)` : all,
    params: clauses.flatMap((clause) => clause.params),
  };
}

function rowsOf(
  db: Database,
  resource: Resource,
  { order, page, perPage }: ListQuery,
  clauses: { sql: string; params: Param[] },
  columns: string,
): Row[] {
  const sql = `select ${columns} ${clauses.sql} order by ${orderSql(order, resource)} limit ? offset ?`;
  return db.all<Row>(sql, ...clauses.params, perPage, (page - 1) * perPage);
}

const totalOf = (db: Database, { sql, params }: { sql: string; params: Param[] }): number =>
  db.get<{ total: number }>(`select count(*) as total ${sql}`, ...params)!.total;

/** The rows of a page, or some columns of them, and everything else that a page has. */
export function selectPage(
  context: StoreContext,
  resource: Resource,
  query: Query,
  columns = '*',
): Omit<Page, 'entries'> & { rows: Row[] } {
  check(resource.list.parameters, query, context.request);
  const listQuery = listQueryOf(resource.list, query, context.request);
  const clauses = clausesOf(context.db, resource, listQuery);
  const outline = outlineOf(context, resource, listQuery, totalOf(context.db, clauses));
  return { rows: rowsOf(context.db, resource, listQuery, clauses, columns), ...outline };
}

/** The resource without the rules of every list, such as the one that leaves out hidden events. */
const unruled = (resource: Resource): Resource => ({ ...resource, list: { ...resource.list, where: [] } });

/** The number of records that only a rule of every list leaves out. */
export function countHidden(context: StoreContext, resource: Resource, query: Query): number {
  const [all, listed] = [unruled(resource), resource].map((each) => {
    check(each.list.parameters, query, context.request);
    return totalOf(context.db, clausesOf(context.db, each, listQueryOf(each.list, query, context.request)));
  });
  return all! - listed!;
}

/** The IDs of the records that list filters select: of any date, of every status except the trash, and hidden ones, as far as the filters don't say otherwise. */
export function idsSelected(context: StoreContext, resource: Resource, filters: Query): number[] {
  const whole = wholeQuery(resource, filters);
  check(resource.list.parameters, whole, context.request);
  const { sql, params } = clausesOf(context.db, resource, listQueryOf(unruled(resource).list, whole, context.request));
  return context.db.all<{ id: number }>(`select id ${sql} order by id`, ...params).map(({ id }) => id);
}

const batchSize = 500;

/** Yields every row of a list in its order, from one query for all IDs. `withHidden` includes those that only a rule of every list leaves out. */
export function* rowsOfAll(context: StoreContext, resource: Resource, query: Query, withHidden: boolean): Generator<Row[]> {
  check(resource.list.parameters, query, context.request);
  const listQuery = listQueryOf((withHidden ? unruled(resource) : resource).list, query, context.request);
  const { sql, params } = clausesOf(context.db, resource, listQuery);
  const rows = context.db.all<{ id: number }>(`select id ${sql} order by ${orderSql(listQuery.order, resource)}`, ...params);
  for (let at = 0; at < rows.length; at += batchSize) {
    const ids = JSON.stringify(rows.slice(at, at + batchSize).map(({ id }) => id));
    yield context.db.all<Row>(
      `select ${resource.name}.* from json_each(?) cross join ${resource.name} on ${resource.name}.id = value order by json_each.key`,
      ids,
    );
  }
}

/** Encodes a text for a query like URLSearchParams, but faster for common texts. */
const encoded = (text: string): string =>
  /^[\w.*: -]*$/.test(text) ? text.replaceAll(' ', '+').replaceAll(':', '%3A') : new URLSearchParams([['', text]]).toString().slice(1);

/** The URLs of a page and its neighbors. With `bare`, the page's own URL has no query. */
function pageLinks(base: string, parameters: LinkParameter[], page: number, pages: number, bare: boolean) {
  let own = '';
  let others = '';
  for (const [name, value, where] of parameters) {
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
