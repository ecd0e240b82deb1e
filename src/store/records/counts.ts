import { type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { sitePart } from '../../model/fields/sayings.ts';
import { resources } from '../../model/resources/all.ts';
import { utcOf } from '../../model/time/datetime.ts';
import { type Database, StorageError } from '../sqlite/sql.ts';
import { deleteRow, updateRow } from './queries.ts';
import { type Link, type LinkedIds, links, linksFrom, namesIn } from './tables.ts';

/** A term whose count includes a record. */
type Counted = readonly [link: Link, id: number];

const isCounted = ({ target }: Link) => target.family === 'term';

/** The terms whose `count` includes a record with this status: those it is linked to if it is published. Reads the links unless they are given. */
export function countedBy(db: Database, resource: Resource, id: number, status: unknown, linked?: LinkedIds): Counted[] {
  if (status !== 'publish') return [];
  return linksFrom(resource)
    .filter(isCounted)
    .flatMap((link) => (linked?.[link.name] ?? idsLinked(db, link, id)).map((term) => [link, term] as const));
}

/** The IDs of the records that a record is linked to, in order. */
export const idsLinked = (db: Database, { table, from, to }: Link, id: number): number[] =>
  db.all<{ id: number }>(`select ${to} as id from ${table} where ${from} = ? order by position`, id).map((row) => row.id);

/** Updates the counts of terms after a record that counted for some counts for others. */
export function recount(db: Database, before: readonly Counted[], after: readonly Counted[]): void {
  const without = (some: readonly Counted[], others: readonly Counted[]) =>
    some.filter(([link, id]) => !others.some((other) => other[0] === link && other[1] === id));
  for (const [{ target }, id] of without(after, before)) db.run(`update ${target.name} set count = count + 1 where id = ?`, id);
  for (const [{ target }, id] of without(before, after)) db.run(`update ${target.name} set count = count - 1 where id = ?`, id);
}

/** Recounts the published records that have each term, or one of them. */
export function recountAll(db: Database, only?: { resource: ResourceName; id: number }): void {
  for (const { table, from, to, owner, target } of links.filter(isCounted)) {
    if (only && only.resource !== target.name) continue;
    const count = `select count(*) from ${table} join ${owner.name} on ${owner.name}.id = ${from} where ${to} = ${target.name}.id and status = 'publish'`;
    db.run(`update ${target.name} set count = (${count}) + ${elsewhere}${only ? ' where id = ?' : ''}`, ...(only ? [only.id] : []));
  }
}

/** Events that the site of a term counts besides those that were copied, as a part of a query. */
const elsewhere = `coalesce(json_extract(nullif(extra, ''), '$.${sitePart}.elsewhere'), 0)`;

/** Number of events that the site of a term counts besides those that were copied. */
export const countElsewhere = (db: Database, name: ResourceName, id: number): number =>
  db.get<{ count: number }>(`select ${elsewhere} as count from ${name} where id = ?`, id)?.count ?? 0;

/** The scheduled records of a table, as a part of a query. */
const scheduled = (name: ResourceName, keepsCopies: boolean): string =>
  `${name} where status = 'future'${keepsCopies ? ` and not exists (select 1 from copies where resource = '${name}' and local = ${name}.id)` : ''}`;

/** Publishes scheduled records at their publication date. */
export class ScheduledEvents {
  readonly #db: Database;
  /** Publication date of the next scheduled record, in UTC; undefined for none. Valid for `#version`. */
  #next: string | undefined;
  #version = -1;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Publishes every record that is due at a time in epoch milliseconds, with `keepsCopies` except for copies of a site. Records wait while the disk fails. */
  publishDue(now: number, keepsCopies: boolean): void {
    try {
      if (this.#version !== this.#db.version) this.#findNext(keepsCopies);
      if (this.#next === undefined) return;
      const until = utcOf(now);
      if (this.#next > until) return;
      this.#db.change(() => {
        for (const name of namesIn('post')) this.#publish(name, until, keepsCopies);
      });
      this.#findNext(keepsCopies);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }

  #publish(name: ResourceName, until: string, keepsCopies: boolean): void {
    const due = this.#db.all<{ id: number }>(`select id from ${scheduled(name, keepsCopies)} and date_utc <= ?`, until);
    for (const { id } of due) {
      updateRow(this.#db, name, id, { status: 'publish' });
      recount(this.#db, [], countedBy(this.#db, resources[name], id, 'publish'));
    }
  }

  #findNext(keepsCopies: boolean): void {
    const first = namesIn('post')
      .map((name) => `select date_utc from ${scheduled(name, keepsCopies)}`)
      .join(' union all ');
    this.#next = this.#db.get<{ next: string | null }>(`select min(date_utc) as next from (${first})`)?.next ?? undefined;
    this.#version = this.#db.version;
  }
}

/** Deletes all records, or only generated ones. Users and settings stay; IDs are not used again. */
export function clear(db: Database, only?: 'generated'): void {
  if (!only) for (const { table } of links) db.run(`delete from ${table}`);
  for (const name of resourceNames) clearReferences(db, resources[name], only);
  for (const name of resourceNames) {
    // Records that were cleared don't count as deleted when the calendar is synchronized.
    db.run(`delete from copies where resource = ? and local in (select id from ${name} where ${only ?? '1'})`, name);
    deleteRow(db, name, only ?? '1');
  }
  if (!only) for (const table of ['copies', 'conflicts', 'sites', 'site_aliases', 'sending']) db.run(`delete from ${table}`);
  if (!only) db.run('delete from images');
  recountAll(db);
}

/** Clears the columns that refer to records of the same resource. */
function clearReferences(db: Database, { name, fields }: Resource, only?: 'generated'): void {
  for (const field of fields)
    if (field.stored.column && field.links === name)
      db.run(
        `update ${name} set ${field.name} = ?${only ? ` where ${field.name} in (select id from ${name} where generated)` : ''}`,
        field.stored.column.default ?? null,
      );
}
