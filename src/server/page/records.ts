import { type Entry, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { listOf } from '../../model/fields/coerce.ts';
import type { TableRecords } from '../../model/web-page.ts';
import type { Call, Result } from '../http.ts';
import { allEntries } from './events.ts';

/** Returns the IDs of the records that the caller may not edit; true if they may edit none. */
function lockedOf({ service, viewer }: Call, resource: ResourceName, records: readonly Entry[]): TableRecords['locked'] {
  const isLocked = ({ id }: Entry) => !service.may(viewer, 'update', resource, { id: id as number });
  // Without users all records have the same permissions.
  const locked = service.hasUsers() ? records.filter(isLocked) : records[0] && isLocked(records[0]) ? records : [];
  return locked.length && locked.length === records.length ? true : locked.map(({ id }) => id as number);
}

/** Returns every record of a list, with the members in `members`: the same records that the API returns page by page. */
export async function pageRecords(call: Call): Promise<Result> {
  const { service, viewer, site, query, ref, request } = call;
  const name = (ref as { slug: string }).slug as ResourceName;
  if (!resourceNames.includes(name)) throw new Failure('rest_no_route', `No route for ${request.path}`);
  const { members, ...filters } = query;
  const records: Entry[] = [];
  for await (const entry of allEntries(service.calendar(viewer, site)[name], filters, new Set(['id', ...listOf(members).map(String)])))
    records.push(entry);
  const value: TableRecords = {
    records,
    canCreate: service.may(viewer, 'create', name, undefined),
    locked: lockedOf(call, name, records),
  };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, value };
}
