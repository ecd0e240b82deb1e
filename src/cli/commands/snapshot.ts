import { type Command, Option } from 'commander';
import type { SnapshotInfo } from '../../model/operations/snapshots.ts';
import { operate } from '../connect/operate.ts';
import { tellUndo } from '../print/undo.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { agreed, isAttended } from '../terminal/prompt.ts';

/** `calendar snapshot`: states of a calendar that are kept, and brought back. */
export function build(command: Command, runner: Runner): void {
  const json = () => new Option('--json', 'as JSON');
  command
    .command('save')
    .summary('keep everything as it is now under a name')
    .argument('<name>', 'small letters, digits, dots, dashes and underscores')
    .addOption(new Option('--replace', 'also where there is one of that name'))
    .addOption(json())
    .action(runner.action((session, [name], options) => save(session, String(name), options)));
  command
    .command('restore')
    .summary('bring everything back as it was; what is there now is kept as a snapshot')
    .argument('<snapshot>', 'which one')
    .addOption(json())
    .action(runner.action((session, [name], options) => restore(session, String(name), Boolean(options.json))));
  command
    .command('list')
    .summary('the snapshots there are, the oldest first')
    .addOption(json())
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('delete')
    .alias('rm')
    .summary('take one away')
    .argument('<snapshot>', 'which one')
    .option('-y, --yes', 'do not ask')
    .action(runner.action((session, [name], options) => remove(session, String(name), Boolean(options.yes))));
}

async function save(session: Session, name: string, { replace, json }: Record<string, unknown>): Promise<undefined> {
  const made = await operate(session, 'write', 'saveSnapshot', { name, replace: Boolean(replace) });
  await session.print(json ? `${JSON.stringify(made)}\n` : `${made.name}\n`);
}

async function restore(session: Session, name: string, json: boolean): Promise<undefined> {
  const done = await operate(session, 'write', 'restoreSnapshot', { name });
  if (json) await session.print(`${JSON.stringify(done)}\n`);
  else await session.print(`restored ${done.restored}\n`);
  await tellUndo(session, done.undo);
}

async function list(session: Session, json: boolean): Promise<undefined> {
  const { snapshots } = await operate(session, 'read', 'snapshots');
  await session.print(json ? `${JSON.stringify(snapshots, null, 2)}\n` : alignColumns(snapshots.map(shown)));
}

const shown = ({ name, taken, bytes }: SnapshotInfo): string[] => [name, `${taken.slice(0, 19).replace('T', ' ')} UTC`, `${bytes} bytes`];

async function remove(session: Session, name: string, yes: boolean): Promise<undefined> {
  if (!(await agreed(session.terminal, `Delete the snapshot ${name} for good?`, yes || !isAttended(session.terminal)))) return;
  await operate(session, 'write', 'deleteSnapshot', { name });
  await session.print(`deleted ${name}\n`);
}
