import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { Failure } from '../../model/error.ts';
import { probeServer } from '../connect/control.ts';
import type { Runner, Session } from '../session.ts';

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
