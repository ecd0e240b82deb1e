import type { Entry, Input, Ref, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { dateText } from '../../model/fields/coerce.ts';
import { embedded } from '../../model/fields/link.ts';
import { remoteInput } from '../../model/formats/remote-record.ts';
import { readDate } from '../../model/time/parse-date.ts';
import { requireFields } from '../../model/validate.ts';
import type { Connection } from '../connect/connect.ts';
import { tellUndo } from '../print/summary.ts';
import { displayText } from '../print/words.ts';
import type { CommandAction, Session } from '../session.ts';
import { agreed } from '../terminal/prompt.ts';
import { OutputClosed } from '../terminal/terminal.ts';
import { Inputs } from './arguments.ts';
import { checkOutput } from './check-output.ts';
import { checkValues, readInputs } from './input.ts';
import { idInTrash, namesOf, withRecord } from './names.ts';
import { printEntries, withHint } from './output.ts';
import {
  type BatchResult,
  changeTogether,
  forEach,
  type TargetRecord,
  targetNames,
  targetsOf,
  trashedRecord,
  trashedRecords,
} from './targets.ts';

type Options = Record<string, unknown>;

/** `create`: creates one record from flags, or each record in `--data`. */
export const create =
  (resource: Resource): CommandAction =>
  async (session, _args, options) => {
    if (options.repeat !== undefined) return (await import('./series.ts')).createSeries(session, resource, options);
    const inputs = await readInputs(resource, options, session.terminal);
    const dry = Boolean(options.dryRun);
    const connection = await session.connect(dry ? 'dry' : 'write');
    await checkOutput(options, resource, connection);
    const { calendar } = connection;
    let notice = '';
    const reader = new Inputs(resource, connection, {
      createMissing: Boolean(options.createMissing),
      onDefaultEnd: (text) => {
        notice = text;
      },
    });
    const results = forEach(
      session,
      inputs,
      (_, at) => `record ${at + 1}`,
      options,
      async (input) => {
        try {
          notice = '';
          const values = await reader.resolve(input);
          const entry = dry ? await checkedEntry(resource, values, connection) : await calendar[resource.name].create(values);
          if (notice) await session.tell(notice);
          return entry;
        } catch (error) {
          throw withHint(error, resource.fields, input);
        }
      },
    );
    if (!dry) return printResults(session, options, resource, results, inputs.length === 1);
    return printLines(session, options, resource, results, inputs.length === 1, async (entry) => creationLine(entry, resource));
  };

/** Checks the values of a new record as its creation would. Returns them as a record without an ID, with its dates written out. */
async function checkedEntry(resource: Resource, values: Input, connection: Connection): Promise<Entry> {
  requireFields(resource, values);
  await checkValues(resource, values, undefined, connection);
  const now = (await connection.clock())();
  const zone = typeof values.timezone === 'string' ? values.timezone : await connection.zone();
  const dates = resource.fields.filter(({ name, topic }) => topic === 'dates' && typeof values[name] === 'string');
  const read = dates.map(({ name }) => [name, readDate(dateText(values[name]), now, zone)!.wall]);
  return { ...values, ...Object.fromEntries(read) } as Entry;
}

async function creationLine(values: Input, { kind, label }: Resource): Promise<string> {
  const { plainText } = await import('../terminal/safe-text.ts');
  const parts = Object.entries(values).flatMap(([name, value]) => (name === label ? [] : [`${name} ${displayText(value)}`]));
  return `Would create ${kind} ${plainText(String(values[label] ?? ''))}${parts.length ? `: ${parts.join(', ')}` : ''}`;
}

const hasOutput = (options: Options): boolean =>
  ['quiet', 'json', 'format', 'fields', 'template'].some((name) => options[name] !== undefined);

/** Prints a line for each result, or records if the options contain an output format. */
export async function printLines(
  session: Session,
  options: Options,
  resource: Resource,
  results: BatchResult,
  single: boolean,
  lineOf: (entry: Entry) => string | Promise<string>,
): Promise<number> {
  if (hasOutput(options)) return printResults(session, options, resource, results, single);
  let closed: unknown;
  for await (const entry of results.entries()) {
    const line = await lineOf(entry);
    // The work is completed even if nothing reads its output.
    await session.print(`${line}\n`).catch((error) => {
      if (!(error instanceof OutputClosed)) throw error;
      closed = error;
    });
  }
  if (closed) throw closed;
  return results.exit;
}

/** Completes the work, then prints the resulting records, or only their IDs with `--quiet`. */
export async function printResults(
  session: Session,
  options: Options,
  resource: Resource,
  results: BatchResult,
  single: boolean,
): Promise<number> {
  const output = options.quiet ? { ...options, format: 'ids', template: undefined } : options;
  const entries: Entry[] = [];
  for await (const entry of results.entries({ collects: true })) entries.push(entry);
  await printEntries(session, output, resource, entries, { single });
  return results.exit;
}

/** `delete`: several records are confirmed on a terminal and require `--yes` elsewhere. With `--dry-run`, only prints what would be deleted. */
export const remove =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const references = await namesOf(args as string[], session.terminal);
    const connection = await session.connect(options.dryRun ? 'read' : 'write');
    await checkOutput(options, resource, connection);
    const { calendar } = connection;
    const collection = calendar[resource.name];
    const names = await targetNames(references, options, resource, collection);
    const dry = Boolean(options.dryRun);
    // One record is not looked up first.
    const targets: TargetRecord[] | undefined = dry || names.length > 1 ? await targetsOf(names, resource, collection) : undefined;
    const isBulk = !dry && targets !== undefined && targets.length > 1;
    if (isBulk && !options.yes) {
      const what = counted(targets.length, resource);
      if (!(await agreed(session.terminal, resource.family === 'post' ? `Move ${what} to the trash?` : `Delete ${what} permanently?`)))
        return 0;
    }
    const deleted: Entry[] = [];
    const deleteOne = async (ref: Ref) => {
      const entry = await collection.delete(ref);
      deleted.push(entry);
      return entry;
    };
    const work = async () => {
      const check = isBulk ? await changeTogether(session, connection, resource, targets) : undefined;
      const isPrinted = check !== undefined && hasOutput(options) && !options.quiet;
      const trashed = isPrinted ? await trashedRecords(targets!, collection) : undefined;
      const deletedTogether = async ({ ref, before }: TargetRecord) => {
        check!(ref);
        const entry = trashed?.get(before!.id) ?? before!;
        deleted.push(entry);
        return entry;
      };
      const results = targets
        ? forEach(
            session,
            targets,
            ({ name }) => name,
            options,
            async (target) =>
              dry ? (target.before ?? collection.get(target.ref)) : check ? deletedTogether(target) : deleteOne(target.ref),
          )
        : forEach(session, names, String, options, (name) => withRecord(name, resource, collection, deleteOne));
      const exit = await printLines(session, options, resource, results, names.length === 1, (entry) => deletionLine(entry, resource, dry));
      if (deleted.length && !hasOutput(options)) await reportDeleted(session, deleted, resource);
      return exit;
    };
    if (!isBulk) return work();
    const { result: exit, undo } = await connection.undoable('delete', work);
    if (deleted.length) await tellUndo(session, undo);
    return exit;
  };

const counted = (count: number, { name, kind }: Resource): string => `${count} ${count === 1 ? kind : name}`;

const maxRestoreIds = 20;

/** Prints the number of deleted records, and how to restore those in the trash. */
async function reportDeleted(session: Session, deleted: readonly Entry[], resource: Resource): Promise<void> {
  const { name, family } = resource;
  const isPost = family === 'post';
  const ids = deleted.map(({ id }) => id);
  const count = counted(ids.length, resource);
  const summary = ids.length < 2 ? '' : isPost ? `Moved ${count} to the trash.` : `Deleted ${count}.`;
  const restore =
    isPost && ids.length <= maxRestoreIds
      ? `Restore ${ids.length > 1 ? 'them' : 'it'} with: calendar ${name} restore ${ids.join(' ')}`
      : '';
  const text = [summary, restore].filter(Boolean).join(' ');
  if (text) await session.tell(text);
}

/** Formats a record for messages: `event 8 (Fair)`. */
export async function describe({ name, before }: Pick<TargetRecord, 'name' | 'before'>, { kind, label }: Resource): Promise<string> {
  const { plainText } = await import('../terminal/safe-text.ts');
  return before ? `${kind} ${before.id} (${plainText(String(before[label] ?? ''))})` : `${kind} ${name}`;
}

async function deletionLine(entry: Entry, resource: Resource, dry: boolean): Promise<string> {
  const what = await describe({ name: '', before: entry }, resource);
  if (resource.family === 'post') return dry ? `Would move ${what} to the trash` : `Moved ${what} to the trash`;
  return dry ? `Would delete ${what}` : `Deleted ${what}`;
}

/** Fields that are not copied. */
const uncopied = ['slug', 'date', 'author'];

/** `clone`: copies an event, with the given fields on top. A new start moves the end. Passwords are not copied, because responses don't contain them. */
export const clone =
  (resource: Resource): CommandAction =>
  async (session, [name], options) => {
    const [changes = {}, ...more] = await readInputs(resource, options, session.terminal);
    if (more.length) throw new Failure('bad-request', 'clone expects one object in --data, not a list');
    const connection = await session.connect('write');
    await checkOutput(options, resource, connection);
    const collection = connection.calendar[resource.name];
    const reader = new Inputs(resource, connection, { createMissing: Boolean(options.createMissing) });
    const work = async (): Promise<Entry> => {
      const [target] = await targetsOf([String(name)], resource, collection);
      if (!target?.before) throw new Failure('rest_forbidden', `You cannot read ${resource.kind} ${name}`);
      const isCopied = ([field, value]: [string, unknown]) => !uncopied.includes(field) && value !== '' && value !== null;
      const unchanged = Object.fromEntries(Object.entries(editable(resource, target.before)).filter(isCopied));
      try {
        const copied = await reader.names.resolve(resource.fields, unchanged);
        return await collection.create({ ...copied, ...(await reader.resolve(changes, target.before)) });
      } catch (error) {
        throw withHint(error, resource.fields, changes);
      }
    };
    return printResults(session, options, resource, forEach(session, [name], String, options, work), true);
  };

/** `restore`: restores records from the trash, as published ones by default. The API doesn't return their former status. */
export const restore =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const names = await namesOf(args as string[], session.terminal);
    const dry = Boolean(options.dryRun);
    const connection = await session.connect(dry ? 'read' : 'write');
    await checkOutput(options, resource, connection);
    const collection = connection.calendar[resource.name];
    const trashed: { name: string; id: number }[] = [];
    for (const name of names) trashed.push({ name, id: await idInTrash(name, resource, collection) });
    const status = String(options.status ?? 'publish');
    const work = () => {
      const results = forEach(
        session,
        trashed,
        ({ name }) => name,
        options,
        async ({ id, name }) =>
          dry ? { ...((await trashedRecord({ id }, collection)) ?? { id, slug: name }), status } : collection.update({ id }, { status }),
      );
      const verb = dry ? 'Would restore' : 'Restored';
      return printLines(session, options, resource, results, names.length === 1, async (entry) => {
        return `${verb} ${await describe({ name: '', before: entry }, resource)} with status ${entry.status}`;
      });
    };
    if (dry || trashed.length < 2) return work();
    const { result: exit, undo } = await connection.undoable('restore', work);
    await tellUndo(session, undo);
    return exit;
  };

/** Dates that the calendar derives or sets. */
const derived = ['date_utc', 'modified', 'modified_utc'];

/** A record as the input that creates it, in the order of its fields. Linked records are given by slug, or by ID if they have none or one of digits, which would be an ID. */
export function editable(resource: Resource, entry: Entry): Input {
  const whole = remoteInput(resource, entry);
  const input: Input = {};
  for (const { name, links, many, shown } of resource.fields) {
    if (shown.writeOnly || derived.includes(name)) continue;
    if (!links || links === 'images' || links === 'users') {
      if (whole[name] !== undefined) input[name] = whole[name];
    } else if (many) {
      const names = embedded(entry[name]).map(({ id, slug }) => (/^\d*$/.test(String(slug ?? '')) ? id : slug));
      input[name] = Array.isArray(entry[name]) || names.length > 1 ? names : names[0];
    } else if (entry[name] !== undefined) input[name] = entry[name];
  }
  return input;
}
