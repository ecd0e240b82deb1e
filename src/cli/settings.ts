import type { Command } from 'commander';
import type { Store } from '../store/open.ts';
import type { Mode } from './connect.ts';
import { openFile } from './connect.ts';
import { lines } from './lines.ts';
import type { Session, Shell } from './shell.ts';

/** `calendar settings`: what a calendar's file says of the calendar itself. */
export function build(command: Command, shell: Shell): void {
  command
    .command('list')
    .summary('every setting and its value')
    .option('--json', 'as JSON')
    .action(
      shell.action((session, _args, options) =>
        inFile(session, 'read', (store) => {
          const settings = store.settings.list();
          if (options.json) return `${JSON.stringify(Object.fromEntries(settings.map(({ name, value }) => [name, value])), null, 2)}\n`;
          return lines(settings.map(({ name, value, about }) => [name, value, about]));
        }),
      ),
    );
  command
    .command('get')
    .summary('the value of one')
    .argument('<name>', 'the setting')
    .action(shell.action((session, [name]) => inFile(session, 'read', (store) => `${store.settings.get(String(name))}\n`)));
  command
    .command('set')
    .summary('change one')
    .argument('<name>', 'the setting')
    .argument('<value>', 'what it is to be')
    .action(
      shell.action((session, [name, value]) =>
        inFile(session, 'write', async (store) => {
          await store.change(() => store.settings.set(String(name), String(value)));
          return '';
        }),
      ),
    );
}

async function inFile(session: Session, mode: Mode, work: (store: Store) => string | Promise<string>): Promise<undefined> {
  const store = await openFile(session.globals, session.terminal, mode);
  try {
    await session.print(await work(store));
  } finally {
    await store.close();
  }
}
