import { type Command, InvalidArgumentError, Option } from 'commander';
import { durationForms, readDuration } from '../../model/time/duration.ts';
import { operate } from '../connect/operate.ts';
import { dryOf, printDone, type SummaryOptions, withProgress } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

interface ShiftOptions extends SummaryOptions {
  by: string;
  generated?: boolean;
}

/** `calendar shift`: moves all events by a duration. Days and longer keep the time of day. */
export function build(command: Command, runner: Runner): void {
  command
    .addOption(
      new Option('--by <duration>', `Duration, e.g. ${durationForms}; to go back, use --by=-7d`)
        .argParser(parseDuration)
        .makeOptionMandatory(),
    )
    .addOption(new Option('--generated', 'Only move events that calendar generate created'))
    .addOption(new Option('--dry-run', 'Show what would change'))
    .addOption(new Option('--json', 'Output JSON with all events'))
    .action(runner.action((session, _args, options) => shiftCommand(session, options as unknown as ShiftOptions)));
}

function parseDuration(text: string): string {
  if (!readDuration(text)) throw new InvalidArgumentError(`Expected a duration, e.g. ${durationForms}; to go back, use a minus sign.`);
  return text;
}

async function shiftCommand(session: Session, options: ShiftOptions): Promise<undefined> {
  const { by, generated } = options;
  const input = { ...dryOf(options), by, generated };
  const done = await withProgress(session, 'shifting', options, (onProgress) => operate(session, 'write', 'shift', input, onProgress));
  await printDone(session, 'Shifted', done, options);
}
