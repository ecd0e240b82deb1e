import { Argument, type Command } from 'commander';
import { type Shell, scripts, shells } from '../completion/scripts.ts';
import { oneOf } from '../options.ts';
import type { Runner } from '../session.ts';

/** `calendar completion SHELL`: prints a script that calls `calendar complete`. */
export function build(command: Command, runner: Runner): void {
  const argument = new Argument('<shell>', 'Shell').choices(shells).argParser(oneOf(shells));
  command.addArgument(argument).action(
    runner.action(async (session, [name]) => {
      await session.print(scripts[name as Shell]);
      return undefined;
    }),
  );
}
