import { Failure } from '../model/error.ts';
import type { Calendar, Collection, Entry, Input, Resource } from '../model/resource.ts';
import { hinted } from './hints.ts';
import { inputsOf } from './input.ts';
import { printEntries } from './output.ts';
import { explained, namesOf, refOf } from './refs.ts';
import { type Severally, severally } from './severally.ts';
import type { Session, Work } from './shell.ts';
import { confirm, isAttended, Unread } from './terminal.ts';

type Options = Record<string, unknown>;

/** `create`: one record from flags and `--data`, or as many as `--data` lists. */
export const create =
  (resource: Resource): Work =>
  async (session, _args, options) => {
    const inputs = await inputsOf(resource, options, session.terminal);
    const { calendar } = await session.connect('write');
    const results = severally(
      session,
      inputs,
      (_, at) => `record ${at + 1}`,
      options,
      async (input) => {
        try {
          return await calendar[resource.name].create(input);
        } catch (error) {
          throw await hinted(error, resource.fields, input, calendar);
        }
      },
    );
    return printed(session, options, resource, results, inputs.length === 1);
  };

/** `update`: changes what is given of one or several records, and nothing else. */
export const update =
  (resource: Resource): Work =>
  async (session, [args], options) => {
    const [input, ...more] = await inputsOf(resource, options, session.terminal);
    if (input === undefined || more.length) throw new Failure('bad-request', 'update takes one set of fields, not a list');
    if (!Object.keys(input).length)
      throw new Failure('bad-request', 'nothing to change', {}, 'Give a field, like --title TEXT, or --data JSON.');
    const names = await namesOf(args as string[], session.terminal);
    const { calendar } = await session.connect('write');
    const results = severally(session, names, String, options, (name) => changed(name, input, resource, calendar));
    return printed(session, options, resource, results, names.length === 1);
  };

async function changed(name: string, input: Input, resource: Resource, calendar: Calendar): Promise<Entry> {
  const collection = calendar[resource.name];
  try {
    return await collection.update(await refOf(name, resource, collection), input);
  } catch (error) {
    // A slug that is sent and one that is looked for go by the same name.
    const found = input.slug === undefined ? await explained(error, name, resource, collection) : error;
    throw await hinted(found, resource.fields, input, calendar);
  }
}

async function printed(session: Session, options: Options, resource: Resource, results: Severally, single: boolean): Promise<number> {
  const shown = options.quiet ? { ...options, format: 'ids', template: undefined } : options;
  await toTheEnd(results, (entries) => printEntries(session, shown, resource, entries, { single }));
  return results.exit;
}

/** Does all of the work, even where nobody reads what is said of it any more. */
async function toTheEnd(results: Severally, say: (entries: AsyncIterable<Entry>) => Promise<void>): Promise<void> {
  const work = results.entries()[Symbol.asyncIterator]();
  try {
    // What stops reading this stops nothing else.
    await say({ [Symbol.asyncIterator]: () => ({ next: () => work.next() }) });
  } catch (error) {
    if (error instanceof Unread) while (!(await work.next()).done);
    throw error;
  }
}

/** `delete`: asks on a terminal, says with `--dry-run` what would go. */
export const remove =
  (resource: Resource): Work =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const { calendar } = await session.connect(options.dryRun ? 'read' : 'write');
    const collection = calendar[resource.name];
    const named = async (name: string, work: (collection: Collection, name: string) => Promise<Entry>): Promise<Entry> => {
      try {
        return await work(collection, name);
      } catch (error) {
        throw await explained(error, name, resource, collection);
      }
    };
    const find = (name: string) => named(name, async () => collection.get(await refOf(name, resource, collection)));
    const drop = (name: string) => named(name, async () => collection.delete(await refOf(name, resource, collection)));
    if (!options.dryRun && !options.yes && isAttended(session.terminal) && !(args as string[]).includes('-')) {
      if (!(await agreed(session, resource, names, find))) return 0;
    }
    const results = severally(session, names, String, options, options.dryRun ? find : drop);
    if (['quiet', 'json', 'format', 'fields', 'template'].some((name) => options[name] !== undefined))
      return printed(session, options, resource, results, names.length === 1);
    await toTheEnd(results, async (entries) => {
      for await (const entry of entries) await session.print(`${await farewell(entry, resource, Boolean(options.dryRun))}\n`);
    });
    return results.exit;
  };

async function agreed(session: Session, resource: Resource, names: string[], find: (name: string) => Promise<Entry>): Promise<boolean> {
  const [name = ''] = names;
  const what = names.length === 1 ? await called(await find(name), resource) : `${names.length} ${resource.name}`;
  return confirm(session.terminal, resource.family === 'post' ? `Move ${what} to the trash?` : `Delete ${what} for good?`);
}

async function called(entry: Entry, resource: Resource): Promise<string> {
  const { plain } = await import('./print/plain.ts');
  return `${resource.kind} ${entry.id} (${plain(String(entry[resource.label] ?? ''))})`;
}

async function farewell(entry: Entry, resource: Resource, dry: boolean): Promise<string> {
  const what = await called(entry, resource);
  if (resource.family === 'post') return dry ? `would move ${what} to the trash` : `moved ${what} to the trash`;
  return dry ? `would delete ${what}` : `deleted ${what}`;
}
