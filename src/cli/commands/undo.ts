import { type Command, Option } from 'commander';
import { operate } from '../connect/operate.ts';
import { tellUndo } from '../print/undo.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar undo`: everything as it was before the last command that changed many records; again, and it goes further back. */
export function build(command: Command, runner: Runner): void {
  command
    .addOption(new Option('--json', 'as JSON'))
    .action(runner.action((session, _args, options) => undo(session, Boolean(options.json))));
}

async function undo(session: Session, json: boolean): Promise<undefined> {
  const done = await operate(session, 'write', 'undo');
  if (json) await session.print(`${JSON.stringify(done)}\n`);
  else await session.print(`restored ${done.restored}\n`);
  await tellUndo(session, done.undo);
}
