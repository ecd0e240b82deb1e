import { type Command, Option } from 'commander';
import { push } from '../../data/sync/push.ts';
import type { ResourceName } from '../../model/calendar.ts';
import { exitCodes } from '../../model/error.ts';
import { addRemote, withRemote } from '../connect/sync.ts';
import { printSummary, runOperation, type SummaryOptions } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';

interface PushOptions extends SummaryOptions {
  only?: ResourceName[];
  delete?: boolean;
  yes?: boolean;
}

/** `calendar push`: the file's records into a remote calendar. */
export function build(command: Command, runner: Runner): void {
  addRemote(command)
    .addOption(new Option('--delete', 'delete there what is not in the file'))
    .addOption(new Option('-y, --yes', 'do not ask before deleting'))
    .addOption(new Option('--dry-run', 'say what would be done, write nothing'))
    .addOption(new Option('--json', 'list what was done, as JSON'))
    .action(runner.action((session, [url], options) => pushCommand(session, String(url), options as PushOptions)));
}

async function pushCommand(session: Session, url: string, options: PushOptions): Promise<number> {
  const question = `Delete everything at ${url} that is not in the file?`;
  if (!(await agreed(session.terminal, question, !options.delete || options.yes || options.dryRun))) return exitCodes.ok;
  return withRemote(session, url, 'write', async (store, remote) => {
    const { only, delete: deleting } = options;
    const summary = await runOperation(session, 'pushing', options, (more) => push(store, remote, { ...more, only, delete: deleting }));
    await printSummary(session, `pushed to ${url}`, summary, options);
    for (const { at, reason } of summary.problems) await session.tell(`calendar: ${at}: ${reason}`);
    return summary.problems.length ? exitCodes.partial : exitCodes.ok;
  });
}
