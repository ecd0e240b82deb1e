import { type Command, InvalidArgumentError } from 'commander';
import { parsedJson } from '../../client/response.ts';
import type { SendRequest } from '../../data/check/check.ts';
import { assertCalendar, checks, isAmong, runChecks } from '../../data/check/run.ts';
import { isLoopback } from '../../model/addresses.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { exitCodes, Failure } from '../../model/error.ts';
import { type Connection, connect } from '../connect/connect.ts';
import { isBare } from '../connect/sync.ts';
import { targetOf } from '../connect/target.ts';
import { choice } from '../options.ts';
import { prettyLine, printReport, type ReportFormat, reportFormats } from '../print/check-report.ts';
import type { Runner, Session } from '../session.ts';

interface CheckCommandOptions {
  write?: boolean;
  yes?: boolean;
  only?: string[];
  bail?: boolean;
  format: ReportFormat;
  list?: boolean;
}

/** `calendar check URL`: checks any server against the specification. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[url]', 'Address of the server, with or without the namespace')
    .option('--write', 'Create records too, and delete them afterwards')
    .option('-y, --yes', 'Allow --write on a server that is not on this machine')
    .option('--only <checks>', 'Run only these checks, by name or prefix, e.g. events.list', names)
    .option('--bail', 'Stop at the first failure')
    .addOption(choice('--format <format>', 'Output format', reportFormats).default('pretty'))
    .option('--list', 'List all checks without running them')
    // Records that checks created are deleted when it is interrupted, too.
    .action(
      runner.action((session, [url], options) => check(session, url as string | undefined, options as unknown as CheckCommandOptions), {
        graceful: true,
      }),
    );
}

function names(text: string, before: string[] = []): string[] {
  const parts = text.split(',').map((part) => part.trim());
  for (const part of parts)
    if (!checks.some((check) => isAmong(check, [part])))
      throw new InvalidArgumentError(
        didYouMean(
          part,
          checks.map(({ name }) => name),
        ) ?? 'See: calendar check --list',
      );
  return [...before, ...parts];
}

async function check(session: Session, url: string | undefined, options: CheckCommandOptions): Promise<number> {
  if (options.list) {
    await session.print(checks.map(({ name, about, writes }) => `${name}${writes ? ' (writes)' : ''}: ${about}\n`).join(''));
    return exitCodes.ok;
  }
  const { terminal } = session;
  const target = url ?? session.globals.url ?? (await profileUrl(session));
  if (target === undefined) throw new Failure('bad-request', 'Missing URL', 'Example: calendar check http://127.0.0.1:8787');
  const address = URL.canParse(target) ? new URL(target) : undefined;
  if (options.write && !options.yes && address && !isLoopback(address.hostname))
    throw new Failure(
      'bad-request',
      `Refusing to create records on ${address.hostname} without confirmation`,
      'Pass --yes. Events, venues and organizers will remain in its trash.',
    );
  const connection = await connect(
    { ...session.globals, url: target, db: undefined },
    { ...terminal, interrupted: new AbortController().signal },
    'write',
  );
  try {
    const send = requesterOf(connection);
    await assertCalendar(send, connection.root ?? target).catch(async (error) => {
      if (!isNoCalendar(error) || !isBare(session.globals, target)) throw error;
      const isFound = await connection.find?.().catch((failure) => {
        throw isNoCalendar(failure) ? error : failure;
      });
      if (!isFound) throw error;
      await assertCalendar(send, connection.root ?? target);
    });
    const report = await runChecks(send, {
      only: options.only,
      write: options.write ?? false,
      bail: options.bail ?? false,
      prefix: `Calendar check ${terminal.now().toString(36)}`,
      signal: terminal.interrupted,
      onResult: (result) => (options.format === 'pretty' ? session.print(prettyLine(result)) : undefined),
    });
    return await printReport(session, report, connection.root ?? target, options.format);
  } finally {
    await connection.close();
  }
}

const isNoCalendar = (error: unknown): boolean => error instanceof Failure && error.code === 'not-a-calendar';

async function profileUrl({ globals, terminal }: Session): Promise<string | undefined> {
  if (globals.profile === undefined) return undefined;
  const target = await targetOf({ ...globals, db: undefined }, terminal);
  return target.kind === 'remote' ? target.url : undefined;
}

/** Sends requests over a connection and parses JSON responses. */
const requesterOf =
  (connection: Connection): SendRequest =>
  async (method, path, query = '', body) => {
    const form = body instanceof URLSearchParams;
    const type: Record<string, string> =
      body === undefined ? {} : { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' };
    const text = body === undefined ? '' : form ? String(body) : JSON.stringify(body);
    const response = await connection.send({ method, path, query, headers: type, body: Buffer.from(text) });
    const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
    return { status: response.status, headers, json: parsedJson(response.body) };
  };
