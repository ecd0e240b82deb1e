import { type Command, Option } from 'commander';
import { keepable } from '../../model/operations/data.ts';
import { operate } from '../connect/operate.ts';
import { seedInput } from '../connect/source.ts';
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

/** `calendar reset`: every record goes, or only the generated ones; users and settings stay. */
export function build(command: Command, runner: Runner): void {
  command
    .addOption(new Option('--generated', 'only what calendar generate made').conflicts('seed'))
    .addOption(new Option('--seed <seed>', 'fill the calendar again from a seed or a fixture file'))
    .addOption(
      new Option('--to <state>', 'back to a snapshot, to empty, or to the start of the server: records, users, settings, IDs').conflicts([
        'generated',
        'seed',
      ]),
    )
    .addOption(new Option('--dry-run', 'say what would go, and change nothing'))
    .addOption(new Option('-y, --yes', 'do not ask'))
    .addOption(new Option('--json', 'say what was done as JSON'))
    .action(runner.action((session, _args, options) => resetCommand(session, options as ResetOptions)));
}

async function resetCommand(session: Session, options: ResetOptions): Promise<undefined> {
  const { generated, seed: name, to } = options;
  const target = await targetOf(session.globals, session.terminal);
  const place = target.kind === 'remote' ? target.url : target.file === ':memory:' ? 'the calendar in memory' : target.file;
  const question = to
    ? `Bring ${place} back to ${to}, with everything in it?`
    : `Take ${generated ? 'all generated records' : 'every record'} out of ${place}?`;
  if (!(await agreed(session.terminal, question, options.yes || options.dryRun))) return;
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
  await printDone(session, name || to ? `reset to ${name ?? to}` : 'reset', done, options);
}
