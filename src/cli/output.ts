import { type Command, Option } from 'commander';
import type { Entry, Resource } from '../model/resource.ts';
import { choice, count } from './options.ts';
import type { Format } from './print/print.ts';
import type { Session } from './shell.ts';
import { didYouMean } from './suggestion.ts';
import { isColourful, write } from './terminal.ts';

const heading = 'Output:';
const formatNames = ['table', 'json', 'ndjson', 'csv', 'tsv', 'ids', 'count', 'ics'] as const satisfies readonly Format[];

/** Gives a command the options that say how records are printed. */
export function addOutput(command: Command): Command {
  return command
    .addOption(choice('--format <format>', 'how to print', formatNames).helpGroup(heading))
    .addOption(new Option('--json', 'as JSON; --json=id,title for some fields').helpGroup(heading))
    .addOption(new Option('--fields <names>', 'some fields only, like id,title,venue.city').argParser(names).helpGroup(heading))
    .addOption(new Option('--template <text>', "a line for each, like '{{title}}\\t{{start_date}}'").helpGroup(heading));
}

/** Gives a command the options that say how many records are shown. */
export function addPaging(command: Command): Command {
  return command
    .addOption(new Option('--all', 'every record, page after page').helpGroup('Pages:'))
    .addOption(new Option('--limit <n>', 'so many records at the most, page after page').argParser(count).helpGroup('Pages:'));
}

const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** How the options say records are printed. */
export const formatOf = (options: Record<string, unknown>): Format =>
  (options.format as Format | undefined) ?? (options.json ? 'json' : 'table');

/** Prints records as a command's options ask. `single`: one was asked for by name. */
export async function printEntries(
  session: Session,
  options: Record<string, unknown>,
  resource: Resource,
  entries: Iterable<Entry> | AsyncIterable<Entry>,
  { single = false, total }: { single?: boolean; total?: number } = {},
): Promise<void> {
  const { stdout, env } = session.terminal;
  const { print } = await import('./print/print.ts');
  const paths = pathsOf(options);
  const seen = new Set<string>();
  const pieces = print(paths.length ? noticed(entries, seen) : entries, {
    format: formatOf(options),
    resource,
    fields: options.fields as string[] | undefined,
    template: options.template as string | undefined,
    single,
    width: stdout.isTTY ? (stdout.columns ?? 80) : undefined,
    colour: isColourful(stdout, env, session.globals.color),
    total,
  });
  let waiting = '';
  for await (const piece of pieces) {
    session.terminal.interrupted.throwIfAborted();
    waiting += piece;
    // A person sees every line at once; a program is better served by larger pieces.
    if (waiting.length < (stdout.isTTY ? 1 : 16_384)) continue;
    await write(stdout, waiting);
    waiting = '';
  }
  await write(stdout, waiting);
  await sayUnknown(session, resource, paths, seen);
}

/** The paths of fields that the options name. */
const pathsOf = ({ fields, template }: Record<string, unknown>): string[] =>
  typeof template === 'string'
    ? [...template.matchAll(/\{\{\s*([\w.-]+)\s*\}\}/g)].map(([, path]) => path!)
    : ((fields as string[] | undefined) ?? []);

/** Records as they pass by; the names that they have are kept, and one empty text when there was a record at all. */
async function* noticed(entries: Iterable<Entry> | AsyncIterable<Entry>, seen: Set<string>): AsyncIterable<Entry> {
  for await (const entry of entries) {
    seen.add('');
    for (const name of Object.keys(entry)) seen.add(name);
    yield entry;
  }
}

const nameOf = (path: string) => path.split('.')[0]!;

/** Tells of fields that were asked for and that no record has: a slip of the pen shows as an empty column otherwise. */
async function sayUnknown(
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
