import project from '../../../package.json' with { type: 'json' };
import { controlPath, isControl } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { percentDecoded } from '../../model/fields/coerce.ts';
import { operations } from '../../model/operations/all.ts';
import type { FollowInput, Message, Messages } from '../../model/operations/messages.ts';
import { fileOf, type Operation } from '../../model/operations/operation.ts';
import { isPageData, isPagePath } from '../../model/web-page.ts';
import { checkEncoded, parseQuery, readJson } from '../body.ts';
import type { Step } from '../context.ts';
import { namesHtml, type ServerRequest, type ServerResponse, textBody } from '../http.ts';
import { asFailure, failureResponse } from '../response.ts';
import { type ControlOptions, checkAccess, checkCaller, hasAccess, type OperationMatch } from './access.ts';

/** Runs the operations of the control API below `/_calendar`, outside of the base path. Other pages below that path are handled as usual. */
export const control: Step = (request, { world: { controlled }, operation }, next) => {
  if (!controlled || !isControl(request.path) || isPagePath(request.path) || isUnknownPage(request)) return next(request);
  return respond(request, operation!, controlled);
};

/** True for an address that a browser opens and that no operation has: the page says that nothing is there. */
export const isUnknownPage = ({ method, path, headers }: ServerRequest): boolean =>
  method === 'GET' && namesHtml(headers) && !isPageData(path) && operationsAt(path).length === 0;

export function authorize(request: ServerRequest, { access }: ControlOptions): OperationMatch {
  checkCaller(request, access);
  const match = findOperation(request);
  checkAccess(request, match.operation.access, access);
  return match;
}

/** Converts an error to a response of the control API. */
export function controlFailure(error: unknown): ServerResponse {
  const failure = asFailure(error);
  const { allow } = failure.data;
  return failureResponse(failure, {
    ...headers,
    ...(typeof allow === 'string' && { Allow: allow }),
    ...(failure.code === 'rest_no_route' && { Vary: 'Accept' }),
  });
}

/** Headers of every response: none is cached. */
const headers = { 'Content-Type': 'application/json; charset=UTF-8', 'Cache-Control': 'no-store' };

async function respond(request: ServerRequest, match: OperationMatch, options: ControlOptions): Promise<ServerResponse> {
  try {
    const input = await check(request, match, options);
    const ended = new AbortController();
    const output = await call(request, match.operation, input, options, ended.signal);
    return format(request, match, input, output, options, () => ended.abort());
  } catch (error) {
    return controlFailure(error);
  }
}

/** The valid input of a request, as far as its caller may use it. */
async function check(request: ServerRequest, { operation, members }: OperationMatch, { access }: ControlOptions): Promise<unknown> {
  const values = { ...inputOf(request, operation), ...members };
  // Loading the schemas takes longer than a first request.
  const isChecked = operation.input !== undefined || Object.keys(values).length > 0;
  const input = isChecked ? (await import('../../model/operations/check-input.ts')).checkInput(operation, values) : values;
  if (operation.accessOf) checkAccess(request, operation.accessOf(input), access);
  return operation.limit && !hasAccess(request, 'full', access) ? operation.limit(input) : input;
}

/** The output of an operation, as far as the caller may read it. `signal` ends a stream. */
async function call(
  request: ServerRequest,
  { id, limitOutput }: Operation,
  input: unknown,
  { control, access }: ControlOptions,
  signal: AbortSignal,
): Promise<unknown> {
  const methods = control() as unknown as Record<string, (input: unknown, signal: AbortSignal) => Promise<unknown>>;
  const output = await methods[id]!(input, signal);
  return limitOutput && !hasAccess(request, 'full', access) ? limitOutput(output) : output;
}

/** `stop` ends a stream. */
function format(
  request: ServerRequest,
  { operation, others }: OperationMatch,
  input: unknown,
  output: unknown,
  { access }: ControlOptions,
  stop: () => void,
): ServerResponse {
  if (fileOf(operation)?.form === 'stream') {
    const stream = { texts: eventStream(output as AsyncIterable<Messages>), stop };
    return { status: 200, headers: { ...headers, 'Content-Type': 'text/event-stream; charset=UTF-8' }, body: [], stream };
  }
  const open = others.filter((each) => hasAccess(request, each.access, access) && !(access.readOnly && each.changes));
  const Allow = open.map(({ method }) => method).join(', ');
  const { format } = input as { format?: string };
  const form = operation.formOf && format !== undefined ? operation.formOf(output, format, project.version) : output;
  const body = form instanceof Uint8Array ? [form] : textBody(typeof form === 'string' ? form : JSON.stringify(form));
  return { status: 200, headers: { ...headers, 'Content-Type': contentTypeOf(operation, input), Allow }, body };
}

/** The input in the query of a GET request, or in the JSON body of another one. Throws `unsupported-encoding` for other bodies, which forms of any page can send. */
function inputOf({ query, body, headers }: ServerRequest, operation: Operation): object {
  if (operation.method === 'GET') {
    const after = fileOf(operation)?.form === 'stream' ? headers['last-event-id'] : undefined;
    return { ...parseQuery(query), ...(after ? ({ after } satisfies FollowInput) : {}) };
  }
  if (query !== '') throw new Failure('bad-request', 'This operation takes a JSON body, not a query');
  if (!body.length) return {};
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'application/json' || (headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new Failure(
      'unsupported-encoding',
      `The body must be uncompressed JSON with Content-Type: application/json, not ${type || 'none'}`,
    );
  const value = readJson(body);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Failure('bad-request', 'The body must be a JSON object');
  if (namesPrototype(value)) throw new Failure('bad-request', 'The body must not have a member named __proto__');
  return value;
}

const namesPrototype = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Object.hasOwn(value, '__proto__') || Object.values(value).some(namesPrototype));

function contentTypeOf(operation: Operation, input: unknown): string {
  const file = fileOf(operation);
  if (!file) return headers['Content-Type'];
  const type = file.typeOf?.(input as never) ?? Object.keys(file.types)[0]!;
  return file.form === 'text' ? `${type}; charset=UTF-8` : type;
}

let routes: { operation: Operation; pattern: RegExp }[] | undefined;

const patternOf = ({ path }: Operation) => new RegExp(`^${controlPath}${path.replace(/\{(\w+)\}/, '(?<$1>[^/]+)')}/?$`);

/** The operations on a path, with the patterns that match it. */
export function operationsAt(path: string): { operation: Operation; pattern: RegExp }[] {
  routes ??= Object.values(operations).map((operation) => ({ operation, pattern: patternOf(operation) }));
  return routes.filter(({ pattern }) => pattern.test(path));
}

/** Throws `rest_no_route`, or `method-not-allowed` if the path takes another method. */
function findOperation({ method, path }: ServerRequest): OperationMatch {
  checkEncoded('the path', path);
  const matches = operationsAt(path);
  if (!matches.length) throw new Failure('rest_no_route', `No route for ${path}`);
  const match = matches.find(({ operation }) => operation.method === (method === 'HEAD' ? 'GET' : method));
  const others = matches.map(({ operation }) => operation);
  if (!match) {
    const allow = others.map((each) => each.method).join(', ');
    throw new Failure('method-not-allowed', `Method ${method} is not allowed for ${path}; use ${allow}`, undefined, { allow });
  }
  const members = Object.entries(match.pattern.exec(path)?.groups ?? {}).map(([name, text]) => [name, percentDecoded(text)]);
  return { operation: match.operation, members: Object.fromEntries(members), others };
}

/** Time after which a client reconnects, in ms. */
const retryMs = 1000;

const textOf = ({ id, type, data }: Message) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Formats messages as server-sent events. A batch without messages becomes a comment with the ID to continue from. */
async function* eventStream(all: AsyncIterable<Messages>): AsyncGenerator<string, void, undefined> {
  yield `retry: ${retryMs}\n\n`;
  for await (const { last, messages } of all) yield messages.length > 0 ? messages.map(textOf).join('') : `: nothing new\nid: ${last}\n\n`;
}
