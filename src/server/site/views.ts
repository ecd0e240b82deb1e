import { type Calendar, type Entry, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { Failure, invalidParams } from '../../model/error.ts';
import { listOf } from '../../model/fields/coerce.ts';
import type { Query } from '../../model/fields/list.ts';
import { utf8Text } from '../../model/formats/bytes.ts';
import { rawText } from '../../model/formats/remote-record.ts';
import { decodeEntities } from '../../model/html/plain-text.ts';
import { stripMarkup } from '../../model/html/tokens.ts';
import { everyRecord } from '../../model/paging.ts';
import { routes } from '../../model/routes.ts';
import { parseLine } from '../../model/time/typed/event-line.ts';
import { readMoment } from '../../model/time/typed/typed-date.ts';
import {
  type CompactEvent,
  type CompactEvents,
  type CompactVenue,
  linkedMembers,
  type TableRecords,
  type TypedText,
} from '../../model/web-page.ts';
import { runAction } from '../actions.ts';
import { type Call, joinPieces, type Result } from '../http.ts';

const members = new Set(
  'id url title status start_date end_date utc_start_date utc_end_date timezone all_day featured cost categories venue city'.split(' '),
);

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

const linked = (value: unknown): Entry[] => (Array.isArray(value) ? value : value ? [value] : []) as Entry[];

function compactEvent(event: Entry): CompactEvent {
  const { url, all_day, featured, cost, categories, venue, ...rest } = event as Entry & Record<string, unknown>;
  const ids = (records: Entry[]) => (records.length ? records.map(({ id }) => id as number) : undefined);
  return {
    ...(rest as unknown as Pick<
      CompactEvent,
      'id' | 'title' | 'status' | 'start_date' | 'end_date' | 'utc_start_date' | 'utc_end_date' | 'timezone'
    >),
    path: pathOf(String(url)),
    all_day: all_day === true ? true : undefined,
    featured: featured === true ? true : undefined,
    cost: cost ? String(cost) : undefined,
    categories: ids(linked(categories)),
    venues: ids(linked(venue)),
  };
}

/** Every event of a list in the compactEvent form of the page's views: the same events that `GET /events` returns page by page. */
export async function pageEvents({ service, viewer, site, query }: Call): Promise<Result> {
  const venues = new Map<number, CompactVenue>();
  const events: CompactEvent[] = [];
  for await (const entry of everyRecord(service.calendar(viewer, site).events, query, { members })) {
    events.push(compactEvent(entry));
    for (const { id, venue, city } of linked(entry.venue) as unknown as CompactVenue[])
      venues.set(id, { id, venue, city: city || undefined });
  }
  const value: CompactEvents = { events, venues: [...venues.values()], canCreate: service.may(viewer, 'create', 'events', undefined) };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, value };
}

/** The IDs of the records that the caller may not edit; true if they may edit none. */
function lockedOf({ service, viewer }: Call, resource: ResourceName, records: readonly Entry[]): TableRecords['locked'] {
  const isLocked = ({ id }: Entry) => !service.may(viewer, 'update', resource, { id: id as number });
  // Without users all records have the same permissions.
  const locked = service.hasUsers() ? records.filter(isLocked) : records[0] && isLocked(records[0]) ? records : [];
  return locked.length && locked.length === records.length ? true : locked.map(({ id }) => id as number);
}

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

/** A query of those who may list published records only. Undefined if it asks for none of these. */
function withVisibleStatus({ status, ...query }: Query): Query | undefined {
  return status === undefined || listOf(status).includes('publish') ? query : undefined;
}

/**
 * Every record of a list, with the members in `members`: the same records that the API returns page by page, and the hidden ones that the caller may edit. Linked records are reduced to their names.
 */
export async function pageRecords(call: Call): Promise<Result> {
  const { service, viewer, site, query, ref, request } = call;
  const name = (ref as { slug: string }).slug as ResourceName;
  if (!resourceNames.includes(name)) throw new Failure('rest_no_route', `No route for ${request.path}`);
  const { members, ...requested } = query;
  const collection = service.calendar(viewer, site)[name];
  const canCreate = service.may(viewer, 'create', name, undefined);
  const filters = canCreate ? requested : withVisibleStatus(requested);
  if (filters === undefined)
    return { status: 200, headers: { 'Cache-Control': 'no-store' }, value: { records: [], hidden: [], canCreate, locked: true } };
  const all = await hiddenOf(collection, filters);
  const hidden = new Set([...all].filter((id) => service.may(viewer, 'update', name, { id })));
  const records: Entry[] = [];
  for await (const entry of entriesWith(collection, filters, new Set(['id', ...listOf(members).map(String)]), hidden))
    if (!all.has(entry.id as number) || hidden.has(entry.id as number)) records.push(compactEntry(entry));
  const value: TableRecords = {
    records,
    hidden: [...hidden],
    canCreate,
    locked: lockedOf(call, name, records),
  };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, value };
}

const maxLength = 500;

/** Reads a text as an event in one line and as a date, by the server's clock. `day` and `time` are those that a user clicked. */
export function pageText({ service, query }: Call): Result {
  const text = String(query.text ?? '');
  const day = /^\d{4}-\d\d-\d\d$/.test(String(query.day)) ? String(query.day) : undefined;
  const time = /^\d\d:\d\d$/.test(String(query.time)) ? String(query.time) : undefined;
  if (text.length > maxLength) throw invalidParams({ text: { reason: `is longer than ${maxLength} characters` } });
  const { now, zone } = service.requestContext();
  const value: TypedText = {
    event: parseLine(text, now, zone, day === undefined ? undefined : { day, time }),
    date: readMoment(text, now, zone),
  };
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, value };
}

/** Replaces the texts of a record with those that a form sends: they render to the same texts. */
function asTyped({ fields }: Resource, entry: Entry): Entry {
  const typed: Entry = { ...entry };
  for (const { name, compared } of fields) {
    const value = entry[name];
    if (typeof value !== 'string') continue;
    const text = rawText(entry, name) ?? compared.input(value, entry);
    typed[name] = typeof text === 'string' ? text : text === null ? '' : decodeEntities(stripMarkup(value));
  }
  return typed;
}

/** The record that the API returns, as forms edit it. */
export function typedRecord(name: ResourceName): (call: Call) => Promise<Result> {
  const route = routes.find(({ resource, by }) => resource === name && by === 'id')!;
  return async (call) => {
    const result = await runAction({ ...call, route, action: 'get', query: { context: 'edit' } });
    if (result.status !== 200) return result;
    const { body, value } = result;
    const entry: Entry = body ? JSON.parse(utf8Text(joinPieces(body.pieces))) : value;
    return { ...result, headers: { 'Cache-Control': 'no-store' }, body: undefined, value: asTyped(call.service.resources()[name], entry) };
  };
}
