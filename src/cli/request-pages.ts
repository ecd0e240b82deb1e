import { pageOf } from '../client/collection.ts';
import { contentOf, type RemoteResponse } from '../client/response.ts';
import { type Entry, type Page, type ResourceName, resourceNames } from '../model/calendar.ts';
import { Failure } from '../model/error.ts';
import { isObject } from '../model/fields/coerce.ts';
import { steadyPages } from '../model/paging.ts';
import type { Connection, RawRequest } from './connect/connect.ts';

/** Returns the records of a page, and the resource that names them, any for a plain list; undefined for another response. */
export function listIn(value: unknown): { name: ResourceName; records: Entry[] } | undefined {
  if (Array.isArray(value)) return { name: 'events', records: value };
  const name = isObject(value) && 'total_pages' in value ? resourceNames.find((each) => Array.isArray(value[each])) : undefined;
  return name && { name, records: (value as Record<string, Entry[]>)[name]! };
}

/** Yields the records of a list page by page, starting with a response, and those that were missed because the list changed. Throws if a response is an error or not a page. */
export async function* recordsOf(connection: Connection, request: RawRequest, first: RemoteResponse): AsyncIterable<Entry> {
  const query = new URLSearchParams(request.query);
  let next: RemoteResponse | undefined = first;
  const read = async (number: number): Promise<Page> => {
    query.set('page', String(number));
    const response = next ?? (await connection.send({ ...request, query: query.toString() }));
    next = undefined;
    return pageIn(response, request.path, query);
  };
  for await (const { entries } of steadyPages(read, Number(query.get('page') ?? 1))) yield* entries;
}

/** Returns a response as a page, with its records as they are. Throws `bad-request` if it is none. */
function pageIn(response: RemoteResponse, path: string, query: URLSearchParams): Page {
  const value = contentOf(response, path);
  const list = listIn(value);
  if (!list) throw new Failure('bad-request', `${path} is not a paginated list`, 'Omit --paginate.');
  return { ...pageOf(value, list.name, response, path, Object.fromEntries(query)), entries: list.records };
}
