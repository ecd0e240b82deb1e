import type { Command } from 'commander';
import { Failure } from '../../model/error.ts';
import { operate } from '../connect/operate.ts';
import { tellRedo } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';

/** `calendar undo`: restores the state before the last bulk change. Repeated, it goes further back. */
export function build(command: Command, runner: Runner): void {
  command
    .option('-y, --yes', 'Skip the confirmation prompt')
    .option('--json', 'Output JSON')
    .action(runner.action((session, _args, options) => undo(session, Boolean(options.yes), Boolean(options.json))));
}

async function undo(session: Session, yes: boolean, json: boolean): Promise<undefined> {
  const done = await operate(session, 'write', 'undo', { discard: yes }).catch(async (error) => {
    if (!(error instanceof Failure) || error.data.later === undefined) throw error;
    if (!(await agreed(session.terminal, `${error.message}. Undo anyway?`))) return undefined;
    return operate(session, 'write', 'undo', { discard: true });
  });
  if (!done) return;
  if (json) await session.print(`${JSON.stringify(done)}\n`);
  else await session.print(`Restored ${done.restored}\n`);
  if (done.undo !== undefined) await tellRedo(session, done.undo);
}
