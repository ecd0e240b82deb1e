import type { ResourceName, Row } from '../../model/calendar.ts';
import { isDeepEqual } from '../../model/fields/coerce.ts';
import type { StoredRecord } from '../../model/operations/service.ts';
import { resources } from '../../model/resources/all.ts';
import type { Database } from '../sqlite/sql.ts';
import { countedBy, recount, recountAll } from './counts.ts';
import { forgetLookups } from './lookups.ts';
import { deleteRow, hasRow, rowById, updateRow } from './queries.ts';
import { linksFrom, linksTo } from './tables.ts';

/** The tables that link the records of a resource to others, with the columns of the record and of the other one. */
const linkTables = (name: ResourceName) => [
  ...linksFrom({ name }).map(({ table, from, to, target }) => ({ table, own: from, other: to, resource: target.name })),
  ...linksTo({ name }).map(({ table, from, to, owner }) => ({ table, own: to, other: from, resource: owner.name })),
];

/** A record with its links and children; undefined for a missing one. */
export function storedRecord(db: Database, resource: ResourceName, id: number): StoredRecord | undefined {
  const row = rowById(db, resource, id);
  if (!row) return undefined;
  const { label, isTree } = resources[resource] as { label: string; isTree?: boolean };
  return {
    resource,
    id,
    name: String(row[label]),
    row,
    links: linkTables(resource).map(({ table, own }) => ({ table, rows: db.all<Row>(`select * from ${table} where ${own} = ?`, id) })),
    children: isTree ? db.all<{ id: number }>(`select id from ${resource} where parent = ?`, id).map((child) => child.id) : [],
  };
}

/** Returns what only changes of the record itself change: not the counts of terms, nor the links that others have to it. */
const ownContent = ({ resource, row: { count: _, ...row }, links }: StoredRecord) => [
  row,
  links.slice(0, linksFrom({ name: resource }).length),
];

/** Puts back a record within a change, unless it is no longer as it was left, or another one has taken its slug. Returns whether it was put back. */
export function putBack(db: Database, before: StoredRecord, after: StoredRecord | undefined): boolean {
  const { resource, id, row, children } = before;
  const current = storedRecord(db, resource, id);
  if (!isDeepEqual(current && ownContent(current), after && ownContent(after))) return false;
  if (row.slug && db.get(`select 1 from ${resource} where slug = ? and slug <> '' and id <> ?`, row.slug, id)) return false;
  const counted = countedBy(db, resources[resource], id, current?.row.status);
  const changed = Object.entries(row).filter(([name, value]) => value !== current?.row[name]);
  if (current) updateRow(db, resource, id, Object.fromEntries(changed));
  else insertRow(db, resource, row);
  forgetLookups(db);
  for (const [at, { table, own, other, resource: others }] of linkTables(resource).entries()) {
    const rows = before.links[at]!.rows;
    if (at < linksFrom({ name: resource }).length) deleteRow(db, table, `${own} = ${id}`);
    for (const link of rows) if (hasRow(db, others, Number(link[other]))) insertRow(db, table, link);
  }
  for (const child of children) db.run(`update ${resource} set parent = ? where id = ? and parent = ?`, id, child, row.parent!);
  recount(db, counted, countedBy(db, resources[resource], id, row.status));
  recountAll(db, before);
  return true;
}

const insertRow = (db: Database, table: string, row: Row) =>
  db.run(
    `insert or ignore into ${table} (${Object.keys(row).join(', ')}) values (${Object.keys(row)
      .map(() => '?')
      .join(', ')})`,
    ...Object.values(row),
  );
