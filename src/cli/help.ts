import type { Command } from 'commander';
import { Failure } from '../model/error.ts';
import { complete, programFor } from './program.ts';
import type { Session, Shell } from './shell.ts';
import { didYouMean } from './suggestion.ts';
import { topics } from './topics.ts';

/** `calendar help`: on a command, or on one of the topics. */
export function build(command: Command, shell: Shell): void {
  command
    .argument('[words...]', `a command, or one of ${Object.keys(topics).join(', ')}`)
    .action(shell.action((session, [words]) => help(session, words as string[])));
}

async function help(session: Session, words: readonly string[]): Promise<undefined> {
  const [first, ...rest] = words;
  if (first !== undefined && Object.hasOwn(topics, first)) {
    await session.print(topics[first]!);
    return;
  }
  const { Shell } = await import('./shell.ts');
  const spoken = { out: '' };
  const shell = new Shell(session.terminal);
  let at = programFor(shell, spoken);
  for (const [depth, word] of words.entries()) {
    const below = at.commands.find((known) => known.name() === word || known.aliases().includes(word));
    if (!below) {
      const known = [...at.commands.map((each) => each.name()), ...(depth ? [] : Object.keys(topics))];
      throw new Failure(
        'bad-request',
        `there is no help on ${JSON.stringify([first, ...rest].join(' '))}`,
        {},
        didYouMean(word, known) ?? 'See calendar help.',
      );
    }
    if (depth === 0) await complete(below, shell);
    at = below;
  }
  at.outputHelp();
  await session.print(spoken.out);
}
