import { idNamed, similarRecords } from '../../../data/record-names.ts';
import { type Calendar, type Resource, type ResourceName, resourceNames } from '../../../model/calendar.ts';
import { Failure } from '../../../model/error.ts';
import { decodeEntities } from '../../../model/html/plain-text.ts';
import { resources } from '../../../model/resources/all.ts';
import { type Form, formFields, separator } from './form.ts';
import { splitList } from './validate.ts';

/** A linked record that a form names. It is created if it doesn't exist. */
export interface NamedRecord {
  field: string;
  resource: ResourceName;
  name: string;
}

export function namedIn(form: Form): NamedRecord[] {
  return formFields.flatMap(({ name: field, control, links }) => {
    const resource = resourceNames.find((candidate) => candidate === links);
    if (!resource || (control !== 'records' && control !== 'terms')) return [];
    const mark = control === 'records' ? separator : ',';
    const before = splitList(form.initial[field]!, mark);
    return splitList(form.values[field]!.value, mark)
      .filter((name) => !before.includes(name) && !/^#?\d+$/.test(name))
      .map((name) => ({ field, resource, name }));
  });
}

/** A prompt for each named record that doesn't exist, with its field. */
export async function questionsFor(calendar: Calendar, records: readonly NamedRecord[]): Promise<[field: string, question: string][]> {
  const questions = await Promise.all(records.map((each) => questionFor(calendar, each)));
  return questions.flatMap((question, at) => (question === undefined ? [] : [[records[at]!.field, question]]));
}

async function questionFor(calendar: Calendar, { resource: to, name }: NamedRecord): Promise<string | undefined> {
  const resource: Resource = resources[to];
  const id = await idNamed(name, resource, calendar[to]).catch((error) => {
    if (!(error instanceof Failure) || error.code !== 'bad-request') throw error;
    // Several records have the name, or there are too many to find that out.
    return error.data.count === undefined ? undefined : 0;
  });
  if (id !== undefined) return undefined;
  const [close] = await similarRecords(name, resource, calendar[to]);
  const exists = close ? ` “${decodeEntities(String(close[resource.label]))}” exists.` : '';
  return `Create ${resource.kind} “${name}”?${exists}`;
}
