import { unrenderContent, unrenderExcerpt, unrenderTitle } from '../../../model/html/unrender.ts';
import type { FieldDefinition, FormDefinition } from '../../definition.ts';
import { definitions } from '../definitions.ts';
import { plain } from '../markup.ts';
import type { Option } from '../picker.tsx';
import type { Post } from '../record.ts';

/** What a control holds: a text, a switch, or what was chosen. */
export type FormValue = string | boolean | Option[];
export type FormValues = Record<string, FormValue>;

/** Marks a choice of something that is yet to be made; its name follows. */
export const isNew = (value: string): boolean => value.startsWith('new:');

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : value ? [value] : []);

/** Returns linked records as options: posts by ID, terms by slug. */
function optionsOf({ links }: FieldDefinition, value: unknown): Option[] {
  const { label, isPost } = definitions[links!];
  return (list(value) as Post[]).map((linked) => ({ value: String(isPost ? linked.id : linked.slug), label: plain(linked[label]) }));
}

/** What a field's control holds for a record: what to send so that the record stays as it is. */
function heldValue(field: FieldDefinition, label: string, record: Post): FormValue {
  const { name, control } = field;
  const value = record[name];
  if (control === 'records' || control === 'terms') return optionsOf(field, value);
  if (control === 'switch' || control === 'word switch') return value === true || value === 'true';
  if (control === 'date') return String(value ?? '').slice(0, 16);
  if (name === label) return unrenderTitle(String(value ?? ''));
  if (name === 'description') return unrenderContent(String(value ?? ''));
  if (name === 'excerpt') return unrenderExcerpt(String(value ?? ''));
  if (name === 'image') return record.image ? record.image.url : '';
  if (name === 'website' && value === record.url) return '';
  return plain(value);
}

/** What the form of a new record holds. */
const emptyOf = ({ name, control }: FieldDefinition): FormValue => {
  if (control === 'records' || control === 'terms') return [];
  if (control === 'word switch') return true;
  return control === 'switch' ? false : name === 'status' ? 'publish' : '';
};

/** What a form begins with: the values of a record, or those of a new one. */
export const valuesOf = ({ label, fields }: FormDefinition, record?: Post): FormValues =>
  Object.fromEntries(fields.map((field) => [field.name, record ? heldValue(field, label, record) : emptyOf(field)]));

/** What was chosen, as the API takes it: IDs and slugs, or what a new one is called. */
const chosen = ({ links }: FieldDefinition, options: readonly Option[]): unknown[] => {
  const target = definitions[links!];
  return options.map(({ value, label }) => {
    if (target.isPost) return isNew(value) ? { [target.label]: label } : Number(value);
    return isNew(value) ? label : value;
  });
};

/** What to send: the fields that hold something else than they began with. */
export function changesOf({ fields }: FormDefinition, values: FormValues, first: FormValues): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const field of fields) {
    const { name } = field;
    const value = values[name]!;
    if (equal(value, first[name]!)) continue;
    changes[name] = Array.isArray(value) ? chosen(field, value) : value;
  }
  return changes;
}

const equal = (one: FormValue, other: FormValue): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What was changed elsewhere while a form was open: where nobody wrote here, and where both did. */
export function changedMeanwhile(values: FormValues, first: FormValues, now: FormValues): { untouched: FormValues; crossed: FormValues } {
  const changed = Object.keys(now).filter((name) => !equal(now[name]!, first[name]!));
  const pick = (names: string[]) => Object.fromEntries(names.map((name) => [name, now[name]!]));
  return {
    untouched: pick(changed.filter((name) => equal(values[name]!, first[name]!))),
    crossed: pick(changed.filter((name) => !equal(values[name]!, first[name]!) && !equal(values[name]!, now[name]!))),
  };
}

/** What a control holds, to be read. */
export const textOf = (value: FormValue): string =>
  Array.isArray(value)
    ? value.map(({ label }) => label).join(', ') || 'nothing'
    : value === true
      ? 'yes'
      : value === false
        ? 'no'
        : value || 'nothing';
