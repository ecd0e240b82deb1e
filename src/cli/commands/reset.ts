import { type Command, Option } from 'commander';
import { keepable } from '../../model/operations/data.ts';
import { canUndo, operate, seedInput } from '../connect/operate.ts';
import { targetOf } from '../connect/target.ts';
import { dryOf, printDone, type SummaryOptions, withProgress } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';

interface ResetOptions extends SummaryOptions {
  generated?: boolean;
  seed?: string;
  to?: string;
  yes?: boolean;
}

/** `calendar reset`: deletes all records, or only generated ones, or restores a state. */
export function build(command: Command, runner: Runner): void {
  command
    .addOption(new Option('--generated', 'Only delete records that calendar generate created').conflicts('seed'))
    .option('--seed <seed>', 'Load a seed or a file afterwards')
    .addOption(
      new Option('--to <state>', 'Restore a snapshot, empty, or start (the state when the server started)').conflicts([
        'generated',
        'seed',
      ]),
    )
    .option('--dry-run', 'Show what would be deleted')
    .option('-y, --yes', 'Skip the confirmation prompt')
    .option('--json', 'Output JSON with every record')
    .action(runner.action((session, _args, options) => resetCommand(session, options as ResetOptions)));
}

async function resetCommand(session: Session, options: ResetOptions): Promise<undefined> {
  const { generated, seed: name, to } = options;
  const target = await targetOf(session.globals, session.terminal);
  const place = target.kind === 'remote' ? target.url : target.file === ':memory:' ? 'the calendar in memory' : target.file;
  const question = to ? `Restore ${place} to ${to}?` : `Delete ${generated ? 'all generated records' : 'all records'} in ${place}?`;
  if (!(await agreed(session.terminal, question, options.yes || options.dryRun || (await canUndo(session))))) return;
  const seed = name === undefined ? undefined : await seedInput(name, session);
  const done = await withProgress(session, seed ? 'seeding' : 'resetting', options, (onProgress) =>
    seed
      ? operate(session, 'write', 'seed', { ...seed, ...dryOf(options), replace: true }, onProgress)
      : operate(
          session,
          'write',
          'reset',
          { ...dryOf(options), ...(to ? { to } : { to: 'empty', keep: [...keepable], generated }) },
          onProgress,
        ),
  );
  await printDone(session, name || to ? `Reset to ${name ?? to}` : 'Reset', done, options);
}
