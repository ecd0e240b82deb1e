import { type Command, Option } from 'commander';
import { Failure } from '../model/error.ts';
import type { Store } from '../store/open.ts';
import { openFile } from './connect.ts';
import { type Planting, plant } from './data/plant.ts';
import { failureFrom, fixtureNamed, seedNames } from './data/seeds.ts';
import { Tally } from './data/tally.ts';
import { refuse, together } from './data/transaction.ts';
import { progressOf } from './progress.ts';
import type { Session, Shell } from './shell.ts';

interface SeedOptions {
  append?: boolean;
  replace?: boolean;
  upsert?: boolean;
  dryRun?: boolean;
  schema?: boolean;
  json?: boolean;
}

/** `calendar seed`: a calendar's records from a fixture, in one transaction. */
export function build(command: Command, shell: Shell): void {
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
    .action(shell.action((session, [name], options) => seed(session, name as string | undefined, options as SeedOptions)));
}

async function seed(session: Session, name: string | undefined, options: SeedOptions): Promise<undefined> {
  if (options.schema) {
    const { fixtureSchema } = await import('../model/fixture-schema.ts');
    await session.print(`${JSON.stringify(fixtureSchema(), null, 2)}\n`);
    return;
  }
  if (name === undefined)
    throw new Failure('bad-request', 'seed needs a name', {}, `Seeds are ${Object.keys(seedNames).join(', ')}; or give a JSON file.`);
  const store = await openFile(session.globals, session.terminal, 'write');
  try {
    const planting = plantingOf(options, store);
    const tally = await seedStore(store, name, planting, session, options);
    await tally.tell(session, name, options);
  } finally {
    await store.close();
  }
}

function plantingOf(options: SeedOptions, store: Store): Planting {
  if (options.replace) return 'replace';
  if (options.upsert) return 'upsert';
  if (options.append || isEmpty(store)) return 'append';
  throw new Failure('conflict', 'the calendar holds records already', {}, 'Say what to do with them: --append, --replace or --upsert.');
}

/** Whether a calendar has no records at all. */
export const isEmpty = (store: Store): boolean =>
  ['events', 'venues', 'organizers', 'categories', 'tags'].every((name) => store.db.get(`select 1 from ${name} limit 1`) === undefined);

/** Plants a seed or a fixture in a store, all of it or nothing. Says on stderr everything that is wrong with it. */
export async function seedStore(
  store: Store,
  name: string,
  planting: Planting,
  session: Session,
  options: { dryRun?: boolean; json?: boolean } = {},
): Promise<Tally> {
  const { fixture, problems } = await fixtureNamed(name, session.terminal).catch((error) => Promise.reject(failureFrom(error, name)));
  const tally = new Tally(Boolean(options.json));
  const progress = progressOf(session.terminal, 'seeding', fixture.records.length);
  try {
    await together(store, Boolean(options.dryRun), (desk) => {
      problems.push(...plant(desk, fixture, planting, tally, progress.at));
      if (problems.length) throw new Wrong();
    });
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    progress.end();
    await refuse(session, name, problems, Boolean(options.json));
  }
  progress.end();
  return tally;
}

/** Undoes the transaction; the problems are known. */
class Wrong extends Error {}
