import type { Command } from 'commander';
import { Failure } from '../../model/error.ts';
import { agentsGuide, topics } from '../help/topics.ts';
import type { Runner, Session } from '../session.ts';

const pages: Record<string, string> = { ...topics, agents: agentsGuide };

/** `calendar help`: prints the help of a command, or a topic. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[words...]', `Command, or one of: ${Object.keys(pages).join(', ')}`)
    .option('--all', 'List all options of a command, not only the common ones')
    .action(runner.action((session, [words]) => help(session, words as string[])));
}

async function help(session: Session, words: readonly string[]): Promise<undefined> {
  const [first] = words;
  if (first !== undefined && Object.hasOwn(pages, first)) {
    await session.print(pages[first]!);
    return;
  }
  (await findCommand(session.program, words)).outputHelp();
}

/** Throws `bad-request` with a suggestion if there is none. */
async function findCommand(program: Runner, words: readonly string[]): Promise<Command> {
  let command = program.root;
  for (const [depth, word] of words.entries()) {
    const below = command.commands.find((candidate) => candidate.name() === word || candidate.aliases().includes(word));
    if (!below) {
      const { didYouMean } = await import('../../model/did-you-mean.ts');
      const names = [...command.commands.map((each) => each.name()), ...(depth ? [] : Object.keys(pages))];
      throw new Failure(
        'bad-request',
        `Unknown help topic ${JSON.stringify(words.join(' '))}`,
        didYouMean(word, names) ?? 'See: calendar help',
      );
    }
    if (depth === 0) await program.load(below);
    command = below;
  }
  return command;
}
