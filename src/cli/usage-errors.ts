import type { Command, CommanderError } from 'commander';
import { didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { oppositeHint, switchFault } from './switches.ts';

/** Converts a usage error of commander to a failure with a hint. */
export function usageFailure(error: CommanderError, program: Command, args: readonly string[]): Failure {
  const command = commandAt(program, args);
  const words = pathOf(command);
  const [message = ''] = error.message.replace(/^error: /, '').split('\n');
  const see = `See: ${words} --help`;
  const quoted = /'([^']*)'/.exec(message)?.[1] ?? '';
  if (error.code === 'commander.unknownCommand')
    return usageError(
      message,
      didYouMean(
        quoted,
        command.commands.flatMap((each) => [each.name(), ...each.aliases()]),
      ) ?? see,
    );
  const fault = error.code === 'commander.excessArguments' ? switchFault(command, args) : undefined;
  if (fault) return fault;
  if (error.code === 'commander.unknownOption') return usageError(message, hintForFlag(quoted, command) ?? see);
  const afterJson = args[args.indexOf('--json') + 1];
  if (error.code === 'commander.excessArguments' && args.includes('--json') && afterJson !== undefined && /^[a-z]/i.test(afterJson))
    return usageError(message, `To select fields, use --json=${afterJson}.`);
  // Commander appends the message of our parsers to its own.
  const [, what, why] = /^(.*is invalid(?: for argument '[^']*')?)\. (.*)$/.exec(message) ?? [];
  return what ? usageError(what, why) : usageError(message, see);
}

const usageError = (message: string, hint?: string) =>
  new Failure('bad-request', `${message[0]!.toUpperCase()}${message.slice(1)}`, {}, hint);

function commandAt(program: Command, args: readonly string[]): Command {
  let at = program;
  for (const arg of args) at = at.commands.find((each) => each.name() === arg || each.aliases().includes(arg)) ?? at;
  return at;
}

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name());

function hintForFlag(text: string, command: Command): string | undefined {
  const [flag = ''] = text.split('=');
  const known = command.options.find((option) => option.long === flag);
  // Commander reports a value of a switch as an unknown option.
  if (known) return `${flag} doesn't take a value. ${oppositeHint(command, flag)}`;
  return didYouMean(
    flag,
    command.options.flatMap((option) => option.long ?? []),
  );
}
