import type { Resource } from '../../model/calendar.ts';
import type { Database } from '../file/sql.ts';
import { type Link, type LinkedIds, links, linksFrom } from './tables.ts';

/** A term whose count includes a record. */
type Counted = readonly [link: Link, id: number];

const isCounted = ({ target }: Link) => target.family === 'term';

/** Returns the terms whose `count` includes a record with this status: those it is linked to if it is published. Reads the links unless they are given. */
export function countedBy(db: Database, resource: Resource, id: number, status: unknown, linked?: LinkedIds): Counted[] {
  if (status !== 'publish') return [];
  return linksFrom(resource)
    .filter(isCounted)
    .flatMap((link) => (linked?.[link.name] ?? idsLinked(db, link, id)).map((term) => [link, term] as const));
}

/** Returns the IDs of the records that a record is linked to, in order. */
export const idsLinked = (db: Database, { table, from, to }: Link, id: number): number[] =>
  db.all<{ id: number }>(`select ${to} as id from ${table} where ${from} = ? order by position`, id).map((row) => row.id);

/** Updates the counts of terms after a record that counted for some counts for others. */
export function recount(db: Database, before: readonly Counted[], after: readonly Counted[]): void {
  const without = (some: readonly Counted[], others: readonly Counted[]) =>
    some.filter(([link, id]) => !others.some((other) => other[0] === link && other[1] === id));
  for (const [{ target }, id] of without(after, before)) db.run(`update ${target.name} set count = count + 1 where id = ?`, id);
  for (const [{ target }, id] of without(before, after)) db.run(`update ${target.name} set count = count - 1 where id = ?`, id);
}

/** Recounts the published records that have each term. */
export function recountAll(db: Database): void {
  for (const { table, from, to, owner, target } of links.filter(isCounted))
    db.run(
      `update ${target.name} set count = (select count(*) from ${table} join ${owner.name} on ${owner.name}.id = ${from} where ${to} = ${target.name}.id and status = 'publish')`,
    );
}
