import type { Command } from 'commander';
import { Failure } from '../../model/error.ts';
import { topics } from '../help/topics.ts';
import type { Runner, Session } from '../session.ts';

/** `calendar help`: the help of a command, or a topic. */
export function build(command: Command, runner: Runner): void {
  command
    .argument('[words...]', `a command, or one of ${Object.keys(topics).join(', ')}`)
    .action(runner.action((session, [words]) => help(session, words as string[])));
}

async function help(session: Session, words: readonly string[]): Promise<undefined> {
  const [first, ...rest] = words;
  if (first !== undefined && Object.hasOwn(topics, first)) {
    await session.print(topics[first]!);
    return;
  }
  let command = session.program();
  for (const [depth, word] of words.entries()) {
    const below = command.commands.find((known) => known.name() === word || known.aliases().includes(word));
    if (!below) {
      const { didYouMean } = await import('../../model/did-you-mean.ts');
      const known = [...command.commands.map((each) => each.name()), ...(depth ? [] : Object.keys(topics))];
      throw new Failure(
        'bad-request',
        `there is no help on ${JSON.stringify([first, ...rest].join(' '))}`,
        {},
        didYouMean(word, known) ?? 'See calendar help.',
      );
    }
    if (depth === 0) await session.load(below);
    command = below;
  }
  command.outputHelp();
}
