import type { Option } from 'commander';
import type { Entry, Input, Resource } from '../../model/calendar.ts';
import { wholeNumber } from '../../model/coerce.ts';
import { Failure } from '../../model/error.ts';
import type { Field } from '../../model/fields/field.ts';
import { embedded } from '../../model/fields/link.ts';
import { resources } from '../../model/resources/all.ts';
import { type LinkField, linkFields } from '../../model/resources/relations.ts';
import { attributeOf, optionsOf } from '../options.ts';
import type { Names } from './names.ts';

/** What is added to a list of linked records, and what is taken off. */
export interface ListChange {
  field: LinkField;
  add: string[];
  remove: string[];
}

const lists = ({ name }: Resource): LinkField[] => linkFields(name);

const named = ({ name }: Field) => ({ add: `add_${name}`, remove: `remove_${name}` });

/** The options that add to lists of linked records and take off: `--add-tags`, `--remove-organizer`. */
export const listOptions = (resource: Resource): Option[] =>
  lists(resource).flatMap((field) => {
    const { add, remove } = named(field);
    const options = optionsOf(
      [
        { ...field, name: add, about: `to add to its ${field.links}` },
        { ...field, name: remove, about: `to take off its ${field.links}`, makesNew: false },
      ],
      () => 'Lists:',
    );
    return options.map((option) => option.conflicts(attributeOf(field)));
  });

/** What the options of {@link listOptions} ask for. */
export function listChanges(resource: Resource, options: Record<string, unknown>): ListChange[] {
  return lists(resource).flatMap((field) => {
    const [add, remove] = Object.values(named(field)).map((name) => options[attributeOf({ name })] as string[] | undefined);
    return add || remove ? [{ field, add: add ?? [], remove: remove ?? [] }] : [];
  });
}

/** The lists of a record after changes, as an input. Fails with `rest_invalid_param` for what is not known. */
export async function changedLists(changes: readonly ListChange[], before: Entry | undefined, names: Names): Promise<Input> {
  const input: Input = {};
  for (const { field, add, remove } of changes) {
    const { name, links, makesNew } = field;
    if (!before) throw new Failure('rest_forbidden', `${name}: what it has now cannot be read, so nothing can be added or taken off`);
    const linked = embedded(before[name]);
    const idOf = async (text: string) => (await names.resolve([{ ...field, makesNew: false }], { [name]: [text] }))[name] as unknown[];
    const gone = new Set<number>();
    for (const text of remove) {
      const here = linked.find((each) => isCalled(each, text, resources[links].label));
      for (const id of here ? [here.id] : await idOf(text)) gone.add(Number(wholeNumber(id)));
    }
    const added = (await Promise.all(add.map(async (text) => (makesNew ? [text] : idOf(text))))).flat();
    const kept = linked.map(({ id }) => Number(id)).filter((id) => !gone.has(id));
    input[name] = [...kept, ...added.filter((item) => !kept.includes(wholeNumber(item) ?? -1))];
  }
  return input;
}

/** Whether a linked record is the one that a text names. */
const isCalled = (record: Entry, text: string, label: string): boolean =>
  String(record.id) === text || record.slug === text || String(record[label]).toLowerCase() === text.toLowerCase();
