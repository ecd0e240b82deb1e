import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { controlPath } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import type { Store } from '../../store/calendar.ts';
import type { Owner } from '../../store/file/owner-card.ts';
import { compileSqlite } from '../../store/sqlite/engine.ts';
import type { Globals } from '../global-options.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';
import { projectConfig } from './config.ts';
import { targetOf } from './target.ts';

/**
 * Access of a command. Reading takes no lock. `update` writes to an existing calendar, a `dry` run creates no file, and `served` is for what only a server has.
 */
export type AccessMode = 'read' | 'write' | 'update' | 'dry' | 'served';

const defaultTimeoutSeconds = 30;
export const lockTimeoutMs = (globals: Globals) => (globals.timeout ?? defaultTimeoutSeconds) * 1000;

/** The options with the timeout that remains since `startedAt`, a `process.uptime()`: querying an unresponsive owner takes time. */
export const withTimeLeft = (globals: Globals, startedAt: number): Globals => ({
  ...globals,
  timeout: Math.max(0, lockTimeoutMs(globals) / 1000 - (process.uptime() - startedAt)),
});

/** The server that has a file open; undefined if there is none, or only another command. */
export async function serverOf(file: string): Promise<Owner | undefined> {
  if (!existsSync(`${file}-owner`)) return undefined;
  const { ownerOf } = await import('../../store/file/lock.ts');
  const holder = await ownerOf(file);
  return holder?.url === undefined ? undefined : holder;
}

/** Describes the server that has a file open, for messages. */
export const ownerPlace = ({ url, pid }: Owner, file: string): string => `${url}, the server of ${file} (process ${pid})`;

/** Opens the selected file to read it, also while a server has it open. Throws `bad-request` for a server. */
export async function readStore(globals: Globals, terminal: Terminal): Promise<OpenStore> {
  const target = await targetOf(globals, terminal);
  if (target.kind === 'remote')
    throw new Failure('bad-request', `${target.source} is a server, and this command needs a file`, 'Pass --db FILE.');
  return openTarget(target.file, globals, terminal, 'read', 'Create one with calendar seed, or pass --db FILE.');
}

/** An open calendar of a command. */
interface OpenStore {
  store: Store;
  /** Closes the file. Says that it is new, with the time zone that the command left it with, or removes it if the command wrote nothing. */
  close(): Promise<void>;
}

async function serverHint(terminal: Terminal): Promise<string> {
  const port = variable(terminal, 'PORT') ?? usualPort;
  const running = await serverAt(port);
  return running
    ? `A server runs at ${running}: pass --url :${port}.`
    : 'Create one with calendar seed or calendar serve, or pass --db or --url.';
}

/** Opens a file, or a calendar in memory. `hint` is for a missing file where a server does not help. */
export async function openTarget(file: string, globals: Globals, terminal: Terminal, mode: AccessMode, hint?: string): Promise<OpenStore> {
  if ((mode === 'read' || mode === 'update') && file !== ':memory:' && !existsSync(file) && !existsSync(`${file}-log`)) {
    throw new Failure('store-missing', `${file}: no such calendar`, hint ?? (await serverHint(terminal)));
  }
  compileSqlite();
  const { openCalendar } = await import('../../store/calendar.ts');
  const zone = zoneOption(globals, terminal);
  const store = await openCalendar(file, {
    mode: mode === 'read' ? 'read' : 'write',
    now: clockOf(terminal, globals.now),
    blocking: terminal.blocking,
    timeout: lockTimeoutMs(globals),
    settings: zone === undefined ? {} : { timezone: zone },
    notice: (text, failing) => void (failing || terminal.stderr.write(`calendar: ${text}\n`)),
  });
  try {
    await settleZone(store, file, zone);
    await declareConfigured(store, terminal, mode);
    const { isNew, version } = store.db;
    const close = async () => {
      if (isNew && store.db.version > version) terminal.stderr.write(`calendar: ${createdNotice(store, file, zone)}\n`);
      await store.close(version);
    };
    return { store, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Port of a server without `--port` and PORT. */
export const usualPort = 8787;

/** The address of a server of this program on a port of this machine; undefined if none responds within 2 s. */
async function serverAt(port: number | string): Promise<string | undefined> {
  const origin = `http://127.0.0.1:${port}`;
  try {
    const response = await fetch(`${origin}${controlPath}/health`, { signal: AbortSignal.timeout(2000) });
    const { url } = (await response.json()) as { url?: unknown };
    return typeof url === 'string' ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Declares the fields of the project's configuration; a reader only compares them. Throws `conflict` if the calendar declares one of them differently. */
export async function declareConfigured(store: Store, terminal: Terminal, mode: AccessMode): Promise<void> {
  const { file, fields } = (await projectConfig(terminal)) ?? {};
  if (!fields) return;
  try {
    const { checkDeclarations, joined } = await import('../../model/resources/declared.ts');
    checkDeclarations(fields);
    const all = joined(store.settings.fields, fields);
    if (mode !== 'read' && JSON.stringify(all) !== JSON.stringify(store.settings.fields))
      await store.change((local) => local.declare(fields));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.with({ message: `${file}: ${error.message}` });
  }
}

export const zoneOption = (globals: Globals, terminal: Terminal): string | undefined =>
  globals.calendarTimezone ?? variable(terminal, 'CALENDAR_TIMEZONE');

/** Stores the time zone of a new file. Throws `conflict` if an existing calendar has another zone. */
export async function settleZone(store: Store, file: string, zone: string | undefined): Promise<void> {
  const { isNew } = store.db;
  if (isNew && zone !== undefined) await store.change(({ settings }) => settings.set('timezone', zone));
  else if (!isNew && file !== ':memory:') checkZone(file, store.settings.stored('timezone'), zone);
}

export function createdNotice(store: Store, file: string, zone: string | undefined): string {
  const hint = zone === undefined ? '. Change it with: calendar settings set timezone ZONE' : '';
  return `Created ${basename(file)} with the time zone ${store.settings.get('timezone')}${hint}`;
}

/** Throws `conflict` if an existing calendar has another time zone than the given one. */
export function checkZone(file: string, stored: string, zone: string | undefined): void {
  if (zone === undefined || stored === zone) return;
  throw new Failure(
    'conflict',
    `${basename(file)} has the time zone ${stored}, not ${zone}`,
    `Change it with calendar settings set timezone ${zone}, without --timezone, --calendar-timezone and CALENDAR_TIMEZONE.`,
  );
}
