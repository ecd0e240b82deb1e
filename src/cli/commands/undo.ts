import type { Command } from 'commander';
import { operate } from '../connect/operate.ts';
import { tellRedo } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar undo`: restores the state before the last bulk change. Repeated, it goes further back. */
export function build(command: Command, runner: Runner): void {
  command.option('--json', 'Output JSON').action(runner.action((session, _args, options) => undo(session, Boolean(options.json))));
}

async function undo(session: Session, json: boolean): Promise<undefined> {
  const done = await operate(session, 'write', 'undo', {});
  if (json) await session.print(`${JSON.stringify(done)}\n`);
  else await session.print(`Restored ${done.restored}\n`);
  if (done.undo !== undefined) await tellRedo(session, done.undo);
}
