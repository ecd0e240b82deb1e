import type { Entry } from '../../../model/calendar.ts';
import type { Field } from '../../../model/fields/field.ts';
import { decodeEntities } from '../../../model/html/plain-text.ts';
import { resources } from '../../../model/resources/all.ts';
import { event } from '../../../model/resources/event.ts';
import { linkFields } from '../../../model/resources/relations.ts';
import { type DateTime, instantOf, utcOf } from '../../../model/time/datetime.ts';
import type { Day } from '../../days/day.ts';
import { type Display, today, wallNow } from '../../days/display.ts';
import { type TextInput, textInput } from '../text-input.ts';

const order = [
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
];

const links = linkFields('events');

/** Returns the field that links to posts, with the name of their label; undefined for any other field. */
export const postLink = (name: string): { label: string } | undefined => {
  const link = links.find((field) => field.name === name && resources[field.links].family === 'post');
  return link && { label: resources[link.links].label };
};

/** Returns whether a field links to terms. */
export const isTermLink = (name: string): boolean => links.some((field) => field.name === name && resources[field.links].family === 'term');

/** The fields of the form: those in its order, other links, and fields that the reference does not have. */
export const formFields: readonly Field[] = [
  ...order.map((name) => event.fields.find((field) => field.name === name)!),
  ...links.filter(({ name }) => !order.includes(name)),
  ...event.fields.filter((field) => field.unindexed && !field.writeOnly),
];

/** The state of the form. A failure to save loses nothing of it. */
export interface Form {
  /** The event to change; undefined for a new one. */
  entry?: Entry;
  values: Record<string, TextInput>;
  /** The initial texts by field. */
  initial: Record<string, string>;
  /** The index of the focused field. */
  focused: number;
  /** Fields whose faults are shown: those left once, and all after an attempt to save. */
  visited: Record<string, true>;
  /** Faults that the calendar found on saving, by field, until the field changes. */
  refused: Record<string, string>;
  saving: boolean;
  /** Whether the question about dropping changes is open. */
  leaving: boolean;
  /** Whether to make records that nobody may have meant, as a question for each, by its field; open until it is answered. */
  questions?: readonly [field: string, question: string][];
  /** Why saving failed. */
  failure?: string;
}

/** Separates the names of several linked records. */
export const separator = ';';

const names = (value: unknown, key: string): string =>
  (Array.isArray(value) ? value : [value])
    .map((item) => (typeof item === 'object' && item !== null ? decodeEntities(String((item as Record<string, unknown>)[key] ?? '')) : ''))
    .filter(Boolean)
    .join(key === 'name' ? ', ' : `${separator} `);

function textOf(entry: Entry, name: string): string {
  const value = entry[name];
  const post = postLink(name);
  if (post) return names(value, post.label);
  if (isTermLink(name)) return names(value, 'name');
  if (name === 'all_day') return value === true ? 'yes' : 'no';
  if (name === 'website' && value === entry.url) return '';
  if (/_date$/.test(name)) return String(value ?? '').replace(/:00$/, '');
  return decodeEntities(String(value ?? ''));
}

/** A form for a new event on a day: at nine, or today at the next full hour. An empty zone is the calendar's own. */
export function newForm(day: Day, display: Display): Form {
  const first = Object.fromEntries(formFields.map(({ name }) => [name, '']));
  const start = day === today(display) ? nextHour(wallNow(display)) : `${day} 09:00`;
  return formOf({ ...first, start_date: start, timezone: display.tz ?? '', all_day: 'no', status: 'publish' });
}

const nextHour = (wall: DateTime): string => utcOf(instantOf(`${wall.slice(0, -6)}:00:00`) + 3_600_000).slice(0, -3);

/** A form for an existing event. */
export const formFor = (entry: Entry): Form => ({
  ...formOf(Object.fromEntries(formFields.map(({ name }) => [name, textOf(entry, name)]))),
  entry,
});

const formOf = (initial: Record<string, string>): Form => ({
  initial,
  values: Object.fromEntries(formFields.map(({ name }) => [name, textInput(initial[name]!)])),
  focused: 0,
  visited: {},
  refused: {},
  saving: false,
  leaving: false,
});

/** Whether any field differs from its initial text. */
export const isChanged = (form: Form): boolean => formFields.some(({ name }) => form.values[name]!.value !== form.initial[name]);

/** Whether a field of a new event has what it has unless somebody says otherwise: typing takes its place. */
export function isDefault({ entry, values, initial }: Form, { name }: Field): boolean {
  const { value, cursor } = values[name]!;
  return !entry && value !== '' && value === initial[name] && cursor === textInput(value).cursor;
}

/** The focused field. */
export const current = (form: Form): Field => formFields[form.focused]!;
