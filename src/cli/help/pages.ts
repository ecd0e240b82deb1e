import type { Command, Option } from 'commander';
import { globalsFor } from '../global-options.ts';
import type { CommandTree } from '../session.ts';
import { examples } from './examples.ts';
import { noteOf } from './notes.ts';

/** A term and what it means. */
export type HelpRow = readonly [term: string, about: string];

/** Rows below a heading. */
export interface HelpGroup {
  heading: string;
  rows: HelpRow[];
}

/** What `--help` says of a command, as data: the manual and docs/commands.md are made of it. */
export interface CommandPage {
  /** The words that call it: `['calendar', 'events', 'list']`. */
  path: string[];
  about: string;
  usage: string;
  args: HelpRow[];
  options: HelpGroup[];
  /** The global options that the command takes. */
  globals: HelpRow[];
  /** The commands below it. */
  commands: HelpGroup[];
  examples: readonly string[];
  note: string;
}

/** The page of a command, then those of the commands below it. */
export type CommandPages = readonly [CommandPage, ...CommandPage[]];

/** What help says of the program, then of each command that it shows, each before those below it. */
export async function programPages(tree: CommandTree): Promise<CommandPages> {
  const program = tree.program();
  for (const command of visibleBelow(program)) await tree.load(command);
  return pagesOf(program);
}

/** The commands below one that its help shows. */
const visibleBelow = (command: Command) => command.createHelp().visibleCommands(command);

/** The pages of a command that is loaded, and of those below it. */
export const pagesOf = (command: Command): CommandPages => [pageOf(command), ...visibleBelow(command).flatMap(pagesOf)];

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
    globals: first === undefined ? [] : [...rowsOf(globalsFor(first)), ['-h, --help', 'show help']],
    commands: groupsOf(
      helper.groupItems(command.commands.slice(), below, (each) => each.helpGroup() || 'Commands:'),
      (found) => found.map((each) => [each.name(), each.summary()]),
    ),
    examples: examples[[first, ...rest].join(' ')] ?? [],
    note: noteOf(command),
  };
}

const groupsOf = <T>(groups: Map<string, T[]>, rowsOf: (items: T[]) => HelpRow[]): HelpGroup[] =>
  [...groups].filter(([, items]) => items.length).map(([heading, items]) => ({ heading, rows: rowsOf(items) }));
