import { type Command, InvalidArgumentError, Option } from 'commander';
import project from '../../../package.json' with { type: 'json' };
import { jsonOf } from '../../client/response.ts';
import type { SendRequest } from '../../data/check/check.ts';
import { assertCalendar, type CheckReport, type CheckResult, checks, isAmong, runChecks } from '../../data/check/run.ts';
import { isLoopback } from '../../model/addresses.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { exitCodes, Failure } from '../../model/error.ts';
import { type Connection, connect } from '../connect/connect.ts';
import { targetOf } from '../connect/target.ts';
import { choice } from '../options.ts';
import { Interrupted, type Runner, type Session } from '../session.ts';

interface CheckCommandOptions {
  write?: boolean;
  yes?: boolean;
  only?: string[];
  bail?: boolean;
  format: CheckFormat;
  list?: boolean;
  like?: string;
}

/** `calendar check URL`: checks any server against the specification. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[url]', 'Address of the server, with or without the namespace')
    .option('--write', 'Create records too, and delete them afterwards')
    .option('-y, --yes', 'Allow --write on a server that is not on this machine')
    .option('--only <checks>', 'Run only these checks, by name or prefix, e.g. events.list', names)
    .option('--bail', 'Stop at the first failure')
    .addOption(choice('--format <format>', 'Output format', checkFormats).default('pretty'))
    .option('--list', 'List all checks without running them')
    .addOption(
      new Option('--like <file>', 'Compare the responses with a shape of calendar learn instead').conflicts([
        'write',
        'only',
        'bail',
        'list',
      ]),
    )
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
  if (options.like !== undefined) {
    const { checkLike } = await import('./learn.ts');
    const { report, root } = await checkLike(session, url, options.like).catch((error) => {
      const { interrupted } = session.terminal;
      throw interrupted.aborted ? new Interrupted(String(interrupted.reason)) : error;
    });
    if (options.format === 'pretty') for (const result of report.results) await session.print(prettyLine(result));
    return tell(session, report, root, options.format);
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
    await assertCalendar(send, connection.root ?? target);
    const report = await runChecks(send, {
      only: options.only,
      write: options.write ?? false,
      bail: options.bail ?? false,
      prefix: `Calendar check ${terminal.now().toString(36)}`,
      signal: terminal.interrupted,
      onResult: (result) => (options.format === 'pretty' ? session.print(prettyLine(result)) : undefined),
    });
    return await tell(session, report, connection.root ?? target, options.format);
  } finally {
    await connection.close();
  }
}

async function profileUrl({ globals, terminal }: Session): Promise<string | undefined> {
  if (globals.profile === undefined) return undefined;
  const target = await targetOf({ ...globals, db: undefined }, terminal);
  return target.kind === 'remote' ? target.url : undefined;
}

async function tell(session: Session, report: CheckReport, url: string, format: CheckFormat): Promise<number> {
  const { ok, wrong, skipped } = countsOf(report);
  if (format === 'pretty') await session.print(`\n${url}: ${ok} passed, ${wrong} failed, ${skipped} skipped\n`);
  else await session.print(reportText[format](report, url));
  for (const path of report.left) await session.tell(`calendar: Could not delete ${path}`);
  if (report.failure) throw report.failure;
  if (session.terminal.interrupted.aborted) return session.terminal.interrupted.reason === 'SIGTERM' ? 143 : 130;
  return wrong || report.left.length ? exitCodes.partial : exitCodes.ok;
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
    return { status: response.status, headers, json: jsonOf(response.body) };
  };

const checkFormats = ['pretty', 'tap', 'junit', 'json'] as const;
export type CheckFormat = (typeof checkFormats)[number];

/** Counts the results of checks. */
export const countsOf = ({ results }: CheckReport) => ({
  ok: results.filter(({ outcome }) => outcome === 'ok').length,
  wrong: results.filter(({ outcome }) => outcome === 'wrong').length,
  skipped: results.filter(({ outcome }) => outcome === 'skipped').length,
});

/** Removes line breaks and characters that are invalid in XML. */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\0-\x1f\x7f-\x9f\s]+/g, ' ')
    .replace(/[\ufffe\uffff]/g, '\ufffd');
const marks = { ok: 'ok  ', wrong: 'FAIL', skipped: 'skip' } as const;

function prettyLine({ check, outcome, reason }: CheckResult): string {
  const line = `${marks[outcome]} ${check.name}: ${check.about}\n`;
  if (outcome === 'skipped') return `${marks[outcome]} ${check.name}: ${oneLine(reason ?? '')}\n`;
  return outcome === 'ok' ? line : `${line}       ${oneLine(reason ?? '')}\n       specification: ${check.specification}\n`;
}

const yaml = (text: string) => JSON.stringify(oneLine(text));

function tap({ results }: CheckReport): string {
  const lines = results.map(({ check, outcome, reason = '', took }, at) => {
    const head = `${outcome === 'wrong' ? 'not ok' : 'ok'} ${at + 1} - ${check.name}`;
    if (outcome === 'skipped') return `${head} # SKIP ${oneLine(reason)}`;
    if (outcome === 'ok') return head;
    return `${head}\n  ---\n  message: ${yaml(reason)}\n  specification: ${yaml(check.specification)}\n  duration_ms: ${took}\n  ...`;
  });
  return `TAP version 14\n1..${results.length}\n${lines.join('\n')}\n`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const xml = (text: string) => oneLine(text).replace(/[&<>"]/g, (mark) => entities[mark]!);

function junit(report: CheckReport, url: string): string {
  const { results } = report;
  const { wrong, skipped } = countsOf(report);
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
  const cases = results.map(({ check, outcome, reason = '', took }) => {
    const open = `    <testcase classname="${xml(check.name.split('.')[0]!)}" name="${xml(check.name)}" time="${seconds(took)}"`;
    if (outcome === 'ok') return `${open}/>`;
    const inside =
      outcome === 'skipped'
        ? `<skipped message="${xml(reason)}"/>`
        : `<failure message="${xml(reason)}">${xml(check.specification)}</failure>`;
    return `${open}>${inside}</testcase>`;
  });
  const total = seconds(results.reduce((sum, { took }) => sum + took, 0));
  const counts = `tests="${results.length}" failures="${wrong}" skipped="${skipped}" errors="0" time="${total}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite name="${xml(`${project.name} check ${url}`)}" ${counts}>\n${cases.join('\n')}\n  </testsuite>\n</testsuites>\n`;
}

const json = (report: CheckReport, url: string): string =>
  `${JSON.stringify(
    {
      url,
      ...countsOf(report),
      left: report.left,
      checks: report.results.map(({ check, outcome, reason, took }) => ({
        name: check.name,
        outcome,
        ...(reason === undefined ? {} : { reason }),
        about: check.about,
        specification: check.specification,
        took,
      })),
    },
    null,
    2,
  )}\n`;

/** Formats a report; `pretty` is written line by line instead. */
const reportText: Record<Exclude<CheckFormat, 'pretty'>, (report: CheckReport, url: string) => string> = { tap, junit, json };
