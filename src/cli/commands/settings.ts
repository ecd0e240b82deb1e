import { Argument, type Command } from 'commander';
import { settingKinds } from '../../store/records/settings.ts';
import { operate } from '../connect/operate.ts';
import { parseOneOf } from '../options.ts';
import type { Runner, Session } from '../session.ts';
import { alignColumns } from '../terminal/align.ts';

/** `calendar settings`: the settings of a calendar. */
export function build(command: Command, runner: Runner): void {
  command
    .command('list')
    .summary('List settings')
    .option('--json', 'Output JSON')
    .action(runner.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('get')
    .summary('Show a setting')
    .addArgument(settingName())
    .action(runner.action((session, [name]) => get(session, String(name))));
  command
    .command('set')
    .summary('Change a setting')
    .addArgument(settingName())
    .argument('<value>', 'New value')
    .action(runner.action((session, [name, value]) => set(session, String(name), String(value))));
}

const settingName = () => new Argument('<setting>', 'Name of the setting').choices(names).argParser(parseOneOf(names));
const names = Object.keys(settingKinds);

async function list(session: Session, json: boolean): Promise<undefined> {
  const { settings: listedSettings } = await operate(session, 'read', 'settings', {});
  const values = Object.fromEntries(listedSettings.map(({ name, value }) => [name, value]));
  await session.print(
    json ? `${JSON.stringify(values, null, 2)}\n` : alignColumns(listedSettings.map(({ name, value, about }) => [name, value, about])),
  );
}

async function get(session: Session, name: string): Promise<undefined> {
  const { settings } = await operate(session, 'read', 'settings', {});
  await session.print(`${settings.find((setting) => setting.name === name)!.value}\n`);
}

async function set(session: Session, name: string, value: string): Promise<undefined> {
  await operate(session, 'write', 'changeSettings', { [name]: value });
}
