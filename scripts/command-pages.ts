import type { Command, Option } from 'commander';
import { globalsFor } from '../src/cli/global-options.ts';
import { examples, noteOf } from '../src/cli/help/examples.ts';
import type { Runner } from '../src/cli/session.ts';

/** A term and its description. */
export type HelpRow = readonly [term: string, about: string];

export interface HelpGroup {
  heading: string;
  rows: HelpRow[];
}

/** The help of a command as data. */
export interface CommandPage {
  /** For example `['calendar', 'events', 'list']`. */
  path: string[];
  about: string;
  usage: string;
  args: HelpRow[];
  options: HelpGroup[];
  globals: HelpRow[];
  commands: HelpGroup[];
  examples: readonly string[];
  note: string;
}

/** The page of a command, followed by those of its subcommands. */
export type CommandPages = readonly [CommandPage, ...CommandPage[]];

export async function programPages(program: Runner): Promise<CommandPages> {
  for (const command of visibleBelow(program.root)) await program.load(command);
  return pagesOf(program.root);
}

const visibleBelow = (command: Command) => command.createHelp().visibleCommands(command);

const pagesOf = (command: Command): CommandPages => [pageOf(command), ...visibleBelow(command).flatMap(pagesOf)];

const pathOf = (command: Command): string[] => [...(command.parent ? pathOf(command.parent) : []), command.name()];

function pageOf(command: Command): CommandPage {
  const helper = command.createHelp();
  const path = pathOf(command);
  const [, first, ...rest] = path;
  const rowsOf = (options: readonly Option[]): HelpRow[] =>
    options.map((option) => [helper.optionTerm(option), helper.optionDescription(option)]);
  const options = helper.visibleOptions(command).filter(({ long }) => first === undefined || long !== '--help');
  const below = visibleBelow(command);
  return {
    path,
    about: command.description() || command.summary(),
    usage: helper.commandUsage(command),
    args: helper.visibleArguments(command).map((argument) => [helper.argumentTerm(argument), helper.argumentDescription(argument)]),
    options: groupsOf(
      helper.groupItems(command.options.slice(), options, ({ helpGroupHeading }) => helpGroupHeading ?? 'Options:'),
      rowsOf,
    ),
    globals: first === undefined ? [] : [...rowsOf(globalsFor(command)), ['-h, --help', 'Show help']],
    commands: groupsOf(
      helper.groupItems(command.commands.slice(), below, (each) => each.helpGroup() || 'Commands:'),
      (commands) => commands.map((each) => [each.name(), each.summary()]),
    ),
    examples: examples[[first, ...rest].join(' ')] ?? [],
    note: noteOf(command),
  };
}

const groupsOf = <T>(groups: Map<string, T[]>, rowsOf: (items: T[]) => HelpRow[]): HelpGroup[] =>
  [...groups].filter(([, items]) => items.length).map(([heading, items]) => ({ heading, rows: rowsOf(items) }));
