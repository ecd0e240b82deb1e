import type { Option } from 'commander';
import type { Collection, Entry, Input, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { toWholeNumber } from '../../model/fields/coerce.ts';
import type { Field } from '../../model/fields/field.ts';
import { embedded } from '../../model/fields/link.ts';
import { htmlNameKey } from '../../model/html/plain-text.ts';
import { resources } from '../../model/resources/all.ts';
import { type LinkField, linkFields } from '../../model/resources/relations.ts';
import { attributeOf, optionsOf } from '../options.ts';
import { tellUndo } from '../print/summary.ts';
import { displayText } from '../print/words.ts';
import type { CommandAction, Session } from '../session.ts';
import { Inputs } from './arguments.ts';
import { checkOutput } from './check-output.ts';
import { checkSeriesDates, hasMoves, needsEvent } from './dates.ts';
import { checkValues, readInputs } from './input.ts';
import { type Names, namesOf, withRecord } from './names.ts';
import { withHint } from './output.ts';
import { changeTogether, forEach, type TargetRecord, targetNames, targetsOf } from './targets.ts';
import { describe, printLines, printResults } from './write.ts';

/** A record and its new values. */
type Update = [TargetRecord, Input];

/** `update`: changes the given fields of records. Changes nothing if any record is missing. With `--dry-run`, only prints what would change. */
export const update =
  (resource: Resource): CommandAction =>
  async (session, [args], options) => {
    const [input, ...more] = await readInputs(resource, options, session.terminal);
    if (input === undefined || more.length) throw new Failure('bad-request', 'update expects one object in --data, not a list');
    if (options.series) checkSeriesDates(input);
    const changes = listChanges(resource, options);
    if (!Object.keys(input).length && !changes.length)
      throw new Failure('bad-request', 'No fields to update', 'Pass a field, e.g. --title TEXT, or --data JSON.');
    const references = await namesOf(args as string[], session.terminal);
    const dry = Boolean(options.dryRun);
    const connection = await session.connect(dry ? 'read' : 'write');
    await checkOutput(options, resource, connection);
    const collection = withUpdateHints(connection.calendar[resource.name], resource, input);
    const names = await targetNames(references, options, resource, collection);
    const reader = new Inputs(resource, connection, { createMissing: Boolean(options.createMissing) });
    // With a new slug, an error about the slug would be ambiguous.
    if (!dry && names.length === 1 && !changes.length && input.slug === undefined && !needsEvent(resource, input)) {
      const work = async (name: string) => {
        const resolved = await hinted(reader.resolve(input), resource, input);
        return withRecord(name, resource, collection, (ref) => collection.update(ref, resolved));
      };
      return printResults(session, options, resource, forEach(session, names, String, options, work), true);
    }
    const updates: Update[] = [];
    for (const target of await targetsOf(names, resource, collection)) {
      const work = async () => {
        const values = await resolve(target, input, changes, reader, resource);
        if (dry) await checkValues(resource, values, target.before, connection);
        return values;
      };
      const resolved = hinted(work(), resource, input);
      updates.push([target, await (names.length > 1 ? withItem(resolved, target.name) : resolved)]);
    }
    const nameOf = ([{ name }]: Update) => name;
    if (dry) return printDry(session, options, resource, input, updates);
    const work = async () => {
      const all = updates.map(([{ ref }, fields]) => ({ ref, fields }));
      const check = await changeTogether(session, connection, resource, all);
      const results = forEach(session, updates, nameOf, options, async ([{ ref }, changes]) => {
        if (!check) return collection.update(ref, changes);
        await hinted(Promise.resolve(ref).then(check), resource, input);
        return collection.get(ref, { context: 'edit' });
      });
      return printResults(session, options, resource, results, names.length === 1);
    };
    if (updates.length < 2) return work();
    const { result: exit, undo } = await connection.undoable('update', work);
    await tellUndo(session, undo);
    return exit;
  };

async function resolve(
  target: TargetRecord,
  input: Input,
  changes: readonly ListChange[],
  reader: Inputs,
  resource: Resource,
): Promise<Input> {
  if (!target.before && hasMoves(resource.fields, input))
    throw new Failure('rest_forbidden', `You cannot read ${resource.kind} ${target.name}, so you cannot move its dates`);
  const lists = await changedLists(changes, target.before, reader.names);
  return { ...(await reader.resolve(input, target.before)), ...lists };
}

/** Adds hints to a failure of an update. */
const hinted = <T>(work: Promise<T>, { fields }: Resource, input: Input): Promise<T> =>
  work.catch((error) => {
    throw withHint(error, fields, input);
  });

const withUpdateHints = (collection: Collection, resource: Resource, input: Input): Collection => ({
  ...collection,
  update: (ref, changes) => hinted(collection.update(ref, changes), resource, input),
});

/** Adds the name of an item to a failure that occurred before any change. */
const withItem = <T>(work: Promise<T>, item: string): Promise<T> =>
  work.catch((error) => {
    if (!(error instanceof Failure)) throw error;
    const text = `${item}: ${error.message}; no records were changed`;
    throw error.with({ message: text, data: { ...error.data, item } });
  });

/** Prints what an update would change: a line for each record, or its new values in the output format. */
function printDry(
  session: Session,
  options: Record<string, unknown>,
  resource: Resource,
  input: Input,
  updates: readonly Update[],
): Promise<number> {
  const inputs = new Map<number, Input>();
  const results = forEach(
    session,
    updates,
    ([{ name }]) => name,
    options,
    async ([{ ref, before }, values]) => {
      const entry = before ?? ({ id: 'id' in ref ? ref.id : 0 } as Entry);
      inputs.set(entry.id, values);
      // Other members, such as the UTC dates, are only known after the update.
      const members = ['id', ...resource.fields.map(({ name }) => name)].filter((name) => name in entry);
      return { ...Object.fromEntries(members.map((name) => [name, entry[name]])), ...values } as Entry;
    },
  );
  return printLines(session, options, resource, results, updates.length === 1, async (entry) => {
    const { before } = updates.find(([{ before }]) => before?.id === entry.id)?.[0] ?? {};
    const parts = Object.entries(inputs.get(entry.id) ?? {}).flatMap(([name, value]) => {
      // Names of linked records are shown as they were given.
      const isLink = resource.fields.some((field) => field.name === name && field.links !== undefined);
      const [old, next] = [displayText(before?.[name]), displayText(isLink && input[name] !== undefined ? input[name] : value)];
      return old === next ? [] : [`${name} ${old === '' ? '(empty)' : old} → ${next === '' ? '(empty)' : next}`];
    });
    const what = await describe({ name: '', before: before ?? entry }, resource);
    return parts.length ? `Would update ${what}: ${parts.join(', ')}` : `Would not change ${what}`;
  });
}

/** Linked records to add to a list and to remove from it. */
interface ListChange {
  field: LinkField;
  add: string[];
  remove: string[];
}

const lists = ({ name }: Resource): LinkField[] => linkFields(name);

const optionNames = ({ name }: Field) => ({ add: `add_${name}`, remove: `remove_${name}` });

/** The options that change lists of linked records: `--add-tags`, `--remove-organizer`. */
export const listOptions = (resource: Resource): Option[] =>
  lists(resource).flatMap((field) => {
    const { add, remove } = optionNames(field);
    const options = optionsOf(
      [
        { ...field, name: add, about: `Add to the ${field.links}` },
        { ...field, name: remove, about: `Remove from the ${field.links}`, makesNew: false },
      ],
      () => 'Lists:',
    );
    return options.map((option) => option.conflicts(attributeOf(field)));
  });

function listChanges(resource: Resource, options: Record<string, unknown>): ListChange[] {
  return lists(resource).flatMap((field) => {
    const [add, remove] = Object.values(optionNames(field)).map((name) => options[attributeOf({ name })] as string[] | undefined);
    return add || remove ? [{ field, add: add ?? [], remove: remove ?? [] }] : [];
  });
}

/** Throws `rest_invalid_param` for an unknown record. */
async function changedLists(changes: readonly ListChange[], before: Entry | undefined, names: Names): Promise<Input> {
  const input: Input = {};
  for (const { field, add, remove } of changes) {
    const { name, links, makesNew } = field;
    if (!before) throw new Failure('rest_forbidden', `${name}: you cannot read the current list, so you cannot change it`);
    const linked = embedded(before[name]);
    const itemsOf = async (text: string, { stored }: Partial<LinkField>) =>
      (await names.resolve([{ ...field, makesNew: false, stored }], { [name]: [text] }))[name] as unknown[];
    const removed = new Set<number>();
    for (const text of remove) {
      const match = linked.find((each) => isCalled(each, text, resources[links].label));
      for (const id of match ? [match.id] : await itemsOf(text, {})) removed.add(Number(toWholeNumber(id)));
    }
    const added: unknown[] = [];
    for (const text of add) added.push(...(makesNew ? [text] : await itemsOf(text, field)));
    const remaining = linked.map(({ id }) => Number(id)).filter((id) => !removed.has(id));
    input[name] = [...remaining, ...added.filter((item) => !remaining.includes(toWholeNumber(item) ?? -1))];
  }
  return input;
}

/** True if a text is the ID, slug or name of a linked record. */
const isCalled = (record: Entry, text: string, label: string): boolean =>
  String(record.id) === text || record.slug === text || htmlNameKey(record[label]) === htmlNameKey(text);
