import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { controlPath, serverUrl as serverAddress } from '../../model/addresses.ts';
import { Failure } from '../../model/error.ts';
import { serverOf } from '../connect/file.ts';
import { headersFor, targetOf } from '../connect/target.ts';
import { transportOptions } from '../connect/transport.ts';
import type { Globals } from '../global-options.ts';
import type { Runner, Session } from '../session.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `calendar wait`: waits until a server is ready. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[url]', 'Address of the server (default: the server of the selected calendar)')
    .action(runner.action((session, [url]) => waitFor(session, url as string | undefined)));
}

const defaultTimeoutSeconds = 30;
const intervalMs = 100;

async function waitFor(session: Session, url: string | undefined): Promise<undefined> {
  const { globals, terminal } = session;
  const timeout = globals.timeout ?? defaultTimeoutSeconds;
  const end = performance.now() + timeout * 1000;
  for (let last: string | undefined; ; ) {
    const secondsLeft = (end - performance.now()) / 1000;
    // Try at least once, however short the timeout.
    if (secondsLeft <= 0 && last !== undefined)
      throw new Failure('unreachable', `No server is ready after ${timeout} s${last ? `: ${last}` : ''}`, 'Increase --timeout.');
    const limit = last === undefined ? Math.max(1, Math.min(secondsLeft, 5)) : Math.min(secondsLeft, 5);
    const result = await probeServer(url === undefined ? globals : { ...globals, url, db: undefined, profile: undefined }, terminal, limit);
    if (typeof result === 'object') {
      await session.print(`${result.url}\n`);
      return;
    }
    // The reason of a try that the timeout cut short is less useful.
    if (last === undefined || limit > 1) last = result;
    await sleep(intervalMs, undefined, { signal: terminal.interrupted });
  }
}

/** The URL of the selected server if it is ready, otherwise the reason. `limit` is the timeout in seconds. */
async function probeServer(globals: Globals, terminal: Terminal, limit: number): Promise<{ url: string } | string> {
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
    const { status } = await transport.send({ method: 'GET', url: `${serverAddress(url)}${controlPath}/ready`, headers: {} });
    return status < 500 ? { url } : `${url} returned ${status}`;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error.message;
  } finally {
    await transport.close();
  }
}
