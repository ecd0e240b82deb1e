import { type Command, InvalidArgumentError } from 'commander';
import { configuredOptions } from '../../data/project-config.ts';
import { Failure } from '../../model/error.ts';
import { namespaced } from '../../model/routes.ts';
import { serverFlag, serverOptionRows } from '../../model/server-options.ts';
import { profileOf, projectConfig } from '../connect/config.ts';
import type { Globals } from '../global-options.ts';
import type { Session } from '../session.ts';
import { variable } from '../terminal/terminal.ts';

/** Global options that a project's file can set, with their names on the command line and in the environment. */
const globalNames: Record<string, readonly [option: keyof Globals, variable: string]> = {
  file: ['db', 'CALENDAR_DB'],
  now: ['now', 'CALENDAR_NOW'],
  timezone: ['calendarTimezone', 'CALENDAR_TIMEZONE'],
};

/** True if an option decides who can reach a server, or what it reads from another one. */
const isExposing = (name: string, value: unknown) =>
  ['host', 'cors', 'allowHosts', 'publicUrl', 'pull'].includes(name) || (name === 'seed' && /^https?:/i.test(String(value)));

/**
 * Runs a command with its session and options, completed from `serve` in the project's `calendar.config.json`. The command line, the environment and
 * the profile come first. `shapeOnly` takes only the shape of a site, so that a port or a file is never shared by accident. Throws
 * `bad-request` for an invalid value. A failure that names an option of the file says that it is from there.
 */
export async function withConfigured<Options extends object, Result>(
  session: Session,
  command: Command,
  given: Options,
  work: (session: Session, options: Options) => Promise<Result>,
  { shapeOnly = false } = {},
): Promise<Result> {
  const { terminal } = session;
  const globals = { ...session.globals };
  const options: Record<string, unknown> = Object.fromEntries(Object.entries(given));
  // As for other commands, a file that is named needs no profile.
  const isNamed = globals.profile === undefined && (globals.db !== undefined || variable(terminal, 'CALENDAR_DB') !== undefined);
  const profile = isNamed ? undefined : await profileOf(terminal, globals.profile);
  const config = await projectConfig(terminal);
  const exposed: string[] = [];
  const applied: string[] = [];
  const configured = config?.serve ? configuredOptions(config, shapeOnly) : [];
  // A copy has the time zone of its site.
  const isCopy = options.pull !== undefined || configured.some(({ name }) => name === 'pull');
  for (const { name, value } of configured) {
    if (isCopy && name === 'timezone') continue;
    const [option, env] = globalNames[name] ?? [];
    if (option !== undefined) {
      const isGiven = globals[option] !== undefined || variable(terminal, env!) !== undefined;
      const isElsewhere = name === 'file' && (options.memory === true || profile?.db !== undefined);
      if (isGiven || isElsewhere) continue;
      Object.assign(globals, { [option]: parsed(command, name, value, config!.file, option) });
      applied.push(name);
      continue;
    }
    const isGiven = command.getOptionValueSource(name) === 'cli' || (name === 'port' && variable(terminal, 'PORT') !== undefined);
    if (isGiven || (name === 'memory' && globals.db !== undefined)) continue;
    options[name] = parsed(command, name, value, config!.file);
    if (name === 'pull') options.pullFile = config!.file;
    applied.push(name);
    if (isExposing(name, value)) exposed.push(`${name} ${[value].flat().join(', ')}`);
  }
  // That of the address of --pull comes first.
  if (!namespaced.test(String(options.pull ?? ''))) globals.namespace ??= profile?.namespace;
  if (exposed.length) await session.tell(`calendar: Using ${exposed.join(' and ')} from ${config!.file}`);
  try {
    return await work({ ...session, globals }, options as Options);
  } catch (error) {
    throw error instanceof Failure ? withOrigin(error, applied, config?.file) : error;
  }
}

/** A failure with the file of the options that it names, if they were not passed but are from there. */
function withOrigin(failure: Failure, applied: readonly string[], file: string | undefined): Failure {
  const said = `${failure.message} ${failure.hint ?? ''}`.split(/[^\w-]+/);
  const origins = serverOptionRows
    .filter(([name, row]) => applied.includes(name) && said.includes(serverFlag(name, row)))
    .map(([name]) => name);
  if (!origins.length) return failure;
  const origin = `${origins.join(' and ')} ${origins.length > 1 ? 'are' : 'is'} set in ${file}.`;
  return failure.with({ hint: failure.hint === undefined ? origin : `${failure.hint} ${origin}` });
}

/** Parses a value as the option of the command line does. */
function parsed(command: Command, name: string, value: unknown, file: string, attribute = name): unknown {
  const option = command.options.find((each) => each.attributeName() === attribute);
  if (typeof value === 'boolean' || !option?.parseArg) return value;
  try {
    return [value].flat().reduce((before: unknown, each) => option.parseArg!(String(each), before), undefined);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new Failure('bad-request', `${file}: serve.${name}: ${error.message}`, 'See: calendar serve --help --all');
  }
}
