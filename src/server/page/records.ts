import { type Calendar, type Entry, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { listOf } from '../../model/fields/coerce.ts';
import type { Query } from '../../model/fields/list.ts';
import { everyRecord } from '../../model/paging.ts';
import { linkedMembers, type TableRecords } from '../../model/web-page.ts';
import type { Call, Result } from '../http.ts';

/** Returns the IDs of the records that the caller may not edit; true if they may edit none. */
function lockedOf({ service, viewer }: Call, resource: ResourceName, records: readonly Entry[]): TableRecords['locked'] {
  const isLocked = ({ id }: Entry) => !service.may(viewer, 'update', resource, { id: id as number });
  // Without users all records have the same permissions.
  const locked = service.hasUsers() ? records.filter(isLocked) : records[0] && isLocked(records[0]) ? records : [];
  return locked.length && locked.length === records.length ? true : locked.map(({ id }) => id as number);
}

/** Returns the IDs of the hidden records that a list leaves out. */
async function hiddenOf(collection: Calendar[ResourceName], filters: Query): Promise<Set<number>> {
  const hidden = new Set<number>();
  if (!(await collection.countHidden?.(filters))) return hidden;
  const ids = new Set(['id']);
  for (const { id } of collection.listAll!(filters, ids, true)) hidden.add(id as number);
  for (const { id } of collection.listAll!(filters, ids)) hidden.delete(id as number);
  return hidden;
}

/** Yields the records of a list, and hidden ones. */
const entriesWith = (collection: Calendar[ResourceName], filters: Query, members: ReadonlySet<string>, hidden: ReadonlySet<number>) =>
  hidden.size ? collection.listAll!(filters, members, true) : everyRecord(collection, filters, { members });

/** Reduces linked records to the members that a table shows of them. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => linkedMembers.includes(name)));
}

const compactEntry = ({ id, ...rest }: Entry): Entry => ({
  id,
  ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, compact(value)])),
});

/**
 * Returns every record of a list, with the members in `members`: the same records that the API returns page by page, and the hidden ones that the caller may edit. Linked records are reduced to their names.
 */
export async function pageRecords(call: Call): Promise<Result> {
  const { service, viewer, site, query, ref, request } = call;
  const name = (ref as { slug: string }).slug as ResourceName;
  if (!resourceNames.includes(name)) throw new Failure('rest_no_route', `No route for ${request.path}`);
  const { members, ...filters } = query;
  const collection = service.calendar(viewer, site)[name];
  const all = await hiddenOf(collection, filters);
  const hidden = new Set([...all].filter((id) => service.may(viewer, 'update', name, { id })));
  const records: Entry[] = [];
  for await (const entry of entriesWith(collection, filters, new Set(['id', ...listOf(members).map(String)]), hidden))
    if (!all.has(entry.id as number) || hidden.has(entry.id as number)) records.push(compactEntry(entry));
  const value: TableRecords = {
    records,
    hidden: [...hidden],
    canCreate: service.may(viewer, 'create', name, undefined),
    locked: lockedOf(call, name, records),
  };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, value };
}
