import type { Resource } from '../../model/calendar.ts';
import type { LinkKind } from '../../model/context.ts';
import type { Condition, Order } from '../../model/fields/condition.ts';
import type { Row } from '../../model/record.ts';
import { isLocked, type Sight } from '../../model/redact.ts';
import { foldAccents } from '../../model/slug.ts';
import type { Param, SqlFunction } from '../file/sqlite.ts';
import { linkTables } from './tables.ts';

/** A test in SQL with the values for its question marks. */
export interface Clause {
  sql: string;
  params: Param[];
}

/** A text without regard to case and accents, as searches and sorting see it, in whole characters. */
export const fold = (text: string): string => foldAccents(text.toWellFormed()).toLowerCase();

/** The separator of a row's texts in its `folded` column. */
const between = '\u001f';

/** The texts of a row that searches look through, folded. */
export const foldedTexts = (texts: readonly unknown[]): string => texts.map((text) => fold(String(text ?? ''))).join(between);

/** The first of them in SQL, which is the name: what indexes of names hold. */
export const foldedName = 'substr(folded, 1, instr(folded, char(31)) - 1)';

const earthRadius = 6371;

/** The functions that SQL may call here. */
export const sqlFunctions: Record<string, SqlFunction> = {
  fold: (text) => fold(String(text ?? '')),
  /** 1 when one of the folded texts holds all words of a JSON list. */
  together: (folded, words) => {
    const all: string[] = JSON.parse(String(words));
    return String(folded)
      .split(between)
      .some((text) => all.every((word) => text.includes(word)))
      ? 1
      : 0;
  },
  /** 1 when the password of a record does not hide it from a sight, as JSON. */
  unlocked: (sight, post_password, author, status) =>
    isLocked({ post_password, author, status } as Row, JSON.parse(String(sight))) ? 0 : 1,
};

const comparisons = { equal: '=', before: '<', after: '>', from: '>=', until: '<=' } as const;
const list = (values: readonly unknown[]) => JSON.stringify(values);

/** A condition as SQL on the rows of a resource's table. `below` gives the categories under some, themselves included. */
export function clauseOf(condition: Condition, resource: Resource, below: (ids: number[]) => number[]): Clause {
  const table = resource.name;
  switch (condition.test) {
    case 'equal':
    case 'before':
    case 'after':
    case 'from':
    case 'until':
      return { sql: `${table}.${condition.column} ${comparisons[condition.test]} ?`, params: [condition.value] };
    case 'among':
      return { sql: `${table}.${condition.column} in (select value from json_each(?))`, params: [list(condition.values)] };
    case 'outside':
      return { sql: `${table}.${condition.column} not in (select value from json_each(?))`, params: [list(condition.values)] };
    case 'containing':
      return condition.sight ? withinSight(condition, condition.sight, resource) : containing(condition);
    case 'linked': {
      const { table: links, column } = linkTables[condition.to];
      const ids = condition.to === 'category' ? below(condition.ids) : condition.ids;
      return {
        sql: `events.id in (select event_id from ${links} where ${column} in (select value from json_each(?)))`,
        params: [list(ids)],
      };
    }
    case 'of': {
      const { table: links, column } = linkTables[resource.kind as LinkKind];
      return { sql: `${table}.id in (select ${column} from ${links} where event_id = ?)`, params: [condition.event] };
    }
    case 'eventful':
      return eventful(condition, resource);
    case 'located':
      return { sql: `${condition.is ? '' : 'not '}exists (select 1 ${venuesOfEvent} and geo_lat <> 0 and geo_lng <> 0)`, params: [] };
    case 'near':
      return near(condition);
  }
}

/** Words past which a search is one test of a list: SQLite takes no expression of a thousand parts. */
const fewWords = 100;

type Containing = Extract<Condition, { test: 'containing' }>;

/** Looks through all texts of a row that is open to a sight, and through the name or slug, which answers show all the same, of another. */
function withinSight(condition: Containing, sight: Sight, resource: Resource): Clause {
  const label = resource.fields.find(({ name }) => name === resource.label)!;
  const shown = label.redacted === undefined ? label.name : 'slug';
  const all = containing(condition);
  const some = containing(condition, `fold(${shown})`);
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
    : ['> 0', '= 0'].map((wanted) => `not exists (select 1 from json_each(?) where not instr(${text}, value) ${wanted})`);
  const params: Param[] = few ? [...folded, ...unwanted] : [list(folded), list(unwanted)];
  if (together && folded.length > 1) {
    tests.push(`together(${text}, ?)`);
    params.push(list(folded));
  }
  return { sql: tests.join(' and ') || '1', params };
}

function eventful({ is, statuses, from }: Extract<Condition, { test: 'eventful' }>, resource: Resource): Clause {
  const { table: links, column } = linkTables[resource.kind as LinkKind];
  const tests = [`${links}.${column} = ${resource.name}.id`];
  const params: Param[] = [];
  if (statuses) {
    tests.push('events.status in (select value from json_each(?))');
    params.push(list(statuses));
  }
  if (from) {
    tests.push('events.utc_start_date >= ?');
    params.push(from);
  }
  return {
    sql: `${is ? '' : 'not '}exists (select 1 from ${links} join events on events.id = event_id where ${tests.join(' and ')})`,
    params,
  };
}

const venuesOfEvent = `from event_venues join venues on venues.id = venue_id where event_id = events.id and venues.status <> 'trash'`;

/** Great-circle distance (haversine), in kilometres. */
function near({ latitude, longitude, radius }: Extract<Condition, { test: 'near' }>): Clause {
  const distance = `2 * ${earthRadius} * asin(min(1, sqrt(pow(sin(radians(geo_lat - ?) / 2), 2) + cos(radians(?)) * cos(radians(geo_lat)) * pow(sin(radians(geo_lng - ?) / 2), 2))))`;
  return {
    sql: `exists (select 1 ${venuesOfEvent} and (geo_lat <> 0 or geo_lng <> 0) and ${distance} <= ?)`,
    params: [latitude, latitude, longitude, radius],
  };
}

/** An order as SQL. */
export const orderSql = (order: readonly Order[], resource: Resource): string =>
  order
    .filter(({ column }) => column === 'id' || column in resource.derived || resource.fields.some((field) => field.name === column))
    .map(({ column, descending, folded, as }) => {
      const value = as ? `instr(',${as.join(',')},', ',' || ${column} || ',')` : folded ? `fold(${column})` : column;
      return `${value}${descending ? ' desc' : ''}`;
    })
    .join(', ');
