import type { Command } from 'commander';
import { findCommand } from '../help/find-command.ts';
import { topics } from '../help/topics.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar help`: the help of a command, or a topic. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[words...]', `a command, or one of ${Object.keys(topics).join(', ')}`)
    .action(runner.action((session, [words]) => help(session, words as string[])));
}

async function help(session: Session, words: readonly string[]): Promise<undefined> {
  const [first] = words;
  if (first !== undefined && Object.hasOwn(topics, first)) {
    await session.print(topics[first]!);
    return;
  }
  (await findCommand(session, words, Object.keys(topics))).outputHelp();
}
