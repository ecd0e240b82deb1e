import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileSqlite, delayOptimization } from '../../store/sqlite/engine.ts';
import { commands } from '../registry.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';

/** Starts to compile SQLite if a command will probably need it, while the rest of the program is loaded, and lets commands end soon. A wrong guess only takes time. */
export function compileEarly(args: readonly string[], terminal: Terminal): void {
  const [command] = args.flatMap((arg) => commands.find(({ name }) => name === arg) ?? []);
  const has = (...options: string[]) => args.some((arg) => options.some((option) => arg === option || arg.startsWith(`${option}=`)));
  if (command?.name !== 'serve') delayOptimization();
  const use = command?.needs;
  if (!use || has('--help', '-h', '--url', '--profile')) return;
  if (use === 'server' || opensFile(args, terminal)) compileSqlite();
}

/** Returns whether a command probably opens a file: not one that a server has open. */
function opensFile(args: readonly string[], terminal: Terminal): boolean {
  const at = args.findIndex((arg) => /^--db(=|$)/.test(arg));
  const option = at < 0 ? undefined : args[at]!.length > 4 ? args[at]!.slice(5) : args[at + 1];
  if (option === undefined && ['CALENDAR_URL', 'CALENDAR_PROFILE'].some((name) => variable(terminal, name))) return false;
  const file = resolve(terminal.cwd, option ?? variable(terminal, 'CALENDAR_DB') ?? 'calendar.db');
  return (option !== undefined || existsSync(file)) && !existsSync(`${file}-owner`);
}
