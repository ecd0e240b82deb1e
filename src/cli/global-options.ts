import { type Command, InvalidArgumentError, Option } from 'commander';
import { zoneHint } from '../model/did-you-mean.ts';
import { Failure } from '../model/error.ts';
import { readTime } from '../model/time/duration.ts';
import { isZone } from '../model/time/zone.ts';

/** The values of the global options. */
export interface Globals {
  url?: string;
  /** ID of a world of that server. */
  world?: string;
  db?: string;
  profile?: string;
  namespace?: string;
  user?: string;
  passwordStdin?: boolean;
  /** Timeout for requests, and for a file that another process has open, in seconds. */
  timeout?: number;
  /** Headers for requests, as `Name: value`. */
  header?: string[];
  now?: string;
  /** Time zone of a calendar that the command creates. */
  calendarTimezone?: string;
  verbose?: boolean;
  /** Undefined: use colors on a terminal. */
  color?: boolean;
}

const heading = 'Global options:';

function parseSeconds(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value === 0) return 0;
  const ms = readTime(Number.isFinite(value) ? value * 1000 : text, 'timeout');
  if (ms === undefined) throw new InvalidArgumentError('Expected a number of seconds, or a time with a unit, like 500ms or 2m, up to 24d.');
  return ms / 1000;
}

function parseZone(text: string): string {
  if (!isZone(text))
    throw new InvalidArgumentError(`Unknown time zone ${JSON.stringify(text)}. ${zoneHint(text) ?? 'Examples: Europe/Berlin, UTC+5.5.'}`);
  return text;
}

/** Adds `--timezone`, the short form of `--calendar-timezone`, to a command that fills a calendar. */
export function timezoneOption(): Option {
  const about = 'Time zone of a new calendar (default UTC); an error if the calendar has another';
  const option = new Option('--timezone <zone>', about).argParser(parseZone);
  option.attributeName = () => 'calendarTimezone';
  return option;
}

const options = (): Option[] => [
  new Option('--db <file>', 'Database file of the calendar (default calendar.db)').helpGroup(heading),
  new Option('--url <url>', 'Address of a server').helpGroup(heading),
  new Option('--world <id>', 'World of that server (env CALENDAR_WORLD)').helpGroup(heading),
  new Option('--profile <profile>', 'Profile in calendar.config.json').helpGroup(heading),
  new Option('--namespace <path>', 'Path of the API below the base path (default calendar/events/v1)').helpGroup(heading),
  new Option('--user <name>', 'Username for authentication; set the password in CALENDAR_PASSWORD').helpGroup(heading),
  new Option('--password-stdin', 'Read the password from standard input').helpGroup(heading),
  new Option('--timeout <seconds>', 'Timeout for requests and busy files in seconds, or with a unit, e.g. 500ms (default 30)')
    .argParser(parseSeconds)
    .helpGroup(heading),
  new Option('-H, --header <line>', "Header for requests, e.g. 'X-Team: ${TEAM}' (repeatable)")
    .argParser((line: string, before: string[] = []) => [...before, line])
    .helpGroup(heading),
  new Option('--now <instant>', 'Use this as the current time, on a file').helpGroup(heading),
  new Option('--calendar-timezone <zone>', 'Time zone of a new calendar file (env CALENDAR_TIMEZONE; default UTC)')
    .argParser(parseZone)
    .helpGroup(heading),
  new Option('-v, --verbose', 'Show details: the calendar in use, and stack traces').helpGroup('Other options:'),
  new Option('--color', 'Use colors even in a pipe').hideHelp(),
  new Option('--no-color', 'Disable colors').helpGroup('Other options:'),
];

const visible = options();
const hidden = options().map((option) => option.hideHelp());
const globals = new Set([...visible, ...hidden]);

/** The flags in the help of a command; all by default. */
const flagsInHelp = new WeakMap<Command, readonly string[] | undefined>();

/** Adds the global options to a command, and to its help if it is the program. The help of other commands ends with a list of flags, of which `flags` selects some. */
export function addGlobals(command: Command, flags?: readonly string[]): void {
  flagsInHelp.set(command, flags);
  const own = new Set(command.options.map(({ long }) => long));
  // A command's own option of the same name wins.
  for (const option of command.parent ? hidden : visible) if (!own.has(option.long)) command.addOption(option);
}

export function globalsFor(command: Command): Option[] {
  const flags = flagsInHelp.get(command);
  return visible.filter(
    ({ long, hidden, helpGroupHeading }) => !hidden && (helpGroupHeading !== heading || !flags || flags.includes(long!)),
  );
}

/** Formats the flags of a command's global options, wrapped at a number of columns. */
export function globalsBlock(command: Command, columns: number): string {
  const lines = [''];
  for (const flag of [...globalsFor(command).map((option) => option.flags), '-h, --help']) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 2 + flag.length > columns) lines.push(`  ${flag}`);
    else lines[lines.length - 1] = `${line}  ${flag}`;
  }
  return `Global options (see calendar --help):\n${lines.join('\n')}`;
}

/** The global options given to a command or its parents; the innermost wins. */
export function globalsOf(command: Command): Globals {
  const above: Globals = command.parent ? globalsOf(command.parent) : {};
  const own: Record<string, unknown> = {};
  for (const option of command.options) {
    const name = option.attributeName();
    if (globals.has(option) && command.getOptionValueSource(name) === 'cli') own[name] = command.getOptionValue(name);
  }
  return { ...above, ...own };
}

const switchWords = ['true', 'false', 'yes', 'no', 'on', 'off'];

/** The failure for a switch that is followed by a value: `--all-day false` would set it and use `false` as a name. */
export function switchFault(command: Command, args: readonly string[]): Failure | undefined {
  for (const [at, arg] of args.entries()) {
    const word = args[at + 1];
    if (word === undefined || !switchWords.includes(word.toLowerCase())) continue;
    if (!command.options.some((each) => each.long === arg && !each.required && !each.optional)) continue;
    return new Failure('bad-request', `${arg} doesn't take a value, got ${JSON.stringify(word)}`, oppositeHint(command, arg));
  }
  return undefined;
}

export function oppositeHint(command: Command, flag: string): string {
  const other = flag.startsWith('--no-') ? flag.replace('--no-', '--') : flag.replace('--', '--no-');
  const exists = command.options.some((each) => each.long === other);
  return exists ? `Use ${flag} or ${other}.` : `Use ${flag} without a value.`;
}
