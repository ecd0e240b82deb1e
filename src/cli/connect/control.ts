import { existsSync } from 'node:fs';
import project from '../../../package.json' with { type: 'json' };
import type { OnProgress } from '../../data/summary.ts';
import { Failure } from '../../model/error.ts';
import type { Query } from '../../model/fields/list.ts';
import type { CalendarControl } from '../../model/operations/all.ts';
import { controlPath } from '../../model/operations/control.ts';
import type { User } from '../../model/viewer.ts';
import { serverOf as addressOf } from '../../model/worlds.ts';
import type { Owner } from '../../store/file/owner-card.ts';
import type { Globals } from '../global-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type AccessMode, checkZone, openStore, serverOf, withTimeLeft, zoneOption } from './file.ts';
import { headersFor } from './headers.ts';
import { secretFor, targetOf } from './target.ts';
import { connectorOf, transportOptions } from './transport.ts';

/** An open control connection. */
export interface ControlConnection {
  control: CalendarControl;
  place: string;
  close(): Promise<void>;
}

/** The way to open a calendar: as a file or only through a server. A dry run creates no file. */
export type ControlMode = AccessMode | 'served' | 'dry';

/** Default timeout of operations, which may import a whole calendar, in ms. */
const operationTimeoutMs = 600_000;

/** Opens the control interface of the selected calendar: a file, the server that has it open, or another server. Throws `bad-request` if `mode` requires a server and none is running. */
export async function connectControl(
  globals: Globals,
  terminal: Terminal,
  mode: ControlMode,
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
      headersFor(target, globals, terminal),
    );
  const owned = async (holder: Owner) => {
    const place = `${holder.url}, the server of ${target.file} (process ${holder.pid})`;
    const connection = await controlServer(holder.url!, holder.token, place, globals, terminal);
    const zone = zoneOption(globals, terminal);
    if (zone !== undefined) {
      const { settings } = await connection.control.settings();
      checkZone(target.file, settings.find(({ name }) => name === 'timezone')!.value, zone);
    }
    return connection;
  };
  const startedAt = process.uptime();
  const holder = target.file === ':memory:' ? undefined : await serverOf(target.file);
  if (holder) return owned(holder);
  if (mode === 'served')
    throw new Failure('bad-request', `No server is running for ${target.file}`, 'Start one with calendar serve, or pass --url.');
  try {
    const isNew = mode === 'dry' && !existsSync(target.file) && !existsSync(`${target.file}-log`);
    const { store, close } = await openStore(
      isNew ? ':memory:' : target.file,
      withTimeLeft(globals, startedAt),
      terminal,
      mode === 'read' ? 'read' : 'write',
    );
    const [{ createControl }, { World }] = await Promise.all([
      import('../../data/operations/control.ts'),
      import('../../data/world/world.ts'),
    ]);
    const world = new World(store);
    const control = createControl({ world, version: project.version, onProgress, connectTo: connectorOf(globals, terminal) });
    return { control, place: `${target.file} (${target.source})`, close };
  } catch (error) {
    // A server opened the file in the meantime.
    const { ServedError } = await import('../../store/file/lock.ts');
    if (error instanceof ServedError) return owned(error.owner);
    throw error;
  }
}

/** Returns a control connection to a server. Sends no request. */
export async function controlServer(
  url: string,
  token: string | undefined,
  place: string,
  globals: Globals,
  terminal: Terminal,
  headers?: Record<string, string>,
): Promise<ControlConnection> {
  const [{ controlAt }, { transportOf }] = await Promise.all([import('../../client/control.ts'), import('../../client/transport.ts')]);
  const transport = transportOf(transportOptions({ timeout: operationTimeoutMs / 1000, ...globals }, terminal, headers));
  return { control: controlAt(addressOf(url), token, transport), place, close: () => transport.close() };
}

/** A server whose control API is called, with the headers of its requests. */
export interface ControlAddress {
  url: string;
  token?: string;
  headers?: Record<string, string>;
}

/** Calls an operation of a server. */
async function callAt<T>(
  { url, token, headers }: ControlAddress,
  globals: Globals,
  terminal: Terminal,
  call: (control: CalendarControl) => Promise<T>,
): Promise<T> {
  const { control, close } = await controlServer(url, token, url, globals, terminal, headers);
  try {
    return await call(control);
  } finally {
    await close();
  }
}

/** Returns the users of a server. */
export const usersAt = async (at: ControlAddress, globals: Globals, terminal: Terminal): Promise<readonly User[]> =>
  (await callAt(at, globals, terminal, (control) => control.users())).users;

/** Returns whether a server has a control API. */
export const isControlledAt = (at: ControlAddress, globals: Globals, terminal: Terminal): Promise<boolean> =>
  callAt(at, globals, terminal, (control) => control.health()).then(
    () => true,
    (error) => {
      if (error instanceof Failure && error.code !== 'unreachable') return false;
      throw error;
    },
  );

/** Saves a snapshot of a server's calendar for the next undo, and returns its name. */
export const keepAt = async (at: ControlAddress, what: string, globals: Globals, terminal: Terminal): Promise<string> =>
  (await callAt(at, globals, terminal, (control) => control.keepSnapshot({ what }))).name;

/** Returns the number of hidden events that a list query selects on a server. */
export const hiddenAt = async (at: ControlAddress, filters: Query, globals: Globals, terminal: Terminal): Promise<number> =>
  (await callAt(at, globals, terminal, (control) => control.countHidden({ filters }))).count;

/** Returns the URL of the selected server if it is ready, otherwise the reason. `limit` is the timeout in seconds. */
export async function probeServer(globals: Globals, terminal: Terminal, limit: number): Promise<{ url: string } | string> {
  const target = await targetOf(globals, terminal);
  const url = target.kind === 'remote' ? target.url : target.file === ':memory:' ? undefined : (await serverOf(target.file))?.url;
  if (url === undefined) return `no server is running for ${target.kind === 'file' ? target.file : ''}`;
  const { transportOf } = await import('../../client/transport.ts');
  const transport = transportOf({
    ...transportOptions(globals, terminal, headersFor(target, globals, terminal)),
    timeout: Math.ceil(limit * 1000),
  });
  try {
    // A server of another kind, or without control access, responds too.
    const { status } = await transport.send({ method: 'GET', url: `${addressOf(url)}${controlPath}/ready`, headers: {} });
    return status < 500 ? { url } : `${url} returned ${status}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.message;
  } finally {
    await transport.close();
  }
}
