import type { Command } from 'commander';
import { Failure } from '../model/error.ts';

const switchWords = ['true', 'false', 'yes', 'no', 'on', 'off'];

/** Returns the failure for a switch that is followed by a value: `--all-day false` would set it and use `false` as a name. */
export function switchFault(command: Command, args: readonly string[]): Failure | undefined {
  for (const [at, arg] of args.entries()) {
    const word = args[at + 1];
    if (word === undefined || !switchWords.includes(word.toLowerCase())) continue;
    if (!command.options.some((each) => each.long === arg && !each.required && !each.optional)) continue;
    return new Failure('bad-request', `${arg} doesn't take a value, got ${JSON.stringify(word)}`, oppositeHint(command, arg));
  }
  return undefined;
}

/** Returns a hint on how to turn a switch on and off. */
export function oppositeHint(command: Command, flag: string): string {
  const other = flag.startsWith('--no-') ? flag.replace('--no-', '--') : flag.replace('--', '--no-');
  const exists = command.options.some((each) => each.long === other);
  return exists ? `Use ${flag} or ${other}.` : `Use ${flag} without a value.`;
}
