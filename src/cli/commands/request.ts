import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { failureOf } from '../../client/response.ts';
import { Failure } from '../../model/error.ts';
import { systemFailure } from '../../model/system-error.ts';
import type { Runner, Session } from '../session.ts';
import { escapeControls } from '../terminal/escape-controls.ts';
import { readAll } from '../terminal/prompt.ts';
import { paintFor } from '../terminal/terminal.ts';

/** `calendar request METHOD PATH`: sends a request to any route and prints the response. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('<method>', methodNames, method)
    .argument('<path>', 'below the namespace, like /events?per_page=5, or whole')
    .addOption(new Option('--data <text>', 'the body; @file reads a file, - reads stdin'))
    .addOption(new Option('-H, --header <line>', "a header, like 'Content-Type: text/plain'").argParser(collect))
    .addOption(new Option('-i, --include', 'show the status and the headers too'))
    .action(runner.action((session, [verb, path], options) => request(session, String(verb), String(path), options)));
}

const collect = (text: string, before: string[] = []) => [...before, text];

const methodNames = 'GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS';

function method(text: string): string {
  const name = text.toUpperCase();
  if (methodNames.split(/, | or /).includes(name)) return name;
  throw new InvalidArgumentError(`It takes ${methodNames}.`);
}

async function request(session: Session, verb: string, target: string, options: Record<string, unknown>): Promise<number> {
  const body = await bodyOf(session, options.data as string | undefined);
  const { path, query } = splitTarget(target);
  const headers = headersOf((options.header as string[] | undefined) ?? []);
  if (body.length && headers['content-type'] === undefined) headers['content-type'] = 'application/json';
  const reads = ['GET', 'HEAD', 'OPTIONS'].includes(verb);
  const connection = await session.connect(reads ? 'read' : 'write');
  const answer = await connection.ask({ method: verb, path, query, headers, body });
  // An answer to HEAD has no body; its status alone says what failed.
  const text = verb === 'HEAD' ? '' : answer.body;
  if (options.include) await session.print(headOf(answer.status, answer.headers));
  await session.print(session.terminal.stdout.isTTY ? escapeControls(indentJson(text)) : text);
  if (text && !text.endsWith('\n')) await session.print('\n');
  if (answer.status < 400) return 0;
  const failure = failureOf(answer, verb === 'HEAD' ? { code: '' } : parseJson(text), `${verb} ${path}`);
  const { stderr, env } = session.terminal;
  await session.tell(`${paintFor(stderr, env, session.globals.color).red('calendar:')} ${verb} ${path} answered ${answer.status}`);
  return failure.exit;
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

/** The path and query of a target; of a whole URL the origin is ignored. */
function splitTarget(target: string): { path: string; query: string } {
  const local = /^https?:\/\//.test(target) && URL.canParse(target) ? new URL(target).pathname + new URL(target).search : target;
  const at = local.indexOf('?');
  const path = at < 0 ? local : local.slice(0, at);
  return { path: path === '' || path.startsWith('/') ? path : `/${path}`, query: at < 0 ? '' : local.slice(at + 1) };
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
