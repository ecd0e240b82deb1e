import { Failure } from '../../model/error.ts';
import {
  type CalendarControl,
  changingOperations,
  controlPath,
  type DataFormat,
  isControl,
  type Operation,
  type OperationName,
  operations,
} from '../../model/operations/control.ts';
import type { FollowInput } from '../../model/operations/messages.ts';
import type { RequestsInput } from '../../model/operations/requests.ts';
import { isPagePath } from '../../model/web-page.ts';
import { queryOf, readJson } from '../body.ts';
import type { Handle, Request, Response } from '../http.ts';
import { asFailure, failureResponse } from '../response.ts';
import { type ControlAccess, checkCaller, checkOperation, mayAsk } from './access.ts';
import { eventStream } from './message-stream.ts';

/** What a server needs to be controlled. */
export interface ControlOptions {
  control: CalendarControl;
  access: ControlAccess;
}

/** Maximum size of the body of an operation that takes a whole calendar, in bytes. */
const maxDataBytes = 256 << 20;
const takesData: ReadonlySet<OperationName> = new Set(['import', 'seed']);

/** Adds the control API below `/_calendar` to a handler, outside of its base path. Other pages below that path stay with the handler, without CORS headers. */
export const withControl =
  (handle: Handle, options: ControlOptions): Handle =>
  (request) => {
    if (!isControl(request.path)) return handle(request);
    return isPagePath(request.path) ? Promise.resolve(handle(request)).then(withoutLeave) : answer(request, options);
  };

/**
 * Checks the head of a request for the control API, so that no body is read for a caller who may not send it. Returns the maximum size of its body in bytes,
 * or the response that rejects it.
 */
export function admitControl(head: Request, { access }: ControlOptions, maxBodyBytes: number): number | Response {
  try {
    const { name } = authorize(head, access);
    return takesData.has(name) ? Math.max(maxDataBytes, maxBodyBytes) : maxBodyBytes;
  } catch (error) {
    return controlFailure(error);
  }
}

/** Returns the operation of a request after checking that the caller may run it. */
function authorize(request: Request, access: ControlAccess) {
  checkCaller(request, access);
  const row = rowFor(request);
  checkOperation(request, row.operation, access);
  return row;
}

function controlFailure(error: unknown): Response {
  const failure = asFailure(error);
  const { data, hint } = failure;
  const allow = typeof data.allow === 'string' ? { Allow: data.allow } : undefined;
  return failureResponse(failure, { ...headers, ...allow }, hint === undefined ? {} : { hint });
}

/** An answer without the headers that give pages of other origins leave to read it. */
function withoutLeave(answer: Response): Response {
  for (const name of Object.keys(answer.headers)) if (/^access-control-/i.test(name)) delete answer.headers[name];
  return answer;
}

interface Row {
  name: OperationName;
  operation: Operation;
}

/** The rows of the table, with the pattern of their paths. */
const rows = (Object.entries(operations) as [OperationName, Operation][]).map(([name, operation]) => ({
  name,
  operation,
  pattern: new RegExp(`^${controlPath}${operation.path.replace(/\{(\w+)\}/, '(?<$1>[^/]+)')}/?$`),
}));

/** No answer of these is to be kept, and none is for a page of another origin. */
const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

async function answer(request: Request, { control, access }: ControlOptions): Promise<Response> {
  try {
    const { name, operation, part, others } = authorize(request, access);
    const { checkedInput } = await import('./inputs.ts');
    const input = checkedInput(name, { ...given(request, operation), ...part });
    if (name === 'import' && 'file' in (input as object)) checkOperation(request, { ...operation, access: 'owner' }, access);
    // What requests and answers held may be what only some may see.
    if (name === 'requests' && !mayAsk(request, { ...operation, access: 'whole' }, access)) (input as RequestsInput).brief = true;
    if (name === 'events') return following(control, input as FollowInput);
    const perform = control[name] as (input: unknown) => Promise<unknown>;
    const response = responseTo(await perform(input), (input as { format?: DataFormat } | undefined)?.format);
    // The methods that are open to who asks, as routes of records say them.
    const open = others.filter(
      (each) => mayAsk(request, each.operation, access) && !(access.readOnly && changingOperations.has(each.name)),
    );
    return { ...response, headers: { ...response.headers, Allow: open.map(({ operation: { method } }) => method).join(', ') } };
  } catch (error) {
    return controlFailure(error);
  }
}

/** The operation that a request asks for, what its path says, and all operations of that path. Fails with `rest_no_route`, or with `method-not-allowed` where another method is right. */
function rowFor({ method, path }: Request): Row & { part: Record<string, string>; others: Row[] } {
  const found = rows.filter(({ pattern }) => pattern.test(path));
  if (!found.length) throw new Failure('rest_no_route', `there is nothing at ${path}`);
  const asked = method === 'HEAD' ? 'GET' : method;
  const row = found.find(({ operation }) => operation.method === asked);
  if (!row) {
    const allowed = found.map(({ operation }) => operation.method).join(', ');
    throw new Failure('method-not-allowed', `${path} takes ${allowed}, not ${method}`, { allow: allowed });
  }
  const parts = Object.entries(row.pattern.exec(path)?.groups ?? {}).map(([name, text]) => [name, decoded(text)]);
  return { ...row, part: Object.fromEntries(parts), others: found };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a request brings: its query where it only reads, else a JSON object. Fails with `unsupported-encoding` for other bodies, which forms of any page can send. */
function given({ query, body, headers: sent }: Request, operation: Operation): object {
  const resumed = operation === operations.events && sent['last-event-id'] ? { after: sent['last-event-id'] } : undefined;
  if (operation.method === 'GET') return { ...queryOf(query), ...resumed };
  if (query !== '') throw new Failure('bad-request', 'this takes a JSON body, and no query');
  if (!body.length) return {};
  const type = (sent['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json' || (sent['content-encoding'] ?? 'identity') !== 'identity')
    throw new Failure('unsupported-encoding', `the body must be JSON as it is, with Content-Type: application/json, not ${type || 'none'}`);
  const value = readJson(new TextDecoder().decode(body));
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Failure('bad-request', 'the body must be a JSON object');
  if (namesPrototype(value)) throw new Failure('bad-request', 'no member of the body can be called __proto__');
  return value;
}

/** Whether a member has the name that checks pass over. */
const namesPrototype = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Object.hasOwn(value, '__proto__') || Object.values(value).some(namesPrototype));

/** What happens, as server-sent events. */
async function following(control: CalendarControl, input: FollowInput): Promise<Response> {
  const ended = new AbortController();
  const messages = await control.events(input, ended.signal);
  const stream = { texts: eventStream(messages), stop: () => ended.abort() };
  return { status: 200, headers: { ...headers, 'Content-Type': 'text/event-stream; charset=UTF-8' }, body: '', stream };
}

const types: Record<DataFormat | 'snapshot', string> = {
  json: 'application/json; charset=UTF-8',
  ndjson: 'application/x-ndjson; charset=UTF-8',
  csv: 'text/csv; charset=UTF-8',
  ics: 'text/calendar; charset=UTF-8',
  snapshot: 'application/vnd.sqlite3',
};

/** An answer as it goes over the wire: bytes and texts as they are, all else as JSON. */
function responseTo(value: unknown, format: DataFormat = 'json'): Response {
  if (value instanceof Uint8Array)
    return { status: 200, headers: { ...headers, 'Content-Type': types.snapshot }, pieces: [value], body: '' };
  if (typeof value === 'string') return { status: 200, headers: { ...headers, 'Content-Type': types[format] }, body: value };
  return { status: 200, headers, body: JSON.stringify(value) };
}
