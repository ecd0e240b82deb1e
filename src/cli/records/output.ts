import { type Command, Option } from 'commander';
import type { Entry, Resource } from '../../model/calendar.ts';
import { didYouMean } from '../../model/did-you-mean.ts';
import { choice, count } from '../options.ts';
import { type Format, formats } from '../print/formats.ts';
import type { Session } from '../session.ts';
import { columnsOf, hasColor, write } from '../terminal/terminal.ts';

const heading = 'Output:';

/** Adds the options for the format of records. */
export function addOutput(command: Command): Command {
  return command
    .addOption(choice('--format <format>', 'Output format', formats).helpGroup(heading))
    .addOption(new Option('--json', 'Print JSON; --json=id,title selects fields').helpGroup(heading))
    .addOption(new Option('--fields <names>', 'Fields to print, e.g. id,title,venue.city').argParser(names).helpGroup(heading))
    .addOption(new Option('--template <text>', "Format each record, e.g. '{{title}}\\t{{start_date}}'").helpGroup(heading));
}

/** Adds `--all` and `--limit`. */
export function addPaging(command: Command): Command {
  return command
    .addOption(new Option('--all', 'List all records, from all pages').helpGroup('Pagination:').conflicts('page'))
    .addOption(new Option('--limit <n>', 'Maximum number of records to list').argParser(count).helpGroup('Pagination:').conflicts('page'));
}

const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

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
  const paths = pathsOf(options);
  const seen = new Set<string>();
  const format = formatOf(options);
  const pieces = print(paths.length ? collectNames(entries, seen) : entries, {
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
  await warnUnknownFields(session, resource, paths, seen);
}

/** Returns the field paths in the options. */
const pathsOf = ({ fields, template }: Record<string, unknown>): string[] =>
  typeof template === 'string'
    ? [...template.matchAll(/\{\{\s*([\w.-]+)\s*\}\}/g)].map(([, path]) => path!)
    : ((fields as string[] | undefined) ?? []);

/** Yields the records and adds their property names to `seen`, and '' if there is any record. */
async function* collectNames(entries: Iterable<Entry> | AsyncIterable<Entry>, seen: Set<string>): AsyncIterable<Entry> {
  for await (const entry of entries) {
    seen.add('');
    for (const name of Object.keys(entry)) seen.add(name);
    yield entry;
  }
}

const nameOf = (path: string) => path.split('.')[0]!;

/** Warns about requested fields that no record has, since a typo would only show as an empty column. */
async function warnUnknownFields(
  session: Session,
  { name, fields }: Resource,
  paths: readonly string[],
  seen: ReadonlySet<string>,
): Promise<void> {
  if (!seen.size) return;
  for (const path of new Set(paths.map(nameOf))) {
    if (seen.has(path) || fields.some((field) => field.name === path)) continue;
    const hint = didYouMean(path, [...seen, ...fields.map((field) => field.name)]);
    await session.tell(`calendar: Unknown field ${JSON.stringify(path)}: none of these ${name} has it.${hint ? ` ${hint}` : ''}`);
  }
}
