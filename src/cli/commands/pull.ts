import { setTimeout } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { Failure, invalidParams } from '../../model/error.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import { isYearless } from '../../model/time/typed-date.ts';
import { operate } from '../connect/operate.ts';
import { addSyncOptions, onFile, preferred, type SyncOptions, siteOf } from '../connect/sync.ts';
import { readTyped } from '../days/locale.ts';
import { timeFor } from '../options.ts';
import { dryOf, withProgress } from '../print/summary.ts';
import { printSync } from '../print/sync.ts';
import type { Runner, Session } from '../session.ts';

interface PullOptions extends SyncOptions {
  since?: string;
  restart?: boolean;
  follow?: boolean;
  every?: string;
}

/** `calendar pull`: copies the changes of a remote calendar into the file. */
export function build(command: Command, runner: Runner): void {
  addSyncOptions(command)
    .option('--since <date>', 'Only copy records changed since a date')
    .option('--restart', 'Start over instead of resuming an interrupted pull')
    .option('--delete', 'Delete records that were deleted in the remote calendar')
    .addOption(new Option('--follow', 'Pull again and again until interrupted').conflicts(['dryRun', 'json']))
    .option('--every <time>', 'Time between pulls with --follow, e.g. 30s (default 5m)', timeFor('timeout'))
    .action(runner.action((session, [url], options) => pullCommand(session, url as string | undefined, options as PullOptions)));
}

const defaultEvery = '5m';

async function pullCommand(session: Session, url: string | undefined, options: PullOptions): Promise<number> {
  if (!options.follow && options.every !== undefined) throw new Failure('bad-request', '--every requires --follow');
  if (options.follow)
    return follow(session, millisecondsIn(options.every ?? defaultEvery, '--every', 'timeout'), () => pullOnce(session, url, options));
  return pullOnce(session, url, options);
}

async function pullOnce(session: Session, url: string | undefined, options: PullOptions): Promise<number> {
  const { only, restart, delete: deleting } = options;
  const since = readTyped('since', options.since);
  // The next such day, as elsewhere, would copy nothing.
  if (since !== undefined && isYearless(since))
    throw invalidParams({ since: { reason: `${JSON.stringify(options.since)} has no year` } }, 'Write one, e.g. 24.12.2026.');
  const { remote, name } = await siteOf(session, url);
  const input = {
    ...dryOf(options),
    ...remote,
    since,
    only,
    restart,
    delete: deleting,
    prefer: preferred(options),
  };
  const done = await withProgress(session, 'pulling', options, async (onProgress) =>
    operate(await onFile(session), 'write', 'pull', input, onProgress),
  );
  return printSync(session, `Pulled from ${name}`, done, options);
}

/** Maximum time between two tries, in ms. */
const maxDelayMs = 3_600_000;

/** Returns the time until the next try, in ms: twice as long after each failure, up to an hour. */
export const delayAfter = (everyMs: number, failures: number): number => Math.min(everyMs * 2 ** failures, Math.max(everyMs, maxDelayMs));

/** Failures that may pass: the site is busy, has an error, or can't be reached. */
const isPassing = (error: unknown): error is Failure => error instanceof Failure && (error.status >= 500 || error.status === 429);

/** Runs work again and again until it is interrupted or fails with an error that waiting doesn't help. */
async function follow(session: Session, everyMs: number, work: () => Promise<unknown>): Promise<never> {
  for (let failures = 0; ; ) {
    try {
      await work();
      failures = 0;
    } catch (error) {
      if (!isPassing(error)) throw error;
      failures++;
      await session.tell(`calendar: ${error.message}. Trying again in ${Math.round(delayAfter(everyMs, failures) / 1000)} s`);
    }
    await setTimeout(delayAfter(everyMs, failures), undefined, { signal: session.terminal.interrupted });
  }
}
