import type { Resource } from '../../model/calendar.ts';
import { isLocked, type Sight } from '../../model/context.ts';
import { declaredPart } from '../../model/fields/extra.ts';
import type { Condition, Order } from '../../model/fields/list.ts';
import { foldAccents } from '../../model/fields/slug.ts';
import { htmlNameKey } from '../../model/html/plain-text.ts';
import { withoutBlockMarks } from '../../model/html/tokens.ts';
import { occurrenceOf } from '../../model/ical/occurrence.ts';
import type { Row } from '../../model/record.ts';
import type { Database } from '../sqlite/sql.ts';
import type { Param, SqlFunction } from '../sqlite/sqlite.ts';
import { type Link, linksFrom, linksTo } from './tables.ts';

/** A test in SQL with the values for its question marks. */
interface Clause {
  sql: string;
  params: Param[];
}

/** A text without case and accents, as searches and sorting compare it. */
export const fold = (text: string): string => foldAccents(text.toWellFormed()).toLowerCase();

/** Separator of the texts in the `folded` column. */
const between = '\u001f';

/** The searched texts of a row, folded. Marks of blocks are not searched. */
export const foldedTexts = (texts: readonly unknown[]): string =>
  texts.map((text) => fold(withoutBlockMarks(String(text ?? '')))).join(between);

/** SQL of the first folded text, which is the name. Used by indexes. */
export const foldedName = 'substr(folded, 1, instr(folded, char(31)) - 1)';

const earthRadius = 6371;

export const sqlFunctions: Record<string, SqlFunction> = {
  fold: (text) => fold(String(text ?? '')),
  name_key: htmlNameKey,
  series_of: (uid) => occurrenceOf(uid)?.series ?? null,
  /** 1 if one of the folded texts contains all words of a JSON list. */
  together: (folded, words) => {
    const all: string[] = JSON.parse(String(words));
    return String(folded)
      .split(between)
      .some((text) => all.every((word) => text.includes(word)))
      ? 1
      : 0;
  },
  /** 1 if the password of a record doesn't hide it from a sight, given as JSON. */
  unlocked: (sight, post_password, author, status) =>
    isLocked({ post_password, author, status } as Row, JSON.parse(String(sight))) ? 0 : 1,
};

const comparisons = { equal: '=', before: '<', after: '>', atLeast: '>=', atMost: '<=' } as const;
const list = (values: readonly unknown[]) => JSON.stringify(values);

/** The SQL of a column, or of the value of a declared field. */
function columnSql({ name: table, fields }: Resource, name: string): string {
  const field = fields.find((each) => each.name === name);
  if (!field?.isDeclared) return `${table}.${name}`;
  const { default: unset } = field.stored.column!;
  const value = `json_extract(nullif(${table}.extra, ''), '$.${declaredPart}.${name}')`;
  return unset === undefined ? value : `coalesce(${value}, ${typeof unset === 'string' ? `'${unset}'` : unset})`;
}

/** A condition as SQL on the rows of a resource's table. */
export function clauseOf(condition: Condition, resource: Resource, db: Database): Clause {
  const table = resource.name;
  switch (condition.test) {
    case 'equal':
    case 'before':
    case 'after':
    case 'atLeast':
    case 'atMost': {
      const column = columnSql(resource, condition.column);
      if (condition.test === 'equal' && condition.folded)
        return { sql: `fold(${column}) = ?`, params: [fold(String(condition.value ?? ''))] };
      return { sql: `${column} ${comparisons[condition.test]} ?`, params: [condition.value] };
    }
    case 'among': {
      const column = columnSql(resource, condition.column);
      if (condition.folded)
        return {
          sql: `fold(${column}) in (select value from json_each(?))`,
          params: [list(condition.values.map((value) => fold(String(value))))],
        };
      return { sql: `${column} in (select value from json_each(?))`, params: [list(condition.values)] };
    }
    case 'notIn':
      return { sql: `${table}.${condition.column} not in (select value from json_each(?))`, params: [list(condition.values)] };
    case 'containing':
      return condition.sight ? withinSight(condition, condition.sight, resource) : containing(condition);
    case 'linked': {
      const link = linkOf(resource, condition.by);
      const isTree = link.target.family === 'term' && link.target.isTree;
      return {
        sql: `${table}.id in (select ${link.from} from ${link.table} where ${link.to} in (select value from json_each(?)))`,
        params: [list(isTree ? below(db, link.target.name, condition.ids) : condition.ids)],
      };
    }
    case 'linkedFrom':
      return anyLink(
        linksTo(resource).filter(({ owner }) => owner.name === condition.resource),
        ({ table: links, from, to }) => ({ sql: `${table}.id in (select ${to} from ${links} where ${from} = ?)`, params: [condition.id] }),
      );
    case 'firstOfSeries':
      // It depends on all other conditions, so the list is reduced as a whole.
      return { sql: '1', params: [] };
    case 'hasEvents':
      return withEvents(condition, resource);
    case 'located':
      return {
        sql: `${condition.is ? '' : 'not '}exists (select 1 ${placesOf(resource, condition.by)} and geo_lat <> 0 and geo_lng <> 0)`,
        params: [],
      };
    case 'near':
      return near(condition, resource);
  }
}

const linkOf = (resource: Resource, field: string): Link => linksFrom(resource).find(({ name }) => name === field)!;

function anyLink(links: readonly Link[], clause: (link: Link) => Clause): Clause {
  const clauses = links.map(clause);
  return { sql: `(${clauses.map(({ sql }) => sql).join(' or ') || '0'})`, params: clauses.flatMap(({ params }) => params) };
}

/** The IDs of some terms and of all below them. */
const below = (db: Database, table: string, ids: readonly number[]): number[] =>
  db
    .all<{ id: number }>(
      `with recursive under(id) as (select value from json_each(?) union select ${table}.id from ${table} join under on parent = under.id) select id from under`,
      list(ids),
    )
    .map(({ id }) => id);

/** Maximum number of words that become separate conditions: SQLite limits expressions to 1000 parts. */
const fewWords = 100;

type Containing = Extract<Condition, { test: 'containing' }>;

/** Searches all texts of rows that are open to a viewer, and only the visible name or slug of protected ones. */
function withinSight(condition: Containing, sight: Sight, resource: Resource): Clause {
  const label = resource.fields.find(({ name }) => name === resource.label)!;
  const column = label.shown.redacted === undefined ? label.name : 'slug';
  const all = containing(condition);
  const some = containing(condition, `fold(${column})`);
  return {
    sql: `case when post_password = '' or unlocked(?, post_password, author, status) then ${all.sql} else ${some.sql} end`,
    params: [JSON.stringify(sight), ...all.params, ...some.params],
  };
}

function containing({ words, without, together }: Containing, text = 'folded'): Clause {
  const folded = words.map(fold);
  const unwanted = without.map(fold);
  const few = folded.length + unwanted.length <= fewWords;
  const tests = few
    ? [...folded.map(() => `instr(${text}, ?) > 0`), ...unwanted.map(() => `instr(${text}, ?) = 0`)]
    : ['> 0', '= 0'].map((comparison) => `not exists (select 1 from json_each(?) where not instr(${text}, value) ${comparison})`);
  const params: Param[] = few ? [...folded, ...unwanted] : [list(folded), list(unwanted)];
  if (together && folded.length > 1) {
    tests.push(`together(${text}, ?)`);
    params.push(list(folded));
  }
  return { sql: tests.join(' and ') || '1', params };
}

function withEvents({ is, statuses, from: start }: Extract<Condition, { test: 'hasEvents' }>, resource: Resource): Clause {
  const some = anyLink(linksTo(resource), ({ owner, table, from, to }) => ({
    sql: `exists (select 1 from ${table} join ${owner.name} on ${owner.name}.id = ${from} where ${table}.${to} = ${resource.name}.id and ${owner.name}.status in (select value from json_each(?))${start ? ` and ${owner.name}.utc_start_date >= ?` : ''})`,
    params: [list(statuses), ...(start ? [start] : [])],
  }));
  return { ...some, sql: `${is ? '' : 'not '}${some.sql}` };
}

/** The rows that a field links to, outside the trash. */
function placesOf(resource: Resource, field: string): string {
  const { table, from, to, target } = linkOf(resource, field);
  return `from ${table} join ${target.name} on ${target.name}.id = ${to} where ${from} = ${resource.name}.id and ${target.name}.status <> 'trash'`;
}

/** The great-circle distance (haversine), in kilometers. */
function near({ by, latitude, longitude, radiusKm }: Extract<Condition, { test: 'near' }>, resource: Resource): Clause {
  const distance = `2 * ${earthRadius} * asin(min(1, sqrt(pow(sin(radians(geo_lat - ?) / 2), 2) + cos(radians(?)) * cos(radians(geo_lat)) * pow(sin(radians(geo_lng - ?) / 2), 2))))`;
  return {
    sql: `exists (select 1 ${placesOf(resource, by)} and (geo_lat <> 0 or geo_lng <> 0) and ${distance} <= ?)`,
    params: [latitude, latitude, longitude, radiusKm],
  };
}

export const orderSql = (order: readonly Order[], resource: Resource): string =>
  order
    .filter(({ column }) => column === 'id' || column in resource.derived || resource.fields.some((field) => field.name === column))
    .map(({ column, descending, folded, as }) => {
      const value = as ? `instr(',${as.join(',')},', ',' || ${column} || ',')` : folded ? `fold(${column})` : column;
      return `${value}${descending ? ' desc' : ''}`;
    })
    .join(', ');
