import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultServing, plainBasePath, type ServingOptions } from '../../data/serving/options.ts';
import { type UpstreamMode, type UpstreamWrites, upstreamModes, upstreamWrites } from '../../data/upstream/modes.ts';
import { extensions } from '../../model/context.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import { connectionFaults } from '../../model/operations/connection-faults.ts';
import {
  delayForms,
  parseDelay as delayIn,
  type FaultOutcome,
  parseOutcome,
  parseShare as shareIn,
} from '../../model/operations/fault-line.ts';
import type { Delay, FaultInput } from '../../model/operations/faults.ts';
import { maxJournalSize } from '../../model/operations/requests.ts';
import { defaultMaxWorlds, defaultWorldTtl } from '../../model/operations/worlds.ts';
import { timezoneOption } from '../global-options.ts';
import { choice, oneOf } from '../options.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';

/** Options that a server has under the same names. */
type PassedOptions = Pick<
  ServingOptions,
  | ('host' | 'port' | 'basePath' | 'headerPrefix' | 'taxonomy' | 'cors' | 'strict' | 'without' | 'readOnly' | 'durability' | 'seed')
  | ('maxBody' | 'media' | 'maxUpload' | 'posters' | 'journal' | 'maxWorlds' | 'worldTtl' | 'requireWorld' | 'controlToken')
>;

/** The options of `serve` and `exec`. */
export interface ServeOptions extends PassedOptions {
  memory?: boolean;
  users?: string;
  page: boolean;
  watch?: boolean;
  require?: string;
  allowHost?: string[];
  delay?: Delay;
  fail?: FaultInput[];
  control?: boolean;
}

/** The options of `serve` for the copy of a live site. */
export interface LiveSiteOptions {
  upstream?: string;
  upstreamMode?: UpstreamMode;
  upstreamTimeout?: string;
  upstreamMaxAge?: string;
  upstreamWrites?: UpstreamWrites;
  upstreamPull?: boolean;
}

/** Adds the options for the copy of a live site. */
export const addLiveSite = (command: Command): Command =>
  command
    .option('--upstream <url>', 'Forward reads to a live site, and keep a copy that answers when the site is not reachable')
    .addOption(
      choice(
        '--upstream-mode <mode>',
        'When to read from the site: live (always), prefer-local (if the copy is old) or offline (never) (default live)',
        [...upstreamModes],
      ),
    )
    .option('--upstream-timeout <time>', 'Time after which the copy answers instead (default 5s)')
    .option('--upstream-max-age <time>', 'Age up to which prefer-local uses the copy (default 5m)')
    .addOption(
      choice(
        '--upstream-writes <how>',
        'What to do with writes to the copy: refuse, local (change the copy only) or through (forward) (default refuse)',
        [...upstreamWrites],
      ),
    )
    .option('--no-upstream-pull', "Don't complete the copy in the background");

/** Adds the options of a server to a command. */
export function addServing(command: Command, port = 'default 8787, env PORT'): Command {
  const option = (flags: string, about: string) => new Option(flags, about);
  const list = (text: string, before: string[] = []) => [...before, ...text.split(',')];
  return command
    .option('--memory', 'Keep the calendar in memory only')
    .option('--host <address>', 'Address to listen on', defaultServing.host)
    .option('-p, --port <n>', `Port to listen on; 0 picks a free port (${port})`, parsePort)
    .option('--base-path <path>', 'Path before the namespace, e.g. /wp-json', plainBasePath, defaultServing.basePath)
    .option('--taxonomy <name>', 'Taxonomy of categories (default: follows the namespace)')
    .option('--header-prefix <name>', 'Prefix of response headers', defaultServing.headerPrefix)
    .option('--allow-host <names>', 'Comma-separated names by which clients may call a local server, e.g. 10.0.2.2', list)
    .option('--require-world', 'Reject API requests that select no world')
    .option('--max-worlds <n>', `Maximum number of worlds (default ${defaultMaxWorlds})`, wholeNumber(100_000, 1))
    .option('--world-ttl <time>', `Delete worlds after this time without requests (default ${defaultWorldTtl})`)
    .addOption(timezoneOption())
    .option('--seed <seed>', 'Load a seed or a fixture into an empty calendar')
    .option('--watch', 'Reload the fixture of --seed when it changes (requires --memory)')
    .option('--require <file>', 'Module with the hooks request, response and change')
    .option('--read-only', 'Reject all changes')
    .option('--strict', 'Reject unknown query parameters and fields')
    .option('--users <file>', 'JSON file of users')
    .option('--cors <origins>', 'Comma-separated origins that may call the API, or * (default: this machine)', list)
    .option('--without <parts>', `Comma-separated features to disable: ${extensions.join(', ')}`, (text) =>
      text.split(',').map(oneOf(extensions)),
    )
    .addOption(
      choice('--durability <level>', 'When to acknowledge writes: after fsync (full), after write (os), or immediately (none)', [
        'full',
        'os',
        'none',
      ]).default(defaultServing.durability),
    )
    .option('--max-body <bytes>', 'Maximum size of a request body in bytes', parseBytes, defaultServing.maxBody)
    .option('--media <folder>', 'Store uploaded images in this folder (default: uploads are rejected)')
    .option('--max-upload <bytes>', 'Maximum size of an uploaded image in bytes (default 20971520)', parseBytes)
    .option('--posters', 'Draw a picture for each record without an image')
    .option('--journal <n>', 'Number of requests that the log keeps', parseJournal, defaultServing.journal)
    .option('--no-page', 'Disable the web page')
    .option('--delay <ms>', `Delay responses, e.g. ${delayForms}`, parseDelay)
    .addOption(
      option('--fail <fault>', `Make requests fail, e.g. 503:10% or reset:5% (repeatable): a status, or ${connectionFaults.join(', ')}`)
        .choices(connectionFaults)
        .argParser((text, before: FaultInput[] = []) => [...before, parseFault(text)]),
    )
    .option('--control', 'Allow reset, seed and import through the control API, as with --memory')
    .option('--control-token <token>', 'Require this token for the control API (env CALENDAR_CONTROL_TOKEN)');
}

/** Returns the default port: PORT, or 8787. Throws `bad-request` if PORT is invalid. */
export function defaultPort(terminal: Terminal): number {
  const text = variable(terminal, 'PORT');
  if (text === undefined) return 8787;
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Failure('bad-request', `Invalid PORT ${JSON.stringify(text)}`, 'Use a whole number up to 65535, or pass --port.');
}

const wholeNumber =
  (max: number, min = 0) =>
  (text: string) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > max || value < min)
      throw new InvalidArgumentError(`Expected a whole number ${min ? `from ${min} ` : ''}up to ${max}.`);
    return value;
  };
const parsePort = wholeNumber(65_535);
const parseBytes = wholeNumber(1_073_741_824);
const parseJournal = wholeNumber(maxJournalSize, 1);

/** Returns a parser whose failures commander reports with the name of the option. */
export const asArgument =
  <Args extends unknown[], T>(parse: (text: string, ...args: Args) => T) =>
  (text: string, ...args: Args): T => {
    try {
      return parse(text, ...args);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };

export const parseDelay = asArgument((text: string) => delayIn(text));
export const parseShare = asArgument((text: string) => shareIn(text));

/** Parses a status or connection fault with an optional share: `503`, `503:10%`, `reset:5%`. */
export function parseFault(text: string): FaultOutcome {
  try {
    return parseOutcome(text);
  } catch (error) {
    const [what = '', ...share] = text.trim().toLowerCase().split(':');
    throw new InvalidArgumentError((share.length < 2 && didYouMean(what, connectionFaults)) || (error as Error).message);
  }
}
