import type { Asking } from '../../model/asking.ts';
import type { Field } from '../../model/field.ts';
import type { Input } from '../../model/resource.ts';
import { type DateTime, instantOf, isZone, readDate, utcOf } from '../../model/time.ts';
import { dateText } from '../../model/value.ts';
import { owner } from '../../model/viewer.ts';
import type { Look } from '../look/look.ts';
import { type Form, formFields, separator } from './form.ts';

/** Circumstances in which only what a text says of itself is checked: whether records exist, the calendar knows when it is saved. */
function askingFor(form: Form, look: Look): Asking {
  const store = { hasUser: () => true, hasImage: () => true, hasPost: () => true, findTerm: () => 1 };
  return { viewer: owner, now: look.now, zone: zoneOf(form, look), perPage: 10, radius: 1, extensions: [], store } as unknown as Asking;
}

const entered = (form: Form, name: string): string => form.values[name]!.value.trim();

function zoneOf(form: Form, look: Look): string {
  const named = entered(form, 'timezone');
  return named && isZone(named) ? named : look.here;
}

/** The moment that the start or the end of a form means: an end counts from the start, and is an hour later where it is empty. */
export function momentOf(form: Form, name: 'start_date' | 'end_date', look: Look): DateTime | undefined {
  const text = entered(form, name);
  const zone = zoneOf(form, look);
  if (name === 'start_date') return text ? readDate(dateText(text), look.now, zone)?.wall : undefined;
  const start = momentOf(form, 'start_date', look);
  if (!text) return start && (isAllDay(form) ? start : utcOf(instantOf(start) + 3_600_000));
  return readDate(dateText(text), start ? readDate(start, look.now, zone)!.instant : look.now, zone)?.wall;
}

const isAllDay = (form: Form): boolean => form.values.all_day!.value === 'yes';

/** The value of a field as the calendar takes it. */
export function inputOf(form: Form, name: string, look: Look): unknown {
  const text = entered(form, name);
  if (name === 'start_date' || name === 'end_date') return momentOf(form, name, look) ?? text;
  if (name === 'all_day') return text === 'yes';
  if (name === 'categories' || name === 'tags') return partsOf(text, ',');
  if (name === 'venue' || name === 'organizer') return partsOf(text, separator).map((each) => linkedAs(form, name, each));
  return name === 'description' ? form.values[name]!.value : text;
}

const partsOf = (text: string, mark: string): string[] =>
  text
    .split(mark)
    .map((part) => part.trim())
    .filter(Boolean);

/** A linked record by its ID where the event has it already or digits say so; else by its name, which makes it where it is not known. */
function linkedAs(form: Form, kind: 'venue' | 'organizer', name: string): Input {
  const before = form.entry?.[kind];
  const linked = (Array.isArray(before) ? before : [before]) as Record<string, unknown>[];
  const first = partsOf(form.first[kind]!, separator).indexOf(name);
  if (first >= 0 && linked[first]?.id !== undefined) return { id: linked[first].id };
  return /^#?\d+$/.test(name) ? { id: Number(name.replace('#', '')) } : { [kind]: name };
}

/** What is wrong with a field of a form, by the definitions of the model. */
export function faultOf(form: Form, field: Field, look: Look): string | undefined {
  const { name } = field;
  const text = entered(form, name);
  const changed = form.values[name]!.value !== form.first[name];
  if (form.entry && !changed) return undefined;
  if (text === '' && field.required) return name === 'end_date' ? undefined : 'is needed';
  if (text === '' && !form.entry) return undefined;
  const fault = field.check(name === 'end_date' || name === 'start_date' ? text : inputOf(form, name, look), askingFor(form, look));
  if (fault) return fault;
  if (name !== 'end_date') return undefined;
  const [start, end] = [momentOf(form, 'start_date', look), momentOf(form, name, look)];
  return start && end && instantOf(end) < instantOf(start) && !(isAllDay(form) && end.slice(0, 10) === start.slice(0, 10))
    ? 'ends before it starts'
    : undefined;
}

/** All that is wrong with a form, by field. */
export function faultsOf(form: Form, look: Look): Record<string, string> {
  const found = formFields.map((field) => [field.name, form.refused[field.name] ?? faultOf(form, field, look)] as const);
  return Object.fromEntries(found.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

/** What to send: of a new event all that is filled in, of a known one what has changed. */
export function changesOf(form: Form, look: Look): Input {
  const changed = formFields.filter(({ name }) => {
    if (form.entry) return form.values[name]!.value !== form.first[name];
    return entered(form, name) !== '' || name === 'end_date';
  });
  return Object.fromEntries(changed.map(({ name }) => [name, inputOf(form, name, look)]));
}
