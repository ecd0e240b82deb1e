import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Entry, Resource } from '../../model/calendar.ts';
import { choice, count } from '../options.ts';
import { type Format, formats } from '../print/formats.ts';
import type { Session } from '../session.ts';
import { columnsOf, hasColor, write } from '../terminal/terminal.ts';

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
        .argParser(count)
        .helpGroup('Pagination:')
        .conflicts('page'),
    );
}

function template(text: string): string {
  if (text === '') throw new InvalidArgumentError('Expected a text with names of fields, e.g. {{title}}.');
  return text;
}

function names(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (!names.length) throw new InvalidArgumentError('Expected names of fields, e.g. id,title.');
  return names;
}

/** Returns `--fields`. */
export const fieldsOption = (about: string): Option => new Option('--fields <names>', about).argParser(names).helpGroup(heading);

/** Returns the output format of the options. */
export const formatOf = (options: Record<string, unknown>): Format =>
  (options.format as Format | undefined) ?? (options.json ? 'json' : 'table');

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
    ...(format === 'ics' ? await session.about() : {}),
    resource,
    fields: options.fields as string[] | undefined,
    template: options.template as string | undefined,
    single,
    width: columnsOf(stdout),
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
