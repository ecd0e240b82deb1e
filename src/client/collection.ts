import type { Collection, Entry, Input, Page, Ref, ResourceName } from '../model/calendar.ts';
import { invalidParams } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import type { Query } from '../model/fields/list.ts';
import { asSent } from '../model/record.ts';
import { linkFields } from '../model/resources/relations.ts';
import { calendarContentOf, notCalendar, type RemoteResponse } from './response.ts';

/** Sends a request below the root of an API. */
export type Send = (
  method: string,
  path: string,
  more?: { query?: Query; input?: Input },
) => Promise<{ response: RemoteResponse; address: string }>;

const isEntry = (value: unknown): value is Entry => isObject(value) && /^-?\d+$/.test(String(value.id));

export function collectionOver(send: Send, name: ResourceName): Collection {
  const single = async (method: string, path: string, more?: { query?: Query; input?: Input }): Promise<Entry> => {
    const { response, address } = await send(method, path, more);
    const value = calendarContentOf(response, address);
    if (!isEntry(value)) throw notCalendar(response, address);
    return entryOf(value);
  };
  return {
    async list(query = {}) {
      const { response, address } = await send('GET', `/${name}`, { query });
      return parsePage(calendarContentOf(response, address), name, response, address, query);
    },
    get: (ref, query = {}) => single('GET', recordPath(name, ref), { query }),
    create: (input) => single('POST', `/${name}`, { input: sendable(input, name) }),
    update: (ref, input) => single('POST', recordPath(name, ref), { input: sendable(input, name) }),
    delete: (ref) => single('DELETE', recordPath(name, ref)),
  };
}

function recordPath(name: ResourceName, ref: Ref): string {
  if ('id' in ref) return `/${name}/${ref.id}`;
  // A path cannot contain these.
  if (['', '.', '..'].includes(ref.slug)) throw invalidParams({ slug: { reason: `${JSON.stringify(ref.slug)} is not a valid slug` } });
  return `/${name}/by-slug/${encodeURIComponent(ref.slug)}`;
}

/** An input whose lists of one are single values where responses show them so: the reference fails on a list of one venue. */
function sendable(input: Input, name: ResourceName): Input {
  const alone = linkFields(name).flatMap(({ name: field, nothing: { input: empty } }) => {
    const value = input[field];
    return empty === 0 && Array.isArray(value) && value.length === 1 ? [[field, value[0]]] : [];
  });
  return { ...input, ...Object.fromEntries(alone) };
}

/** A record without the links that only the wire adds, and with a numeric ID. */
function entryOf(value: Entry): Entry {
  const { _links, ...entry } = value as Entry & { _links?: unknown };
  const asShown = { ...(typeof value.id === 'string' ? { id: value.id } : {}), ...(_links === undefined ? {} : { _links }) };
  return { ...entry, id: Number(entry.id), ...(Object.keys(asShown).length ? { [asSent]: asShown } : {}) } as Entry;
}

const countOf = (...values: unknown[]): number => {
  const text = values.find((value) => value !== undefined && value !== null && /^\d+$/.test(String(value)));
  return text === undefined ? Number.NaN : Number(text);
};

/** The page in a response, whose totals may be missing: an unknown total is NaN. */
export function parsePage(value: unknown, name: ResourceName, response: RemoteResponse, address: string, query: Query): Page {
  const records = isObject(value) ? value[name] : value;
  // PHP writes an empty map as a list, and a list with gaps as a map.
  const list = isObject(records) ? Object.values(records) : records;
  const header = (end: string) => Object.entries(response.headers).find(([key]) => key.endsWith(end))?.[1];
  // A server that has no API may respond with an empty list to everything.
  const isNothing = Array.isArray(value) && !value.length && header('-total') === undefined;
  if (!Array.isArray(list) || isNothing || !list.every(isEntry)) throw notCalendar(response, address);
  const page: Record<string, unknown> = isObject(value) ? value : {};
  const next = typeof page.next_rest_url === 'string' ? page.next_rest_url : undefined;
  const here = Number(query.page ?? 1);
  const total = countOf(page.total, header('-total'));
  const pages = countOf(page.total_pages, header('-totalpages'));
  return {
    entries: list.map(entryOf),
    total: Number.isNaN(total) && !next && here === 1 ? list.length : total,
    total_pages: Number.isNaN(pages) ? here + (next ? 1 : 0) : pages,
    rest_url: typeof page.rest_url === 'string' ? page.rest_url : address,
    ...(next ? { next_rest_url: next } : {}),
    ...(typeof page.previous_rest_url === 'string' ? { previous_rest_url: page.previous_rest_url } : {}),
  };
}
