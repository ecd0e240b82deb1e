import type { Command, CommanderError } from 'commander';
import { closestWords, didYouMean } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { oppositeHint, switchFault } from './global-options.ts';
import type { Runner } from './session.ts';

/** The message of a usage error, in place of commander's, and a hint if there is a better one than the command's help. */
type Translate = (parts: readonly string[], command: Command, args: readonly string[]) => readonly [message: string, hint?: string];

const flag = (text = ''): string => text.split(/[ ,]/).findLast((word) => word.startsWith('-')) ?? text;

/** Options of the proxy that `serve --pull` replaced. */
const formerOption = /^--(?:no-)?upstream\b/;

/** The usage errors of commander: the quoted parts of its message as ours. */
const translations: Record<string, Translate> = {
  missingArgument: ([name], command) => {
    const choices = command.registeredArguments.find((argument) => argument.name() === name)?.argChoices;
    return [`Missing argument <${name}>`, choices && `Expected one of ${choices.join(', ')}.`];
  },
  optionMissingArgument: ([option]) => [`${option!.replace(/^-\w, /, '')} requires a value`],
  missingMandatoryOptionValue: ([option]) => [`Missing required option ${option}`],
  conflictingOption: ([one, other]) => [`Use either ${flag(one?.split(' <')[0])} or ${flag(other?.split(' <')[0])}, not both`],
  unknownOption: ([text = ''], command, args) =>
    formerOption.test(text)
      ? [`${text} is gone: serve --pull URL --every 5m copies a site and serves the copy`, 'docs/live-site.md lists what replaces it.']
      : [`Unknown option ${text}`, afterCommand(text, command, args) ?? hintForFlag(text, command)],
  excessArguments: (_, command, args) => excess(command, args),
  unknownCommand: ([name = ''], command) => [`Unknown command ${JSON.stringify(name)}`, hintForCommand(name, command)],
};

/** Converts a usage error of commander to a failure with a hint. */
export async function usageFailure(error: CommanderError, program: Runner, args: readonly string[]): Promise<Failure> {
  const command = commandAt(program.root, args);
  const [message = ''] = error.message.replace(/^error: /, '').split('\n');
  const see = `See: ${pathOf(command)} --help`;
  const fault = error.code === 'commander.excessArguments' ? switchFault(command, args) : undefined;
  if (fault) return fault;
  const parts = [...message.matchAll(/'([^']*)'/g)].map(([, text]) => text!);
  // Commander appends the message of our parsers to its own.
  const [, option, argument, why] =
    /^(?:option '(.*)' argument|command-argument value) '.*' is invalid(?: for argument '(.*)')?\. (.*)$/s.exec(message) ?? [];
  if (why) {
    const value = /^(?:option '.*' argument|command-argument value) '(.*)' is invalid/s.exec(message)![1];
    return usageError(
      argument
        ? `Invalid ${argument} ${JSON.stringify(value)}`
        : `Invalid value ${JSON.stringify(value)} for ${flag(option?.split(' <')[0])}`,
      why,
    );
  }
  if (error.code === 'commander.unknownCommand' && command === program.root) await program.load(program.root.commands[0]!);
  const [text, hint] = translations[error.code.replace('commander.', '')]?.(parts, command, args) ?? [message];
  return usageError(text, hint ?? see);
}

function excess(command: Command, args: readonly string[]): readonly [string, string?] {
  const extra = command.args[command.registeredArguments.length] ?? '';
  const afterJson = args[args.indexOf('--json') + 1];
  const hint =
    args.includes('--json') && afterJson === extra && /^[a-z]/i.test(extra) ? `To select fields, use --json=${extra}.` : undefined;
  const usage = command.registeredArguments.length
    ? `only ${command.registeredArguments.map((each) => `<${each.name()}>`).join(' ')}`
    : 'no arguments';
  return [`Unexpected argument ${JSON.stringify(extra)}: ${pathOf(command)} takes ${usage}`, hint];
}

function afterCommand(text: string, command: Command, args: readonly string[]): string | undefined {
  const names = rootOf(command).commands.map((each) => each.name());
  const start = args.findIndex((arg) => names.includes(arg));
  if (start < 0 || args.indexOf(text) > start) return undefined;
  return `Pass it after the command: calendar ${[...args.filter((arg) => arg !== text), text].join(' ')}`;
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);

/** A hint with similar commands, or with the commands of records: `calendar events list` for `list`. */
function hintForCommand(name: string, command: Command): string | undefined {
  const names = command.commands.flatMap((each) => [each.name(), ...each.aliases()]);
  if (command.parent) return didYouMean(name, names);
  const near = didYouMean(name, names);
  const records = command.commands.find((each) => each.commands.length);
  const [action] = closestWords(name, records?.commands.map((each) => each.name()) ?? []);
  return near === undefined || action === name ? action && `Did you mean calendar ${records!.name()} ${action}?` : near;
}

const usageError = (message: string, hint?: string) => new Failure('bad-request', `${message[0]!.toUpperCase()}${message.slice(1)}`, hint);

export function commandAt(root: Command, args: readonly string[]): Command {
  let at = root;
  for (const arg of args) at = at.commands.find((each) => each.name() === arg || each.aliases().includes(arg)) ?? at;
  return at;
}

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name());

function hintForFlag(text: string, command: Command): string | undefined {
  const [flag = ''] = text.split('=');
  const match = command.options.find((option) => option.long === flag);
  // Commander reports a value of a switch as an unknown option.
  if (match) return `${flag} doesn't take a value. ${oppositeHint(command, flag)}`;
  // Of short words, dashes would be most of what two have in common.
  const names = command.options.flatMap(({ long }) => long?.slice(2) ?? []);
  const [name] = closestWords(flag.replace(/^--?/, ''), names);
  return name && `Did you mean --${name}?`;
}
