import type { TermKind } from '../../model/context.ts';
import type { Database } from '../file/sql.ts';
import { type EventLinkIds, linkTables, tableOf } from './tables.ts';

/** A term by kind and ID. */
type Term = [kind: TermKind, id: number];

const statements = {
  category: statementsOf('category'),
  tag: statementsOf('tag'),
};

function statementsOf(kind: TermKind) {
  const { table, column } = linkTables[kind];
  return {
    ofEvent: `select ${column} as id from ${table} where event_id = ?`,
    more: `update ${tableOf[kind]} set count = count + 1 where id = ?`,
    less: `update ${tableOf[kind]} set count = count - 1 where id = ?`,
    all: `update ${tableOf[kind]} set count = (select count(*) from ${table} join events on events.id = event_id where ${column} = ${tableOf[kind]}.id and status = 'publish')`,
  };
}

/** Terms whose `count` includes an event of this status: its own when it is published, else none. Reads the links unless they are given. */
export function countedBy(db: Database, event: number, status: unknown, links?: EventLinkIds): Term[] {
  if (status !== 'publish') return [];
  const of = (kind: TermKind): Term[] =>
    (links?.[kind] ?? db.all<{ id: number }>(statements[kind].ofEvent, event).map(({ id }) => id)).map((id) => [kind, id]);
  return [...of('category'), ...of('tag')];
}

/** Brings the counts of terms up to date after an event that counted for some counts for others. */
export function recount(db: Database, before: Term[], after: Term[]): void {
  const without = (some: Term[], others: Term[]) =>
    some.filter(([kind, id]) => !others.some(([otherKind, other]) => kind === otherKind && id === other));
  for (const [kind, id] of without(after, before)) db.run(statements[kind].more, id);
  for (const [kind, id] of without(before, after)) db.run(statements[kind].less, id);
}

/** Counts anew how many published events every term has. */
export function recountAll(db: Database): void {
  for (const { all } of Object.values(statements)) db.run(all);
}
