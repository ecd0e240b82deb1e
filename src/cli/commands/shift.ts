import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationForms, readDuration } from '../../model/time/duration.ts';
import { operate } from '../connect/operate.ts';
import { dryOf, printDone, type SummaryOptions, withProgress } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

interface ShiftOptions extends SummaryOptions {
  by: string;
  generated?: boolean;
}

/** `calendar shift`: all events so much later or earlier, at the same time of day. */
export function build(command: Command, runner: Runner): void {
  command
    .addOption(
      new Option('--by <duration>', `how far: ${durationForms}; back with a minus, as --by=-7d`).argParser(duration).makeOptionMandatory(),
    )
    .addOption(new Option('--generated', 'only what calendar generate made'))
    .addOption(new Option('--dry-run', 'say what would change, and change nothing'))
    .addOption(new Option('--json', 'list what was shifted, as JSON'))
    .action(runner.action((session, _args, options) => shiftCommand(session, options as unknown as ShiftOptions)));
}

function duration(text: string): string {
  if (!readDuration(text)) throw new InvalidArgumentError(`It takes a duration like ${durationForms}; back in time with a minus.`);
  return text;
}

async function shiftCommand(session: Session, options: ShiftOptions): Promise<undefined> {
  const { by, generated } = options;
  const input = { ...dryOf(options), by, generated };
  const done = await withProgress(session, 'shifting', options, (onProgress) => operate(session, 'write', 'shift', input, onProgress));
  await printDone(session, 'shift', done, options);
}
