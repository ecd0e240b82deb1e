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
    .addOption(choice('--format <format>', 'how to print', formats).helpGroup(heading))
    .addOption(new Option('--json', 'as JSON; --json=id,title for some fields').helpGroup(heading))
    .addOption(new Option('--fields <names>', 'some fields only, like id,title,venue.city').argParser(names).helpGroup(heading))
    .addOption(new Option('--template <text>', "a line for each, like '{{title}}\\t{{start_date}}'").helpGroup(heading));
}

/** Adds `--all` and `--limit`. */
export function addPaging(command: Command): Command {
  return command
    .addOption(new Option('--all', 'every record, page after page').helpGroup('Pages:').conflicts('page'))
    .addOption(
      new Option('--limit <n>', 'so many records at the most, page after page').argParser(count).helpGroup('Pages:').conflicts('page'),
    );
}

const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** The format that the options name. */
export const formatOf = (options: Record<string, unknown>): Format =>
  (options.format as Format | undefined) ?? (options.json ? 'json' : 'table');

/** Prints records in the format of the options. `single`: one record was named, so JSON is an object. */
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
  let waiting = '';
  for await (const piece of pieces) {
    session.terminal.interrupted.throwIfAborted();
    waiting += piece;
    // A terminal gets each line at once, a pipe larger chunks.
    if (waiting.length < (stdout.isTTY ? 1 : 16_384)) continue;
    await write(stdout, waiting);
    waiting = '';
  }
  await write(stdout, waiting);
  await tellUnknownFields(session, resource, paths, seen);
}

/** The field paths that the options name. */
const pathsOf = ({ fields, template }: Record<string, unknown>): string[] =>
  typeof template === 'string'
    ? [...template.matchAll(/\{\{\s*([\w.-]+)\s*\}\}/g)].map(([, path]) => path!)
    : ((fields as string[] | undefined) ?? []);

/** Passes records on and adds their property names to `seen`, and an empty name if there was any record. */
async function* collectNames(entries: Iterable<Entry> | AsyncIterable<Entry>, seen: Set<string>): AsyncIterable<Entry> {
  for await (const entry of entries) {
    seen.add('');
    for (const name of Object.keys(entry)) seen.add(name);
    yield entry;
  }
}

const nameOf = (path: string) => path.split('.')[0]!;

/** Warns on stderr of requested fields that no record has, since a typing mistake would only show as an empty column. */
async function tellUnknownFields(
  session: Session,
  { name, fields }: Resource,
  paths: readonly string[],
  seen: ReadonlySet<string>,
): Promise<void> {
  if (!seen.size) return;
  for (const path of new Set(paths.map(nameOf))) {
    if (seen.has(path) || fields.some((field) => field.name === path)) continue;
    const hint = didYouMean(path, [...seen, ...fields.map((field) => field.name)]);
    await session.tell(`calendar: none of these ${name} has the field ${JSON.stringify(path)}${hint ? `. ${hint}` : ''}`);
  }
}
