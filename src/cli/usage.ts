import type { Command, CommanderError } from 'commander';
import { Failure } from '../model/error.ts';
import { didYouMean } from './suggestion.ts';

/** What commander found wrong with the arguments, as a failure with a hint. */
export function usageFailure(error: CommanderError, program: Command, args: readonly string[]): Failure {
  const command = commandAt(program, args);
  const words = pathOf(command);
  const [message = ''] = error.message.replace(/^error: /, '').split('\n');
  const see = `See ${words} --help.`;
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? '';
  if (error.code === 'commander.unknownCommand')
    return failed(
      message,
      didYouMean(
        quoted,
        command.commands.flatMap((each) => [each.name(), ...each.aliases()]),
      ) ?? see,
    );
  if (error.code === 'commander.unknownOption') return failed(message, hintForFlag(quoted, command) ?? see);
  // What a parser of ours has against a value comes after commander's own words.
  const [, what, why] = /^(.*is invalid)\. (.*)$/.exec(message) ?? [];
  return what ? failed(what, why) : failed(message, see);
}

const failed = (message: string, hint?: string) => new Failure('bad-request', message, {}, hint);

/** The command that arguments lead to, as far as they do. */
function commandAt(program: Command, args: readonly string[]): Command {
  let at = program;
  for (const arg of args) at = at.commands.find((each) => each.name() === arg || each.aliases().includes(arg)) ?? at;
  return at;
}

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name());

function hintForFlag(text: string, command: Command): string | undefined {
  const [flag = ''] = text.split('=');
  const known = command.options.find((option) => option.long === flag);
  // It would be known with its value if it took one.
  if (known)
    return `${flag} takes no value${command.options.some((each) => each.negate && each.long === flag.replace('--', '--no-')) ? `; the opposite is ${flag.replace('--', '--no-')}` : ''}.`;
  return didYouMean(
    flag,
    command.options.flatMap((option) => option.long ?? []),
  );
}
