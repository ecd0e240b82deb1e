import { type Command, InvalidArgumentError, Option } from 'commander';
import { plainBasePath } from '../../data/serving/options.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import type { Delay, FaultInput } from '../../model/operation-types.ts';
import { connectionFaults, siteFaultNames } from '../../model/operations/connection-faults.ts';
import { parseDelay as delayIn, type FaultOutcome, parseOutcome, parseShare as shareIn } from '../../model/operations/fault-line.ts';
import type { SettingValues } from '../../model/operations/settings.ts';
import type { ServerOptions } from '../../model/server-option-types.ts';
import { type ServerOption, serverFlag, serverOptionRows } from '../../model/server-options.ts';
import { usualPort } from '../connect/file.ts';
import { timezoneOption } from '../global-options.ts';
import { advanced } from '../help/examples.ts';
import { parseOneOf, timeFor } from '../options.ts';
import { type Terminal, variable } from '../terminal/terminal.ts';

type WithDefault = 'host' | 'port' | 'basePath' | 'headerPrefix' | 'durability' | 'maxBody' | 'page';

/** The options of `serve` and `exec`. */
export interface ServeOptions extends Required<Pick<ServerOptions, WithDefault>>, Omit<ServerOptions, WithDefault | 'file' | 'listen'> {
  memory?: boolean;
  seed?: string;
  watch?: boolean;
  users?: string;
  hooks?: string;
  delay?: Delay;
  fail?: FaultInput[];
  /** Settings of a new calendar, from the project's file. */
  settings?: SettingValues;
  /** The project's file that has the address of `pull`, if that is where it is from. */
  pullFile?: string;
}

/** Adds the options of a server to a command, all or those with some names. `port` describes the default port. */
export function addServing(command: Command, port = 'default 8787, env PORT', names?: readonly string[]): Command {
  for (const [name, row] of serverOptionRows) {
    if (row.of === 'library' || row.of === 'global' || (names && !names.includes(name))) continue;
    const option = name === 'timezone' ? timezoneOption() : optionOf(name, row);
    if (name === 'port') option.description += ` (${port})`;
    command.addOption(row.isBasic ? option : advanced(option));
    for (const level of row.kind === 'switch' ? (row.choices ?? []) : []) command.addOption(advanced(levelOf(name, row, level)));
  }
  return command;
}

/** The option that sets a switch to one of its other values: `--strict-names`. A value behind `--strict` could be the command that `exec` runs. */
function levelOf(name: string, row: ServerOption, level: string): Option {
  const option = new Option(`${serverFlag(name, row)}-${level}`, `${row.about.replace(/ in .*/, '')} in ${level} only`).preset(level);
  option.attributeName = () => name;
  return option;
}

/** An option of the table for commander. */
function optionOf(name: string, row: ServerOption): Option {
  const { kind, about, placeholder, example, choices, default: value, min, max } = row;
  const lowered = `${about[0]!.toLowerCase()}${about.slice(1)}`;
  if (value === true) return new Option(serverFlag(name, row), `Don't ${lowered}`);
  const text = `${kind === 'list' ? `Comma-separated ${lowered}` : about}${example ? `, e.g. ${example}` : ''}`;
  const flag = name === 'port' ? `-p, ${serverFlag(name, row)}` : serverFlag(name, row);
  const option = new Option(placeholder ? `${flag} <${placeholder}>` : flag, text).default(value);
  option.attributeName = () => name;
  if (kind === 'switch') return option;
  if (choices) option.choices(choices);
  const parse = parsers[name] ?? parserOf(kind, choices, max, min);
  return parse ? option.argParser<unknown>(parse as (text: string, before: unknown) => unknown) : option;
}

function parserOf(kind: ServerOption['kind'], choices: readonly string[] | undefined, max = 0, min = 0): Parser | undefined {
  const one = choices ? parseOneOf(choices) : (text: string) => text;
  if (kind === 'number') return wholeNumber(max, min);
  if (kind === 'time') return timeFor('ttl');
  if (kind === 'list') return (text, before = []) => [...before, ...text.split(',').map(one)];
  return choices && one;
}

type Parser = (text: string, before?: unknown[]) => unknown;

/** Parsers of options whose values have a form of their own. */
const parsers: Record<string, Parser> = {
  basePath: plainBasePath,
  delay: (text) => delayArgument(text),
  fail: (text, before = []) => [...before, parseFault(text)],
};

/** The default port: PORT, or 8787. Throws `bad-request` if PORT is invalid. */
export function defaultPort(terminal: Terminal): number {
  const text = variable(terminal, 'PORT');
  if (text === undefined) return usualPort;
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

/** A parser whose failures commander reports with the name of the option. */
export const asArgument =
  <Args extends unknown[], T>(parse: (text: string, ...args: Args) => T) =>
  (text: string, ...args: Args): T => {
    try {
      return parse(text, ...args);
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };

export const delayArgument = asArgument((text: string) => delayIn(text));
export const shareArgument = asArgument((text: string) => shareIn(text));

/** Parses a status or connection fault with an optional share: `503`, `503:10%`, `reset:5%`. */
export function parseFault(text: string): FaultOutcome {
  try {
    return parseOutcome(text);
  } catch (error) {
    const [what = ''] = /^(site:)?[^:]*/.exec(text.trim().toLowerCase()) ?? [];
    const hint = /^(site:)?[^:]*(:[^:]*)?$/.test(text) && didYouMean(what, [...connectionFaults, ...siteFaultNames]);
    throw new InvalidArgumentError(hint || (error as Error).message);
  }
}
