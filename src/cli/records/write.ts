import type { Calendar, Collection, Entry, Input, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import type { CommandAction, Session } from '../session.ts';
import { confirm, isAttended } from '../terminal/prompt.ts';
import { OutputClosed } from '../terminal/terminal.ts';
import { type BatchResult, forEach } from './batch.ts';
import { withHint } from './hints.ts';
import { inputsOf } from './input.ts';
import { printEntries } from './output.ts';
import { asNotFound, namesOf, refOf } from './refs.ts';

type Options = Record<string, unknown>;

/** `create`: one record from flags and `--data`, or as many as `--data` lists. */
export const create =
  (resource: Resource): CommandAction =>
  async (session, _args, options) => {
    const inputs = await inputsOf(resource, options, session.terminal);
    const { calendar } = await session.connect('write');
    const results = forEach(
      session,
      inputs,
      (_, at) => `record ${at + 1}`,
      options,
      async (input) => {
        try {
          return await calendar[resource.name].create(input);
        } catch (error) {
          throw await withHint(error, resource.fields, input, calendar);
        }
      },
    );
    return printResults(session, options, resource, results, inputs.length === 1);
  };

/** `update`: changes the given fields of one or several records, and nothing else. */
export const update =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const [input, ...more] = await inputsOf(resource, options, session.terminal);
    if (input === undefined || more.length) throw new Failure('bad-request', 'update takes one set of fields, not a list');
    if (!Object.keys(input).length)
      throw new Failure('bad-request', 'nothing to change', {}, 'Give a field, like --title TEXT, or --data JSON.');
    const names = await namesOf(args as string[], session.terminal);
    const { calendar } = await session.connect('write');
    const results = forEach(session, names, String, options, (name) => updateOne(name, input, resource, calendar));
    return printResults(session, options, resource, results, names.length === 1);
  };

async function updateOne(name: string, input: Input, resource: Resource, calendar: Calendar): Promise<Entry> {
  const collection = calendar[resource.name];
  try {
    return await collection.update(await refOf(name, resource, collection), input);
  } catch (error) {
    // With a new slug in the input, a fault of `slug` may be of either.
    const found = input.slug === undefined ? await asNotFound(error, name, resource, collection) : error;
    throw await withHint(found, resource.fields, input, calendar);
  }
}

async function printResults(
  session: Session,
  options: Options,
  resource: Resource,
  results: BatchResult,
  single: boolean,
): Promise<number> {
  const shown = options.quiet ? { ...options, format: 'ids', template: undefined } : options;
  await printToEnd(results, (entries) => printEntries(session, shown, resource, entries, { single }));
  return results.exit;
}

/** Prints results as they come, and completes the work even when the reader of the output has gone away. */
async function printToEnd(results: BatchResult, say: (entries: AsyncIterable<Entry>) => Promise<void>): Promise<void> {
  const work = results.entries()[Symbol.asyncIterator]();
  try {
    // Without `return`, a printer that stops early does not end the work.
    await say({ [Symbol.asyncIterator]: () => ({ next: () => work.next() }) });
  } catch (error) {
    if (error instanceof OutputClosed) while (!(await work.next()).done);
    throw error;
  }
}

/** `delete`: asks on a terminal; with `--dry-run` only says what would be deleted. */
export const remove =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const { calendar } = await session.connect(options.dryRun ? 'read' : 'write');
    const collection = calendar[resource.name];
    const named = async (name: string, work: (collection: Collection, name: string) => Promise<Entry>): Promise<Entry> => {
      try {
        return await work(collection, name);
      } catch (error) {
        throw await asNotFound(error, name, resource, collection);
      }
    };
    const find = (name: string) => named(name, async () => collection.get(await refOf(name, resource, collection)));
    const drop = (name: string) => named(name, async () => collection.delete(await refOf(name, resource, collection)));
    if (!options.dryRun && !options.yes && isAttended(session.terminal) && !(args as string[]).includes('-')) {
      if (!(await agreedToDelete(session, resource, names, find))) return 0;
    }
    const results = forEach(session, names, String, options, options.dryRun ? find : drop);
    if (['quiet', 'json', 'format', 'fields', 'template'].some((name) => options[name] !== undefined))
      return printResults(session, options, resource, results, names.length === 1);
    await printToEnd(results, async (entries) => {
      for await (const entry of entries) await session.print(`${await deletionLine(entry, resource, Boolean(options.dryRun))}\n`);
    });
    return results.exit;
  };

async function agreedToDelete(
  session: Session,
  resource: Resource,
  names: string[],
  find: (name: string) => Promise<Entry>,
): Promise<boolean> {
  const [name = ''] = names;
  const what = names.length === 1 ? await describe(await find(name), resource) : `${names.length} ${resource.name}`;
  return confirm(session.terminal, resource.family === 'post' ? `Move ${what} to the trash?` : `Delete ${what} for good?`);
}

async function describe(entry: Entry, resource: Resource): Promise<string> {
  const { plainText } = await import('../terminal/safe-text.ts');
  return `${resource.kind} ${entry.id} (${plainText(String(entry[resource.label] ?? ''))})`;
}

async function deletionLine(entry: Entry, resource: Resource, dry: boolean): Promise<string> {
  const what = await describe(entry, resource);
  if (resource.family === 'post') return dry ? `would move ${what} to the trash` : `moved ${what} to the trash`;
  return dry ? `would delete ${what}` : `deleted ${what}`;
}
