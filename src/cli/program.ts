import { type Argument, Command, Help, Option } from 'commander';
import project from '../../package.json' with { type: 'json' };
import type { Resources } from '../model/resources/declared.ts';
import { addGlobals, globalsBlock } from './global-options.ts';
import { examples, isBasic, topicNames } from './help/examples.ts';
import { commandNamed, commands } from './registry.ts';
import { Runner } from './session.ts';
import { paintFor } from './terminal/safe-output.ts';
import { hasColor, terminalWidth } from './terminal/terminal.ts';

const about = 'Local server and command line for calendar events, venues, organizers, categories and tags';

const topicLines = Object.entries(topicNames).map(([name, about]) => `  ${name.padEnd(26)}  ${about}\n`);

/** The command tree. The options, arguments and subcommands of a command are loaded when it is parsed. */
export class Program extends Runner {
  readonly root = new Command('calendar').summary(about);
  /** Output of commander (help, version), collected so that it can be written at once. */
  output = '';

  constructor(...args: ConstructorParameters<typeof Runner>) {
    super(...args);
    const { root } = this;
    configure(root, this);
    root
      .enablePositionalOptions()
      .helpCommand(false)
      .optionsGroup('Other options:')
      .version(project.version, '-V, --version', 'Show the version; with --json, also of Node, SQLite and files');
    root.addHelpOption(new Option('-h, --help', 'Show help').helpGroup('Other options:'));
    root.addHelpText('before', `${about}\n`);
    root.addHelpText('before', () => examplesBlock(examples['']!));
    addGlobals(root);
    root.addHelpText('after', `\nHelp topics (calendar help TOPIC):\n${topicLines.join('')}`);
    for (const { name, about, group, hidden } of commands) root.command(name, { hidden }).summary(about).helpGroup(`${group}:`);
    // The arguments start with the name of the command.
    root.hook('preSubcommand', ({ args: [, word] }, command) => this.load(command, word));
  }

  /** Adds options, arguments and subcommands to a top-level command, unless that was done before. If `word` names a subcommand, others may be missing. */
  async load(command: Command, word?: string): Promise<void> {
    const { name, about, globals, load } = commandNamed(command.name())!;
    if (command.description()) return;
    command.description(about);
    const { build } = await load();
    build(command, this, word);
    addShared(command, [name], { program: this, globals });
  }

  /** True if help lists all options. */
  get listsAll(): boolean {
    return this.args.includes('--all');
  }

  withResources(resources: Resources): Program {
    return new Program(this.terminal, [], resources);
  }
}

/** Adds global options, examples and a `help` subcommand to a command and its subcommands. */
function addShared(command: Command, path: string[], { program, globals }: { program: Program; globals?: readonly string[] }): void {
  const leaf = command.commands.length === 0;
  addGlobals(command, globals);
  command.addHelpText('before', () => examplesBlock(examplesOf(command, path.join(' '))));
  if (leaf) {
    if (!command.description()) command.description(command.summary());
    command.addHelpOption(new Option('-h, --help', 'Show help').hideHelp());
    command.addHelpText('after', () => `\n${globalsBlock(command, terminalWidth(program.terminal.stdout) ?? 100)}`);
    if (!command.options.every(isBasic) && !program.listsAll)
      command.addHelpText('after', () => `\nMore options: ${['calendar', ...path].join(' ')} --help --all`);
    return;
  }
  for (const below of command.commands) addShared(below, [...path, below.name()], { program, globals });
  command.enablePositionalOptions().helpCommand(false);
  command
    .command('help', { hidden: true })
    .argument('[command]')
    .action((name?: string) =>
      (command.commands.find((each) => each.name() === name || each.aliases().includes(name ?? '')) ?? command).help(),
    );
}

const examplesBlock = (lines: readonly string[]) =>
  lines.length === 0 ? '' : `Examples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;

/** The examples of a command; for a group, the first one of each subcommand. */
const examplesOf = (command: Command, path: string): readonly string[] =>
  examples[path] ?? command.commands.flatMap((below) => examples[`${path} ${below.name()}`]?.slice(0, 1) ?? []);

/** Makes commander collect its output, at the width and in the colors of the terminal. */
function configure(root: Command, program: Program): void {
  const { terminal } = program;
  root
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: (text) => {
        program.output += text;
      },
      // Only the help of a command without its subcommand is written here.
      writeErr: (text) => {
        program.output += text;
      },
      outputError: () => {},
      getOutHelpWidth: () => terminalWidth(terminal.stdout) ?? 100,
      getErrHelpWidth: () => terminalWidth(terminal.stdout) ?? 100,
      getOutHasColors: () => hasColor(terminal.stdout, terminal.env),
    });
  const { bold } = paintFor(terminal.stdout, terminal.env);
  root.configureHelp({
    sortOptions: false,
    sortSubcommands: false,
    styleTitle: bold,
    formatHelp: commandsFirst,
    visibleOptions: (command) => new Help().visibleOptions(command).filter((option) => program.listsAll || isBasic(option)),
    optionDescription,
    argumentDescription,
  });
}

/** Formats an option's description with its default, and with its choices unless the description names them. */
function optionDescription({ description, argChoices = [], defaultValue, defaultValueDescription }: Option): string {
  const choices = unnamedChoices(description, argChoices);
  const listed = choices.length ? `${description}: ${choices.join(', ')}` : description;
  const isUseful = defaultValue !== undefined && defaultValue !== '' && typeof defaultValue !== 'boolean';
  return isUseful ? `${listed} (default ${defaultValueDescription ?? defaultValue})` : listed;
}

/** Formats an argument's description, with its choices unless the description names them. */
function argumentDescription({ description, argChoices = [] }: Argument): string {
  const choices = unnamedChoices(description, argChoices);
  return choices.length ? `${description}: ${choices.join(', ')}` : description;
}

const unnamedChoices = (description: string, choices: readonly string[]): readonly string[] =>
  choices.filter((word) => description.includes(word)).length > 1 ? [] : choices;

/** Formats commander's help with the commands before the options. */
function commandsFirst(command: Command, helper: Help): string {
  const [usage, ...sections] = Help.prototype.formatHelp.call(helper, command, helper).trimEnd().split('\n\n');
  const headings = new Set(command.commands.map((below) => helper.styleTitle(below.helpGroup() || 'Commands:')));
  const rank = (section: string) => {
    const [heading = ''] = section.split('\n');
    return headings.has(heading) ? 1 : heading.split('\0').some((part) => part.endsWith(':')) ? 2 : 0;
  };
  return `${[usage, ...sections.sort((a, b) => rank(a) - rank(b))].join('\n\n')}\n`;
}
