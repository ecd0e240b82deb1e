import { type Argument, Command, Help, Option } from 'commander';
import project from '../../package.json' with { type: 'json' };
import { addGlobals, globalsBlock } from './global-options.ts';
import { examples } from './help/examples.ts';
import { type CommandEntry, commands } from './registry.ts';
import type { Runner } from './session.ts';
import { columnsOf, paintFor, type Terminal } from './terminal/terminal.ts';

/** What commander writes (help, version), collected so that it can be written whole. */
export interface CollectedOutput {
  text: string;
}

const about = 'Events, venues, organizers, categories and tags: in a file, on a server, from the command line.';

/** The command tree. The options, arguments and subcommands of a command are loaded when it is about to be parsed. */
export function programFor(runner: Runner, output: CollectedOutput): Command {
  const root = new Command('calendar').summary(about);
  const { terminal } = runner;
  configure(root, terminal, output);
  root.enablePositionalOptions().helpCommand(false).optionsGroup('Other:').version(project.version, '-V, --version', 'show the version');
  root.addHelpOption(new Option('-h, --help', 'show help').helpGroup('Other:'));
  root.addHelpText('before', `${about}\n`);
  root.addHelpText('before', examplesBlock(examples['']!));
  addGlobals(root, true);
  for (const { name, about, group, hidden } of commands) root.command(name, { hidden }).summary(about).helpGroup(`${group}:`);
  root.hook('preSubcommand', (_, command) => loadCommand(command, runner));
  return root;
}

/** Gives a command of the first level its options, arguments and subcommands; does nothing the second time. */
export async function loadCommand(command: Command, runner: Runner): Promise<void> {
  const { name, about, load } = commands.find((entry) => entry.name === command.name()) as CommandEntry;
  if (command.description()) return;
  command.description(about);
  const { build } = await load();
  build(command, runner);
  addShared(command, [name], runner.terminal);
}

/** Adds what all commands have in common, to a command and those below: global options, examples, and `help` as a word. */
function addShared(command: Command, path: string[], terminal: Terminal): void {
  const leaf = command.commands.length === 0;
  addGlobals(command, false);
  const shown = examplesOf(command, path.join(' '));
  if (shown.length) command.addHelpText('before', examplesBlock(shown));
  if (leaf) {
    if (!command.description()) command.description(command.summary());
    command.addHelpOption(new Option('-h, --help', 'show help').hideHelp());
    command.addHelpText('after', () => `\n${globalsBlock(path[0]!, columnsOf(terminal.stdout) ?? 100)}`);
    return;
  }
  for (const below of command.commands) addShared(below, [...path, below.name()], terminal);
  command.enablePositionalOptions().helpCommand(false);
  command
    .command('help', { hidden: true })
    .argument('[command]')
    .action((name?: string) =>
      (command.commands.find((each) => each.name() === name || each.aliases().includes(name ?? '')) ?? command).help(),
    );
}

const examplesBlock = (lines: readonly string[]) => `Examples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;

/** The examples of a command; a group shows the first of each of its commands. */
const examplesOf = (command: Command, path: string): readonly string[] =>
  examples[path] ?? command.commands.flatMap((below) => examples[`${path} ${below.name()}`]?.slice(0, 1) ?? []);

/** Makes commander collect its output instead of writing it, at the width and in the colours of the terminal. */
function configure(root: Command, terminal: Terminal, output: CollectedOutput): void {
  root
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => {
        output.text += text;
      },
      // Only help that was not asked for comes here: a command without its subcommand.
      writeErr: (text) => {
        output.text += text;
      },
      outputError: () => {},
      getOutHelpWidth: () => columnsOf(terminal.stdout) ?? 100,
      getErrHelpWidth: () => columnsOf(terminal.stdout) ?? 100,
      getOutHasColors: () => paintFor(terminal.stdout, terminal.env).isColorSupported,
    });
  const { bold } = paintFor(terminal.stdout, terminal.env);
  root.configureHelp({
    sortOptions: false,
    sortSubcommands: false,
    styleTitle: bold,
    formatHelp: commandsFirst,
    optionDescription,
    argumentDescription,
  });
}

/** The description of an option in the help: its phrase, its default, and its choices unless the phrase names some. */
function optionDescription({ description, argChoices = [], defaultValue }: Option): string {
  const usual = defaultValue === undefined || defaultValue === '' ? [] : [String(defaultValue)];
  const others = choicesBeside(description, argChoices).filter((choice) => choice !== usual[0]);
  const words = [...usual, ...others.slice(0, 1).map((word) => (usual.length ? `or ${word}` : word)), ...others.slice(1)];
  return words.length ? `${description} (${words.join(', ')})` : description;
}

/** The description of an argument in the help: its phrase, and its choices unless the phrase names some. */
function argumentDescription({ description, argChoices = [] }: Argument): string {
  const words = choicesBeside(description, argChoices);
  return words.length ? `${description} (${words.join(', ')})` : description;
}

const choicesBeside = (description: string, choices: readonly string[]): readonly string[] =>
  choices.filter((word) => description.includes(word)).length > 1 ? [] : choices;

/** Commander's help with the commands before the options. */
function commandsFirst(command: Command, helper: Help): string {
  const [usage, ...sections] = Help.prototype.formatHelp.call(helper, command, helper).trimEnd().split('\n\n');
  const headings = new Set(command.commands.map((below) => helper.styleTitle(below.helpGroup() || 'Commands:')));
  const rank = (section: string) => {
    const [heading = ''] = section.split('\n');
    return headings.has(heading) ? 1 : heading.endsWith(':') || heading.includes(':\x1b') ? 2 : 0;
  };
  return `${[usage, ...sections.sort((a, b) => rank(a) - rank(b))].join('\n\n')}\n`;
}
