import { type Command, Option } from 'commander';
import type { ResourceName } from '../../model/calendar.ts';
import { exitCodes } from '../../model/error.ts';
import { operate } from '../connect/operate.ts';
import { addRemote, onFile, remoteAt } from '../connect/sync.ts';
import { dryOf, printDone, type SummaryOptions, withProgress } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';

interface PushOptions extends SummaryOptions {
  only?: ResourceName[];
  delete?: boolean;
  yes?: boolean;
}

/** `calendar push`: copies the records of the file to a remote calendar. */
export function build(command: Command, runner: Runner): void {
  addRemote(command)
    .addOption(new Option('--delete', 'Delete remote records that are not in the file'))
    .addOption(new Option('-y, --yes', 'Skip the confirmation prompt'))
    .addOption(new Option('--dry-run', 'Show what would be copied'))
    .addOption(new Option('--json', 'Output JSON with all records'))
    .action(runner.action((session, [url], options) => pushCommand(session, String(url), options as PushOptions)));
}

async function pushCommand(session: Session, url: string, options: PushOptions): Promise<number> {
  const question = `Delete everything at ${url} that is not in the file?`;
  if (!(await agreed(session.terminal, question, !options.delete || options.yes || options.dryRun))) return exitCodes.ok;
  const { only, delete: deleting } = options;
  const input = { ...dryOf(options), ...(await remoteAt(session, url)), only, delete: deleting };
  const done = await withProgress(session, 'pushing', options, (onProgress) =>
    operate(onFile(session), 'write', 'push', input, onProgress),
  );
  await printDone(session, `Pushed to ${url}`, done, options);
  for (const { at, reason } of done.problems) await session.tell(`calendar: ${at}: ${reason}`);
  return done.problems.length ? exitCodes.partial : exitCodes.ok;
}
