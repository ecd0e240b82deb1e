import { existsSync } from 'node:fs';
import { Failure } from '../../model/error.ts';
import type { Store } from '../../store/calendar.ts';
import type { Owner } from '../../store/file/owner-card.ts';
import type { Globals } from '../global-options.ts';
import { clockOf, type Terminal, variable } from '../terminal/terminal.ts';
import { targetOf } from './target.ts';

/** Whether a command changes the calendar. Reading takes no lock. */
export type AccessMode = 'read' | 'write';

const usualTimeout = 30;
/** How long a file or a server has, in milliseconds. */
export const timeoutOf = (globals: Globals) => (globals.timeout ?? usualTimeout) * 1000;

/** The same options with what is left of their time: an owner that is stopped takes some of it to ask. */
export const withTimeLeft = (globals: Globals, begun: number): Globals => ({
  ...globals,
  timeout: Math.max(0, timeoutOf(globals) - (performance.now() - begun)) / 1000,
});

/** The server that owns a file; undefined when there is no owner, or only another command. */
export async function serverOf(file: string): Promise<Owner | undefined> {
  if (!existsSync(`${file}-owner`)) return undefined;
  const { ownerOf } = await import('../../store/file/lock.ts');
  const holder = await ownerOf(file);
  return holder?.url === undefined ? undefined : holder;
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

/** Opens a file, or a calendar in memory. */
export async function openStore(file: string, globals: Globals, terminal: Terminal, mode: AccessMode): Promise<Store> {
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
    brief: true,
    settings: zone === undefined ? {} : { timezone: zone },
    notice: (text, failing) => void (failing || terminal.stderr.write(`calendar: ${text}\n`)),
  });
}
