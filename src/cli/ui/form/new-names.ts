import { type Calendar, type ResourceName, resourceNames } from '../../../model/calendar.ts';
import { closestWords } from '../../../model/did-you-mean.ts';
import { decodeEntities } from '../../../model/html/plain-text.ts';
import { resources } from '../../../model/resources/all.ts';
import { type Form, formFields, separator } from './form.ts';
import { partsOf } from './validate.ts';

/** A record that a form names, and that is made where there is none of that name. */
export interface NamedRecord {
  field: string;
  resource: ResourceName;
  name: string;
}

/** The records that somebody named in a form, but for those that stood there before and those named by ID. */
export function namedIn(form: Form): NamedRecord[] {
  return formFields.flatMap(({ name: field, control, links }) => {
    const resource = resourceNames.find((known) => known === links);
    if (!resource || (control !== 'records' && control !== 'terms')) return [];
    const mark = control === 'records' ? separator : ',';
    const before = partsOf(form.initial[field]!, mark);
    return partsOf(form.values[field]!.value, mark)
      .filter((name) => !before.includes(name) && !/^#?\d+$/.test(name))
      .map((name) => ({ field, resource, name }));
  });
}

/** What has to be asked before records are made that nobody may have meant: a question for each that there is not yet, by its field. */
export async function questionsFor(calendar: Calendar, named: readonly NamedRecord[]): Promise<[field: string, question: string][]> {
  const found = await Promise.all(named.map((each) => questionFor(calendar, each)));
  return found.flatMap((question, at) => (question === undefined ? [] : [[named[at]!.field, question]]));
}

async function questionFor(calendar: Calendar, { resource, name }: NamedRecord): Promise<string | undefined> {
  const { label, kind } = resources[resource];
  const more = resources[resource].family === 'term' ? { hide_empty: 'false' } : {};
  const known: string[] = [];
  for (const query of [{ search: name }, {}]) {
    const { entries } = await calendar[resource].list({ ...more, ...query, per_page: '50' });
    for (const entry of entries) {
      if (entry.slug === name) return undefined;
      known.push(decodeEntities(String(entry[label])));
    }
    if (known.some((each) => each.toLowerCase() === name.toLowerCase())) return undefined;
  }
  const [close] = closestWords(name, known);
  return `There is no ${kind} “${name}” yet${close === undefined ? '' : `, but “${close}”`}. Make it?`;
}
