import { existsSync } from 'node:fs';
import project from '../../../package.json' with { type: 'json' };
import type { RemoteResponse } from '../../client/response.ts';
import { nodeParts } from '../../data/node-parts.ts';
import type { OnProgress } from '../../data/summary.ts';
import { isAbsolute, serverUrl as serverAddress } from '../../model/addresses.ts';
import type { Calendar, ResourceName } from '../../model/calendar.ts';
import { exitCodes, Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../model/operations/all.ts';
import type { ChangesProgress, RecordsChange } from '../../model/record-changes.ts';
import { hasDates } from '../../model/resources/relations.ts';
import { namespace } from '../../model/routes.ts';
import { owner, type User } from '../../model/viewer.ts';
import { pageChangesPath } from '../../model/web-page.ts';
import type { ServerRequest } from '../../server/http.ts';
import type { Store } from '../../store/calendar.ts';
import type { Owner } from '../../store/file/owner-card.ts';
import { zoneHere } from '../days/display.ts';
import type { Globals } from '../global-options.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';
import { type AccessMode, checkZone, openTarget, ownerPlace, serverOf, withTimeLeft, zoneOption } from './file.ts';
import { type Credentials, credentialsOf, headersFor, mayControl, secretFor, type Target, targetOf } from './target.ts';
import { connectorOf, transportOptions } from './transport.ts';

/** A request to any route. Its path is relative to the namespace, unless it is `whole`, starts with the namespace, or is that of the feed or the control API. */
export type RawRequest = ServerRequest & { whole?: boolean };

/** Runs an operation on a calendar as a whole. */
export type RunOperation = <Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  onProgress?: OnProgress,
  signal?: AbortSignal,
) => Promise<OperationOutput<Name>>;

/** A calendar that is open for operations. */
interface ControlConnection {
  control: RunOperation;
  /** Description for messages. */
  place: string;
  close(): Promise<void>;
}

/** An open calendar with a user: a file, a server or a remote calendar. */
export interface Connection extends ControlConnection {
  calendar: Calendar;
  kind: 'file' | 'server' | 'remote';
  /** URL that the routes of a server start with. */
  readonly root?: string;
  /** Looks for the API at the site of a remote calendar; true if it is elsewhere. */
  find?(): Promise<boolean>;
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
  /** Runs a change of many records after saving a snapshot for the next undo, whose name it returns; undefined in memory and on a remote calendar. */
  undoable<T>(what: string, work: () => Promise<T>): Promise<{ result: T; undo?: string | undefined }>;
  /** Changes or deletes many records in batches, and yields the progress. Only if {@link isControlled}. */
  changeMany(changes: readonly RecordsChange[]): AsyncIterable<ChangesProgress>;
  /** True if operations can run on the calendar: on a file, and on a server with the control API. */
  isControlled(): Promise<boolean>;
  /** The number of records that a list query selects except for being hidden; 0 if the calendar doesn't tell. */
  countHidden(resource: ResourceName, query: Query): Promise<number>;
  send(request: RawRequest): Promise<RemoteResponse>;
}

/** Opens the selected calendar with its user: a file, the server that has it open, or a remote calendar. */
export async function connect(globals: Globals, terminal: Terminal, mode: AccessMode): Promise<Connection> {
  const target = await targetOf(globals, terminal);
  const credentials = await credentialsOf(target, globals, terminal);
  const isProject = target.kind === 'remote' && target.project !== undefined;
  const token = isProject ? undefined : variable(terminal, 'CALENDAR_CONTROL_TOKEN');
  const { store, server, ...opened } = await open(target, token, globals, terminal, mode);
  try {
    return store
      ? await withFile(store, opened, credentials, globals, terminal)
      : await onServer(server!, opened, credentials, globals, terminal);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Opens the selected calendar for operations, which need no user. */
export async function connectControl(globals: Globals, terminal: Terminal, mode: AccessMode): Promise<ControlConnection> {
  const target = await targetOf(globals, terminal);
  return open(target, secretFor(target, 'CALENDAR_CONTROL_TOKEN', terminal), globals, terminal, mode);
}

/** A server, the token of its control API, and the headers of requests to it. */
interface Server {
  url: string;
  namespace?: string;
  token?: string;
  headers?: Record<string, string>;
  /** The process that has the selected file open. */
  owner?: Owner;
}

type Opened = ControlConnection & { store?: Store; server?: Server };

/** Opens a calendar. `token` is for the control API of a remote one. Throws `bad-request` if `mode` requires a server and none is running. */
async function open(target: Target, token: string | undefined, globals: Globals, terminal: Terminal, mode: AccessMode): Promise<Opened> {
  if (target.kind === 'remote') {
    const { url, source, usualNamespace, namespace = usualNamespace } = target;
    const server = { url, namespace, token, headers: headersFor(target, globals, terminal) };
    return { ...controlOf(server, globals, terminal), server, place: `${url} (${source})` };
  }
  const { file } = target;
  const startedAt = process.uptime();
  const running = file === ':memory:' ? undefined : await serverOf(file);
  if (running) return openOwner(file, running, globals, terminal);
  if (mode === 'served')
    throw new Failure('bad-request', `No server is running for ${file}`, 'Start one with calendar serve, or pass --url.');
  try {
    const isNew = mode === 'dry' && !existsSync(file) && !existsSync(`${file}-log`);
    const { store, close } = await openTarget(isNew ? ':memory:' : file, withTimeLeft(globals, startedAt), terminal, mode);
    const context = { store, version: project.version, node: nodeParts(connectorOf(globals, terminal)) };
    const control: RunOperation = (name, input, onProgress) =>
      import('../../data/operations/run.ts').then(({ runOperation }) => runOperation({ ...context, onProgress }, name, input));
    return { store, control, close, place: `${file} (${target.source})` };
  } catch (error) {
    // A server opened the file in the meantime.
    const { ServedError } = await import('../../store/file/lock.ts');
    if (error instanceof ServedError) return openOwner(file, error.owner, globals, terminal);
    throw error;
  }
}

/** Opens the server that has a file open, at the address in its owner file. */
async function openOwner(file: string, running: Owner, globals: Globals, terminal: Terminal): Promise<Opened> {
  const server = { url: running.url!, token: running.token, owner: running };
  const opened = controlOf(server, globals, terminal);
  const zone = zoneOption(globals, terminal);
  if (zone !== undefined) {
    const { settings } = await opened.control('settings', {});
    checkZone(file, settings.find(({ name }) => name === 'timezone')!.value, zone);
  }
  return { ...opened, server, place: ownerPlace(running, file) };
}

/** Default timeout of operations, which may import a whole calendar, in ms. */
const operationTimeoutMs = 600_000;

/** Sends no request before an operation is called. */
function controlOf({ url, token, headers }: Server, globals: Globals, terminal: Terminal): Pick<Opened, 'control' | 'close'> {
  const options = transportOptions({ timeout: operationTimeoutMs / 1000, ...globals }, terminal, headers);
  const load = async () => {
    const [{ controlAt }, { transportOf }] = await Promise.all([import('../../client/control.ts'), import('../../client/transport.ts')]);
    const transport = transportOf(options);
    return { transport, methods: controlAt(serverAddress(url), token, transport) };
  };
  let loading: ReturnType<typeof load> | undefined;
  return {
    async control<Name extends OperationName>(name: Name, input: OperationInput<Name>, _onProgress?: OnProgress, signal?: AbortSignal) {
      loading ??= load();
      const method = (await loading).methods[name] as (input: object, signal?: AbortSignal) => Promise<OperationOutput<Name>>;
      return method(input, signal);
    },
    close: async () => (await loading)?.transport.close(),
  };
}

async function withFile(
  store: Store,
  opened: ControlConnection,
  credentials: Credentials | undefined,
  globals: Globals,
  terminal: Terminal,
): Promise<Connection> {
  const viewer = credentials ? await store.users.authenticate(credentials.name, credentials.password) : owner;
  const home = store.settings.get('home');
  const now = clockOf(terminal, globals.now);
  const path = globals.namespace ?? namespace;
  const calendar = store.calendarFor(viewer, { home, root: `${home}/${path}` });
  return {
    ...opened,
    calendar,
    kind: 'file',
    origin: new URL(home).origin,
    clock: async () => now,
    about: async () => ({ name: store.settings.get('title'), timezone: store.settings.get('timezone') }),
    zone: async () => store.settings.get('timezone'),
    users: async () => store.users.list(),
    undoable: async (what, work) =>
      store.db.file === undefined ? { result: await work() } : store.snapshots.undoable(what, work, () => true),
    isControlled: async () => true,
    async *changeMany(changes) {
      const [{ changeRecords }, { serviceOf }] = await Promise.all([
        import('../../server/changes/change-many.ts'),
        import('../../store/service.ts'),
      ]);
      const site = { home, root: `${home}/${path}` };
      yield* changeRecords({ service: serviceOf(store), viewer, site, request: {} }, changes);
    },
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
        { basePath: '', namespace: path, headerPrefix: 'X-Calendar', publicUrl: home },
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
  };
}

async function onServer(
  { url, namespace, token, headers, owner: running }: Server,
  { control, place, close }: ControlConnection,
  credentials: Credentials | undefined,
  globals: Globals,
  terminal: Terminal,
): Promise<Connection> {
  const [{ basic, connectTo }, { rootUrl }] = await Promise.all([import('../../client/remote.ts'), import('../../client/site.ts')]);
  const root = running ? url : rootUrl(url, namespace);
  // A remote calendar gets its control token only with operations.
  const authorization = credentials ? basic(credentials) : running?.token && `Bearer ${running.token}`;
  const remote = connectTo(root, authorization, transportOptions(globals, terminal, headers), namespace);
  const isControllable = running !== undefined || mayControl(url, token);
  const here = clockOf(terminal, running?.now ?? globals.now);
  /** A server's clock, unless `--now` is given. Its resolution is a second, so differences up to 2 s are ignored. */
  const readClock = async (): Promise<() => number> => {
    if (globals.now ?? variable(terminal, 'CALENDAR_NOW')) return here;
    const { now } = await remote.about();
    const ahead = now === undefined ? 0 : now - here();
    return Math.abs(ahead) > 2000 ? () => here() + ahead : here;
  };
  let clock: Promise<() => number> | undefined;
  return {
    ...remote,
    get root() {
      return remote.root;
    },
    control,
    kind: running ? 'server' : 'remote',
    place: running ? place : `${root}${place.slice(url.length)}`,
    origin: new URL(root).origin,
    pid: running?.pid,
    clock() {
      clock ??= running ? Promise.resolve(() => here() + (running.ahead ?? 0)) : readClock();
      return clock;
    },
    zone: async () => (await remote.about()).timezone || zoneHere(terminal.env),
    users: async () => (await control('users', {}).catch(() => undefined))?.users,
    async undoable(what, work) {
      if (!isControllable) return { result: await work() };
      const undo = await control('keepSnapshot', { what }).then(({ name }) => name, running ? undefined : ifDenied);
      try {
        return { result: await work(), undo };
      } finally {
        if (undo !== undefined) await control('settleSnapshot', { name: undo });
      }
    },
    isControlled: async () => running !== undefined || (isControllable && control('health', {}).then(() => true, ifNotCalendar)),
    async *changeMany(changes) {
      const request = { method: 'POST', path: pageChangesPath, whole: true, query: '', headers: { 'content-type': 'application/json' } };
      const response = await remote.send({ ...request, body: Buffer.from(JSON.stringify({ changes })) });
      if (response.status >= 400) (await import('../../client/response.ts')).contentOf(response, `${root}${pageChangesPath}`);
      for (const line of response.body.trim().split('\n')) yield JSON.parse(line);
    },
    countHidden: async (resource, query) =>
      hasDates(resource) && isControllable ? (await control('countHidden', { filters: query })).count : 0,
    async close() {
      await Promise.all([remote.close(), close()]);
    },
  };
}

/** Returns undefined for the failure of a server that doesn't let this client use its control API. */
function ifDenied(error: unknown): undefined {
  const denials: readonly number[] = [exitCodes.invalid, exitCodes.missing, exitCodes.forbidden];
  if (error instanceof Failure && denials.includes(error.exit)) return undefined;
  throw error;
}

/** Returns false for the failure of a server without a control API. */
function ifNotCalendar(error: unknown): false {
  if (error instanceof Failure && error.code !== 'unreachable') return false;
  throw error;
}
