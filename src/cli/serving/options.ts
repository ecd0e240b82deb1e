import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultServing, plainBasePath } from '../../data/serving/options.ts';
import { type Extension, extensions } from '../../model/context.ts';
import { Failure } from '../../model/error.ts';
import { connectionFaults } from '../../model/operations/connection-faults.ts';
import type { Delay, FaultInput } from '../../model/operations/faults.ts';
import { choice, oneOf } from '../options.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';
import { delayForms, delayOf, failureIn } from './fault-words.ts';

/** What a server is started with. */
export interface ServeOptions {
  memory?: boolean;
  host: string;
  port: number;
  basePath: string;
  headerPrefix: string;
  timezone?: string;
  seed?: string;
  users?: string;
  cors?: string[];
  without?: Extension[];
  durability: 'full' | 'os' | 'none';
  maxBody: number;
  page: boolean;
  watch?: boolean;
  readOnly?: boolean;
  delay?: Delay;
  fail?: FaultInput[];
  control?: boolean;
  controlToken?: string;
}

/** Gives a command the options of a server. */
export function addServing(command: Command): Command {
  const option = (flags: string, about: string) => new Option(flags, about);
  const list = (text: string, before: string[] = []) => [...before, ...text.split(',')];
  return command
    .addOption(option('--memory', 'keep nothing on disk'))
    .addOption(option('--host <address>', 'the address to listen on').default(defaultServing.host))
    .addOption(option('-p, --port <n>', 'the port to listen on; 0 takes any free one (PORT, else 8787)').argParser(port))
    .addOption(
      option('--base-path <path>', 'what stands before the namespace, like /wp-json')
        .argParser(plainBasePath)
        .default(defaultServing.basePath),
    )
    .addOption(option('--header-prefix <name>', 'how the headers with totals start').default(defaultServing.headerPrefix))
    .addOption(option('--timezone <zone>', 'the calendar’s zone for as long as this server runs'))
    .addOption(option('--seed <seed>', 'start with a named seed, or a file'))
    .addOption(option('--watch', 'start anew with the fixture of --seed whenever that file is written, in memory'))
    .addOption(option('--read-only', 'refuse all changes; a file is shown as it is now, and not written to'))
    .addOption(option('--users <file>', 'take users from a JSON file'))
    .addOption(option('--cors <origins>', 'web origins that may call, * for all; those of this machine when not given').argParser(list))
    .addOption(
      option('--without <parts>', `do without ${extensions.join(', ')}`).argParser((text) => text.split(',').map(oneOf(extensions))),
    )
    .addOption(
      choice('--durability <degree>', 'when a write is answered: when it is on disk, with the system, or at once', [
        'full',
        'os',
        'none',
      ]).default(defaultServing.durability),
    )
    .addOption(option('--max-body <bytes>', 'the largest body that is read').argParser(bytes).default(defaultServing.maxBody))
    .addOption(option('--no-page', 'serve the API alone, without the web page'))
    .addOption(option('--delay <ms>', `answer late, like ${delayForms}; calendar fault does more`).argParser(delayOf))
    .addOption(
      option('--fail <what>', `have requests fail, like 503:10% or reset:5%; a status, or one of ${connectionFaults.join(', ')}; repeat it`)
        .choices(connectionFaults)
        .argParser((text, before: FaultInput[] = []) => [...before, failureIn(text)]),
    )
    .addOption(option('--control', 'let whoever reaches the server reset, fill and replace this file, as with --memory'))
    .addOption(
      option(
        '--control-token <token>',
        'who controls the calendar has to bring this; CALENDAR_CONTROL_TOKEN keeps it from the list of processes',
      ),
    );
}

/** The port of a server that was told none. */
export function usualPort(terminal: Terminal): number {
  const text = variable(terminal, 'PORT');
  if (text === undefined) return 8787;
  if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Failure(
    'bad-request',
    `PORT is no port: ${JSON.stringify(text)}`,
    {},
    'It takes a whole number up to 65535; --port goes before it.',
  );
}

const whole = (most: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > most) throw new InvalidArgumentError(`It takes a whole number up to ${most}.`);
  return value;
};
const port = whole(65_535);
const bytes = whole(1_073_741_824);
