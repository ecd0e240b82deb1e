import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import project from '../../../package.json' with { type: 'json' };
import { SettableClock } from '../../data/control/clock.ts';
import type { ControlContext } from '../../data/control/control.ts';
import { type Extension, extensions } from '../../model/context.ts';
import type { ClockState } from '../../model/control.ts';
import { Failure } from '../../model/error.ts';
import { isLoopback } from '../../model/loopback.ts';
import { namespace } from '../../model/routes.ts';
import type { Listening } from '../../server/listen.ts';
import type { Store } from '../../store/calendar.ts';
import { connectorOf } from '../connect/connect.ts';
import { targetOf } from '../connect/target.ts';
import { choice, oneOf } from '../options.ts';
import type { Runner, Session } from '../session.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';
import { logRequests, type RequestListener, seeded, showRequests } from '../ui/serve-output.ts';

interface ServeOptions {
  memory?: boolean;
  host: string;
  port: number;
  basePath: string;
  headerPrefix: string;
  timezone?: string;
  seed?: string;
  users?: string;
  cors?: string[];
  without?: Extension[];
  durability: 'full' | 'os' | 'none';
  maxBody: number;
  json?: boolean;
  quiet?: boolean;
  page: boolean;
  control?: boolean;
  controlToken?: string;
}

/** `calendar serve`: serves the API over HTTP until interrupted. */
export function build(command: Command, runner: Runner): void {
  const option = (flags: string, about: string) => new Option(flags, about);
  const list = (text: string, before: string[] = []) => [...before, ...text.split(',')];
  command
    .addOption(option('--memory', 'keep nothing on disk'))
    .addOption(option('--host <address>', 'the address to listen on').default('127.0.0.1'))
    .addOption(option('-p, --port <n>', 'the port to listen on; 0 takes any free one (PORT, else 8787)').argParser(port))
    .addOption(option('--base-path <path>', 'what stands before the namespace, like /wp-json').argParser(slashed).default(''))
    .addOption(option('--header-prefix <name>', 'how the headers with totals start').default('X-Calendar'))
    .addOption(option('--timezone <zone>', 'the calendar’s zone for as long as this server runs'))
    .addOption(option('--seed <seed>', 'start with a named seed, or a file'))
    .addOption(option('--users <file>', 'take users from a JSON file'))
    .addOption(option('--cors <origins>', 'web origins that may call, * for all; those of this machine when not given').argParser(list))
    .addOption(
      option('--without <parts>', `do without ${extensions.join(', ')}`).argParser((text) => text.split(',').map(oneOf(extensions))),
    )
    .addOption(
      choice('--durability <degree>', 'when a write is answered: when it is on disk, with the system, or at once', [
        'full',
        'os',
        'none',
      ]).default('full'),
    )
    .addOption(option('--max-body <bytes>', 'the largest body that is read').argParser(bytes).default(1_048_576))
    .addOption(option('--no-page', 'serve the API alone, without the page to look at'))
    .addOption(option('--control', 'let whoever reaches the server reset, fill and replace this file, as with --memory'))
    .addOption(
      option(
        '--control-token <token>',
        'who controls the calendar has to bring this; CALENDAR_CONTROL_TOKEN keeps it from the list of processes',
      ),
    )
    .addOption(option('--json', 'say where it listens as a line of JSON on stdout'))
    .addOption(option('-q, --quiet', 'do not log requests'))
    .action(
      runner.action(
        (session, _args, options) =>
          serve(session, { ...(options as unknown as ServeOptions), port: Number(options.port ?? usualPort(session.terminal)) }),
        { graceful: true },
      ),
    );
}

/** The port of a server that was told none. */
function usualPort(terminal: Terminal): number {
  const text = variable(terminal, 'PORT');
  if (text === undefined) return 8787;
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Failure(
    'bad-request',
    `PORT is no port: ${JSON.stringify(text)}`,
    {},
    'It takes a whole number up to 65535; --port goes before it.',
  );
}

const whole = (most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most) throw new InvalidArgumentError(`It takes a whole number up to ${most}.`);
  return value;
};
const port = whole(65_535);
const bytes = whole(1_073_741_824);
const slashed = (text: string) => text.replace(/^\/*|\/*$/g, '').replace(/^(?=.)/, '/');

async function serve(session: Session, options: ServeOptions): Promise<number> {
  const { terminal, globals } = session;
  const fixed = globals.now !== undefined || variable(terminal, 'CALENDAR_NOW') !== undefined;
  const clock = new SettableClock(terminal.now, fixed ? clockOf(terminal, globals.now)() : undefined);
  const store = await openServed(session, clock.now, options);
  let onClock = (_: ClockState): void => {};
  try {
    await prepare(store, session, options);
    const path = (globals.namespace ?? variable(terminal, 'CALENDAR_NAMESPACE') ?? namespace).replace(/^\/+|\/+$/g, '');
    const token = randomBytes(24).toString('base64url');
    const watchers = new Set<RequestListener>();
    const clocked = { clock, onClock: (state: ClockState) => onClock(state) };
    const listening = await listenOn(store, path, token, session, options, clocked, (event) => {
      for (const watcher of watchers) watcher(event);
    });
    const root = `${listening.url}${options.basePath}/${path}`;
    const announce = ({ now, frozen, ahead }: ClockState) => store.db.announce(root, token, frozen ? { now } : { ahead });
    announce(clock.state);
    onClock = announce;
    try {
      const watched = { store, listening, root, watchers };
      if (!options.json && terminal.stdin.isTTY && terminal.stdout.isTTY) await showRequests(watched, session, options);
      else await logRequests(watched, session, options);
    } finally {
      await listening.close();
    }
    return 0;
  } finally {
    await store.close();
  }
}

async function listenOn(
  store: Store,
  path: string,
  token: string,
  { terminal, globals }: Session,
  options: ServeOptions,
  clocked: Pick<ControlContext, 'clock' | 'onClock'>,
  onRequest: RequestListener,
): Promise<Listening> {
  const [{ createCachedHandler }, { isControl, withControl }, { listen }, { serialize }, { serviceOf }, { controlOf }] = await Promise.all([
    import('../../server/cached.ts'),
    import('../../server/control/handler.ts'),
    import('../../server/listen.ts'),
    import('../../server/response.ts'),
    import('../../store/service.ts'),
    import('../../data/control/control.ts'),
  ]);
  const { basePath, headerPrefix, cors, host, port, maxBody, seed } = options;
  const handle = createCachedHandler(
    serviceOf(store),
    { basePath, namespace: path, headerPrefix, cors, token, page: options.page ? page : undefined },
    await store.cached(serialize),
  );
  // A file that others may not reset needs no second copy of itself in memory.
  const open = Boolean(options.memory || options.control);
  const start = open ? store.image() : undefined;
  let listening: Listening | undefined;
  const url = () => `${listening?.url}${basePath}/${path}`;
  const access = {
    loopback: isLoopback(host),
    open,
    ownerToken: token,
    controlToken: options.controlToken ?? variable(terminal, 'CALENDAR_CONTROL_TOKEN'),
  };
  const controlled = withControl(handle, {
    control: controlOf(store, { ...clocked, version: project.version, url, seed, start, connectTo: connectorOf(globals, terminal) }),
    access,
  });
  try {
    listening = await listen(controlled, {
      host,
      port,
      mostBody: (path) => (isControl(path) ? Math.max(maxBody, mostControlBody) : maxBody),
      onRequest,
    });
    return listening;
  } catch (error) {
    throw cannotListen(error as NodeJS.ErrnoException, options);
  }
}

/** Bytes of the largest import over HTTP. */
const mostControlBody = 256 << 20;

/** The page for people. */
const page = async () => (await import('../../web/page.ts')).webPage();

/** Only a file can be served, so CALENDAR_URL does not count. */
const withoutUrl = (terminal: Terminal): Terminal => ({ ...terminal, env: { ...terminal.env, CALENDAR_URL: undefined } });

async function openServed(session: Session, now: () => number, options: ServeOptions): Promise<Store> {
  const { terminal, globals } = session;
  if (options.memory && globals.db !== undefined)
    throw new Failure('bad-request', '--memory and --db name two calendars', {}, 'Give one of them.');
  const target = options.memory
    ? { kind: 'file' as const, file: ':memory:', source: '--memory' }
    : await targetOf({ ...globals, user: undefined }, withoutUrl(terminal));
  if (target.kind === 'remote')
    throw new Failure('bad-request', `${target.source} names a server; this serves a file`, {}, 'Give --db FILE or --memory.');
  const { openCalendar } = await import('../../store/calendar.ts');
  const zone = options.timezone ?? variable(terminal, 'CALENDAR_TIMEZONE');
  return openCalendar(target.file, {
    mode: 'write',
    now,
    durability: options.durability,
    timeout: (globals.timeout ?? 5) * 1000,
    settings: zone === undefined ? {} : { timezone: zone },
    extensions: extensions.filter((part) => !options.without?.includes(part)),
    notice: (text) => void session.tell(`calendar: ${text}`),
  });
}

/** Adds the users and records of the options before the server listens. */
async function prepare(store: Store, session: Session, options: ServeOptions): Promise<void> {
  if (options.users !== undefined) {
    const { readUsers } = await import('../../data/users-file.ts');
    const users = await readUsers(resolve(session.terminal.cwd, options.users));
    await store.change(() => {
      const known = new Set(store.users.list().map(({ name }) => name));
      for (const user of users) {
        if (known.has(user.name)) store.users.remove(user.name);
        store.users.add(user);
      }
    });
  }
  if (options.seed === undefined) return;
  const { isEmpty } = await import('../../data/seed.ts');
  if (isEmpty(store)) await session.note(`calendar: ${await seeded(store, options.seed, 'append', session)}`);
  else await session.tell(`calendar: there are records already, so --seed ${options.seed} is left out`);
}

function cannotListen(error: NodeJS.ErrnoException, { host, port }: ServeOptions): Error {
  if (error.code === 'EADDRINUSE')
    return new Failure('conflict', `port ${port} is in use`, {}, 'Give another with --port; --port 0 takes any free one.');
  if (error.code === 'EACCES')
    return new Failure('bad-request', `this user may not listen on port ${port}`, {}, 'Take a port from 1024 on.');
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Failure('bad-request', `${host} is no address of this machine`, {}, 'Take 127.0.0.1, or 0.0.0.0 for all.');
  return error;
}
