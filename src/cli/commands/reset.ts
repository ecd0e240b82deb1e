import { type Command, Option } from 'commander';
import { reset } from '../../data/reset.ts';
import { seed } from '../../data/seed.ts';
import { openFile } from '../connect/connect.ts';
import { sourceContext } from '../connect/source.ts';
import { printSummary, runOperation, type SummaryOptions } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';

interface ResetOptions extends SummaryOptions {
  generated?: boolean;
  seed?: string;
  yes?: boolean;
}

/** `calendar reset`: every record goes, or only the generated ones; users and settings stay. */
export function build(command: Command, runner: Runner): void {
  command
    .addOption(new Option('--generated', 'only what calendar generate made').conflicts('seed'))
    .addOption(new Option('--seed <name>', 'fill the calendar again from a seed or a fixture file'))
    .addOption(new Option('--dry-run', 'say what would go, and change nothing'))
    .addOption(new Option('-y, --yes', 'do not ask'))
    .addOption(new Option('--json', 'say what was done as JSON'))
    .action(runner.action((session, _args, options) => resetCommand(session, options as ResetOptions)));
}

async function resetCommand(session: Session, options: ResetOptions): Promise<undefined> {
  const { terminal, globals } = session;
  const store = await openFile(globals, terminal, 'write');
  const { generated, seed: name } = options;
  try {
    const question = `Take ${generated ? 'all generated records' : 'every record'} out of ${store.db.file ?? 'the calendar in memory'}?`;
    if (!(await agreed(terminal, question, options.yes || options.dryRun))) return;
    const summary = await runOperation(session, name === undefined ? 'resetting' : 'seeding', options, (more) =>
      name === undefined ? reset(store, { ...more, generated }) : seed(store, name, 'replace', sourceContext(session), more),
    );
    await printSummary(session, name === undefined ? 'reset' : `reset to ${name}`, summary, options);
  } finally {
    await store.close();
  }
}
