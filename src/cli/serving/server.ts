import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import project from '../../../package.json' with { type: 'json' };
import { SettableClock } from '../../data/control/clock.ts';
import type { ControlContext } from '../../data/control/control.ts';
import { extensions } from '../../model/context.ts';
import type { ClockState } from '../../model/control.ts';
import { Failure } from '../../model/error.ts';
import { isLoopback } from '../../model/loopback.ts';
import { namespace } from '../../model/routes.ts';
import type { Listening, RequestEvent } from '../../server/listen.ts';
import type { Store } from '../../store/calendar.ts';
import { connectorOf } from '../connect/connect.ts';
import { targetOf } from '../connect/target.ts';
import type { Session } from '../session.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';
import type { ServeOptions } from './options.ts';

/** Called after each answered request. */
export type RequestListener = (event: RequestEvent) => void;

/** A listening server and the listeners for its requests. */
export interface ServedCalendar {
  store: Store;
  listening: Listening;
  /** The address at which its routes start. */
  root: string;
  watchers: Set<RequestListener>;
}

/** Serves a calendar for as long as the work takes. */
export async function whileServed<T>(session: Session, options: ServeOptions, work: (served: ServedCalendar) => Promise<T>): Promise<T> {
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
      return await work({ store, listening, root, watchers });
    } finally {
      await listening.close();
    }
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
    { basePath, namespace: path, headerPrefix, cors, token, control: true, page: options.page ? page : undefined },
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

/** Makes the records of a seed, and says how many there are. */
export async function seeded(store: Store, name: string, mode: 'append' | 'replace', session: Session): Promise<string> {
  const [{ seed }, { documentNamed }, { countsText, runOperation }, { sourceContext }] = await Promise.all([
    import('../../data/seed.ts'),
    import('../../data/seeds.ts'),
    import('../print/summary.ts'),
    import('../connect/source.ts'),
  ]);
  const document = await documentNamed(name, sourceContext(session));
  const summary = await runOperation(session, 'seeding', {}, (more) => seed(store, document, mode, more));
  return `${name}: ${countsText(summary.counts)}`;
}
