import { type Command, Option } from 'commander';
import type { SnapshotInfo } from '../../model/operation-types.ts';
import { operate } from '../connect/operate.ts';
import { tellUndo } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';
import { agreed, isAttended } from '../terminal/prompt.ts';

/** `calendar snapshot`: saves and restores states of a calendar. */
export function build(command: Command, runner: Runner): void {
  const json = () => new Option('--json', 'Output JSON');
  command
    .command('save')
    .summary('Save a snapshot')
    .argument('<name>', 'Name: lowercase letters, digits, dots, dashes and underscores')
    .option('--replace', 'Replace an existing snapshot')
    .addOption(json())
    .action(runner.action((session, [name], options) => save(session, String(name), options)));
  command
    .command('restore')
    .summary('Restore a snapshot; saves the current state first')
    .argument('<snapshot>', 'Name of the snapshot')
    .addOption(json())
    .action(runner.action((session, [name], options) => restore(session, String(name), Boolean(options.json))));
  command
    .command('list')
    .summary('List snapshots, oldest first')
    .addOption(json())
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('delete')
    .alias('rm')
    .summary('Delete a snapshot')
    .argument('<snapshot>', 'Name of the snapshot')
    .option('-y, --yes', 'Skip the confirmation prompt')
    .action(runner.action((session, [name], options) => remove(session, String(name), Boolean(options.yes))));
}

async function save(session: Session, name: string, { replace, json }: Record<string, unknown>): Promise<undefined> {
  const snapshot = await operate(session, 'write', 'saveSnapshot', { name, replace: Boolean(replace) });
  await session.print(json ? `${JSON.stringify(snapshot)}\n` : `${snapshot.name}\n`);
}

async function restore(session: Session, name: string, json: boolean): Promise<undefined> {
  const done = await operate(session, 'write', 'restoreSnapshot', { name });
  if (json) await session.print(`${JSON.stringify(done)}\n`);
  else await session.print(`Restored ${done.restored}\n`);
  if (done.undo !== undefined) await tellUndo(session, done.undo);
}

async function list(session: Session, json: boolean): Promise<undefined> {
  const { snapshots } = await operate(session, 'read', 'snapshots', {});
  await session.print(json ? `${JSON.stringify(snapshots, null, 2)}\n` : alignColumns(snapshots.map(rowOf)));
}

const rowOf = ({ name, taken, bytes }: SnapshotInfo): string[] => [name, `${taken.slice(0, 19).replace('T', ' ')} UTC`, `${bytes} bytes`];

async function remove(session: Session, name: string, yes: boolean): Promise<undefined> {
  if (!(await agreed(session.terminal, `Delete the snapshot ${name} permanently?`, yes || !isAttended(session.terminal)))) return;
  await operate(session, 'write', 'deleteSnapshot', { name });
  await session.print(`Deleted ${name}\n`);
}
