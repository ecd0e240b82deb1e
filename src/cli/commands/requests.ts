import { type Command, Option } from 'commander';
import { Failure } from '../../model/error.ts';
import type { JournaledRequest, JournalMatch, VerifyInput } from '../../model/operations/requests.ts';
import { operate } from '../connect/operate.ts';
import { count } from '../options.ts';
import { requestText } from '../print/request.ts';
import type { Runner, Session } from '../session.ts';

/** What `requests` is told. */
interface RequestsOptions extends Omit<VerifyInput, 'match'> {
  method?: string[];
  path?: string;
  status?: string[];
  user?: string;
  limit?: number;
  follow?: boolean;
  count?: boolean;
  clear?: boolean;
  json?: boolean;
}

/** `calendar requests`: what the server that holds the calendar was asked. */
export function build(command: Command, runner: Runner): void {
  const [which, what, should] = ['Which requests:', 'Instead of a list:', 'How many there should be, else it ends with 6:'];
  const option = (group: string, flags: string, about: string) => new Option(flags, about).helpGroup(group);
  const separated = (text: string) => text.split(',');
  command
    .addOption(option(which, '-X, --method <methods>', 'like POST, or PUT,DELETE').argParser(separated))
    .addOption(option(which, '--path <pattern>', 'below the namespace or whole, like /events/*'))
    .addOption(option(which, '--status <statuses>', 'like 404, or 4xx,5xx').argParser(separated))
    .addOption(option(which, '--user <name>', 'those with the credentials of a user'))
    .addOption(option(which, '-n, --limit <n>', 'the last of these').argParser(count))
    .addOption(
      option(
        what,
        '-f, --follow',
        'those that come from now on, until it is interrupted or the server stops; with -n the last before, too',
      ),
    )
    .addOption(option(what, '--count', 'how many there are'))
    .addOption(
      option(what, '--clear', 'forget them all, and count from 1 again').conflicts([
        'count',
        'follow',
        'method',
        'path',
        'status',
        'user',
        'limit',
      ]),
    )
    .addOption(option(should, '--exactly <n>', 'as many').argParser(count))
    .addOption(option(should, '--at-least <n>', 'as many, or more').argParser(count))
    .addOption(option(should, '--at-most <n>', 'as many, or fewer').argParser(count))
    .addOption(option(should, '--never', 'none'))
    .addOption(new Option('--json', 'as JSON, with headers and bodies; a line for each with --follow'))
    .action(runner.action((session, _args, options) => requests(session, options as RequestsOptions), { graceful: true }));
}

/** What is asked for is one thing; an interruption ends what follows, and all else as it always does. */
async function requests(session: Session, options: RequestsOptions): Promise<undefined> {
  const { exactly, atLeast, atMost, never } = options;
  const verifying = [exactly, atLeast, atMost, never].some((each) => each !== undefined);
  if ([options.follow, options.count || verifying].filter(Boolean).length > 1)
    throw new Failure('bad-request', 'requests are either followed or counted', {}, 'Leave one of the options out.');
  if ((options.count || verifying) && options.limit !== undefined)
    throw new Failure('bad-request', '--limit goes with a list', {}, 'Leave it out: all are counted.');
  if (options.follow) return follow(session, options);
  if (options.clear) {
    const { deleted } = await operate(session, 'served', 'clearRequests');
    return session.print(options.json ? `${JSON.stringify({ deleted })}\n` : `cleared ${deleted}\n`) as Promise<undefined>;
  }
  if (options.count || verifying) {
    const match = matchOf(options);
    const done = verifying
      ? await operate(session, 'served', 'verifyRequests', { match, exactly, atLeast, atMost, never })
      : await operate(session, 'served', 'countRequests', { match });
    return session.print(options.json ? `${JSON.stringify(done)}\n` : `${done.count}\n`) as Promise<undefined>;
  }
  const { requests } = await operate(session, 'served', 'requests', { ...matchOf(options), limit: options.limit, brief: !options.json });
  await session.print(options.json ? `${JSON.stringify(requests, null, 2)}\n` : requests.map(requestText).join(''));
}

const matchOf = ({ method, path, status, user }: RequestsOptions): Pick<JournalMatch, 'method' | 'path' | 'status' | 'user'> => ({
  ...(method ? { method } : {}),
  ...(path === undefined ? {} : { path }),
  ...(status ? { status } : {}),
  ...(user === undefined ? {} : { user }),
});

/** Prints requests as they come. Ends with the server, without one as it fails to be reached, and by an interruption: that is how it is left. */
async function follow(session: Session, options: RequestsOptions): Promise<undefined> {
  const { connectControl } = await import('../connect/control.ts');
  const { interrupted } = session.terminal;
  const { control, place, close } = await connectControl(session.globals, session.terminal, 'served');
  const show = (request: JournaledRequest) => (options.json ? `${JSON.stringify(request)}\n` : requestText(request));
  const about = { ...matchOf(options), brief: !options.json };
  let last: string | undefined;
  /** The last request that was printed or passed by, and the last that was told of. */
  let [after, told] = [0, 0];
  /** Prints what has come since; what they held stands in the journal, and the stream says when to look. */
  const look = async (limit?: number): Promise<void> => {
    const { requests, total } = await control.requests({ ...about, ...(limit === undefined ? { after } : { limit }) });
    // They were forgotten, and are counted anew.
    if (total < after) told = 0;
    after = total;
    await session.print(requests.map(show).join(''));
  };
  try {
    await session.note(`calendar: ${place}`);
    let stream = await control.events({ types: ['request', 'reset'] }, interrupted);
    if (options.limit !== undefined) await look(options.limit);
    else after = (await control.requests({ limit: 1, brief: true })).total;
    while (!interrupted.aborted) {
      for await (const { last: seen, messages } of stream) {
        last = seen;
        for (const message of messages)
          if (message.type === 'request') {
            if (message.data.id <= told) after = Math.min(after, message.data.id - 1);
            told = message.data.id;
          }
        if (messages.length > 0) await look();
      }
      // A reader who is too slow is dropped, and may come back; a server that has stopped is not there.
      if (!interrupted.aborted) stream = await control.events({ types: ['request', 'reset'], after: last }, interrupted);
    }
  } catch (error) {
    if (interrupted.aborted) return;
    if (last === undefined || !(error instanceof Failure) || error.code !== 'unreachable') throw error;
    await session.tell('calendar: the server has stopped');
  } finally {
    await close();
  }
}
