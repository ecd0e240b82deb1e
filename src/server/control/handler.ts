import project from '../../../package.json' with { type: 'json' };
import { controlPath, isControl } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { percentDecoded } from '../../model/fields/coerce.ts';
import { type CalendarControl, operationGroups } from '../../model/operations/all.ts';
import type { FollowInput, Message, Messages } from '../../model/operations/messages.ts';
import { fileOf, type Operation, type OperationGroups, operationsIn } from '../../model/operations/operation.ts';
import { isPagePath } from '../../model/web-page.ts';
import { queryOf, readJson } from '../body.ts';
import { type Handle, type Request, type Response, textBody } from '../http.ts';
import { asFailure, failureResponse } from '../response.ts';
import { type ControlAccess, checkAccess, checkCaller, hasAccess } from './access.ts';

/** The control API of a server and the access to it. */
export interface ControlOptions {
  control: CalendarControl;
  access: ControlAccess;
  /** The operations of `control`; those of every calendar by default. */
  groups?: OperationGroups;
}

/** Maximum size of the body of an operation that takes a whole calendar, in bytes. */
export const maxDataBytes = 256 << 20;

/** Adds the control API below `/_calendar` to a handler, outside of its base path. Other pages below that path stay with the handler, without CORS headers. */
export function withControl(handle: Handle, options: ControlOptions): Handle {
  const find = findOperation(options.groups);
  return (request) => {
    if (!isControl(request.path)) return handle(request);
    return isPagePath(request.path) ? Promise.resolve(handle(request)).then(withoutCors) : respond(request, options, find);
  };
}

/**
 * Checks the head of a request for the control API, so that the body of a rejected request is not read. Returns the maximum size of its body in
 * bytes, or the response that rejects it.
 */
export function admitControl(head: Request, { access, groups }: ControlOptions, maxBodyBytes: number): number | Response {
  try {
    const { operation } = authorize(head, access, findOperation(groups));
    return operation.takesData ? Math.max(maxDataBytes, maxBodyBytes) : maxBodyBytes;
  } catch (error) {
    return controlFailure(error);
  }
}

/** Returns the operation of a request after checking that the caller may call it. */
function authorize(request: Request, access: ControlAccess, find: (request: Request) => OperationMatch): OperationMatch {
  checkCaller(request, access);
  const match = find(request);
  checkAccess(request, match.operation.access, access);
  return match;
}

function controlFailure(error: unknown): Response {
  const failure = asFailure(error);
  const { data, hint } = failure;
  const allow = typeof data.allow === 'string' ? { Allow: data.allow } : undefined;
  return failureResponse(failure, { ...headers, ...allow }, hint === undefined ? {} : { hint });
}

/** Removes the headers that let pages of other sites read a response. */
function withoutCors(response: Response): Response {
  for (const name of Object.keys(response.headers)) if (/^access-control-/i.test(name)) delete response.headers[name];
  return response;
}

/** Headers of every response: none is cached, and none is for pages of other sites. */
const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };

async function respond(request: Request, options: ControlOptions, find: (request: Request) => OperationMatch): Promise<Response> {
  const { access } = options;
  try {
    const { operation, members, others } = authorize(request, access, find);
    const { checkInput } = await import('../../model/operations/check-input.ts');
    const checked = checkInput(operation, { ...inputOf(request, operation), ...members });
    if (operation.accessOf) checkAccess(request, operation.accessOf(checked), access);
    const isLimited = !hasAccess(request, 'full', access);
    const input = operation.limit && isLimited ? operation.limit(checked) : checked;
    const call = (options.control as unknown as Record<string, (input: unknown, signal?: AbortSignal) => Promise<unknown>>)[operation.id]!;
    const { limitOutput } = operation;
    const method: typeof call = limitOutput && isLimited ? async (...args) => limitOutput(await call(...args)) : call;
    const file = fileOf(operation);
    if (file?.form === 'stream') return await streamResponse((signal) => method(input, signal) as Promise<AsyncIterable<Messages>>);
    const open = others.filter((each) => hasAccess(request, each.access, access) && !(access.readOnly && each.changes));
    const Allow = open.map(({ method }) => method).join(', ');
    const output = await method(input);
    const { format } = input as { format?: string };
    const form = operation.formOf && format !== undefined ? operation.formOf(output, format, project.version) : output;
    return outputResponse(form, {
      ...headers,
      'Content-Type': contentTypeOf(operation, input),
      Allow,
    });
  } catch (error) {
    return controlFailure(error);
  }
}

/** Returns the input in the query of a GET request, or in the JSON body of another one. Throws `unsupported-encoding` for other bodies, which forms of any page can send. */
function inputOf({ query, body, headers }: Request, operation: Operation): object {
  if (operation.method === 'GET') {
    const after = fileOf(operation)?.form === 'stream' ? headers['last-event-id'] : undefined;
    return { ...queryOf(query), ...(after ? ({ after } satisfies FollowInput) : {}) };
  }
  if (query !== '') throw new Failure('bad-request', 'This operation takes a JSON body, not a query');
  if (!body.length) return {};
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json' || (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Failure(
      'unsupported-encoding',
      `The body must be uncompressed JSON with Content-Type: application/json, not ${type || 'none'}`,
    );
  const value = readJson(new TextDecoder().decode(body));
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Failure('bad-request', 'The body must be a JSON object');
  if (namesPrototype(value)) throw new Failure('bad-request', 'The body must not have a member named __proto__');
  return value;
}

/** Returns whether a member has the name that schemas ignore. */
const namesPrototype = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Object.hasOwn(value, '__proto__') || Object.values(value).some(namesPrototype));

/** Streams messages as server-sent events. */
async function streamResponse(follow: (signal: AbortSignal) => Promise<AsyncIterable<Messages>>): Promise<Response> {
  const ended = new AbortController();
  const messages = await follow(ended.signal);
  const stream = { texts: eventStream(messages), stop: () => ended.abort() };
  return { status: 200, headers: { ...headers, 'Content-Type': 'text/event-stream; charset=UTF-8' }, body: [], stream };
}

function contentTypeOf(operation: Operation, input: unknown): string {
  const file = fileOf(operation);
  if (!file) return headers['Content-Type'];
  const type = file.typeOf?.(input as never) ?? Object.keys(file.types)[0]!;
  return file.form === 'text' ? `${type}; charset=UTF-8` : type;
}

/** Returns a response with bytes and texts as they are, and anything else as JSON. */
function outputResponse(value: unknown, headers: Record<string, string>): Response {
  if (value instanceof Uint8Array) return { status: 200, headers, body: [value] };
  return { status: 200, headers, body: textBody(typeof value === 'string' ? value : JSON.stringify(value)) };
}

/** An operation, the members of its input in the path, and all operations on that path. */
interface OperationMatch {
  operation: Operation;
  members: Record<string, string>;
  others: Operation[];
}

const patterns = new WeakMap<OperationGroups, { operation: Operation; pattern: RegExp }[]>();

const patternOf = ({ path }: Operation) => new RegExp(`^${controlPath}${path.replace(/\{(\w+)\}/, '(?<$1>[^/]+)')}/?$`);

/** Returns the operations on a path, with the patterns that match it. */
export function operationsAt(path: string, groups: OperationGroups = operationGroups): { operation: Operation; pattern: RegExp }[] {
  const routes = patterns.get(groups) ?? operationsIn(groups).map((operation) => ({ operation, pattern: patternOf(operation) }));
  patterns.set(groups, routes);
  return routes.filter(({ pattern }) => pattern.test(path));
}

/** Returns a function that finds the operation of a request. It throws `rest_no_route`, or `method-not-allowed` if the path takes another method. */
function findOperation(groups?: OperationGroups): (request: Request) => OperationMatch {
  return ({ method, path }) => {
    const matches = operationsAt(path, groups);
    if (!matches.length) throw new Failure('rest_no_route', `No route for ${path}`);
    const match = matches.find(({ operation }) => operation.method === (method === 'HEAD' ? 'GET' : method));
    const others = matches.map(({ operation }) => operation);
    if (!match) {
      const allow = others.map((each) => each.method).join(', ');
      throw new Failure('method-not-allowed', `Method ${method} is not allowed for ${path}; use ${allow}`, undefined, { allow });
    }
    const members = Object.entries(match.pattern.exec(path)?.groups ?? {}).map(([name, text]) => [name, percentDecoded(text)]);
    return { operation: match.operation, members: Object.fromEntries(members), others };
  };
}

/** Time after which a client reconnects, in ms. */
const retryMs = 1000;

const textOf = ({ id, type, data }: Message) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Formats messages as server-sent events. A batch without messages becomes a comment with the ID to continue from. */
async function* eventStream(all: AsyncIterable<Messages>): AsyncGenerator<string, void, undefined> {
  yield `retry: ${retryMs}\n\n`;
  for await (const { last, messages } of all) yield messages.length > 0 ? messages.map(textOf).join('') : `: nothing new\nid: ${last}\n\n`;
}
