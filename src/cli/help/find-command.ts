import type { Command } from 'commander';
import { Failure } from '../../model/error.ts';
import type { Runner } from '../session.ts';

/** Returns the command that words name, loaded. Throws `bad-request` with a suggestion from commands and `others` if there is none. */
export async function findCommand(program: Runner, words: readonly string[], others: readonly string[] = []): Promise<Command> {
  let command = program.root;
  for (const [depth, word] of words.entries()) {
    const below = command.commands.find((candidate) => candidate.name() === word || candidate.aliases().includes(word));
    if (!below) {
      const { didYouMean } = await import('../../model/did-you-mean.ts');
      const names = [...command.commands.map((each) => each.name()), ...(depth ? [] : others)];
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
