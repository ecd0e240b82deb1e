import { type Command, Option } from 'commander';
import { Failure } from '../../model/error.ts';
import { seedNames } from '../../model/operations/seeds.ts';
import { operate } from '../connect/operate.ts';
import { seedInput } from '../connect/source.ts';
import { addNote } from '../help/notes.ts';
import { dryOf, printDone, type SummaryOptions, withProgress } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';

interface SeedOptions extends SummaryOptions {
  append?: boolean;
  replace?: boolean;
  upsert?: boolean;
  schema?: boolean;
  yes?: boolean;
}

/** `calendar seed`: a calendar's records from a fixture, in one transaction. */
export function build(command: Command, runner: Runner): void {
  const seeds = Object.entries(seedNames).map(([name, about]) => `  ${name.padEnd(12)}${about}\n`);
  addNote(command, `Seeds:\n${seeds.join('')}`)
    .argument('[seed]', 'a seed, a JSON file, or - for stdin')
    .addOption(new Option('--append', 'add to what is there').conflicts(['replace', 'upsert']))
    .addOption(new Option('--replace', 'take every record away first').conflicts('upsert'))
    .addOption(new Option('--upsert', 'bring records with the same slug up to date, add the others'))
    .addOption(new Option('--dry-run', 'check everything, write nothing'))
    .addOption(new Option('-y, --yes', 'do not ask before --replace'))
    .addOption(new Option('--schema', 'print the JSON Schema of such files'))
    .addOption(new Option('--json', 'list what was done, as JSON'))
    .action(runner.action((session, [name], options) => seedCommand(session, name as string | undefined, options as SeedOptions)));
}

async function seedCommand(session: Session, name: string | undefined, options: SeedOptions): Promise<undefined> {
  if (options.schema) {
    const [{ fixtureSchema }, z] = await Promise.all([import('../../model/formats/fixture.ts'), import('zod')]);
    await session.print(`${JSON.stringify(fixtureSchema(z), null, 2)}\n`);
    return;
  }
  if (name === undefined)
    throw new Failure('bad-request', 'seed needs a name', {}, `Seeds are ${Object.keys(seedNames).join(', ')}; or give a JSON file.`);
  const { append, replace, upsert } = options;
  const isAgreed = !replace || options.yes || options.dryRun;
  if (!(await agreed(session.terminal, `Put ${name} in the place of every record there is?`, isAgreed))) return;
  const input = { ...(await seedInput(name, session)), ...dryOf(options), append, replace, upsert };
  const done = await withProgress(session, 'seeding', options, (onProgress) => operate(session, 'write', 'seed', input, onProgress));
  await printDone(session, name, done, options);
}
