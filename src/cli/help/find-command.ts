import type { Command } from 'commander';
import { Failure } from '../../model/error.ts';
import type { CommandTree } from '../session.ts';

/** The command that words name, with all it has. Fails with `bad-request` where there is none, and says what is meant; `others` are words that were taken, too. */
export async function findCommand(tree: CommandTree, words: readonly string[], others: readonly string[] = []): Promise<Command> {
  let command = tree.program();
  for (const [depth, word] of words.entries()) {
    const below = command.commands.find((known) => known.name() === word || known.aliases().includes(word));
    if (!below) {
      const { didYouMean } = await import('../../model/did-you-mean.ts');
      const known = [...command.commands.map((each) => each.name()), ...(depth ? [] : others)];
      throw new Failure(
        'bad-request',
        `there is no help on ${JSON.stringify(words.join(' '))}`,
        {},
        didYouMean(word, known) ?? 'See calendar help.',
      );
    }
    if (depth === 0) await tree.load(below);
    command = below;
  }
  return command;
}
