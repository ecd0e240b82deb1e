import { type Command, Option } from 'commander';
import type { WorldInfo } from '../../model/operation-types.ts';
import { isStateFile } from '../../model/operations/worlds.ts';
import { operate, seedInput, whileConnected } from '../connect/operate.ts';
import { timeFor } from '../options.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';

/** `calendar world`: manages the worlds of a server. */
export function build(command: Command, runner: Runner): void {
  const json = () => new Option('--json', 'Output JSON');
  command
    .command('create')
    .summary('Create a world and print its ID')
    .argument('[name]', 'Name, which becomes part of the ID')
    .option(
      '--from <state>',
      'Initial state: start, empty, a snapshot of the server, WORLD/NAME for one of a world, a seed, or a file',
      'start',
    )
    .option('--frozen-at <instant>', 'Stop its clock at this instant')
    .option('--ttl <time>', 'Delete it after this time without requests, e.g. 30m', timeFor('ttl'))
    .addOption(json())
    .action(runner.action((session, [name], options) => create(session, name as string | undefined, options)));
  command
    .command('list')
    .summary('List the worlds of the server')
    .addOption(json())
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('delete')
    .alias('rm')
    .summary('Delete worlds')
    .argument('<id...>', 'IDs of the worlds')
    .action(runner.action((session, [ids]) => remove(session, ids as unknown as string[])));
}

async function create(
  session: Session,
  name: string | undefined,
  { from, frozenAt, ttl, json }: Record<string, unknown>,
): Promise<undefined> {
  const state = isStateFile(String(from)) ? (await seedInput(String(from), session)).seed : String(from);
  const input = { name, from: state, now: frozenAt as string | undefined, ttl: ttl as string | undefined };
  const world = await operate(session, 'served', 'createWorld', input);
  await session.print(json ? `${JSON.stringify(world)}\n` : `${world.id}\n`);
  if (!json) await session.note(`calendar: ${world.url}`);
}

async function list(session: Session, json: boolean): Promise<undefined> {
  const { worlds } = await operate(session, 'served', 'worlds', {});
  await session.print(json ? `${JSON.stringify(worlds, null, 2)}\n` : alignColumns(worlds.map(rowOf)));
}

const rowOf = ({ id, created, requests }: WorldInfo): string[] => [
  id,
  `${created.slice(0, 19).replace('T', ' ')} UTC`,
  `${requests} request${requests === 1 ? '' : 's'}`,
];

async function remove(session: Session, ids: readonly string[]): Promise<undefined> {
  await whileConnected(session, 'served', async (control) => {
    for (const id of ids) {
      await control('deleteWorld', { id });
      await session.print(`Deleted ${id}\n`);
    }
  });
}
