import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import project from '../../../package.json' with { type: 'json' };
import { Failure } from '../../model/error.ts';
import { toHar } from '../../model/formats/har.ts';
import { hintLines } from '../../model/mistakes/hints.ts';
import type { HttpMethod, JournaledRequest, JournalMatch, VerifyInput } from '../../model/operation-types.ts';
import type { Messages } from '../../model/operations/messages.ts';
import { outcomeText } from '../../model/operations/request-outcome.ts';
import { coverageLines, coverageText } from '../../model/operations/test-report.ts';
import type { RunOperation } from '../connect/connect.ts';
import { operate, whileConnected } from '../connect/operate.ts';
import { choice, parseCount, timeFor } from '../options.ts';
import type { Runner, Session } from '../session.ts';

/** The options of `requests`. */
interface RequestsOptions extends Omit<VerifyInput, 'match'> {
  method?: string[];
  path?: string;
  status?: string[];
  user?: string;
  aborted?: boolean;
  hint?: string;
  hints?: boolean;
  coverage?: boolean;
  limit?: number;
  follow?: boolean;
  wait?: number;
  waitFor?: string;
  after?: number;
  count?: boolean;
  clear?: boolean;
  json?: boolean;
  format?: 'har';
}

/** `calendar requests`: the request log of a server. */
export function build(command: Command, runner: Runner): void {
  const [which, what, should] = ['Filters:', 'Actions:', 'Expectations (exit code 6 if not met):'];
  const option = (group: string, flags: string, about: string) => new Option(flags, about).helpGroup(group);
  const separated = (text: string) => text.split(',');
  command
    .addOption(option(which, '-X, --method <methods>', 'Comma-separated methods, e.g. POST').argParser(separated))
    .addOption(option(which, '--path <pattern>', 'Path below the namespace or absolute, e.g. /events/*'))
    .addOption(option(which, '--status <statuses>', 'Comma-separated statuses, e.g. 404 or 4xx,5xx').argParser(separated))
    .addOption(option(which, '--user <name>', 'Requests of a user'))
    .addOption(option(which, '--aborted', 'Requests whose client went away'))
    .addOption(option(which, '--hint <rule>', 'Requests with a mistake, e.g. no-credentials or "*"'))
    .addOption(option(which, '-n, --limit <n>', 'Maximum number of requests, latest last').argParser(parseCount))
    .addOption(option(what, '-f, --follow', 'Print requests as they arrive; with -n, also the last ones'))
    .addOption(option(what, '--wait <n>', 'Wait for this number of requests, and print them').argParser(parseCount))
    .addOption(option(what, '--wait-for <time>', 'Time to wait, e.g. 10s (default 30s)').argParser(timeFor('timeout')))
    .addOption(option(what, '--after <id>', 'Wait for requests after this ID').argParser(parseCount))
    .addOption(
      option(what, '--hints', "Print the clients' mistakes in requests that succeeded").conflicts([
        'count',
        'follow',
        'limit',
        'wait',
        'clear',
      ]),
    )
    .addOption(
      option(what, '--coverage', 'Print what the app met of all that a site can send').conflicts([
        'count',
        'follow',
        'limit',
        'wait',
        'clear',
        'hints',
      ]),
    )
    .addOption(option(what, '--count', 'Print the number of requests'))
    .addOption(
      option(what, '--clear', 'Delete the requests that match from the log; all without filters').conflicts(['count', 'follow', 'limit']),
    )
    .addOption(option(should, '--exactly <n>', 'Exact number of requests').argParser(parseCount))
    .addOption(option(should, '--at-least <n>', 'Minimum number of requests').argParser(parseCount))
    .addOption(option(should, '--at-most <n>', 'Maximum number of requests').argParser(parseCount))
    .addOption(option(should, '--never', 'No requests'))
    .option('--json', 'Output JSON with headers and bodies; one line per request with --follow')
    .addOption(choice('--format <format>', 'Output an HTTP Archive, e.g. for the developer tools of browsers', ['har']).conflicts('json'))
    .action(runner.action((session, _args, options) => requests(session, options as RequestsOptions), { graceful: true }));
}

async function requests(session: Session, options: RequestsOptions): Promise<undefined> {
  const { exactly, atLeast, atMost, never } = options;
  const verifying = [exactly, atLeast, atMost, never].some((each) => each !== undefined);
  if ([options.follow, options.wait !== undefined, options.count || verifying].filter(Boolean).length > 1)
    throw new Failure('bad-request', 'Use only one of --follow, --wait and a count');
  if ((options.count || verifying) && options.limit !== undefined) throw new Failure('bad-request', '--limit can only be used with a list');
  if (options.wait === undefined && (options.waitFor ?? options.after) !== undefined)
    throw new Failure('bad-request', `--${options.after === undefined ? 'wait-for' : 'after'} can only be used with --wait`);
  if (options.format !== undefined && (options.follow || options.wait !== undefined || options.clear || options.count || verifying))
    throw new Failure('bad-request', '--format can only be used with a list');
  if (options.hints) {
    const { hints } = await operate(session, 'served', 'hints', {});
    return session.print(
      options.json
        ? `${JSON.stringify(hints, null, 2)}\n`
        : hintLines(hints)
            .map((line) => `${line}\n`)
            .join(''),
    ) as Promise<undefined>;
  }
  if (options.coverage) {
    const report = await operate(session, 'served', 'coverage', {});
    const text = options.json
      ? JSON.stringify(report, null, 2)
      : [coverageText(report), ...coverageLines(report)].filter(Boolean).join('\n');
    return session.print(`${text}\n`) as Promise<undefined>;
  }
  if (options.wait !== undefined) return wait(session, options);
  if (options.follow) return whileConnected(session, 'served', (control) => follow(session, control, options));
  if (options.clear) {
    const match = matchOf(options);
    const { deleted } = await operate(session, 'served', 'clearRequests', Object.keys(match).length ? { match } : {});
    return session.print(options.json ? `${JSON.stringify({ deleted })}\n` : `Deleted ${deleted} requests\n`) as Promise<undefined>;
  }
  if (options.count || verifying) {
    const match = matchOf(options);
    const done = verifying
      ? await operate(session, 'served', 'verifyRequests', { match, exactly, atLeast, atMost, never })
      : await operate(session, 'served', 'countRequests', { match });
    return session.print(options.json ? `${JSON.stringify(done)}\n` : `${done.count}\n`) as Promise<undefined>;
  }
  const { requests, dropped } = await operate(session, 'served', 'requests', {
    ...matchOf(options),
    limit: options.limit,
    brief: !options.json && options.format === undefined,
  });
  if (dropped > 0)
    await session.tell(`calendar: The log has dropped the first ${dropped} requests. Start the server with a larger --journal N.`);
  if (options.format !== undefined)
    return session.print(`${JSON.stringify(toHar(requests, project.version), null, 2)}\n`) as Promise<undefined>;
  await session.print(options.json ? `${JSON.stringify(requests, null, 2)}\n` : requests.map(requestText).join(''));
  if (requests.length !== options.limit) return;
  const { count: total } = await operate(session, 'served', 'countRequests', { match: matchOf(options) });
  if (total > requests.length) await session.tell(`${requests.length} of ${total} requests`, true);
}

/** Waits for requests and prints them. Exits with 6 after the time. */
async function wait(session: Session, options: RequestsOptions): Promise<undefined> {
  if (options.limit !== undefined) throw new Failure('bad-request', '--limit can only be used with a list');
  const { wait: times, waitFor: timeout, after } = options;
  const { requests } = await operate(session, 'served', 'awaitRequests', { match: matchOf(options), times, timeout, after });
  return session.print(options.json ? `${JSON.stringify(requests, null, 2)}\n` : requests.map(requestText).join('')) as Promise<undefined>;
}

const matchOf = ({
  method,
  path,
  status,
  user,
  aborted,
  hint,
}: RequestsOptions): Pick<JournalMatch, 'method' | 'path' | 'status' | 'user' | 'aborted' | 'hint'> & { hint?: string } => ({
  ...(method ? { method: method as HttpMethod[] } : {}),
  ...(path === undefined ? {} : { path }),
  ...(status ? { status } : {}),
  ...(user === undefined ? {} : { user }),
  ...(aborted === undefined ? {} : { aborted }),
  ...(hint === undefined ? {} : { hint }),
});

/** Time in which requests that arrive usually end, in ms: they are printed once. */
const printDelayMs = 100;

/**
 * Prints requests as they arrive, until it is interrupted or the server stops. A request that takes longer is printed as pending, and again with its status. The stream only announces
 * requests, which are read from the log.
 */
async function follow(session: Session, control: RunOperation, options: RequestsOptions): Promise<undefined> {
  const { interrupted } = session.terminal;
  const about = { ...matchOf(options), brief: !options.json };
  const print = (requests: readonly JournaledRequest[]) =>
    session.print(requests.map((each) => (options.json ? `${JSON.stringify(each)}\n` : requestText(each))).join(''));
  /** IDs of ended requests that were printed before the stream announced their end. */
  const printed = new Set<number>();
  let last: string | undefined;
  let newest = 0;
  const printAll = async (requests: readonly JournaledRequest[]): Promise<void> => {
    for (const { id, took } of requests) if (took !== null) printed.add(id);
    await print(requests);
  };
  /** Prints the requests that a batch of messages announces. */
  const printAnnounced = async (messages: Messages['messages']): Promise<void> => {
    const ids = new Set<number>();
    // After missed messages, everything new.
    let all = Number.POSITIVE_INFINITY;
    for (const { type, data } of messages)
      if (type === 'reset' && data.reason === 'missed') all = newest;
      else if (type === 'request') {
        // The log was cleared, and IDs start again at 1.
        if (data.took === null) printed.delete(data.id);
        if (!printed.delete(data.id)) ids.add(data.id);
        newest = data.id;
      }
    if (ids.size === 0 && all === Number.POSITIVE_INFINITY) return;
    await sleep(printDelayMs, undefined, { signal: interrupted });
    const { requests } = await control('requests', { ...about, after: Math.min(...ids, all + 1) - 1 });
    const ended = new Set(messages.flatMap(({ type, data }) => (type === 'request' && data.took !== null ? [data.id] : [])));
    const announced = requests.filter(({ id }) => ids.has(id) || id > all);
    for (const { id, took } of announced) if (took !== null && !ended.has(id)) printed.add(id);
    await print(announced);
  };
  try {
    let stream = await control('events', { types: ['request', 'reset'] }, undefined, interrupted);
    if (options.limit !== undefined) await printAll((await control('requests', { ...about, limit: options.limit })).requests);
    while (!interrupted.aborted) {
      for await (const { last: lastId, messages } of stream) {
        last = lastId;
        await printAnnounced(messages);
      }
      // The server disconnects slow readers, who may reconnect.
      if (!interrupted.aborted) stream = await control('events', { types: ['request', 'reset'], after: last }, undefined, interrupted);
    }
  } catch (error) {
    if (interrupted.aborted) return;
    if (last === undefined || !(error instanceof Failure) || error.code !== 'unreachable') throw error;
    await session.tell('calendar: The server has stopped');
  }
}

/** Formats a request as a line: time in UTC, method, status, duration, path, user and error. */
function requestText(request: JournaledRequest): string {
  const { time, method, path, query, took, user, reason } = request;
  const duration = took === null ? '' : `${took.toFixed(took < 10 ? 1 : 0)} ms`;
  const target = query === '' ? path : `${path}?${query}`;
  const line = [
    time.replace('T', ' '),
    method.padEnd(6),
    outcomeText(request).padEnd(3),
    duration.padStart(8),
    target,
    ...(user === null ? [] : [user]),
    ...(reason ? [reason] : []),
  ];
  return `${line.join('  ')}\n`;
}
