import { type Command, Option } from 'commander';
import type { ApplyMode } from '../../data/apply-fixture.ts';
import { isEmpty, seed } from '../../data/seed.ts';
import { seedNames } from '../../data/seeds.ts';
import { Failure } from '../../model/error.ts';
import type { Store } from '../../store/calendar.ts';
import { openFile } from '../connect/connect.ts';
import { sourceContext } from '../connect/source.ts';
import { printSummary, runOperation, type SummaryOptions } from '../print/summary.ts';
import type { Runner, Session } from '../session.ts';

interface SeedOptions extends SummaryOptions {
  append?: boolean;
  replace?: boolean;
  upsert?: boolean;
  schema?: boolean;
}

/** `calendar seed`: a calendar's records from a fixture, in one transaction. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[name]', 'a seed, a JSON file, or - for stdin')
    .addOption(new Option('--append', 'add to what is there').conflicts(['replace', 'upsert']))
    .addOption(new Option('--replace', 'take every record away first').conflicts('upsert'))
    .addOption(new Option('--upsert', 'bring records with the same slug up to date, add the others'))
    .addOption(new Option('--dry-run', 'check everything, write nothing'))
    .addOption(new Option('--schema', 'print the JSON Schema of such files'))
    .addOption(new Option('--json', 'list what was done, as JSON'))
    .addHelpText(
      'after',
      `\nSeeds:\n${Object.entries(seedNames)
        .map(([name, about]) => `  ${name.padEnd(12)}${about}\n`)
        .join('')}`,
    )
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
  const store = await openFile(session.globals, session.terminal, 'write');
  try {
    const mode = modeOf(options, store);
    const summary = await runOperation(session, 'seeding', options, (more) => seed(store, name, mode, sourceContext(session), more));
    await printSummary(session, name, summary, options);
  } finally {
    await store.close();
  }
}

function modeOf(options: SeedOptions, store: Store): ApplyMode {
  if (options.replace) return 'replace';
  if (options.upsert) return 'upsert';
  if (options.append || isEmpty(store)) return 'append';
  throw new Failure('conflict', 'the calendar holds records already', {}, 'Say what to do with them: --append, --replace or --upsert.');
}
