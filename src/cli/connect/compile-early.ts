import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { compileSqlite } from '../../store/sqlite/engine.ts';
import { commands } from '../registry.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';

/** Starts to compile SQLite if a command will probably need it, while the rest of the program is loaded. A wrong guess only takes time. */
export function compileEarly([name = '', ...args]: readonly string[], terminal: Terminal): void {
  const needs = commands.find((command) => command.name === name)?.needs;
  const has = (...options: string[]) => args.some((arg) => options.some((option) => arg === option || arg.startsWith(`${option}=`)));
  if (needs === undefined || has('--help', '-h', '--url', '--profile')) return;
  if (needs === 'server' || has('--db') || hasDefaultFile(terminal)) compileSqlite(name !== 'serve');
}

/** Returns whether the calendar that is selected without options is probably a file. */
function hasDefaultFile(terminal: Terminal): boolean {
  const isElsewhere = ['CALENDAR_URL', 'CALENDAR_PROFILE'].some((name) => variable(terminal, name));
  return !isElsewhere && existsSync(resolve(terminal.cwd, variable(terminal, 'CALENDAR_DB') ?? 'calendar.db'));
}
