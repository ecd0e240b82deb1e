import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { Failure } from '../../model/error.ts';
import { waitingAt } from '../connect/control.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar wait`: until a server answers. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[url]', 'its address; the server of the calendar that is meant unless told')
    .action(runner.action((session, [url]) => waitFor(session, url as string | undefined)));
}

const usualTimeout = 30;
const between = 100;

async function waitFor(session: Session, url: string | undefined): Promise<undefined> {
  const { globals, terminal } = session;
  const timeout = globals.timeout ?? usualTimeout;
  const end = performance.now() + timeout * 1000;
  for (let last: string | undefined; ; ) {
    const left = (end - performance.now()) / 1000;
    // One try there is, however short the time.
    if (left <= 0 && last !== undefined)
      throw new Failure('unreachable', `no server is ready after ${timeout} s${last ? `: ${last}` : ''}`, {}, 'Raise --timeout.');
    const limit = last === undefined ? Math.max(1, Math.min(left, 5)) : Math.min(left, 5);
    const found = await waitingAt(url === undefined ? globals : { ...globals, url, db: undefined, profile: undefined }, terminal, limit);
    if (typeof found === 'object') {
      await session.print(`${found.url}\n`);
      return;
    }
    // A last try that the end cuts short says less than the one before.
    if (last === undefined || limit > 1) last = found;
    await sleep(between, undefined, { signal: terminal.interrupted });
  }
}
