import { type Command, Option } from 'commander';
import { Failure } from '../../model/error.ts';
import { seedNames } from '../../model/operations/formats.ts';
import { canUndo, operate, seedInput } from '../connect/operate.ts';
import { timezoneOption } from '../global-options.ts';
import { addNote } from '../help/examples.ts';
import { dryOf, printDone, printNotes, type SummaryOptions, withProgress } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';

interface SeedOptions extends SummaryOptions {
  append?: boolean;
  replace?: boolean;
  upsert?: boolean;
  schema?: boolean;
  yes?: boolean;
}

/** `calendar seed`: loads a seed in one transaction. */
export function build(command: Command, runner: Runner): void {
  const seeds = Object.entries(seedNames).map(([name, about]) => `  ${name.padEnd(12)}${about}\n`);
  addNote(command, `Seeds:\n${seeds.join('')}`)
    .argument('[seed]', 'Seed, URL, - for standard input, or a file: a fixture, or what import reads')
    .addOption(new Option('--append', 'Add to the existing records').conflicts(['replace', 'upsert']))
    .addOption(new Option('--replace', 'Delete all records first').conflicts('upsert'))
    .option('--upsert', 'Update records with the same slug, add the others')
    .addOption(timezoneOption())
    .option('--dry-run', 'Check everything and write nothing')
    .option('-y, --yes', 'Skip the confirmation prompt')
    .option('--schema', 'Print the JSON Schema of fixtures')
    .option('--json', 'Output JSON with every record')
    .action(runner.action((session, [name], options) => seedCommand(session, name as string | undefined, options as SeedOptions)));
}

async function seedCommand(session: Session, name: string | undefined, options: SeedOptions): Promise<undefined> {
  if (options.schema) {
    const [{ fixtureSchema }, { declaredResources }, z] = await Promise.all([
      import('../../model/formats/fixture.ts'),
      import('../connect/declared.ts'),
      import('zod'),
    ]);
    const resources = await declaredResources(session.globals, session.terminal);
    await session.print(`${JSON.stringify(fixtureSchema(z, resources), null, 2)}\n`);
    return;
  }
  if (name === undefined) throw new Failure('bad-request', 'Missing seed', `Pass one of ${Object.keys(seedNames).join(', ')}, or a file.`);
  const { append, replace, upsert } = options;
  const isAgreed = !replace || options.yes || options.dryRun || (await canUndo(session));
  if (!(await agreed(session.terminal, `Replace all records with ${name}?`, isAgreed))) return;
  const input = { ...(await seedInput(name, session)), ...dryOf(options), append, replace, upsert };
  const done = await withProgress(session, 'seeding', options, (onProgress) => operate(session, 'write', 'seed', input, onProgress));
  // The built-in edge cases have such texts on purpose.
  if (!options.json && !(name in seedNames)) await printNotes(session, done.notes);
  await printDone(session, name, done, options);
}
