import { useEffect, useState } from 'preact/hooks';
import { worldHeader } from '../../../model/addresses.ts';
import type { ResourceName } from '../../../model/calendar.ts';
import type { Problem } from '../../../model/error.ts';
import type { TableHeadings } from '../../../model/operation-types.ts';
import type { ClickedTime } from '../../../model/time/typed/event-line.ts';
import { pageHeader, pageMark, pageTextPath, type TypedText } from '../../../model/web-page.ts';
import { context } from '../context.ts';
import { suggestDelayMs } from '../delay.ts';
import { announceChange } from './changes.ts';
import { authorization, controlToken } from './session.ts';

export type ApiQuery = Record<string, string | number | boolean | readonly (string | number)[] | undefined>;

/** An error response of the API. The status is 0 if the server can't be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Error messages by field name. */
    readonly fields: Record<string, string> = {},
    /** Suggested fix. */
    readonly hint?: string,
    /** Problems in a file. */
    readonly problems: readonly Problem[] = [],
    /** The headings of a table that can't be read. */
    readonly table?: TableHeadings,
  ) {
    super(message);
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The body of a response, and the methods that the caller may use on the resource. */
export interface ApiResult<T> {
  value: T;
  allow: readonly string[];
}

interface RequestOptions {
  query?: ApiQuery;
  body?: unknown;
  signal?: AbortSignal;
  authorization?: string;
  /** ID of another world than that of the page. */
  world?: string;
  /** True for a request like those of other clients, which meets faults and is logged. */
  isRequest?: boolean;
  /** Further headers, such as the type of a body that is not JSON. */
  headers?: Record<string, string>;
}

/** The query string of parameters without empty values; '' for none. */
export const toQueryString = (query: ApiQuery): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '');
    if (text !== '') parameters.set(name, text);
  }
  return parameters.size ? `?${parameters}` : '';
};

/** The URL path of an API route with its query. */
export const apiUrl = (path: string, query: ApiQuery = {}): string => `${context.root}${path}${toQueryString(query)}`;

/** Sends a request to the API as the current user. Throws an ApiError. */
export const requestApi = <T>(method: string, path: string, { query, ...options }: RequestOptions = {}): Promise<ApiResult<T>> =>
  fetchJson<T>(method, apiUrl(path, query), { authorization: authorization(), isRequest: !/^(GET|HEAD)$/.test(method), ...options });

/** Sends a request to any path of the server and reads its JSON. Throws an ApiError. */
export async function fetchJson<T>(method: string, address: string, options: Omit<RequestOptions, 'query'>): Promise<ApiResult<T>> {
  const response = await send(method, address, options);
  const value = method === 'HEAD' ? undefined : await response.json().catch(() => undefined);
  return { value: value as T, allow: (response.headers.get('Allow') ?? '').split(', ') };
}

/** Sends a request to any path of the server. Throws an ApiError. */
export async function send(
  method: string,
  address: string,
  { body, signal, authorization: header, world, isRequest, headers }: Omit<RequestOptions, 'query'>,
): Promise<Response> {
  const response = await fetch(address, {
    method,
    signal,
    credentials: 'omit',
    headers: {
      Accept: 'application/json',
      [pageHeader]: pageMark(isRequest ? 'form' : 'page', controlToken()),
      ...(header && { Authorization: header }),
      ...(world && { [worldHeader]: world }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined || body instanceof File ? body : JSON.stringify(body),
  }).catch((error: Error) => {
    throw error.name === 'AbortError' ? error : new ApiError(0, 'unreachable', 'Couldn’t reach the server. Check that it is running.');
  });
  if (!response.ok) throw toApiError(response.status, method === 'HEAD' ? undefined : await response.json().catch(() => undefined));
  return response;
}

/** Yields the parts of a text that is received, without the separators between them. */
export async function* splitStream(body: ReadableStream<Uint8Array>, separator: string): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = `${rest}${value}`.replaceAll('\r\n', '\n').split(separator);
    rest = parts.pop()!;
    yield* parts;
  }
}

interface ErrorBody {
  code?: string;
  message?: string;
  hint?: string;
  data?: { params?: unknown; problems?: Problem[]; table?: TableHeadings };
}

function toApiError(status: number, body: ErrorBody | undefined): ApiError {
  const params = body?.data?.params;
  const fields = Array.isArray(params)
    ? Object.fromEntries(params.map((name) => [name, 'is required']))
    : ((params ?? {}) as Record<string, string>);
  return new ApiError(
    status,
    body?.code ?? '',
    body?.message ?? `The server returned status ${status}.`,
    fields,
    body?.hint,
    body?.data?.problems,
    body?.data?.table,
  );
}

/** Loads all pages of a list. The pages after the first are requested in parallel. */
export async function listAll<T>(resource: ResourceName, query: ApiQuery, signal?: AbortSignal): Promise<ApiResult<T[]>> {
  const loadPage = (page: number) =>
    requestApi<Record<string, T[]> & { total_pages: number }>('GET', `/${resource}`, { query: { ...query, per_page: 50, page }, signal });
  const first = await loadPage(1);
  const pages = Math.max(1, first.value.total_pages);
  const rest = await Promise.all(Array.from({ length: pages - 1 }, (_, index) => loadPage(index + 2)));
  return { value: [first, ...rest].flatMap(({ value }) => value[resource] ?? []), allow: first.allow };
}

/** Loads one page of a list. */
export async function listPage<T>(resource: ResourceName, query: ApiQuery, signal?: AbortSignal) {
  const { value, allow } = await requestApi<Record<string, T[]> & { total: number; total_pages: number }>('GET', `/${resource}`, {
    query,
    signal,
  });
  return { records: value[resource] ?? [], total: value.total, pages: value.total_pages, allow };
}

export const createRecord = <T>(resource: ResourceName, body: unknown): Promise<T> =>
  announceWrite(requestApi<T>('POST', `/${resource}`, { body }));
export const updateRecord = <T>(resource: ResourceName, id: number, body: unknown): Promise<T> =>
  announceWrite(requestApi<T>('PATCH', `/${resource}/${id}`, { body }));
export const deleteRecord = (resource: ResourceName, id: number): Promise<unknown> =>
  announceWrite(requestApi('DELETE', `/${resource}/${id}`));

async function announceWrite<T>(result: Promise<ApiResult<T>>): Promise<T> {
  const { value } = await result;
  announceChange();
  return value;
}

/** Uploads an image as the current user and returns its address. Throws an ApiError. */
export async function sendImage(path: string, file: File): Promise<string> {
  const headers = { 'Content-Type': file.type, 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}` };
  const response = await send('POST', path, { body: file, headers, authorization: authorization(), isRequest: true });
  return ((await response.json()) as { source_url: string }).source_url;
}

/** True if the current user may edit an event. */
export const canEditEvent = async (id: number): Promise<boolean> => {
  const { allow } = await requestApi('HEAD', `/events/${id}`, { query: { context: 'edit' } });
  return allow.includes('PATCH');
};

/** Reads a date or an event in words, by the server's clock. `clicked` is the day of an event that the words don't give. */
export const readText = async (text: string, clicked?: ClickedTime): Promise<TypedText> =>
  (await fetchJson<TypedText>('GET', pageTextPath + toQueryString({ text, ...clicked }), {})).value;

/**
 * Reads what is typed. Returns the last text that was read, for a preview while the next one is typed, and a function that completes the current one.
 * The text is read again when `at` changes.
 */
export function useTypedText(
  text: string,
  at?: string,
  clicked?: ClickedTime,
): [read: (TypedText & { text: string }) | undefined, complete: () => Promise<TypedText>] {
  const [read, setRead] = useState<TypedText & { text: string }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again at another time.
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(
      () =>
        readText(text, clicked).then(
          (value) => isCurrent && setRead({ ...value, text }),
          () => {},
        ),
      suggestDelayMs,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, at, clicked]);
  return [read, async () => (read?.text === text ? read : readText(text, clicked))];
}
