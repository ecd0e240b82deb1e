import type { Remote } from '../../client/remote.ts';
import type { RemoteResponse } from '../../client/response.ts';
import { isAbsolute } from '../../model/absolute-path.ts';
import type { Calendar, ResourceName } from '../../model/calendar.ts';
import { exitCodes, Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import { isLoopback } from '../../model/loopback.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { namespace } from '../../model/routes.ts';
import { owner, type User } from '../../model/viewer.ts';
import type { Request } from '../../server/http.ts';
import type { Owner } from '../../store/file/owner-card.ts';
import { zoneHere } from '../days/display.ts';
import type { Globals } from '../global-options.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';
import { hiddenAt, isControlledAt, keepAt, usersAt } from './control.ts';
import { type AccessMode, checkZone, openStore, serverOf, withTimeLeft, zoneOption } from './file.ts';
import { headersFor } from './headers.ts';
import { type Credentials, credentialsOf, type Target, targetOf } from './target.ts';
import { transportOptions } from './transport.ts';

/** A request to any route. Its path is relative to the namespace, unless it is `whole`, starts with the namespace, or is that of the feed or the control API. */
export type RawRequest = Request & { whole?: boolean };

/** An open calendar: a file, a server or a remote calendar. */
export interface Connection {
  calendar: Calendar;
  kind: 'file' | 'server' | 'remote';
  /** Description for messages. */
  place: string;
  /** URL that the routes of a server start with. */
  root?: string;
  /** Origin of the links in responses. */
  origin: string;
  /** Process ID of the server that has the file open. */
  pid?: number;
  /** The calendar's clock in epoch ms, which words such as `today` refer to. Falls back to the local clock. */
  clock(): Promise<() => number>;
  /** Title and time zone of the calendar; empty if a server doesn't provide them. */
  about(): Promise<{ name: string; timezone: string }>;
  /** The calendar's time zone. Falls back to the terminal's. */
  zone(): Promise<string>;
  /** Users of the calendar; undefined if it doesn't list them. */
  users(): Promise<readonly User[] | undefined>;
  /** Saves a snapshot for the next undo and returns its name; undefined in memory and on a remote calendar. */
  keep(what: string): Promise<string | undefined>;
  /** Returns whether operations can run on the calendar: on a file, and on a server with the control API. */
  isControlled(): Promise<boolean>;
  /** Returns the number of records that a list query selects except for being hidden; 0 if the calendar doesn't tell. */
  countHidden(resource: ResourceName, query: Query): Promise<number>;
  send(request: RawRequest): Promise<RemoteResponse>;
  close(): Promise<void>;
}

/** Opens the selected calendar: a file, the server that has it open, or a remote calendar. */
export async function connect(globals: Globals, terminal: Terminal, mode: AccessMode): Promise<Connection> {
  const target = await targetOf(globals, terminal);
  const credentials = await credentialsOf(target, globals, terminal);
  if (target.kind === 'remote') return connectRemote(target, credentials, globals, terminal);
  const startedAt = process.uptime();
  if (target.file !== ':memory:') {
    const holder = await serverOf(target.file);
    if (holder) return connectServer(target, holder, credentials, globals, terminal);
  }
  try {
    return await connectFile(target, credentials, withTimeLeft(globals, startedAt), terminal, mode);
  } catch (error) {
    // A server opened the file in the meantime.
    const { ServedError } = await import('../../store/file/lock.ts');
    if (error instanceof ServedError) return connectServer(target, error.owner, credentials, globals, terminal);
    throw error;
  }
}

/** Connects to the server that has the selected file open, if any. */
export async function connectToOwner(globals: Globals, terminal: Terminal): Promise<Connection | undefined> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'remote' || target.file === ':memory:') return undefined;
  const holder = await serverOf(target.file);
  return holder && connectServer(target, holder, undefined, globals, terminal);
}

type OptionalCredentials = Credentials | undefined;

async function connectFile(
  target: Target & { kind: 'file' },
  credentials: OptionalCredentials,
  globals: Globals,
  terminal: Terminal,
  mode: AccessMode,
): Promise<Connection> {
  const { store, close } = await openStore(target.file, globals, terminal, mode);
  try {
    const viewer = credentials ? await store.users.authenticate(credentials.name, credentials.password) : owner;
    const home = store.settings.get('home');
    const now = clockOf(terminal, globals.now);
    const path = globals.namespace ?? namespace;
    const calendar = store.calendarFor(viewer, { home, root: `${home}/${path}` });
    return {
      calendar,
      kind: 'file',
      origin: new URL(home).origin,
      place: `${target.file} (${target.source})`,
      clock: async () => now,
      about: async () => ({ name: store.settings.get('title'), timezone: store.settings.get('timezone') }),
      zone: async () => store.settings.get('timezone'),
      users: async () => store.users.list(),
      keep: async (what) => (store.db.file === undefined ? undefined : (await store.snapshots.keep(what)).name),
      isControlled: async () => true,
      countHidden: async (resource, query) => calendar[resource].countHidden!(query),
      async send(request) {
        const [{ createHandler }, { joinPieces }, { serviceOf }] = await Promise.all([
          import('../../server/router.ts'),
          import('../../server/http.ts'),
          import('../../store/service.ts'),
        ]);
        const service = serviceOf(store);
        const handle = createHandler(
          { ...service, hasUsers: () => service.hasUsers() && viewer !== owner, authenticate: () => viewer },
          { basePath: '', namespace: path, headerPrefix: 'X-Calendar', home },
        );
        const { whole = false, ...rest } = request;
        const absolute = whole || isAbsolute(request.path, `/${path}`);
        const authorization = credentials ? { authorization: 'Basic ' } : {};
        const { status, headers, body } = await handle({
          ...rest,
          path: absolute ? request.path : `/${path}${request.path}`,
          headers: { ...request.headers, ...authorization },
        });
        const bytes = joinPieces(body);
        return { status, headers, body: new TextDecoder().decode(bytes), bytes };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Remotely = { credentials: OptionalCredentials; token?: string; namespace?: string; headers?: Record<string, string> };

async function openRemote(root: string, { credentials, token, namespace, headers }: Remotely, globals: Globals, terminal: Terminal) {
  const { basic, connectTo } = await import('../../client/remote.ts');
  const authorization = credentials ? basic(credentials) : token && `Bearer ${token}`;
  const remote = connectTo(root, authorization, transportOptions(globals, terminal, headers), namespace);
  return { ...remote, zone: async () => (await remote.about()).timezone || zoneHere(terminal.env) };
}

async function connectRemote(
  target: Target & { kind: 'remote' },
  credentials: OptionalCredentials,
  globals: Globals,
  terminal: Terminal,
): Promise<Connection> {
  const { rootOf } = await import('../../client/remote.ts');
  const { url, namespace, source, project } = target;
  const headers = headersFor(target, globals, terminal);
  const remote = await openRemote(rootOf(url, namespace), { credentials, namespace, headers }, globals, terminal);
  let clock: Promise<() => number> | undefined;
  const token = project === undefined ? variable(terminal, 'CALENDAR_CONTROL_TOKEN') : undefined;
  const control = { url: remote.root, token, headers };
  // Sites on other machines have no control API without a token.
  const mayControl = token !== undefined || isLoopback(new URL(url).hostname);
  return {
    ...remote,
    users: () => usersAt(control, globals, terminal).catch(() => undefined),
    keep: async (what) => (mayControl ? keepAt(control, what, globals, terminal).catch(ifDenied) : undefined),
    isControlled: async () => mayControl && (await isControlledAt(control, globals, terminal)),
    countHidden: async (resource, query) => (hasDates(resource) && mayControl ? hiddenAt(control, query, globals, terminal) : 0),
    kind: 'remote',
    origin: new URL(remote.root).origin,
    place: `${remote.root} (${source})`,
    clock() {
      clock ??= remoteClock(remote, globals, terminal);
      return clock;
    },
  };
}

/** Returns undefined for the failure of a server that doesn't let this client use its control API. */
function ifDenied(error: unknown): undefined {
  const denials: readonly number[] = [exitCodes.invalid, exitCodes.missing, exitCodes.forbidden];
  if (error instanceof Failure && denials.includes(error.exit)) return undefined;
  throw error;
}

/** Returns a server's clock, unless `--now` is given. Its resolution is a second, so differences up to 2 s are ignored. */
async function remoteClock(remote: Pick<Remote, 'about'>, globals: Globals, terminal: Terminal): Promise<() => number> {
  const here = clockOf(terminal, globals.now);
  if (globals.now ?? variable(terminal, 'CALENDAR_NOW')) return here;
  const { now } = await remote.about();
  const ahead = now === undefined ? 0 : now - here();
  return Math.abs(ahead) > 2000 ? () => here() + ahead : here;
}

/** Connects to the server that has a file open, at the address in its owner file. */
async function connectServer(
  { file }: Target & { kind: 'file' },
  holder: Owner,
  credentials: OptionalCredentials,
  globals: Globals,
  terminal: Terminal,
): Promise<Connection> {
  const remote = await openRemote(holder.url!, { credentials, token: holder.token }, globals, terminal);
  const zone = zoneOption(globals, terminal);
  if (zone !== undefined) checkZone(file, (await remote.about()).timezone, zone);
  const control = { url: holder.url!, token: holder.token };
  const place = `${remote.root}, the server of ${file} (process ${holder.pid})`;
  const running = clockOf(terminal, holder.now ?? globals.now);
  return {
    ...remote,
    users: () => usersAt(control, globals, terminal),
    keep: (what) => keepAt(control, what, globals, terminal),
    isControlled: async () => true,
    countHidden: async (resource, query) => (hasDates(resource) ? hiddenAt(control, query, globals, terminal) : 0),
    kind: 'server',
    origin: new URL(remote.root).origin,
    place,
    pid: holder.pid,
    clock: async () => () => running() + (holder.ahead ?? 0),
  };
}
