import project from '../../../package.json' with { type: 'json' };
import type { Remote } from '../../client/remote.ts';
import type { TransportOptions } from '../../client/transport.ts';
import type { ConnectTo } from '../../data/remote/site.ts';
import type { Globals } from '../global-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { lockTimeoutMs } from './file.ts';

export function transportOptions(
  globals: Globals,
  { env, interrupted: signal, now, stderr }: Terminal,
  headers: Record<string, string> = {},
): TransportOptions {
  const reported = new Set<string>();
  const notice = (line: string) => {
    if (!reported.has(line)) stderr.write(`calendar: ${line}\n`);
    reported.add(line);
  };
  const trace = globals.verbose ? (line: string) => stderr.write(`calendar: ${line}\n`) : undefined;
  const userAgent = `local-calendar/${project.version}`;
  return { timeout: lockTimeoutMs(globals), userAgent, env, signal, now, random: Math.random, trace, notice, headers };
}

/** Connects to calendars. With `finds` false, only at the typed address. */
export const connectorOf =
  (globals: Globals, terminal: Terminal, finds = true) =>
  async (...[root, authorization, headers, onWait]: Parameters<ConnectTo>): Promise<Remote> => {
    const { connectTo } = await import('../../client/remote.ts');
    return connectTo(root, authorization, { ...transportOptions(globals, terminal, headers), onWait, finds });
  };
