import type { Command } from 'commander';
import { agentsGuide } from '../help/agents.ts';
import { findCommand } from '../help/find-command.ts';
import { topics } from '../help/topics.ts';
import type { Runner, Session } from '../session.ts';

const pages: Record<string, string> = { ...topics, agents: agentsGuide };

/** `calendar help`: prints the help of a command, or a topic. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[words...]', `Command, or one of: ${Object.keys(pages).join(', ')}`)
    .action(runner.action((session, [words]) => help(session, words as string[])));
}

async function help(session: Session, words: readonly string[]): Promise<undefined> {
  const [first] = words;
  if (first !== undefined && Object.hasOwn(pages, first)) {
    await session.print(pages[first]!);
    return;
  }
  (await findCommand(session.program, words, Object.keys(pages))).outputHelp();
}
