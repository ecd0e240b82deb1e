import { Argument, type Command, Option } from 'commander';
import { Failure } from '../../model/error.ts';
import type { Delay, FaultAnswer, FaultInfo } from '../../model/operation-types.ts';
import { connectionFaults, faultMoments, siteFaultNames } from '../../model/operations/connection-faults.ts';
import {
  delayForms,
  type FaultOptions,
  type FaultOutcome,
  faultInputOf,
  parseHeader,
  parsePair,
} from '../../model/operations/fault-line.ts';
import type { Time } from '../../model/time/duration.ts';
import { operate, whileConnected } from '../connect/operate.ts';
import { choice, parseCount, timeFor } from '../options.ts';
import { asArgument, delayArgument, parseFault, shareArgument } from '../serving/options.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { escapeControls } from '../terminal/safe-output.ts';

/** The options of `fault add`. */
type AddOptions = FaultOptions & { json?: boolean };

const json = () => new Option('--json', 'Output JSON');
const responseHeader = () =>
  new Option('--response-header <line>', "Header of the injected response, e.g. 'Retry-After: 5' (repeatable)").argParser(parseHeaders);

/** `calendar fault`: injects faults into a server. */
export function build(command: Command, runner: Runner): void {
  buildAdd(command, runner);
  command
    .command('list')
    .summary('List faults with their number of uses')
    .addOption(json())
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('remove')
    .alias('rm')
    .summary('Remove faults')
    .argument('<id...>', 'IDs of faults', (text, before: number[] = []) => [...before, parseCount(text)])
    .action(runner.action((session, [ids]) => remove(session, ids as number[])));
  command
    .command('wait')
    .summary('Wait until a fault holds requests')
    .argument('<id>', 'ID of the fault', parseCount)
    .option('--times <n>', 'Number of requests to wait for (default 1)', parseCount)
    .option('--wait-for <time>', 'Time to wait, e.g. 10s (default 30s)', timeFor('timeout'))
    .addOption(json())
    .action(runner.action((session, [id], options) => wait(session, Number(id), options)));
  command
    .command('release')
    .summary('Release the requests that a fault holds, and remove it')
    .argument('<id>', 'ID of the fault', parseCount)
    .option('--status <n>', 'Send this status instead of the true response', parseCount)
    .option('--body <text>', 'Body of the injected response: JSON or text')
    .addOption(responseHeader())
    .action(runner.action((session, [id], options) => release(session, Number(id), options)));
  command.command('clear').summary('Remove all faults, including those from the start').action(runner.action(clear));
}

/** `calendar fault add`: which requests it meets, how often, and what happens to them. */
function buildAdd(command: Command, runner: Runner): void {
  const failing = new Argument(
    '[fault]',
    `Status, hold, patch, preamble, query, ${connectionFaults.join(', ')}, or ${siteFaultNames.join(', ')}, with an optional share, e.g. 503:10%`,
  );
  // Choices are only for completion.
  failing.choices([...connectionFaults, 'hold', 'patch', 'preamble', 'query', ...siteFaultNames]).argParser(parseFault);
  const which = 'Matching options:';
  const when = 'Frequency options:';
  const what = 'Effect options:';
  const option = (group: string, flags: string, about: string) => new Option(flags, about).helpGroup(group);
  command
    .command('add')
    .summary('Add a fault')
    .addArgument(failing)
    .addOption(option(which, '-X, --method <methods>', 'Comma-separated methods, e.g. POST').argParser((text) => text.split(',')))
    .addOption(option(which, '--path <pattern>', 'Path below the namespace or absolute, e.g. /events/* (default: the whole API)'))
    .addOption(
      option(which, '--query <pair>', 'Query parameter, e.g. search=*jazz*; a name for any value, !name for none (repeatable)').argParser(
        parsePairs('='),
      ),
    )
    .addOption(
      option(which, '-H, --header <line>', "Header, e.g. 'X-Test: a*'; a name for any value, !name for none (repeatable)").argParser(
        parsePairs(':'),
      ),
    )
    .addOption(option(when, '--times <n>', 'Maximum number of uses').argParser(parseCount))
    .addOption(option(when, '--after <n>', 'Number of matching requests to skip first').argParser(parseCount))
    .addOption(option(when, '--every <n>', 'Use for every nth of the remaining requests').argParser(parseCount))
    .addOption(option(when, '--probability <share>', 'Share of the remaining requests, e.g. 10% or 0.1').argParser(shareArgument))
    .addOption(option(when, '--rng-seed <text>', 'Seed of the random number generator'))
    .addOption(option(what, '--delay <ms>', `Time before the response in ms, e.g. ${delayForms}`).argParser(delayArgument))
    .addOption(option(what, '--slow-body <ms>', 'Time from the first to the last byte of the body, as in --delay').argParser(delayArgument))
    .addOption(
      option(
        what,
        '--body <text>',
        'Body of the injected response: JSON or text; for patch, a JSON merge patch or JSON Patch; for preamble, a text; for query, a JSON object',
      ),
    )
    .addOption(responseHeader().helpGroup(what))
    .addOption(choice('--at <moment>', 'Inject before or after the calendar processes the request', faultMoments).helpGroup(what))
    .addOption(
      option(what, '--hold-for <time>', 'Time after which a held request gets its response, e.g. 1m (default 30s)').argParser(
        timeFor('timeout'),
      ),
    )
    .addOption(json())
    .action(runner.action((session, [what], options) => add(session, what as FaultOutcome | undefined, options as unknown as AddOptions)));
}

/** Collects patterns by name. */
const parsePairs = (sign: string) =>
  asArgument((text: string, before: Record<string, string | null> = {}) => ({ ...before, ...Object.fromEntries([parsePair(text, sign)]) }));
const parseHeaders = asArgument((text: string, before: Record<string, string> = {}) => ({
  ...before,
  ...Object.fromEntries([parseHeader(text)]),
}));

/** Waits until a fault holds requests, and prints it. Exits with 6 after the time. */
async function wait(
  session: Session,
  id: number,
  { times, waitFor, json }: { times?: number; waitFor?: string; json?: boolean },
): Promise<undefined> {
  const fault = await operate(session, 'served', 'awaitFault', { id, count: times, timeout: waitFor });
  await session.print(json ? `${JSON.stringify(fault)}\n` : rows([fault]));
}

async function release(session: Session, id: number, { status, ...options }: FaultOptions & { status?: number }): Promise<undefined> {
  const { then } = faultInputOf(status === undefined ? {} : { then: { status } }, options);
  const { held = 0 } = await operate(session, 'served', 'releaseFault', { id, response: then as FaultAnswer | undefined });
  await session.print(`Released ${held} ${held === 1 ? 'request' : 'requests'}\n`);
}

async function add(session: Session, what: FaultOutcome | undefined, options: AddOptions): Promise<undefined> {
  if (what?.then === 'hold' && session.globals.timeout !== undefined)
    throw new Failure(
      'bad-request',
      '--timeout limits the command, not how long requests are held',
      'Pass the time with --hold-for, e.g. --hold-for 1s.',
    );
  const fault = await operate(session, 'served', 'addFault', faultInputOf(what ?? {}, options));
  await session.print(options.json ? `${JSON.stringify(fault)}\n` : rows([fault]));
}

async function list(session: Session, json: boolean): Promise<undefined> {
  const { faults } = await operate(session, 'served', 'faults', {});
  await session.print(json ? `${JSON.stringify(faults, null, 2)}\n` : rows(faults));
}

const rows = (faults: readonly FaultInfo[]): string => alignColumns(faults.map(faultCells));

async function remove(session: Session, ids: readonly number[]): Promise<undefined> {
  await whileConnected(session, 'served', async (control) => {
    for (const id of ids) {
      await control('removeFault', { id });
      await session.print(`Removed fault ${id}\n`);
    }
  });
}

async function clear(session: Session): Promise<undefined> {
  await operate(session, 'served', 'clearFaults', {});
  await session.print('Removed all faults\n');
}

/** Formats a fault as a row: ID, matching requests, effect, frequency, number of uses. */
function faultCells(fault: FaultInfo): string[] {
  const cells = [String(fault.id), requestsOf(fault), outcomeOf(fault), turnsOf(fault), `used: ${fault.hits}`];
  return cells.map(escapeControls);
}

function requestsOf({ match: { method, path, query = {}, headers = {} } }: FaultInfo): string {
  const pairs = (values: Readonly<Record<string, unknown>>, sign: string) =>
    Object.entries(values).map(([name, value]) => (value === null ? `no ${name}` : `${name}${sign}${value}`));
  const methods = method === undefined ? [] : [[method].flat().join(',').toUpperCase()];
  const parts = [...methods, ...(path === undefined ? [] : [path]), ...pairs(query, '='), ...pairs(headers, ': ')];
  return parts.length ? parts.join(' ') : 'every request';
}

const delayText = (delay: Delay): string => {
  const text = (times: readonly Time[]) => `${times.join('-')}${times.every((time) => typeof time === 'number') ? ' ms' : ''}`;
  if (typeof delay !== 'object') return text([delay]);
  return 'lognormal' in delay ? `about ${text([delay.lognormal.median])}` : text(delay);
};

function outcomeOf({ then, delay, slow_body, at }: FaultInfo): string {
  const effect = typeof then !== 'object' || 'status' in then ? undefined : Object.entries(then)[0]!;
  const outcome = effect
    ? `${effect[0]} ${JSON.stringify(effect[1])}`
    : typeof then === 'object'
      ? `status ${(then as FaultAnswer).status}`
      : then;
  const parts = [
    ...(delay === undefined ? [] : [`after ${delayText(delay)}`]),
    ...(outcome === undefined ? [] : [outcome]),
    ...(slow_body === undefined ? [] : [`body over ${delayText(slow_body)}`]),
    ...(at === 'after' ? ['after the change'] : []),
  ];
  return parts.join(', ');
}

function turnsOf({ times, after, every, probability, remaining }: FaultInfo): string {
  const parts = [
    ...(probability === undefined ? [] : [`${Number((probability * 100).toFixed(4))} %`]),
    ...(every === undefined ? [] : [`1 in ${every}`]),
    ...(after === undefined ? [] : [`skipping the first ${after}`]),
    ...(times === undefined ? [] : [remaining === 0 ? 'used up' : `${remaining} of ${times} left`]),
  ];
  return parts.length ? parts.join(', ') : 'always';
}
