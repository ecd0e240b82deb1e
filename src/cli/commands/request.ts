import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { parsePage } from '../../client/collection.ts';
import { contentOf, parsedJson, type RemoteResponse, responseFailure } from '../../client/response.ts';
import { isLoopback, wordpressPath } from '../../model/addresses.ts';
import { type Entry, type Page, type Resource, type ResourceName, resourceNames } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure, systemFailure } from '../../model/error.ts';
import { isObject } from '../../model/fields/coerce.ts';
import { steadyPages } from '../../model/paging.ts';
import { resources } from '../../model/resources/all.ts';
import { type Assignment, assign, bare, parseAssignment } from '../assignment.ts';
import type { Connection, RawRequest } from '../connect/connect.ts';
import { readHeaders } from '../connect/target.ts';
import { addNote } from '../help/examples.ts';
import { parseOneOf, UnknownField } from '../options.ts';
import { pick, type ToText, textConverter, valueAt } from '../print/cells.ts';
import { jsonArray } from '../print/json.ts';
import { checkOutput } from '../records/check-output.ts';
import type { Runner, Session } from '../session.ts';
import { readAll } from '../terminal/prompt.ts';

interface RequestOptions {
  method?: Method;
  data?: string;
  include?: boolean;
  fields?: string[];
  paginate?: boolean;
  /** False with --no-fail. */
  fail?: boolean;
}

/** `calendar request [METHOD] PATH [ITEM…]`: sends a request to any route and prints the response. */
export function build(command: Command, runner: Runner): void {
  addNote(command, items)
    .usage('[options] [method] <path> [name=value…]')
    .argument('<words...>', 'Method, path below the namespace or URL, and items for the body or the query')
    .addOption(new Option('-X, --method <method>', 'Method (default GET, or POST with a body)').choices(methods).argParser(readMethod))
    .option('-d, --data <text>', 'Body; @file reads a file, - reads standard input')
    .option('-i, --include', 'Print status and headers too')
    .option('--fields <names>', 'Comma-separated fields of records to print, e.g. id,venue.city', separated)
    .option('--paginate', 'Fetch all pages and print one list of records')
    .option('--no-fail', 'Exit with 0 for any response')
    .action(runner.action((session, [words], options) => request(session, words as string[], options as RequestOptions)));
}

const items = `Items:
  title=Fair        Text for the JSON body, or for the query of GET
  venue.venue=Hall  Text in an object
  tags=a tags=b     List; also tags[]=a
  cost:=10          JSON value
  page==2           Query parameter, for any method
  Accept:text/html  Header
`;

const separated = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
const readMethod = (text: string) => parseOneOf(methods)(text.toUpperCase() as Method);

async function request(session: Session, words: readonly string[], options: RequestOptions): Promise<number> {
  const line = readRequest(words, options.method, options.data !== undefined);
  if (line.fields && options.data !== undefined) throw new Failure('bad-request', 'Use either --data or body items, not both');
  if (options.paginate && line.method !== 'GET') throw new Failure('bad-request', `--paginate requires GET, not ${line.method}`);
  const body = line.fields ? Buffer.from(JSON.stringify(line.fields)) : await bodyOf(session, options.data);
  const headers = { ...line.headers, ...readHeaders(session.globals.header ?? [], session.terminal) };
  if (body.length && headers['content-type'] === undefined) headers['content-type'] = 'application/json';
  const { method, path, origin, query } = line;
  if (options.paginate && new URLSearchParams(query).has('_fields'))
    throw new Failure('bad-request', 'Use either --paginate or _fields, not both', 'Select fields with --fields.');
  const connection = await session.connect(isReading(method) ? 'read' : 'write');
  if (origin !== undefined) checkOrigin(origin, connection);
  const resource = resourceIn(path);
  if (options.fields && resource) await checkOutput({ fields: options.fields }, resource, connection);
  const request: RawRequest = { method, path, whole: origin !== undefined, query, headers, body };
  const response = await connection.send(request);
  if (options.include) await session.print(headOf(response.status, response.headers));
  if (options.paginate && response.status < 400) await printPages(session, connection, request, response, options.fields);
  else await printResponse(session, request, response, options.fields);
  return options.fail === false ? 0 : exitOf(session, request, response);
}

/** The resource of a path of the API; undefined for other routes, such as WordPress' own tags. */
function resourceIn(path: string): Resource | undefined {
  const [, root = '', name] = /^(.*\/v\d+)?\/([a-z]+)(?:\/|$)/.exec(path) ?? [];
  return root.endsWith(wordpressPath) ? undefined : Object.values(resources).find((resource) => resource.name === name);
}

/** Throws `bad-request` for a URL of another server than the selected calendar's, which would get the request. */
function checkOrigin(text: string, { origin, place }: Connection): void {
  const [given, own] = [new URL(text), new URL(origin)];
  const isOwnHost = given.hostname === own.hostname || (isLoopback(given.hostname) && isLoopback(own.hostname));
  if (isOwnHost && given.port === own.port && given.protocol === own.protocol) return;
  const hint = `Its URLs begin with ${origin}. Pass only the path, or --url for another server.`;
  throw new Failure('bad-request', `${text} is not the address of ${place}`, hint);
}

/** Returns the exit code for a response, and prints an error status to stderr. */
async function exitOf({ tell }: Session, { method, path }: RawRequest, response: RemoteResponse): Promise<number> {
  if (response.status < 400) return 0;
  const request = `${method} ${path}`;
  await tell(`calendar: ${request} returned ${response.status}`);
  const [, first = ''] = path.split('/');
  const hint =
    response.status === 404 && !(resourceNames as readonly string[]).includes(first)
      ? didYouMean(
          `/${first}`,
          resourceNames.map((name) => `/${name}`),
        )
      : undefined;
  if (hint) await tell(`  ${hint}`);
  return responseFailure(response, method === 'HEAD' ? { code: '' } : parsedJson(response.body), request).exit;
}

async function printResponse(
  session: Session,
  { method, path }: RawRequest,
  { body, status }: RemoteResponse,
  fields?: readonly string[],
): Promise<void> {
  const text = method === 'HEAD' ? '' : body;
  const value = fields && status < 400 ? parsedJson(text) : undefined;
  if (value !== undefined && !resourceIn(path)) checkFields(fields!, value, path);
  if (value !== undefined) await session.print(`${JSON.stringify(picked(value, fields!, await textConverter(fields)), null, 2)}\n`);
  else {
    await session.print(session.terminal.stdout.isTTY ? indentJson(text) : text);
    if (text && !text.endsWith('\n')) await session.print('\n');
  }
}

/** Throws `bad-request` for a field that no value of a response has. */
function checkFields(fields: readonly string[], value: unknown, path: string): void {
  const values = [value].flat();
  const missing = fields.find((field) => values.every((each) => valueAt(each, field) === undefined));
  if (values.length && missing !== undefined) throw new UnknownField(missing, path, didYouMean(missing, Object.keys(values[0] ?? {})));
}

/** Selects fields of the record, or of all records of a page. */
const picked = (value: unknown, fields: readonly string[], toText?: ToText): unknown =>
  pick(listIn(value)?.records ?? value, fields, toText);

async function printPages(
  session: Session,
  connection: Connection,
  request: RawRequest,
  first: RemoteResponse,
  fields?: readonly string[],
): Promise<void> {
  if (fields && !resourceIn(request.path)) checkFields(fields, listIn(parsedJson(first.body))?.records ?? [], request.path);
  for await (const piece of jsonArray(recordsOf(connection, request, first), fields)) {
    session.terminal.interrupted.throwIfAborted();
    await session.print(piece);
  }
}

async function bodyOf(session: Session, data: string | undefined): Promise<Uint8Array> {
  if (data === undefined) return new Uint8Array();
  if (data === '-') return Buffer.from(await readAll(session.terminal, 'the body'));
  if (!data.startsWith('@')) return Buffer.from(data);
  const file = resolve(session.terminal.cwd, data.slice(1));
  return readFile(file).catch((error) => {
    throw systemFailure(error, file);
  });
}

const headOf = (status: number, headers: Record<string, string>) =>
  `HTTP/1.1 ${status}\n${Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value}\n`)
    .join('')}\n`;

function indentJson(text: string): string {
  const value = parsedJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The records of a page, and the resource that names them, any for a plain list; undefined for another response. */
function listIn(value: unknown): { name: ResourceName; records: Entry[] } | undefined {
  if (Array.isArray(value)) return { name: 'events', records: value };
  const name = isObject(value) && 'total_pages' in value ? resourceNames.find((each) => Array.isArray(value[each])) : undefined;
  return name && { name, records: (value as Record<string, Entry[]>)[name]! };
}

/** Yields the records of a list page by page, starting with a response, and those that were missed because the list changed. Throws if a response is an error or not a page. */
async function* recordsOf(connection: Connection, request: RawRequest, first: RemoteResponse): AsyncIterable<Entry> {
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

/** Throws `bad-request` if it is none. */
function pageIn(response: RemoteResponse, path: string, query: URLSearchParams): Page {
  const value = contentOf(response, path);
  const list = listIn(value);
  if (!list) throw new Failure('bad-request', `${path} is not a paginated list`, 'Omit --paginate.');
  return { ...parsePage(value, list.name, response, path, Object.fromEntries(query)), entries: list.records };
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
type Method = (typeof methods)[number];

const isReading = (method: Method): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';

/** A request parsed from command line arguments. */
interface RequestLine {
  method: Method;
  /** Relative to the namespace, unless it is part of a URL, starts with the namespace, or is a route outside of it. */
  path: string;
  /** The origin of a path that was given as a URL. */
  origin: string | undefined;
  /** Without a question mark. */
  query: string;
  headers: Record<string, string>;
  /** Body fields by name, if any. */
  fields: Record<string, unknown> | undefined;
}

/**
 * Parses `[METHOD] PATH [ITEM…]`. An item is `name=text`, `name:=json`, `name==text` for the query, or `Name:value` for a header. For a read-only
 * method, values become query parameters. Dots in names create objects; repeated names and `[]` create lists. The default method is GET, or POST
 * with a body. Throws `bad-request`.
 */
export function readRequest(words: readonly string[], fixedMethod: Method | undefined, hasBody: boolean): RequestLine {
  const [first = '', ...rest] = words;
  const leading = fixedMethod === undefined && rest.length > 0 ? leadingMethod(first, rest[0]!) : undefined;
  const [target = '', ...items] = leading ? rest : words;
  if (target === '') throw new Failure('bad-request', 'Missing path', "Example: GET '/events?per_page=5'");
  const read = items.map(readItem);
  const body = read.filter(({ sign }) => sign === '=' || sign === ':=');
  const method = fixedMethod ?? leading ?? (hasBody || body.length ? 'POST' : 'GET');
  const { path, query, origin } = splitTarget(target);
  const parameters = new URLSearchParams(query);
  const fields = bare();
  const headers: Record<string, string> = {};
  for (const item of read) {
    const { path: name, sign, value } = item;
    if (sign === ':') headers[name.toLowerCase()] = value.trim();
    else if (sign === '==' || isReading(method)) parameters.append(name, value);
    else assign(fields, item);
  }
  const appended = read.some(({ sign }) => sign === '==' || (sign !== ':' && isReading(method)));
  return {
    method,
    path,
    origin,
    query: appended ? parameters.toString() : query,
    headers,
    fields: Object.keys(fields).length ? fields : undefined,
  };
}

const methodNamed = (text: string): Method | undefined => methods.find((method) => method === text.toUpperCase());

function leadingMethod(word: string, next: string): Method | undefined {
  const method = methodNamed(word);
  if (method || !/^[a-z]+$/i.test(word) || !next.startsWith('/')) return method;
  throw new Failure(
    'bad-request',
    `Unknown method ${JSON.stringify(word)}`,
    didYouMean(word, methods) ?? `Expected one of ${methods.join(', ')}.`,
  );
}

function splitTarget(target: string): Pick<RequestLine, 'path' | 'query' | 'origin'> {
  const url = /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target) : undefined;
  const local = url ? url.pathname + url.search : target;
  const at = local.indexOf('?');
  const path = at < 0 ? local : local.slice(0, at);
  return { path: path === '' || path.startsWith('/') ? path : `/${path}`, query: at < 0 ? '' : local.slice(at + 1), origin: url?.origin };
}

function readItem(text: string): Assignment {
  const read = parseAssignment(text, ['==', ':=', '=', ':']);
  if (read) return read;
  throw new Failure(
    'bad-request',
    `Invalid item ${JSON.stringify(text)}`,
    'Use name=text, name:=json, name==text for the query, or Name:value for a header.',
  );
}
