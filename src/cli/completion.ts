import { Argument, type Command } from 'commander';
import { oneOf } from './options.ts';
import { type ShellName, scripts, shellNames } from './scripts.ts';
import type { Shell } from './shell.ts';

/** `calendar completion SHELL`: a script that asks `calendar complete` for what may come next. */
export function build(command: Command, shell: Shell): void {
  const argument = new Argument('<shell>', 'which shell').choices(shellNames).argParser(oneOf(shellNames));
  command.addArgument(argument).action(
    shell.action(async (session, [name]) => {
      await session.print(scripts[name as ShellName]);
      return undefined;
    }),
  );
}
