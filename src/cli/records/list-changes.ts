import type { Option } from 'commander';
import type { Entry, Input, Resource } from '../../model/calendar.ts';
import { Failure } from '../../model/error.ts';
import { wholeNumber } from '../../model/fields/coerce.ts';
import type { Field } from '../../model/fields/field.ts';
import { embedded } from '../../model/fields/link.ts';
import { resources } from '../../model/resources/all.ts';
import { type LinkField, linkFields } from '../../model/resources/relations.ts';
import { attributeOf, optionsOf } from '../options.ts';
import type { Names } from './names.ts';

/** Linked records to add to a list and to remove from it. */
export interface ListChange {
  field: LinkField;
  add: string[];
  remove: string[];
}

const lists = ({ name }: Resource): LinkField[] => linkFields(name);

const optionNames = ({ name }: Field) => ({ add: `add_${name}`, remove: `remove_${name}` });

/** Returns the options that change lists of linked records: `--add-tags`, `--remove-organizer`. */
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

/** Returns the changes that the values of {@link listOptions} describe. */
export function listChanges(resource: Resource, options: Record<string, unknown>): ListChange[] {
  return lists(resource).flatMap((field) => {
    const [add, remove] = Object.values(optionNames(field)).map((name) => options[attributeOf({ name })] as string[] | undefined);
    return add || remove ? [{ field, add: add ?? [], remove: remove ?? [] }] : [];
  });
}

/** Returns the changed lists of a record as an input. Throws `rest_invalid_param` for an unknown record. */
export async function changedLists(changes: readonly ListChange[], before: Entry | undefined, names: Names): Promise<Input> {
  const input: Input = {};
  for (const { field, add, remove } of changes) {
    const { name, links, makesNew } = field;
    if (!before) throw new Failure('rest_forbidden', `${name}: you cannot read the current list, so you cannot change it`);
    const linked = embedded(before[name]);
    const itemsOf = async (text: string, { join }: Partial<LinkField>) =>
      (await names.resolve([{ ...field, makesNew: false, join }], { [name]: [text] }))[name] as unknown[];
    const removed = new Set<number>();
    for (const text of remove) {
      const match = linked.find((each) => isCalled(each, text, resources[links].label));
      for (const id of match ? [match.id] : await itemsOf(text, {})) removed.add(Number(wholeNumber(id)));
    }
    const added: unknown[] = [];
    for (const text of add) added.push(...(makesNew ? [text] : await itemsOf(text, field)));
    const remaining = linked.map(({ id }) => Number(id)).filter((id) => !removed.has(id));
    input[name] = [...remaining, ...added.filter((item) => !remaining.includes(wholeNumber(item) ?? -1))];
  }
  return input;
}

/** Returns whether a text is the ID, slug or name of a linked record. */
const isCalled = (record: Entry, text: string, label: string): boolean =>
  String(record.id) === text || record.slug === text || String(record[label]).toLowerCase() === text.toLowerCase();
