import { type Command, InvalidArgumentError, Option } from 'commander';
import { shift } from '../../data/shift.ts';
import { type Duration, durationForms, readDuration } from '../../model/time/duration.ts';
import { openFile } from '../connect/connect.ts';
import { printSummary, runOperation, type SummaryOptions } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

interface ShiftOptions extends SummaryOptions {
  by: Duration;
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

function duration(text: string): Duration {
  const read = readDuration(text);
  if (!read) throw new InvalidArgumentError(`It takes a duration like ${durationForms}; back in time with a minus.`);
  return read;
}

async function shiftCommand(session: Session, options: ShiftOptions): Promise<undefined> {
  const store = await openFile(session.globals, session.terminal, 'write');
  const { by, generated } = options;
  try {
    const summary = await runOperation(session, 'shifting', options, (more) => shift(store, by, { ...more, generated }));
    await printSummary(session, 'shift', summary, options);
  } finally {
    await store.close();
  }
}
