import type { Command } from 'commander';
import { byOwner } from './errands.ts';
import { lines } from './lines.ts';
import type { Session, Shell } from './shell.ts';

/** `calendar settings`: what a calendar's file says of the calendar itself. */
export function build(command: Command, shell: Shell): void {
  command
    .command('list')
    .summary('every setting and its value')
    .option('--json', 'as JSON')
    .action(shell.action((session, _args, options) => list(session, Boolean(options.json))));
  command
    .command('get')
    .summary('the value of one')
    .argument('<name>', 'the setting')
    .action(shell.action((session, [name]) => get(session, String(name))));
  command
    .command('set')
    .summary('change one')
    .argument('<name>', 'the setting')
    .argument('<value>', 'what it is to be')
    .action(shell.action((session, [name, value]) => set(session, String(name), String(value))));
}

async function list(session: Session, json: boolean): Promise<undefined> {
  const settings = await byOwner(session, 'read', 'settings');
  const values = Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  await session.print(
    json ? `${JSON.stringify(values, null, 2)}\n` : lines(settings.map(({ name, value, about }) => [name, value, about])),
  );
}

async function get(session: Session, name: string): Promise<undefined> {
  await session.print(`${await byOwner(session, 'read', 'setting', name)}\n`);
}

async function set(session: Session, name: string, value: string): Promise<undefined> {
  await byOwner(session, 'write', 'set', [name, value]);
}
