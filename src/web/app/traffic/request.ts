import { worldHeader } from '../../../model/addresses.ts';
import type { FaultInput, HttpMethod, JournaledRequest } from '../../../model/operation-types.ts';
import { outcomeText } from '../../../model/operations/request-outcome.ts';
import { toolPaths } from '../../../model/web-page.ts';
import { labels } from '../../definitions.ts';
import { context } from '../context.ts';
import { formatJson } from '../parts/code.tsx';
import { pathsIn } from '../record.ts';
import { withoutPrefix } from '../server/world.ts';
import { type ListedRequest, requestTarget } from './filter.ts';
import type { ApiRequest } from './samples.tsx';

/** The start of the API's paths in the log, which has no prefixes of worlds. */
const root = context.root.slice(context.prefix.length);

/** Removes the namespace, which most paths share. */
export const shortPath = (path: string): string => (path.startsWith(`${root}/`) ? path.slice(root.length) : path);

const pagePath = new RegExp(`^/(_calendar/.*|favicon\\.ico|${pathsIn(context.slugs, true)}.*|${pathsIn(context.slugs, false)}.*)?$`);

/** True if a request loaded this page or one of its files. */
export const isPageLoad = ({ method, path }: JournaledRequest): boolean =>
  method === 'GET' && (pagePath.test(withoutPrefix(path)) || toolPaths.some((tool) => path.startsWith(tool)));

/** Headers that the client sets itself, or whose value isn't recorded. */
const ownHeaders =
  /^(host|connection|content-length|accept-encoding|authorization|cookie|user-agent|origin|referer|sec-.*|x-calendar-(page|world))$/;

/** A recorded request in the form in which it can be sent. */
export function toApiRequest(request: ListedRequest): ApiRequest {
  const { headers = {}, body } = request.request ?? {};
  return {
    method: request.method,
    path: requestTarget(request),
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.test(name))),
      ...(request.world && { [worldHeader]: request.world.id }),
    },
    ...(body && { body }),
  };
}

/** Faults for requests like a recorded one. */
export type FaultKind = 'fail' | 'hold' | 'patch' | 'save';

/** Returns a fault for requests like this one: the next fails with status 503 or is held, or all return a changed or the recorded response. */
export function faultFor({ method, path, response, status }: ListedRequest, kind: FaultKind): FaultInput {
  const match = { method: method as HttpMethod, path: shortPath(path) };
  if (kind === 'fail') return { match, times: 1, then: { status: 503 } };
  if (kind === 'hold') return { match, times: 1, then: 'hold' };
  if (kind === 'patch') return { match, then: { patch: {} } };
  return { match, then: { status: Math.max(200, status ?? 0), ...(response?.body && { body: parsed(response.body) }) } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const nameMembers = [...new Set(Object.values(labels).map(({ label }) => label))];
/** Maximum number of records that are linked. */
const maxRecords = 20;

/** The records in the body of a response, with the addresses of their pages. */
export function records(body: string): { url: string; name: string }[] {
  const value = parsed(body);
  if (value === null || typeof value !== 'object') return [];
  const lists = Object.values(value).filter((each) => Array.isArray(each) && each[0]?.id !== undefined) as object[][];
  return [value, ...('id' in value ? [] : lists.flat())]
    .flatMap((each) => {
      const { id, url, ...record } = each as Record<string, unknown>;
      const name = nameMembers.find((member) => typeof record[member] === 'string');
      return typeof url === 'string' && id !== undefined && name ? [{ url, name: String(record[name]) }] : [];
    })
    .slice(0, maxRecords);
}

/** A request and its response as lines of text, to compare it with another one. */
export function requestLines(request: ListedRequest): string[] {
  const side = (name: string, payload: JournaledRequest['response']) =>
    payload
      ? [
          name,
          ...Object.entries(payload.headers).map(([key, value]) => `${key}: ${value}`),
          '',
          ...formatJson(payload.body).split('\n'),
          '',
        ]
      : [];
  return [
    `${request.method} ${request.path}`,
    ...[...new URLSearchParams(request.query)].map(([name, value]) => `  ${name} = ${value}`),
    outcomeText(request),
    '',
    ...side('Request', request.request),
    ...side('Response', request.response),
  ];
}
