import { event } from '../../model/event.ts';
import type { Field } from '../../model/field.ts';
import { decoded } from '../../model/plain.ts';
import type { Entry } from '../../model/resource.ts';
import type { Day } from '../look/day.ts';
import { type Draft, draftOf } from './edit.ts';

/** The fields of the form, in its order. */
export const formFields: readonly Field[] = (
  [
    'title',
    'start_date',
    'end_date',
    'all_day',
    'timezone',
    'venue',
    'organizer',
    'categories',
    'tags',
    'cost',
    'website',
    'status',
    'description',
  ] as const
).map((name) => event.fields.find((field) => field.name === name)!);

/** An event being written. Nothing in here is lost by a failure. */
export interface Form {
  /** The event to change; undefined for a new one. */
  entry?: Entry;
  values: Record<string, Draft>;
  /** The texts it started with. */
  first: Record<string, string>;
  /** The field with the cursor. */
  at: number;
  /** Fields whose faults are shown: those that were left, and all once saving was tried. */
  visited: Record<string, true>;
  /** What the calendar said of fields when it refused them, until they change. */
  refused: Record<string, string>;
  saving: boolean;
  /** Whether it is asked if the changes may be dropped. */
  leaving: boolean;
  /** Why saving failed. */
  failure?: string;
}

/** How several linked records stand in one line. */
export const separator = ';';

const names = (value: unknown, key: string): string =>
  (Array.isArray(value) ? value : [value])
    .map((item) => (typeof item === 'object' && item !== null ? decoded(String((item as Record<string, unknown>)[key] ?? '')) : ''))
    .filter(Boolean)
    .join(key === 'name' ? ', ' : `${separator} `);

function textOf(entry: Entry, name: string): string {
  const value = entry[name];
  if (name === 'venue' || name === 'organizer') return names(value, name);
  if (name === 'categories' || name === 'tags') return names(value, 'name');
  if (name === 'all_day') return value === true ? 'yes' : 'no';
  if (name === 'website' && value === entry.url) return '';
  if (/_date$/.test(name)) return String(value ?? '').replace(/:00$/, '');
  return decoded(String(value ?? ''));
}

/** An empty form for an event on a day; without a zone it is in the calendar's own. */
export function newForm(day: Day, timezone = ''): Form {
  const first = Object.fromEntries(formFields.map(({ name }) => [name, '']));
  return formOf({ ...first, start_date: `${day} 09:00`, timezone, all_day: 'no', status: 'publish' });
}

/** A form that changes an event. */
export const formFor = (entry: Entry): Form => ({
  ...formOf(Object.fromEntries(formFields.map(({ name }) => [name, textOf(entry, name)]))),
  entry,
});

const formOf = (first: Record<string, string>): Form => ({
  first,
  values: Object.fromEntries(formFields.map(({ name }) => [name, draftOf(first[name]!)])),
  at: 0,
  visited: {},
  refused: {},
  saving: false,
  leaving: false,
});

/** Whether anything in the form is other than it was. */
export const isChanged = (form: Form): boolean => formFields.some(({ name }) => form.values[name]!.value !== form.first[name]);

/** The field with the cursor. */
export const current = (form: Form): Field => formFields[form.at]!;
