import { existsSync } from 'node:fs';
import project from '../../../package.json' with { type: 'json' };
import type { TransportOptions } from '../../client/transport.ts';
import type { ConnectTo } from '../../data/control/records.ts';
import type { OnProgress } from '../../data/summary.ts';
import type { Calendar } from '../../model/calendar.ts';
import { type CalendarControl, controlPath } from '../../model/control.ts';
import { Failure } from '../../model/error.ts';
import { namespace } from '../../model/routes.ts';
import { owner, type User } from '../../model/viewer.ts';
import type { Request, Response } from '../../server/http.ts';
import type { Store } from '../../store/calendar.ts';
import type { Owner } from '../../store/file/owner-card.ts';
import { zoneHere } from '../days/display.ts';
import type { Globals } from '../global-options.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';
import { type Credentials, credentialsOf, secretFor, type Target, targetOf } from './target.ts';

/** Whether a command changes the calendar. Reading takes no lock. */
export type AccessMode = 'read' | 'write';

/** An open calendar, wherever it is. */
export interface Connection {
  calendar: Calendar;
  kind: 'file' | 'server' | 'remote';
  /** Its file or address, for people. */
  place: string;
  /** The address at which the routes of a server start. */
  root?: string;
  /** The process of the server that owns the file. */
  pid?: number;
  /** The calendar's clock; for a remote calendar, the local one. */
  now(): number;
  /** What the calendar is called, and its zone; each is empty where a server does not say. */
  about(): Promise<{ name: string; timezone: string }>;
  /** The calendar's time zone, by which `today` and other words are read; of a server that does not say it, the terminal's. */
  zone(): Promise<string>;
  /** Who there is; undefined where the calendar does not tell. */
  users(): Promise<readonly User[] | undefined>;
  /** Keeps the calendar as it is for the next undo, and gives the name of the snapshot; undefined where none is kept: in memory, and far away. */
  keep(what: string): Promise<string | undefined>;
  /** Sends a request to any route; the path is below the namespace, or absolute. */
  ask(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const usualTimeout = 30;
const timeoutOf = (globals: Globals) => (globals.timeout ?? usualTimeout) * 1000;

/** The same options with what is left of their time: an owner that is stopped takes some of it to ask. */
const withTimeLeft = (globals: Globals, begun: number): Globals => ({
  ...globals,
  timeout: Math.max(0, timeoutOf(globals) - (performance.now() - begun)) / 1000,
});

/** Opens the target: a file, the server that owns that file, or a remote calendar. */
export async function connect(globals: Globals, terminal: Terminal, mode: AccessMode): Promise<Connection> {
  const target = await targetOf(globals, terminal);
  const credentials = await credentialsOf(target, globals, terminal);
  if (target.kind === 'remote') return connectRemote(target, credentials, globals, terminal);
  const begun = performance.now();
  if (target.file !== ':memory:') {
    const holder = await serverOf(target.file);
    if (holder) return connectServer(target, holder, credentials, globals, terminal);
  }
  try {
    return await connectFile(target, credentials, withTimeLeft(globals, begun), terminal, mode);
  } catch (error) {
    // A server has taken the file since.
    const { ServedError } = await import('../../store/file/lock.ts');
    if (error instanceof ServedError) return connectServer(target, error.owner, credentials, globals, terminal);
    throw error;
  }
}

/** The server that owns the target's file; undefined when none does. */
export async function connectToOwner(globals: Globals, terminal: Terminal): Promise<Connection | undefined> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'remote' || target.file === ':memory:') return undefined;
  const holder = await serverOf(target.file);
  return holder && connectServer(target, holder, undefined, globals, terminal);
}

/** The server that owns a file; undefined when there is no owner, or only another command. */
async function serverOf(file: string): Promise<Owner | undefined> {
  if (!existsSync(`${file}-owner`)) return undefined;
  const { ownerOf } = await import('../../store/file/lock.ts');
  const holder = await ownerOf(file);
  return holder?.url === undefined ? undefined : holder;
}

/** Control of a calendar, wherever it is, until it is closed. */
export interface ControlConnection {
  control: CalendarControl;
  place: string;
  close(): Promise<void>;
}

/** Milliseconds that a server has for an operation, which can be an import of everything there is. */
const longTimeout = 600_000;

/** Opens the target to control it as a whole: a file, the server that owns that file, or another server that lets us. */
export async function connectControl(
  globals: Globals,
  terminal: Terminal,
  mode: AccessMode,
  onProgress?: OnProgress,
): Promise<ControlConnection> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'remote')
    return controlServer(
      target.url,
      secretFor(target, 'CALENDAR_CONTROL_TOKEN', terminal),
      `${target.url} (${target.source})`,
      globals,
      terminal,
    );
  const owned = (holder: Owner) =>
    controlServer(
      holder.url!,
      holder.token,
      `${holder.url}, the server that owns ${target.file} (process ${holder.pid})`,
      globals,
      terminal,
    );
  const begun = performance.now();
  const holder = target.file === ':memory:' ? undefined : await serverOf(target.file);
  if (holder) return owned(holder);
  try {
    const store = await openStore(target.file, withTimeLeft(globals, begun), terminal, mode);
    const { controlOf } = await import('../../data/control/control.ts');
    const control = controlOf(store, { version: project.version, onProgress, connectTo: connectorOf(globals, terminal) });
    return { control, place: `${target.file} (${target.source})`, close: () => store.close() };
  } catch (error) {
    // A server has taken the file since.
    const { ServedError } = await import('../../store/file/lock.ts');
    if (error instanceof ServedError) return owned(error.owner);
    throw error;
  }
}

/** The address of the server that is meant once it answers; until then, why it does not. `limit` is how long it has, in seconds. */
export async function waitingAt(globals: Globals, terminal: Terminal, limit: number): Promise<{ url: string } | string> {
  const target = await targetOf(globals, terminal);
  const url = target.kind === 'remote' ? target.url : target.file === ':memory:' ? undefined : (await serverOf(target.file))?.url;
  if (url === undefined) return `no server owns ${target.kind === 'file' ? target.file : ''}`;
  const { transportOf } = await import('../../client/transport.ts');
  const transport = transportOf({ ...transportOptions(globals, terminal), timeout: Math.ceil(limit * 1000) });
  try {
    // A server of another kind, or one that lets nobody control it, answers too when it is there.
    const { status } = await transport.send({ method: 'GET', url: `${new URL(url).origin}${controlPath}/ready`, headers: {} });
    return status < 500 ? { url } : `${url} answers ${status}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.message;
  } finally {
    await transport.close();
  }
}

/** Opens calendars at other servers for pull and push. */
export const connectorOf =
  (globals: Globals, terminal: Terminal): ConnectTo =>
  async (root, authorization) => {
    const { connectTo } = await import('../../client/remote.ts');
    const { calendar, close } = connectTo(root, authorization, transportOptions(globals, terminal));
    return { calendar, site: root, close };
  };

/** The address that routes of a remote calendar start with, and the value of the header that says who asks. */
export async function remoteRoot(globals: Globals, terminal: Terminal): Promise<{ root: string; authorization?: string }> {
  const target = await targetOf(globals, terminal);
  if (target.kind !== 'remote') throw new Failure('bad-request', `${target.source} names no server`);
  const credentials = await credentialsOf(target, globals, terminal);
  const { basic, rootOf } = await import('../../client/remote.ts');
  return { root: rootOf(target.url, target.namespace), ...(credentials ? { authorization: basic(credentials) } : {}) };
}

/** The users of a calendar at a server of this program that lets us control it. */
async function usersAt(url: string, token: string | undefined, globals: Globals, terminal: Terminal): Promise<readonly User[]> {
  const { control, close } = await controlServer(url, token, url, globals, terminal);
  try {
    return (await control.users()).users;
  } finally {
    await close();
  }
}

async function controlServer(
  url: string,
  token: string | undefined,
  place: string,
  globals: Globals,
  terminal: Terminal,
): Promise<ControlConnection> {
  const [{ controlAt }, { transportOf }] = await Promise.all([import('../../client/control.ts'), import('../../client/transport.ts')]);
  const transport = transportOf(transportOptions({ timeout: longTimeout / 1000, ...globals }, terminal));
  return { control: controlAt(new URL(url).origin, token, transport), place, close: () => transport.close() };
}

/** Opens the target's file for commands that need one. Fails when the target is a server. */
export async function openFile(globals: Globals, terminal: Terminal, mode: AccessMode): Promise<Store> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'remote')
    throw new Failure('bad-request', `${target.source} names a server; this works on a file`, {}, 'Give --db FILE.');
  const holder = mode === 'write' && target.file !== ':memory:' ? await serverOf(target.file) : undefined;
  // Another command will be done soon, but a server will not.
  if (holder)
    throw new Failure(
      'store-locked',
      `${target.file} is in use by the server ${holder.url} (process ${holder.pid})`,
      {},
      'Stop the server first.',
    );
  return openStore(target.file, globals, terminal, mode);
}

async function openStore(file: string, globals: Globals, terminal: Terminal, mode: AccessMode, brief = false): Promise<Store> {
  if (mode === 'read' && file !== ':memory:' && !existsSync(file) && !existsSync(`${file}-log`)) {
    const hint = 'Make one with calendar events create or calendar serve, or say which with --db or --url.';
    throw new Failure('store-missing', `there is no calendar at ${file}`, {}, hint);
  }
  const { openCalendar } = await import('../../store/calendar.ts');
  const zone = variable(terminal, 'CALENDAR_TIMEZONE');
  return openCalendar(file, {
    mode,
    now: clockOf(terminal, globals.now),
    blocking: terminal.blocking,
    timeout: timeoutOf(globals),
    brief,
    settings: zone === undefined ? {} : { timezone: zone },
    notice: (text, failing) => void (failing || terminal.stderr.write(`calendar: ${text}\n`)),
  });
}

type Asker = Credentials | undefined;

async function connectFile(
  target: Target & { kind: 'file' },
  credentials: Asker,
  globals: Globals,
  terminal: Terminal,
  mode: AccessMode,
): Promise<Connection> {
  const store = await openStore(target.file, globals, terminal, mode, true);
  try {
    const viewer = credentials ? await store.users.authenticate(credentials.name, credentials.password) : owner;
    const home = store.settings.get('home');
    const now = clockOf(terminal, globals.now);
    const path = globals.namespace ?? namespace;
    return {
      calendar: store.as(viewer, { home, root: `${home}/${path}` }),
      kind: 'file',
      place: `${target.file} (${target.source})`,
      now,
      about: async () => ({ name: store.settings.get('title'), timezone: store.settings.get('timezone') }),
      zone: async () => store.settings.get('timezone'),
      users: async () => store.users.list(),
      keep: async (what) => (store.db.file === undefined ? undefined : (await store.snapshots.keep(what)).name),
      async ask(request) {
        const [{ createHandler }, { serviceOf }] = await Promise.all([import('../../server/router.ts'), import('../../store/service.ts')]);
        const service = serviceOf(store);
        const handle = createHandler(
          { ...service, hasUsers: () => service.hasUsers() && viewer !== owner, authenticate: () => viewer },
          { basePath: '', namespace: path, headerPrefix: 'X-Calendar', home },
        );
        const whole = `/${path}`;
        const below = request.path === whole || request.path.startsWith(`${whole}/`) ? request.path : `${whole}${request.path}`;
        const authorization = credentials ? { authorization: 'Basic ' } : {};
        return handle({ ...request, path: below, headers: { ...request.headers, ...authorization } });
      },
      close: () => store.close(),
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Remotely = { credentials: Asker; token?: string; namespace?: string };

async function remoteAt(root: string, { credentials, token, namespace }: Remotely, globals: Globals, terminal: Terminal) {
  const { basic, connectTo } = await import('../../client/remote.ts');
  const authorization = credentials ? basic(credentials) : token && `Bearer ${token}`;
  const remote = connectTo(root, authorization, transportOptions(globals, terminal), namespace);
  return { ...remote, zone: async () => (await remote.about()).timezone || zoneHere(terminal.env) };
}

function transportOptions(globals: Globals, { env, interrupted: signal, now, stderr }: Terminal): TransportOptions {
  const trace = globals.verbose ? (line: string) => stderr.write(`calendar: ${line}\n`) : undefined;
  return { timeout: timeoutOf(globals), env, signal, now, random: Math.random, trace };
}

async function connectRemote(
  { url, namespace, source }: Target & { kind: 'remote' },
  credentials: Asker,
  globals: Globals,
  terminal: Terminal,
): Promise<Connection> {
  const { rootOf } = await import('../../client/remote.ts');
  const remote = await remoteAt(rootOf(url, namespace), { credentials, namespace }, globals, terminal);
  return {
    ...remote,
    users: () => usersAt(remote.root, variable(terminal, 'CALENDAR_CONTROL_TOKEN'), globals, terminal).catch(() => undefined),
    keep: async () => undefined,
    kind: 'remote',
    place: `${remote.root} (${source})`,
    now: clockOf(terminal, globals.now),
  };
}

/** Connects to the server that owns a file, at the address in its owner file. */
async function connectServer(
  { file }: Target & { kind: 'file' },
  holder: Owner,
  credentials: Asker,
  globals: Globals,
  terminal: Terminal,
): Promise<Connection> {
  const remote = await remoteAt(holder.url!, { credentials, token: holder.token }, globals, terminal);
  const place = `${remote.root}, the server that owns ${file} (process ${holder.pid})`;
  const owned = () => controlServer(holder.url!, holder.token, place, globals, terminal);
  const running = clockOf(terminal, holder.now ?? globals.now);
  return {
    ...remote,
    users: () => usersAt(holder.url!, holder.token, globals, terminal),
    async keep(what) {
      const { control, close } = await owned();
      try {
        return (await control.keepSnapshot({ what })).name;
      } finally {
        await close();
      }
    },
    kind: 'server',
    place,
    pid: holder.pid,
    now: () => running() + (holder.ahead ?? 0),
  };
}
