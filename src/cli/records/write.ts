import type { Entry, Input, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { tellUndo } from '../print/undo.ts';
import type { CommandAction, Session } from '../session.ts';
import { agreed, isAttended } from '../terminal/prompt.ts';
import { OutputClosed } from '../terminal/terminal.ts';
import { type BatchResult, forEach } from './batch.ts';
import { needsEvent } from './dates.ts';
import { withHint } from './hints.ts';
import { inputsOf } from './input.ts';
import { changedLists, listChanges } from './list-changes.ts';
import { Inputs } from './meaning.ts';
import { namesOf, withNamed } from './names.ts';
import { printEntries } from './output.ts';
import { type TargetRecord, targetsOf } from './targets.ts';

type Options = Record<string, unknown>;

/** `create`: one record from flags and `--data`, or as many as `--data` lists. */
export const create =
  (resource: Resource): CommandAction =>
  async (session, _args, options) => {
    const inputs = await inputsOf(resource, options, session.terminal);
    const connection = await session.connect('write');
    const { calendar } = connection;
    let usual = '';
    const reader = new Inputs(resource, connection, (text) => {
      usual = text;
    });
    const results = forEach(
      session,
      inputs,
      (_, at) => `record ${at + 1}`,
      options,
      async (input) => {
        try {
          usual = '';
          const entry = await calendar[resource.name].create(await reader.meant(input));
          if (usual) await session.tell(usual);
          return entry;
        } catch (error) {
          throw withHint(error, resource.fields, input);
        }
      },
    );
    return printResults(session, options, resource, results, inputs.length === 1);
  };

/** `update`: changes the given fields of one or several records, and nothing else; nothing at all unless every name is one of a record. */
export const update =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const [input, ...more] = await inputsOf(resource, options, session.terminal);
    if (input === undefined || more.length) throw new Failure('bad-request', 'update takes one set of fields, not a list');
    const changes = listChanges(resource, options);
    if (!Object.keys(input).length && !changes.length)
      throw new Failure('bad-request', 'nothing to change', {}, 'Give a field, like --title TEXT, or --data JSON.');
    const names = await namesOf(args as string[], session.terminal);
    const connection = await session.connect('write');
    const collection = connection.calendar[resource.name];
    const reader = new Inputs(resource, connection);
    const hinted = (error: unknown) => withHint(error, resource.fields, input);
    // A fault of the slug could be of the name as well as of the new one.
    const isEnough = names.length === 1 && !changes.length && input.slug === undefined && !needsEvent(resource, input);
    if (isEnough) {
      const work = async (name: string) => {
        try {
          const meant = await reader.meant(input);
          return await withNamed(name, resource, collection, (ref) => collection.update(ref, meant));
        } catch (error) {
          throw hinted(error);
        }
      };
      return printResults(session, options, resource, forEach(session, names, String, options, work), true);
    }
    const targets = await targetsOf(names, resource, collection);
    const updates: [TargetRecord, Input][] = [];
    for (const target of targets) {
      try {
        const changed = await changedLists(changes, target.before, reader.names);
        updates.push([target, { ...(await reader.meant(input, target.before)), ...changed }]);
      } catch (error) {
        throw names.length > 1 ? ofItem(hinted(error), target.name) : hinted(error);
      }
    }
    const kept = updates.length > 1 ? await connection.keep('update') : undefined;
    const results = forEach(
      session,
      updates,
      ([{ name }]) => name,
      options,
      async ([{ ref }, meant]) => {
        try {
          return await collection.update(ref, meant);
        } catch (error) {
          throw hinted(error);
        }
      },
    );
    const exit = await printResults(session, options, resource, results, names.length === 1);
    await tellUndo(session, kept);
    return exit;
  };

/** A failure of one of several before anything was changed. */
const ofItem = (error: unknown, item: string): unknown =>
  error instanceof Failure
    ? new Failure(error.code, `${item}: ${error.message}; nothing was changed`, { ...error.data, item }, error.hint, error.status)
    : error;

/** Prints a line for each result, or records where the options ask for some format of them. */
export async function printLines(
  session: Session,
  options: Options,
  resource: Resource,
  results: BatchResult,
  single: boolean,
  lineOf: (entry: Entry) => string | Promise<string>,
): Promise<number> {
  if (['quiet', 'json', 'format', 'fields', 'template'].some((name) => options[name] !== undefined))
    return printResults(session, options, resource, results, single);
  await printToEnd(results, async (entries) => {
    for await (const entry of entries) await session.print(`${await lineOf(entry)}\n`);
  });
  return results.exit;
}

/** Prints the records that work on several gave; with `--quiet` their IDs alone. */
export async function printResults(
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

/** `delete`: asks on a terminal; elsewhere several want `--yes`. With `--dry-run` only says what would be deleted. */
export const remove =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const { calendar, keep } = await session.connect(options.dryRun ? 'read' : 'write');
    const collection = calendar[resource.name];
    const dry = Boolean(options.dryRun);
    const isBulk = names.length > 1 || (args as string[]).includes('-');
    const asks = !dry && !options.yes;
    // One record that nobody is asked about needs no look at it.
    const targets: TargetRecord[] | undefined =
      isBulk || dry || (asks && isAttended(session.terminal)) ? await targetsOf(names, resource, collection) : undefined;
    if (asks && targets?.length) {
      const what = isBulk ? counted(targets.length, resource) : await describe(targets[0]!, resource);
      const question = resource.family === 'post' ? `Move ${what} to the trash?` : `Delete ${what} for good?`;
      if (!(await agreed(session.terminal, question, !isBulk && !isAttended(session.terminal)))) return 0;
    }
    const kept = !dry && names.length > 1 ? await keep('delete') : undefined;
    const results = targets
      ? forEach(
          session,
          targets,
          ({ name }) => name,
          options,
          async ({ ref, before }) => (dry ? (before ?? collection.get(ref)) : collection.delete(ref)),
        )
      : forEach(session, names, String, options, (name) => withNamed(name, resource, collection, (ref) => collection.delete(ref)));
    const gone: Entry[] = [];
    const exit = await printLines(session, options, resource, results, names.length === 1, (entry) => {
      gone.push(entry);
      return deletionLine(entry, resource, dry);
    });
    if (!dry && gone.length) await tellGone(session, gone, resource);
    if (gone.length) await tellUndo(session, kept);
    return exit;
  };

const counted = (count: number, { name, kind }: Resource): string => `${count} ${count === 1 ? kind : name}`;

/** Says how many records went where that is not plain, and how those in the trash come back. */
async function tellGone(session: Session, gone: readonly Entry[], resource: Resource): Promise<void> {
  const { name, family } = resource;
  const ids = gone.map(({ id }) => id);
  const count = gone.length > 1 ? `${counted(gone.length, resource)} ${family === 'post' ? 'are in the trash' : 'are deleted'}` : '';
  const back =
    family === 'post' && gone.length <= 20 ? `calendar ${name} restore ${ids.join(' ')} brings ${ids.length > 1 ? 'them' : 'it'} back` : '';
  const text = [count, back].filter(Boolean).join('; ');
  if (text) await session.tell(text);
}

/** What a record is called in a sentence: `event 8 (Fair)`. */
export async function describe({ name, before }: Pick<TargetRecord, 'name' | 'before'>, { kind, label }: Resource): Promise<string> {
  const { plainText } = await import('../terminal/safe-text.ts');
  return before ? `${kind} ${before.id} (${plainText(String(before[label] ?? ''))})` : `${kind} ${name}`;
}

async function deletionLine(entry: Entry, resource: Resource, dry: boolean): Promise<string> {
  const what = await describe({ name: '', before: entry }, resource);
  if (resource.family === 'post') return dry ? `would move ${what} to the trash` : `moved ${what} to the trash`;
  return dry ? `would delete ${what}` : `deleted ${what}`;
}
