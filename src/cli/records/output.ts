import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Entry, Resource } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { Failure } from '../../model/error.ts';
import type { Field } from '../../model/fields/field.ts';
import type { ListParameter } from '../../model/fields/list.ts';
import { choice, flagOf, parseCount } from '../options.ts';
import { type Format, formats, type LinkedNames } from '../print/words.ts';
import type { Session } from '../session.ts';
import { hasColor, terminalWidth, write } from '../terminal/terminal.ts';

const heading = 'Output:';

/** Adds the options for the format of records. */
export function addOutput(command: Command): Command {
  return command
    .addOption(choice('--format <format>', 'Output format', formats).helpGroup(heading))
    .addOption(new Option('--json', 'Output JSON; --json=id,title selects fields').helpGroup(heading).conflicts('format'))
    .addOption(fieldsOption('Fields to print, e.g. id,title,venue.city'))
    .addOption(
      new Option('--template <text>', "Format each record, e.g. '{{title}}\\t{{start_date}}'")
        .argParser(template)
        .helpGroup(heading)
        .conflicts(['format', 'json', 'fields']),
    );
}

/** Adds `--all` and `--limit`. */
export function addPaging(command: Command, { name, family }: Resource): Command {
  const any = name === 'events' ? 'of any date and status' : family === 'post' ? 'of any status' : 'on all pages';
  const except = family === 'post' ? ', except the trash' : '';
  return command
    .addOption(new Option('--all', `List all ${name} ${any}${except}`).helpGroup('Pagination:').conflicts('page'))
    .addOption(
      new Option('--limit <n>', `Maximum number of ${name} to list, on all pages`)
        .argParser(parseCount)
        .helpGroup('Pagination:')
        .conflicts('page'),
    );
}

function template(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected a text with names of fields, e.g. {{title}}.');
  return text;
}

/** Parses names of fields, separated by commas. */
export function parseNames(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (!names.length) throw new InvalidArgumentError('Expected names of fields, e.g. id,title.');
  return names;
}

export const fieldsOption = (about: string): Option => new Option('--fields <names>', about).argParser(parseNames).helpGroup(heading);

export const formatOf = (options: Record<string, unknown>): Format =>
  (options.format as Format | undefined) ?? (options.json ? 'json' : 'table');

async function namesFor(session: Session, resource: Resource, { fields }: Record<string, unknown>): Promise<LinkedNames> {
  const { linkedNames } = await import('./linked-names.ts');
  return linkedNames(session.connection().calendar, resource, fields as string[] | undefined);
}

/** Prints records in the format of the options. With `single`, JSON is one object instead of a list. */
export async function printEntries(
  session: Session,
  options: Record<string, unknown>,
  resource: Resource,
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  { single = false, total }: { single?: boolean; total?: number } = {},
): Promise<void> {
  const { stdout, env } = session.terminal;
  const { print } = await import('../print/print.ts');
  const format = formatOf(options);
  const pieces = print(entries, {
    format,
    ...(format === 'ics' ? await session.connection().about() : {}),
    ...(format === 'csv' || format === 'tsv' ? { linked: await namesFor(session, resource, options) } : {}),
    resource,
    fields: options.fields as string[] | undefined,
    template: options.template as string | undefined,
    single,
    width: terminalWidth(stdout),
    color: hasColor(stdout, env, session.globals.color),
    total,
  });
  let buffer = '';
  for await (const piece of pieces) {
    session.terminal.interrupted.throwIfAborted();
    buffer += piece;
    // Writes each line to a terminal at once, and larger chunks to a pipe.
    if (buffer.length < (stdout.isTTY ? 1 : 16_384)) continue;
    await write(stdout, buffer);
    buffer = '';
  }
  await write(stdout, buffer);
}

type Parameter = Field | ListParameter;
type Values = Record<string, unknown>;

/** Adds a hint to a failure: the missing flags, or a similar choice. */
export function withHint(error: unknown, parameters: readonly Parameter[], values: Values): unknown {
  if (!(error instanceof Failure) || error.hint) return error;
  const hint =
    error.code === 'rest_missing_callback_param' ? missingFlags(error, parameters, values) : parameterHint(error, parameters, values);
  return hint ? error.with({ hint }) : error;
}

function missingFlags({ data }: Failure, parameters: readonly Parameter[], { duration }: Values): string | undefined {
  const missing = Array.isArray(data.params) ? (data.params as string[]) : [];
  const names = missing.filter((name) => duration === undefined || name !== 'end_date');
  const flags = names.filter((name) => parameters.some((parameter) => parameter.name === name)).map((name) => flagOf({ name }));
  const instead = names.includes('end_date') ? ' (or --duration)' : '';
  return flags.length ? `Pass ${listOf(flags)}${instead}.` : undefined;
}

const listOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

function parameterHint({ code, data }: Failure, parameters: readonly Parameter[], values: Values): string | undefined {
  if (code !== 'rest_invalid_param' || typeof data.params !== 'object') return undefined;
  for (const name of Object.keys(data.params ?? {})) {
    const parameter = parameters.find((candidate) => candidate.name === name);
    if (!parameter) continue;
    const words = parameter.choices ?? [];
    const texts = [values[name]].flat().filter((value) => typeof value === 'string' || typeof value === 'number');
    for (const word of texts.map(String)) {
      const hint = words.includes(word) ? undefined : (parameter.hint?.(word) ?? didYouMean(word, words));
      if (hint) return hint;
    }
    if (parameter.topic) return `See: calendar help ${parameter.topic}`;
  }
  return undefined;
}
