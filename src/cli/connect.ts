import { existsSync } from 'node:fs';
import { namespace } from '../model/action.ts';
import { Failure } from '../model/error.ts';
import type { Calendar } from '../model/resource.ts';
import { owner } from '../model/viewer.ts';
import type { Answer, Request } from '../server/handler.ts';
import type { Owner } from '../store/lock.ts';
import type { Store } from '../store/open.ts';
import type { Globals } from './globals.ts';
import { type Target, targetOf } from './target.ts';
import { clockOf, type Terminal, variable } from './terminal.ts';

/** Whether a command changes the calendar; who reads takes no lock. */
export type Mode = 'read' | 'write';

/** A calendar to work with, wherever it is. */
export interface Connection {
  calendar: Calendar;
  kind: 'file' | 'server' | 'remote';
  /** Where it is, for people. */
  place: string;
  /** The clock of the calendar, as far as it is known here. */
  now(): number;
  /** Any route: the path stands below the namespace, or is a whole one. */
  ask(request: Request): Promise<Answer>;
  close(): Promise<void>;
}

const usualTimeout = 30;
const timeoutOf = (globals: Globals) => (globals.timeout ?? usualTimeout) * 1000;

/** Opens the calendar that is meant: a file, the server that owns that file, or a remote one. */
export async function connect(globals: Globals, terminal: Terminal, mode: Mode): Promise<Connection> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'remote') return overHttp(target, globals, terminal);
  if (target.file !== ':memory:') {
    const holder = await serverOf(target.file);
    if (holder) return throughServer(target, holder, globals, terminal);
  }
  return mode === 'read' ? inFile(target, globals, terminal, mode) : inTurn(target, globals, terminal);
}

const slice = 1000;

/** Opens a file for writing, waiting for commands that write it to be done; where a server turns out to have it, goes to that. */
async function inTurn(target: Target & { kind: 'file' }, globals: Globals, terminal: Terminal): Promise<Connection> {
  const end = performance.now() + timeoutOf(globals);
  for (;;) {
    const left = Math.max(0, end - performance.now());
    try {
      return await inFile(target, { ...globals, timeout: Math.min(left, slice) / 1000 }, terminal, 'write');
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'store-locked') throw error;
      const holder = await serverOf(target.file);
      if (holder) return throughServer(target, holder, globals, terminal);
      if (performance.now() >= end) throw error;
    }
  }
}

/** The server that owns the file that is meant; undefined when none does. */
export async function connectToOwner(globals: Globals, terminal: Terminal): Promise<Connection | undefined> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'remote' || target.file === ':memory:') return undefined;
  const holder = await serverOf(target.file);
  return holder && throughServer({ ...target, credentials: undefined }, holder, globals, terminal);
}

/** The server that owns a file; undefined when nobody does, or a command that will be done soon. */
async function serverOf(file: string): Promise<Owner | undefined> {
  if (!existsSync(`${file}-owner`)) return undefined;
  const { ownerOf } = await import('../store/lock.ts');
  const holder = await ownerOf(file);
  return holder?.url === undefined ? undefined : holder;
}

/** Opens a calendar's file for commands that only a file can serve. Fails where a server is meant. */
export async function openFile(globals: Globals, terminal: Terminal, mode: Mode): Promise<Store> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'remote')
    throw new Failure('bad-request', `${target.said} names a server; this works on a file`, {}, 'Give --db FILE.');
  const holder = mode === 'write' && target.file !== ':memory:' ? await serverOf(target.file) : undefined;
  // A command is done soon and can be waited for; a server is not.
  if (holder)
    throw new Failure(
      'store-locked',
      `${target.file} is in use by the server ${holder.url} (process ${holder.pid})`,
      {},
      'Stop the server first.',
    );
  return openStore(target.file, globals, terminal, mode);
}

async function openStore(file: string, globals: Globals, terminal: Terminal, mode: Mode, brief = false): Promise<Store> {
  if (mode === 'read' && file !== ':memory:' && !existsSync(file) && !existsSync(`${file}-log`)) {
    const hint = 'Make one with calendar events create or calendar serve, or say which with --db or --url.';
    throw new Failure('store-missing', `there is no calendar at ${file}`, {}, hint);
  }
  const { openCalendar } = await import('../store/open.ts');
  const zone = variable(terminal, 'CALENDAR_TIMEZONE');
  return openCalendar(file, {
    mode,
    now: clockOf(terminal, globals.now),
    timeout: timeoutOf(globals),
    brief,
    settings: zone === undefined ? {} : { timezone: zone },
    notice: (text, failing) => void (failing || terminal.stderr.write(`calendar: ${text}\n`)),
  });
}

async function inFile(target: Target & { kind: 'file' }, globals: Globals, terminal: Terminal, mode: Mode): Promise<Connection> {
  const store = await openStore(target.file, globals, terminal, mode, true);
  try {
    const viewer = target.credentials ? store.users.authenticate(target.credentials.name, target.credentials.password) : owner;
    const home = store.settings.get('home');
    const now = clockOf(terminal, globals.now);
    const path = globals.namespace ?? namespace;
    return {
      calendar: store.as(viewer, { home, root: `${home}/${path}` }),
      kind: 'file',
      place: `${target.file} (${target.said})`,
      now,
      async ask(request) {
        const [{ createHandler }, { serviceOf }] = await Promise.all([import('../server/handler.ts'), import('./service.ts')]);
        const service = serviceOf(store);
        const handle = createHandler(
          { ...service, hasUsers: () => service.hasUsers() && viewer !== owner, authenticate: () => viewer },
          { basePath: '', namespace: path, headerPrefix: 'X-Calendar', home },
        );
        const whole = `/${path}`;
        const below = request.path === whole || request.path.startsWith(`${whole}/`) ? request.path : `${whole}${request.path}`;
        const authorization = target.credentials ? { authorization: 'Basic ' } : {};
        return handle({ ...request, path: below, headers: { ...request.headers, ...authorization } });
      },
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Remotely = Pick<Target, 'credentials'> & { token?: string };

async function remoteAt(root: string, { credentials, token }: Remotely, globals: Globals, terminal: Terminal) {
  const { basic, connectTo } = await import('../client/remote.ts');
  const authorization = credentials ? basic(credentials) : token && `Bearer ${token}`;
  const { env, interrupted: signal } = terminal;
  const trace = globals.verbose ? (line: string) => terminal.stderr.write(`calendar: ${line}\n`) : undefined;
  return connectTo(root, authorization, { timeout: timeoutOf(globals), env, signal, now: terminal.now, random: Math.random, trace });
}

async function overHttp(target: Target & { kind: 'remote' }, globals: Globals, terminal: Terminal): Promise<Connection> {
  const { rootOf } = await import('../client/root.ts');
  const remote = await remoteAt(rootOf(target.url, target.namespace), target, globals, terminal);
  return { ...remote, kind: 'remote', place: `${remote.root} (${target.said})`, now: clockOf(terminal, globals.now) };
}

/** Goes to the server that owns a file, by the address that it left there. */
async function throughServer(target: Target & { kind: 'file' }, holder: Owner, globals: Globals, terminal: Terminal): Promise<Connection> {
  const remote = await remoteAt(holder.url!, { credentials: target.credentials, token: holder.token }, globals, terminal);
  const place = `${remote.root}, the server that owns ${target.file} (process ${holder.pid})`;
  return { ...remote, kind: 'server', place, now: clockOf(terminal, holder.now ?? globals.now) };
}
