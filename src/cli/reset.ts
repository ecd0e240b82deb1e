import { type Command, Option } from 'commander';
import { Failure } from '../model/error.ts';
import { openFile } from './connect.ts';
import { Tally } from './data/tally.ts';
import { together } from './data/transaction.ts';
import { seedStore } from './seed.ts';
import type { Session, Shell } from './shell.ts';
import { confirm, isAttended } from './terminal.ts';

interface ResetOptions {
  generated?: boolean;
  seed?: string;
  yes?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/** `calendar reset`: every record goes, or only the generated ones; users and settings stay. */
export function build(command: Command, shell: Shell): void {
  command
    .addOption(new Option('--generated', 'only what calendar generate made').conflicts('seed'))
    .addOption(new Option('--seed <name>', 'fill the calendar again from a seed or a fixture file'))
    .addOption(new Option('--dry-run', 'say what would go, and change nothing'))
    .addOption(new Option('-y, --yes', 'do not ask'))
    .addOption(new Option('--json', 'say what was done as JSON'))
    .action(shell.action((session, _args, options) => reset(session, options as ResetOptions)));
}

async function reset(session: Session, options: ResetOptions): Promise<number | undefined> {
  const { terminal, globals } = session;
  const store = await openFile(globals, terminal, 'write');
  try {
    const place = store.db.file ?? 'the calendar in memory';
    if (
      !(
        options.yes ||
        options.dryRun ||
        (await agreed(session, `Take ${options.generated ? 'all generated records' : 'every record'} out of ${place}?`))
      )
    )
      return 0;
    if (options.seed !== undefined) {
      const tally = await seedStore(store, options.seed, 'replace', session, options);
      await tally.tell(session, `reset to ${options.seed}`, options);
      return 0;
    }
    const tally = await together(store, Boolean(options.dryRun), (desk) => {
      const gone = new Tally(Boolean(options.json));
      for (const name of ['events', 'venues', 'organizers', 'categories', 'tags'] as const)
        for (const source of desk.sources(name))
          if (!options.generated || source.generated) gone.add('deleted', name, String(source.slug ?? ''), source.id);
      desk.clear(options.generated ? 'generated' : undefined);
      return gone;
    });
    await tally.tell(session, 'reset', options);
    return 0;
  } finally {
    await store.close();
  }
}

/** Asks a person, and fails where there is nobody to be asked. */
export async function agreed({ terminal }: Session, question: string): Promise<boolean> {
  if (isAttended(terminal)) return confirm(terminal, question);
  throw new Failure('bad-request', 'nobody is there to be asked', {}, 'Give --yes.');
}
