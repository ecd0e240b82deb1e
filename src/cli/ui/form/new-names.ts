import { type Calendar, type ResourceName, resourceNames } from '../../../model/calendar.ts';
import { closestWords } from '../../../model/did-you-mean.ts';
import { maxPerPage } from '../../../model/fields/list.ts';
import { decodeEntities, htmlNameKey } from '../../../model/html/plain-text.ts';
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

async function questionFor(calendar: Calendar, { resource, name }: NamedRecord): Promise<string | undefined> {
  const { label, kind } = resources[resource];
  const more = resources[resource].family === 'term' ? { hide_empty: 'false' } : {};
  const names: string[] = [];
  for (const query of [{ search: name }, {}]) {
    const { entries } = await calendar[resource].list({ ...more, ...query, per_page: String(maxPerPage) });
    for (const entry of entries) {
      if (entry.slug === name) return undefined;
      names.push(decodeEntities(String(entry[label])));
    }
    if (names.some((each) => htmlNameKey(each) === htmlNameKey(name))) return undefined;
  }
  const [close] = closestWords(name, names);
  return `Create ${kind} “${name}”?${close === undefined ? '' : ` “${close}” exists.`}`;
}
