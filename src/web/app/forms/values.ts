import type { ResourceName } from '../../../model/calendar.ts';
import { typedCost } from '../../../model/fields/typed-cost.ts';
import { capitalized } from '../../../model/grammar.ts';
import { isPoster } from '../../../model/images/poster-image.ts';
import { pageRecordsPath } from '../../../model/web-page.ts';
import { type FieldDefinition, type FormDefinition, labels } from '../../definitions.ts';
import { textOfHtml } from '../parts/html.tsx';
import type { Option } from '../parts/picker.tsx';
import type { Post } from '../record.ts';
import { ApiError, fetchJson } from '../server/api.ts';
import { authorization } from '../server/session.ts';

/** The value of a control: text, a switch, or selected options. */
export type FormValue = string | boolean | Option[];
export type FormValues = Record<string, FormValue>;

/** True if the value of an option stands for a new record. Its name follows the prefix. */
const isNew = (value: string): boolean => value.startsWith('new:');

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value ? [value] : []);

/** Converts linked records to options. The value is the ID of a post or the slug of a term, which is sent; digits would be an ID. */
function toOptions({ links }: FieldDefinition, value: unknown): Option[] {
  const { label, isPost } = labels[links!];
  return (toList(value) as Post[]).map((linked) => ({
    value: String(isPost || /^\d+$/.test(String(linked.slug)) ? linked.id : linked.slug),
    label: textOfHtml(linked[label]),
  }));
}

/** Converts the ID of a record to an option, whose control shows the name. */
const toReference = (id: unknown): Option[] => (Number(id) ? [{ value: String(id), label: String(id) }] : []);

/** Converts a field of a record of {@link loadTyped} to the value of its control. Sending this value wouldn't change the record. */
function toFormValue(field: FieldDefinition, record: Post): FormValue {
  const { name, control } = field;
  const value = record[name];
  if (control === 'record') return toReference(value);
  if (control === 'records' || control === 'terms') return toOptions(field, value);
  if (control === 'switch' || control === 'word switch') return value === true || value === 'true';
  if (control === 'date') return String(value ?? '').slice(0, 16);
  if (name === 'image') return record.image && !isPoster(record.image) ? record.image.url : '';
  return String(value ?? '');
}

/** Loads a record with its texts as they are typed. */
export const loadTyped = async (resource: ResourceName, id: number | string, signal?: AbortSignal): Promise<Post> =>
  (await fetchJson<Post>('GET', `${pageRecordsPath}/${resource}/${id}`, { signal, authorization: authorization() })).value;

/** The initial value of a field in the form of a new record. */
const defaultOf = ({ name, control }: FieldDefinition): FormValue => {
  if (/^(records?|terms)$/.test(control)) return [];
  if (control === 'word switch') return true;
  return control === 'switch' ? false : name === 'status' ? 'publish' : '';
};

export const initialValues = (definition: FormDefinition, record?: Post): FormValues =>
  Object.fromEntries(definition.fields.map((field) => [field.name, record ? toFormValue(field, record) : defaultOf(field)]));

/** Converts selected options to the API's format: IDs and slugs, or the name of a new record; 0 for no record. */
const toLinks = ({ links, control }: FieldDefinition, options: readonly Option[]): unknown => {
  if (control === 'record') return Number(options[0]?.value ?? 0);
  const target = labels[links!];
  return options.map(({ value, label }) => {
    if (target.isPost) return isNew(value) ? { [target.label]: label } : Number(value);
    return isNew(value) ? label : value;
  });
};

/** The fields to send: those whose value differs from the initial one. */
export function changedFields({ fields }: FormDefinition, values: FormValues, initial: FormValues): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const field of fields) {
    const { name } = field;
    const value = values[name]!;
    if (isEqual(value, initial[name]!)) continue;
    changes[name] = Array.isArray(value) ? toLinks(field, value) : value;
  }
  return changes;
}

/** Fields to send with the values that typed texts stand for. Throws an ApiError for one that would not be stored as it was meant. */
export function typedFields({ fields }: Pick<FormDefinition, 'fields'>, changes: Record<string, unknown>): Record<string, unknown> {
  const body = { ...changes };
  for (const { name, control } of fields) {
    if (control !== 'cost' || typeof changes[name] !== 'string') continue;
    const { list, reason } = typedCost(changes[name]);
    if (reason) throw new ApiError(0, 'bad-request', `The cost ${reason}.`, { [name]: reason });
    body[name] = list;
  }
  return body;
}

const isEqual = (one: FormValue, other: FormValue): boolean => JSON.stringify(one) === JSON.stringify(other);

export const isEqualForm = (one: FormValues, other: FormValues): boolean =>
  Object.keys(one).every((name) => isEqual(one[name]!, other[name]!));

const fieldLabels: Record<string, string> = {
  start_date: 'Starts',
  end_date: 'Ends',
  all_day: 'All day',
  timezone: 'Time zone',
  organizer: 'Organizers',
  zip: 'Postal code',
  date: 'Published',
  date_utc: 'Published (UTC)',
  stateprovince: 'State or province',
  geo_lat: 'Latitude',
  geo_lng: 'Longitude',
  post_password: 'Password',
  post_parent: 'Parent event',
  parent: 'Parent category',
};

export const controlLabel = (name: string, label: string) =>
  name === label ? (name === 'title' ? 'Title' : 'Name') : (fieldLabels[name] ?? capitalized(name).replaceAll('_', ' '));
