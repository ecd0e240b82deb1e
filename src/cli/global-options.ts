import { type Command, InvalidArgumentError, Option } from 'commander';

/** The options that every command takes. */
export interface Globals {
  url?: string;
  db?: string;
  profile?: string;
  namespace?: string;
  user?: string;
  passwordStdin?: boolean;
  /** Seconds to wait for an answer, or for a file that another process writes. */
  timeout?: number;
  now?: string;
  verbose?: boolean;
  /** False with --no-color, true with --color; undefined leaves it to the terminal. */
  color?: boolean;
}

const heading = 'Which calendar:';

/** A number of seconds, fractions allowed. */
function seconds(text: string): number {
  const value = Number(text.replace(/(?<=\d)s$/, ''));
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('It takes a number of seconds.');
  return value;
}

const options = (): Option[] => [
  new Option('--db <file>', 'a calendar in a file').helpGroup(heading),
  new Option('--url <url>', 'a calendar on a server').helpGroup(heading),
  new Option('--profile <profile>', 'a calendar named in calendar.config.json').helpGroup(heading),
  new Option('--namespace <path>', 'where the API stands below the URL (calendar/events/v1)').helpGroup(heading),
  new Option('--user <name>', 'who asks; the password comes from CALENDAR_PASSWORD, the profile or stdin').helpGroup(heading),
  new Option('--password-stdin', 'read the password from stdin').helpGroup(heading),
  new Option('--timeout <seconds>', 'how long to wait for an answer or a busy file (30)').argParser(seconds).helpGroup(heading),
  new Option('--now <instant>', 'take this for the present moment, on a file').helpGroup(heading),
  new Option('-v, --verbose', 'say which calendar is used, and more of what fails').helpGroup('Other:'),
  new Option('--color', 'colours even in a pipe').hideHelp(),
  new Option('--no-color', 'no colours').helpGroup('Other:'),
];

/** Adds the global options to a command; `shown` says whether its help explains each. */
export function addGlobals(command: Command, shown: boolean): Command {
  for (const option of options()) {
    // A command's own option of the same name wins.
    if (command.options.some((own) => own.long === option.long)) continue;
    if (!shown) option.hideHelp();
    command.addOption(option);
  }
  return command;
}

const onFile = ['--db', '--profile', '--timeout', '--now'];
const onControlled = [...onFile, '--url'];
const withRemote = [...onFile, '--namespace', '--user', '--password-stdin'];
const whereItMatters = (names: readonly string[], flags: readonly string[]) => names.map((name) => [name, flags] as const);

/** Which calendar can be named to commands that do not take every way of naming one. */
const fewer = new Map<string, readonly string[]>([
  ...whereItMatters(['users', 'db'], onFile),
  ...whereItMatters(
    ['generate', 'export', 'shift', 'import', 'seed', 'reset', 'settings', 'snapshot', 'undo', 'clock', 'fault', 'requests', 'wait'],
    onControlled,
  ),
  ...whereItMatters(['check', 'openapi'], ['--url', '--namespace', '--user', '--password-stdin', '--timeout']),
  ...whereItMatters(['pull', 'push', 'diff'], withRemote),
  ['serve', [...onFile, '--namespace']],
  ['validate', ['--timeout', '--now']],
  ...whereItMatters(['help', 'man', 'completion', 'complete', 'config'], []),
]);

/** The global options that a command of the first level takes. */
export function globalsFor(name: string): Option[] {
  const known = fewer.get(name);
  return options().filter(
    ({ long, hidden, helpGroupHeading }) => !hidden && (helpGroupHeading !== heading || !known || known.includes(long!)),
  );
}

/** The same for its help, without what each means, in lines of at most so many columns. */
export function globalsBlock(name: string, columns: number): string {
  const lines = [''];
  for (const flag of [...globalsFor(name).map((option) => option.flags), '-h, --help']) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 2 + flag.length > columns) lines.push(`  ${flag}`);
    else lines[lines.length - 1] = `${line}  ${flag}`;
  }
  return `Global options (explained by calendar --help):\n${lines.join('\n')}`;
}

/** The global options as given to a command or its parents; the innermost wins. */
export function globalsOf(command: Command): Globals {
  const above: Globals = command.parent ? globalsOf(command.parent) : {};
  const own: Record<string, unknown> = {};
  for (const option of options()) {
    const name = option.attributeName();
    if (command.getOptionValueSource(name) === 'cli') own[name] = command.getOptionValue(name);
  }
  return { ...above, ...own };
}
