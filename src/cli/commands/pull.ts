import { type Command, Option } from 'commander';
import { Failure } from '../../model/error.ts';
import { millisecondsIn } from '../../model/time/duration.ts';
import { operate } from '../connect/operate.ts';
import { addSyncOptions, onFile, preferred, type SyncOptions, siteOf } from '../connect/sync.ts';
import { follow } from '../follow.ts';
import { dryOf, withProgress } from '../print/summary.ts';
import { printSync } from '../print/sync.ts';
import type { Runner, Session } from '../session.ts';

interface PullOptions extends SyncOptions {
  since?: string;
  restart?: boolean;
  follow?: boolean;
  every?: number;
}

/** `calendar pull`: copies the changes of a remote calendar into the file. */
export function build(command: Command, runner: Runner): void {
  addSyncOptions(command)
    .option('--since <date>', 'Only copy records changed since a date')
    .option('--restart', 'Start over instead of resuming an interrupted pull')
    .option('--delete', 'Delete records that were deleted in the remote calendar')
    .addOption(new Option('--follow', 'Pull again and again until interrupted').conflicts(['dryRun', 'json']))
    .option('--every <time>', 'Time between pulls with --follow, e.g. 30s (default 5m)', millisecondsIn)
    .action(runner.action((session, [url], options) => pullCommand(session, url as string | undefined, options as PullOptions)));
}

const defaultEveryMs = 300_000;

async function pullCommand(session: Session, url: string | undefined, options: PullOptions): Promise<number> {
  if (!options.follow && options.every !== undefined) throw new Failure('bad-request', '--every requires --follow');
  if (options.follow) return follow(session, options.every ?? defaultEveryMs, () => pullOnce(session, url, options));
  return pullOnce(session, url, options);
}

async function pullOnce(session: Session, url: string | undefined, options: PullOptions): Promise<number> {
  const { since, only, restart, delete: deleting } = options;
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
