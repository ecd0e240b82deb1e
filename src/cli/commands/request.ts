import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { RemoteResponse } from '../../client/response.ts';
import { contentOf, failureOf } from '../../client/response.ts';
import { type Entry, resourceNames } from '../../model/calendar.ts';
import { isObject } from '../../model/coerce.ts';
import { Failure } from '../../model/error.ts';
import { systemFailure } from '../../model/system-error.ts';
import type { Asked, Connection } from '../connect/connect.ts';
import { addNote } from '../help/notes.ts';
import { oneOf } from '../options.ts';
import { pick } from '../print/cells.ts';
import { jsonArray } from '../print/json.ts';
import { isReading, type Method, methods, readRequest } from '../request-line.ts';
import type { Runner, Session } from '../session.ts';
import { readAll } from '../terminal/prompt.ts';

interface RequestOptions {
  method?: Method;
  data?: string;
  header?: string[];
  include?: boolean;
  fields?: string[];
  paginate?: boolean;
  /** False with --no-fail. */
  fail?: boolean;
}

/** `calendar request [METHOD] PATH [ITEM…]`: sends a request to any route and prints the answer. */
export function build(command: Command, runner: Runner): void {
  addNote(command, values)
    .usage('[options] [method] <path> [name=value…]')
    .argument(
      '<words...>',
      'a method; a path below the namespace, like /events?per_page=5, or a whole address; values for the body or the query',
    )
    .addOption(new Option('-X, --method <method>', 'the method; GET when not given, POST with a body').choices(methods).argParser(named))
    .addOption(new Option('-d, --data <text>', 'the body; @file reads a file, - reads stdin'))
    .addOption(new Option('-H, --header <line>', "a header, like 'Content-Type: text/plain'; repeat it").argParser(collect))
    .addOption(new Option('-i, --include', 'show the status and the headers too'))
    .addOption(new Option('--fields <names>', 'of the records that are answered some fields, like id,venue.city').argParser(separated))
    .addOption(new Option('--paginate', 'every page of a list, as one list of its records'))
    .addOption(new Option('--no-fail', 'end with 0 whatever is answered'))
    .action(runner.action((session, [words], options) => request(session, words as string[], options as RequestOptions)));
}

const values = `Values:
  title=Fair        a text; of several the body is made, as JSON, or the query of GET
  venue.venue=Hall  a text in an object
  tags=a tags=b     a list; so is tags[]=a
  cost:=10          JSON
  page==2           a text for the query, whatever the method is
  Accept:text/html  a header
`;

const collect = (text: string, before: string[] = []) => [...before, text];
const separated = (text: string) =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
const named = (text: string) => oneOf(methods)(text.toUpperCase() as Method);

async function request(session: Session, words: readonly string[], options: RequestOptions): Promise<number> {
  const line = readRequest(words, options.method, options.data !== undefined);
  if (line.fields && options.data !== undefined)
    throw new Failure('bad-request', 'the body is given twice, by --data and by values', {}, 'Give one of them.');
  if (options.paginate && line.method !== 'GET')
    throw new Failure('bad-request', `--paginate is for GET, not ${line.method}`, {}, 'Leave it out.');
  const body = line.fields ? Buffer.from(JSON.stringify(line.fields)) : await bodyOf(session, options.data);
  const headers = { ...line.headers, ...headersOf(options.header ?? []) };
  if (body.length && headers['content-type'] === undefined) headers['content-type'] = 'application/json';
  const connection = await session.connect(isReading(line.method) ? 'read' : 'write');
  const { method, path, whole, query } = line;
  const asked: Asked = { method, path, whole, query, headers, body };
  const answer = await connection.ask(asked);
  if (options.include) await session.print(headOf(answer.status, answer.headers));
  if (options.paginate && answer.status < 400) await printPages(session, connection, asked, answer, options.fields);
  else await printAnswer(session, asked, answer, options.fields);
  return options.fail === false ? 0 : exitOf(session, asked, answer);
}

/** The exit code for an answer; of one that tells of a failure its status is said on stderr. */
async function exitOf({ tell }: Session, { method, path }: Asked, answer: RemoteResponse): Promise<number> {
  if (answer.status < 400) return 0;
  const said = `${method} ${path}`;
  await tell(`calendar: ${said} answered ${answer.status}`);
  return failureOf(answer, method === 'HEAD' ? { code: '' } : parseJson(answer.body), said).exit;
}

async function printAnswer(
  session: Session,
  { method }: Asked,
  { body, status }: RemoteResponse,
  fields?: readonly string[],
): Promise<void> {
  // An answer to HEAD has no body; its status alone says what failed.
  const text = method === 'HEAD' ? '' : body;
  const value = fields && status < 400 ? parseJson(text) : undefined;
  if (value !== undefined) await session.print(`${JSON.stringify(picked(value, fields!), null, 2)}\n`);
  else {
    await session.print(session.terminal.stdout.isTTY ? indentJson(text) : text);
    if (text && !text.endsWith('\n')) await session.print('\n');
  }
}

/** Some fields of the records in an answer: of one, or of all that a page lists. */
const picked = (value: unknown, fields: readonly string[]): unknown => pick(listIn(value) ?? value, fields);

/** The records that a page lists; undefined when an answer is no page. */
function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return undefined;
  const list = resourceNames.map((name) => value[name]).find(Array.isArray);
  return list && 'total_pages' in value ? list : undefined;
}

async function printPages(
  session: Session,
  connection: Connection,
  asked: Asked,
  first: RemoteResponse,
  fields?: readonly string[],
): Promise<void> {
  for await (const piece of jsonArray(recordsOf(connection, asked, first), fields)) {
    session.terminal.interrupted.throwIfAborted();
    await session.print(piece);
  }
}

/** The records of a list from an answered page on, page after page. Fails when an answer is no page, or tells of a failure. */
async function* recordsOf(connection: Connection, asked: Asked, first: RemoteResponse): AsyncIterable<Entry> {
  const query = new URLSearchParams(asked.query);
  let answer = first;
  for (let number = Number(query.get('page') ?? 1); ; number++) {
    const value = contentOf(answer, asked.path);
    const list = listIn(value);
    if (!list) throw new Failure('bad-request', `${asked.path} is no list of pages`, {}, 'Leave out --paginate.');
    yield* list as Entry[];
    if (!isObject(value) || !(Number(value.total_pages) > number) || !list.length) return;
    query.set('page', String(number + 1));
    answer = await connection.ask({ ...asked, query: query.toString() });
  }
}

async function bodyOf(session: Session, data: string | undefined): Promise<Uint8Array> {
  if (data === undefined) return new Uint8Array();
  if (data === '-') return Buffer.from(await readAll(session.terminal, 'the body'));
  if (!data.startsWith('@')) return Buffer.from(data);
  const file = resolve(session.terminal.cwd, data.slice(1));
  return readFile(file).catch((error) => {
    throw systemFailure(error, `cannot read ${file}`);
  });
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const match = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line);
    if (!match) throw new Failure('bad-request', `not a header: ${JSON.stringify(line)}`, {}, "Write it like 'Accept: application/json'.");
    headers[match[1]!.toLowerCase()] = match[2]!;
  }
  return headers;
}

const headOf = (status: number, headers: Record<string, string>) =>
  `HTTP/1.1 ${status}\n${Object.entries(headers)
    .map(([name, value]) => `${name.toLowerCase()}: ${value}\n`)
    .join('')}\n`;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function indentJson(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
