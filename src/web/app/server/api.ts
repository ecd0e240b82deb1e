import type { ResourceName } from '../../../model/calendar.ts';
import { pageHeader } from '../../../model/web-page.ts';
import { context } from '../context.ts';
import { announceChange } from './changes.ts';
import { authorization } from './session.ts';

export type ApiQuery = Record<string, string | number | boolean | readonly (string | number)[] | undefined>;

/** What the API said when it refused, or that it cannot be reached (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** What is wrong with single fields. */
    readonly fields: Record<string, string> = {},
    /** What can be done about it. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** An answer: its value, and the methods that are open to who asked. */
export interface Answer<T> {
  value: T;
  allow: readonly string[];
}

interface Asked {
  query?: ApiQuery;
  body?: unknown;
  signal?: AbortSignal;
  authorization?: string;
}

const queryText = (query: ApiQuery): string => {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const written = Array.isArray(value) ? value.join(',') : String(value ?? '');
    if (written !== '') text.set(name, written);
  }
  return text.size ? `?${text}` : '';
};

/** The address of a route with its parameters. */
export const addressOf = (path: string, query: ApiQuery = {}): string => `${context.root}${path}${queryText(query)}`;

/** Asks the API. Fails with an ApiError. */
export const ask = <T>(method: string, path: string, { query, ...asked }: Asked = {}): Promise<Answer<T>> =>
  askAt<T>(method, addressOf(path, query), { authorization: authorization(), ...asked });

/** Asks at an address of the server. Fails with an ApiError. */
export async function askAt<T>(
  method: string,
  address: string,
  { body, signal, authorization: header }: Omit<Asked, 'query'>,
): Promise<Answer<T>> {
  const response = await fetch(address, {
    method,
    signal,
    credentials: 'omit',
    headers: {
      Accept: 'application/json',
      [pageHeader]: '1',
      ...(header && { Authorization: header }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error: Error) => {
    throw error.name === 'AbortError' ? error : new ApiError(0, 'unreachable', 'The server does not answer. Is it still running?');
  });
  const value = method === 'HEAD' ? undefined : await response.json().catch(() => undefined);
  if (!response.ok) throw failureOf(response.status, value);
  return { value: value as T, allow: (response.headers.get('Allow') ?? '').split(', ') };
}

interface Refusal {
  code?: string;
  message?: string;
  hint?: string;
  data?: { params?: unknown };
}

function failureOf(status: number, value: Refusal | undefined): ApiError {
  const params = value?.data?.params;
  const fields = Array.isArray(params)
    ? Object.fromEntries(params.map((name) => [name, 'is needed']))
    : ((params ?? {}) as Record<string, string>);
  return new ApiError(status, value?.code ?? '', value?.message ?? `The server answered with ${status}.`, fields, value?.hint);
}

/** The records of all pages of a list, and the methods that are open on it. The pages after the first are asked for at once. */
export async function listAll<T>(resource: ResourceName, query: ApiQuery, signal?: AbortSignal): Promise<Answer<T[]>> {
  const page = (number: number) =>
    ask<Record<string, T[]> & { total_pages: number }>('GET', `/${resource}`, { query: { ...query, per_page: 50, page: number }, signal });
  const first = await page(1);
  const pages = Math.max(1, first.value.total_pages);
  const rest = await Promise.all(Array.from({ length: pages - 1 }, (_, at) => page(at + 2)));
  return { value: [first, ...rest].flatMap(({ value }) => value[resource] ?? []), allow: first.allow };
}

/** One page of a list. */
export async function listPage<T>(resource: ResourceName, query: ApiQuery, signal?: AbortSignal) {
  const { value, allow } = await ask<Record<string, T[]> & { total: number; total_pages: number }>('GET', `/${resource}`, {
    query,
    signal,
  });
  return { records: value[resource] ?? [], total: value.total, pages: value.total_pages, allow };
}

/** Creates a record. */
export const create = <T>(resource: ResourceName, body: unknown): Promise<T> => written(ask<T>('POST', `/${resource}`, { body }));
/** Changes a record. */
export const update = <T>(resource: ResourceName, id: number, body: unknown): Promise<T> =>
  written(ask<T>('PATCH', `/${resource}/${id}`, { body }));
/** Deletes a record. */
export const remove = (resource: ResourceName, id: number): Promise<unknown> => written(ask('DELETE', `/${resource}/${id}`));

async function written<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { value } = await answer;
  announceChange();
  return value;
}

/** Whether whoever asks may change an event. */
export const mayChange = async (id: number): Promise<boolean> => {
  const { allow } = await ask('HEAD', `/events/${id}`, { query: { context: 'edit' } });
  return allow.includes('PATCH');
};
