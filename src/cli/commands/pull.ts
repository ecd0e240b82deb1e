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

/** `calendar pull`: a remote calendar's records into the file; what is here as it was last changed is left. */
export function build(command: Command, runner: Runner): void {
  addRemote(command)
    .addOption(new Option('--since <date>', 'only what was changed since'))
    .addOption(new Option('--restart', 'begin anew where an earlier pull was broken off'))
    .addOption(new Option('--dry-run', 'say what would be done, write nothing'))
    .addOption(new Option('--json', 'list what was done, as JSON'))
    .action(runner.action((session, [url], options) => pullCommand(session, String(url), options as PullOptions)));
}

async function pullCommand(session: Session, url: string, options: PullOptions): Promise<undefined> {
  const { since, only, restart } = options;
  const input = { ...dryOf(options), ...(await remoteAt(session, url)), since, only, restart };
  const done = await withProgress(session, 'pulling', options, (onProgress) =>
    operate(onFile(session), 'write', 'pull', input, onProgress),
  );
  await printDone(session, `pulled from ${url}`, done, options);
}
