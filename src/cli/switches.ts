import type { Command } from 'commander';
import { Failure } from '../model/error.ts';

const switchWords = ['true', 'false', 'yes', 'no', 'on', 'off'];

/**
 * What is wrong with arguments that give a switch a value as a word of its own: `--all-day false` would set it, and leave `false` for a name.
 * Undefined when nothing is.
 */
export function switchFault(command: Command, args: readonly string[]): Failure | undefined {
  for (const [at, arg] of args.entries()) {
    const option = command.options.find((each) => each.long === arg && !each.required && !each.optional);
    const word = args[at + 1];
    if (!option || word === undefined || !switchWords.includes(word.toLowerCase())) continue;
    return new Failure('bad-request', `${arg} takes no value: ${JSON.stringify(word)}`, {}, oppositeHint(command, arg));
  }
  return undefined;
}

/** How a switch is turned on and off. */
export function oppositeHint(command: Command, flag: string): string {
  const other = flag.startsWith('--no-') ? flag.replace('--no-', '--') : flag.replace('--', '--no-');
  const known = command.options.some((each) => each.long === other);
  return known ? `Write ${flag} or the opposite, ${other}.` : `Write ${flag} alone.`;
}
