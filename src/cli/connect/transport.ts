import type { TransportOptions } from '../../client/transport.ts';
import type { ConnectTo } from '../../data/operations/context.ts';
import type { Globals } from '../global-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { timeoutOf } from './file.ts';

/** Returns the options for sending requests. */
export function transportOptions(globals: Globals, { env, interrupted: signal, now, stderr }: Terminal): TransportOptions {
  const trace = globals.verbose ? (line: string) => stderr.write(`calendar: ${line}\n`) : undefined;
  return { timeout: timeoutOf(globals), env, signal, now, random: Math.random, trace };
}

/** Returns a function that opens remote calendars for pull and push. */
export const connectorOf =
  (globals: Globals, terminal: Terminal): ConnectTo =>
  async (root, authorization) => {
    const { connectTo } = await import('../../client/remote.ts');
    const { calendar, close } = connectTo(root, authorization, transportOptions(globals, terminal));
    return { calendar, site: root, close };
  };
