import { Command, Help, Option } from 'commander';
import project from '../../package.json' with { type: 'json' };
import { commands, type Line } from './commands.ts';
import { examples } from './examples.ts';
import { addGlobals } from './globals.ts';
import type { Shell } from './shell.ts';
import { paintFor, type Terminal } from './terminal.ts';

/** What commander wants to write, kept until it can be written whole. */
export interface Spoken {
  out: string;
}

const opening = `Events, venues, organizers, categories and tags: in a file, on a server, from the command line.

Examples:
  calendar serve --seed demo                                     a server on this folder's calendar.db
  calendar events list --starts-after today                      what comes next
  calendar events create --title Concert --start-date 'friday 8pm' --end-date 'friday 11pm'
  calendar events list --search jazz --json=id,title,venue.city  for programs
  calendar help exit-codes                                       more: environment, formats, dates
`;

/** The whole command tree. A command's own options are loaded when it is about to be parsed. */
export function programFor(shell: Shell, spoken: Spoken): Command {
  const root = new Command('calendar');
  const { terminal } = shell;
  configure(root, terminal, spoken);
  root.enablePositionalOptions().helpCommand(false).optionsGroup('Other:').version(project.version, '-V, --version', 'show the version');
  root.addHelpOption(new Option('-h, --help', 'show help').helpGroup('Other:'));
  root.addHelpText('before', opening);
  addGlobals(root, true);
  for (const line of commands) {
    const command = root.command(line.name).summary(line.about).helpGroup(`${line.group}:`);
    if (line.hidden) (command as unknown as { _hidden: boolean })._hidden = true;
  }
  root.hook('preSubcommand', (_, command) => complete(command, shell));
  return root;
}

/** Gives a first-level command its options, arguments and subcommands. Once is enough. */
export async function complete(command: Command, shell: Shell): Promise<void> {
  const line = commands.find((known) => known.name === command.name()) as Line;
  if (command.description()) return;
  command.description(line.about);
  const { build } = await line.load();
  build(command, shell);
  finish(command, [line.name]);
}

/** What all commands of a tree have in common: options for the connection, examples. */
function finish(command: Command, path: string[]): void {
  const leaf = command.commands.length === 0;
  if (!leaf) command.enablePositionalOptions().helpCommand(false);
  addGlobals(command, leaf);
  const shown = examples[path.join(' ')];
  if (shown) command.addHelpText('before', `Examples:\n${shown.map((line) => `  ${line}`).join('\n')}\n`);
  for (const below of command.commands) finish(below, [...path, below.name()]);
}

/** How commander speaks: nothing by itself, widths and colours of the terminal. */
function configure(root: Command, terminal: Terminal, spoken: Spoken): void {
  root
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => {
        spoken.out += text;
      },
      // Only help that was not asked for comes here: a command without its subcommand.
      writeErr: (text) => {
        spoken.out += text;
      },
      outputError: () => {},
      getOutHelpWidth: () => terminal.stdout.columns ?? 100,
      getErrHelpWidth: () => terminal.stdout.columns ?? 100,
      getOutHasColors: () => paintFor(terminal.stdout, terminal.env).isColorSupported,
    });
  const { bold } = paintFor(terminal.stdout, terminal.env);
  root.configureHelp({
    sortOptions: false,
    sortSubcommands: false,
    styleTitle: bold,
    formatHelp: commandsFirst,
    optionDescription,
  });
}

/** What the help says of an option: its phrase, the words it takes, and what it is when not given. */
function optionDescription({ description, argChoices, defaultValue }: Option): string {
  const words = argChoices && !argChoices.every((word) => description.includes(word)) ? ` (${argChoices.join(', ')})` : '';
  return `${description}${words}${defaultValue === undefined || defaultValue === '' ? '' : ` (${defaultValue})`}`;
}

/** Help as commander writes it, but with the commands before the options. */
function commandsFirst(command: Command, helper: Help): string {
  const [usage, ...sections] = Help.prototype.formatHelp.call(helper, command, helper).trimEnd().split('\n\n');
  const headings = new Set(command.commands.map((below) => helper.styleTitle(below.helpGroup() || 'Commands:')));
  const rank = (section: string) => {
    const [heading = ''] = section.split('\n');
    return headings.has(heading) ? 1 : heading.endsWith(':') || heading.includes(':\x1b') ? 2 : 0;
  };
  return `${[usage, ...sections.sort((a, b) => rank(a) - rank(b))].join('\n\n')}\n`;
}
