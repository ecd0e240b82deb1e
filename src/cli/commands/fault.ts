import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { Failure } from '../../model/error.ts';
import { connectionFaults, faultMoments } from '../../model/operations/connection-faults.ts';
import type { Delay, FaultAnswer, FaultInfo, FaultInput } from '../../model/operations/faults.ts';
import type { RequestMatch } from '../../model/operations/request-match.ts';
import { operate } from '../connect/operate.ts';
import { choice, count } from '../options.ts';
import { faultCells } from '../print/fault.ts';
import { delayForms, delayOf, failureIn, shareOf } from '../serving/fault-words.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';

/** What `fault add` is told. */
interface AddOptions {
  method?: string[];
  path?: string;
  query?: NonNullable<RequestMatch['query']>;
  header?: NonNullable<RequestMatch['headers']>;
  times?: number;
  after?: number;
  every?: number;
  probability?: number;
  rngSeed?: string;
  delay?: Delay;
  slowBody?: Delay;
  body?: string;
  responseHeader?: Record<string, string>;
  at?: FaultInput['at'];
  json?: boolean;
}

/** `calendar fault`: what goes wrong with requests to the server that holds the calendar. */
export function build(command: Command, runner: Runner): void {
  const failing = new Argument('[what]', `a status, or one of ${connectionFaults.join(', ')}; with a share like 503:10%`);
  // Choices are completed, but there are others.
  failing.choices(connectionFaults).argParser(failureIn);
  const json = () => new Option('--json', 'as JSON');
  const which = 'Which requests:';
  const when = 'How often:';
  const what = 'What happens:';
  const option = (group: string, flags: string, about: string) => new Option(flags, about).helpGroup(group);
  command
    .command('add')
    .summary('have requests go wrong')
    .addArgument(failing)
    .addOption(option(which, '-X, --method <methods>', 'like POST, or PUT,DELETE').argParser((text) => text.split(',')))
    .addOption(option(which, '--path <pattern>', 'below the namespace or whole, like /events/*; without it all of the API'))
    .addOption(
      option(which, '--query <pair>', 'like page=2 or search=*jazz*; a name alone for any value, !name for none; repeat it').argParser(
        pairs('='),
      ),
    )
    .addOption(
      option(which, '-H, --header <line>', "like 'X-Test: a*'; a name alone for any value, !name for none; repeat it").argParser(
        pairs(':'),
      ),
    )
    .addOption(option(when, '--times <n>', 'as often, and then no more').argParser(count))
    .addOption(option(when, '--after <n>', 'let as many go well first').argParser(count))
    .addOption(option(when, '--every <n>', 'of the rest each third, say').argParser(count))
    .addOption(option(when, '--probability <share>', 'of the rest some, like 10% or 0.1').argParser(shareOf))
    .addOption(option(when, '--rng-seed <text>', 'draw other requests and delays'))
    .addOption(option(what, '--delay <ms>', `before the answer, like ${delayForms}`).argParser(delayOf))
    .addOption(option(what, '--slow-body <ms>', 'from the first byte of the body to the last, written like --delay').argParser(delayOf))
    .addOption(option(what, '--body <text>', 'the body that comes with the status: JSON, or a text'))
    .addOption(option(what, '--response-header <line>', "a header that comes with it, like 'Retry-After: 5'; repeat it").argParser(lines))
    .addOption(choice('--at <moment>', 'before the calendar is asked, or after it has done it', faultMoments).helpGroup(what))
    .addOption(json())
    .action(runner.action((session, [what], options) => add(session, what as Failing | undefined, options as unknown as AddOptions)));
  command
    .command('list')
    .summary('what goes wrong, and how many requests it has met')
    .addOption(json())
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('remove')
    .alias('rm')
    .summary('take some away')
    .argument('<id...>', 'their numbers in the list', (text, before: number[] = []) => [...before, count(text)])
    .action(runner.action((session, [ids]) => remove(session, ids as number[])));
  command.command('clear').summary('take all away, those that the server was started with too').action(runner.action(clear));
}

/** Collects names with what they have to be: nothing said is anything, and `!` before a name is nothing at all. */
const pairs =
  (sign: string) =>
  (text: string, before: Record<string, string | null> = {}): Record<string, string | null> => {
    const [name = '', ...value] = text.split(sign);
    const absent = name.startsWith('!');
    const plain = name.replace(/^!/, '').trim();
    if (plain === '' || (absent && value.length)) throw new InvalidArgumentError(`It takes a pair like name${sign}value, name or !name.`);
    return { ...before, [plain]: absent ? null : value.length ? value.join(sign).trim() : '*' };
  };

function lines(text: string, before: Record<string, string> = {}): Record<string, string> {
  const at = text.indexOf(':');
  if (at < 1) throw new InvalidArgumentError("It takes a line like 'Retry-After: 5'.");
  return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
}

/** A body: JSON where the text is an object or a list, else the text. */
function bodyOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What fails, and how often, as one word says it. */
type Failing = ReturnType<typeof failureIn>;

function inputOf(failing: Failing = {}, options: AddOptions): FaultInput {
  const { method, path, query, header, times, after, every, probability, rngSeed, delay, slowBody, body, responseHeader, at } = options;
  if (failing.probability !== undefined && probability !== undefined)
    throw new Failure('bad-request', 'the share is given twice, with what fails and by --probability', {}, 'Give one of them.');
  const { then } = failing;
  if ((body !== undefined || responseHeader) && typeof then !== 'object')
    throw new Failure(
      'bad-request',
      '--body and --response-header come with a status',
      {},
      'Give one, like calendar fault add 200 --body {}.',
    );
  const answer: FaultAnswer | undefined =
    typeof then === 'object'
      ? { ...then, ...(body === undefined ? {} : { body: bodyOf(body) }), ...(responseHeader ? { headers: responseHeader } : {}) }
      : undefined;
  const match = { method, path, query, headers: header };
  const matching = Object.values(match).some((part) => part !== undefined);
  const turns = { times, after, every, probability, rng_seed: rngSeed, ...failing };
  return { ...(matching ? { match } : {}), ...turns, delay, slow_body: slowBody, at, ...(answer ? { then: answer } : {}) };
}

async function add(session: Session, what: Failing | undefined, options: AddOptions): Promise<undefined> {
  const made = await operate(session, 'served', 'addFault', inputOf(what, options));
  await session.print(options.json ? `${JSON.stringify(made)}\n` : rows([made]));
}

async function list(session: Session, json: boolean): Promise<undefined> {
  const { faults } = await operate(session, 'served', 'faults');
  await session.print(json ? `${JSON.stringify(faults, null, 2)}\n` : rows(faults));
}

const rows = (faults: readonly FaultInfo[]): string => alignColumns(faults.map(faultCells));

async function remove(session: Session, ids: readonly number[]): Promise<undefined> {
  for (const id of ids) {
    await operate(session, 'served', 'removeFault', { id });
    await session.print(`removed ${id}\n`);
  }
}

async function clear(session: Session): Promise<undefined> {
  await operate(session, 'served', 'clearFaults');
  await session.print('cleared\n');
}
