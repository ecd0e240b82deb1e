import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileSqlite, delayOptimization } from '../../store/sqlite/engine.ts';
import { type CommandEntry, commandNamed } from '../registry.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';

/** Starts to compile SQLite if a command will probably need it, while the rest of the program is loaded, and lets commands end soon. A wrong guess only takes time. */
export function compileEarly(args: readonly string[], terminal: Terminal): void {
  let entry: CommandEntry | undefined;
  const options = new Map<string, string | undefined>();
  for (const [at, arg] of args.entries()) {
    const [flag = '', value = args[at + 1]] = arg.split(/=(.*)/s);
    if (flag.startsWith('-')) options.set(flag, value);
    else entry ??= commandNamed(arg);
  }
  if (entry?.name !== 'serve') delayOptimization();
  if (!entry || ['--help', '-h', '--url', '--profile'].some((flag) => options.has(flag))) return;
  const mayOpen = entry.takes === 'file' || entry.takes === 'both';
  if (entry.serves || (mayOpen && opensFile(options.get('--db'), terminal))) compileSqlite();
}

/** True if a command probably opens a file: not one that a server has open. */
function opensFile(option: string | undefined, terminal: Terminal): boolean {
  if (option === undefined && ['CALENDAR_URL', 'CALENDAR_PROFILE'].some((name) => variable(terminal, name))) return false;
  const file = resolve(terminal.cwd, option ?? variable(terminal, 'CALENDAR_DB') ?? 'calendar.db');
  return (option !== undefined || existsSync(file)) && !existsSync(`${file}-owner`);
}
