import { type Command, Option } from 'commander';
import type { ResourceName } from '../../model/calendar.ts';
import { operate } from '../connect/operate.ts';
import { addRemote, onFile, remoteAt } from '../connect/sync.ts';
import { dryOf, printDone, type SummaryOptions, withProgress } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

interface PullOptions extends SummaryOptions {
  since?: string;
  only?: ResourceName[];
  restart?: boolean;
}

/** `calendar pull`: copies the records of a remote calendar into the file. */
export function build(command: Command, runner: Runner): void {
  addRemote(command)
    .addOption(new Option('--since <date>', 'Only copy records changed since a date'))
    .addOption(new Option('--restart', 'Start over instead of resuming an interrupted pull'))
    .addOption(new Option('--dry-run', 'Show what would be copied'))
    .addOption(new Option('--json', 'Output JSON with all records'))
    .action(runner.action((session, [url], options) => pullCommand(session, String(url), options as PullOptions)));
}

async function pullCommand(session: Session, url: string, options: PullOptions): Promise<undefined> {
  const { since, only, restart } = options;
  const input = { ...dryOf(options), ...(await remoteAt(session, url)), since, only, restart };
  const done = await withProgress(session, 'pulling', options, (onProgress) =>
    operate(onFile(session), 'write', 'pull', input, onProgress),
  );
  await printDone(session, `Pulled from ${url}`, done, options);
}
