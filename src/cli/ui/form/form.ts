import type { Entry } from '../../../model/calendar.ts';
import type { Field } from '../../../model/fields/field.ts';
import { rawText } from '../../../model/formats/remote-record.ts';
import { decodeEntities } from '../../../model/html/plain-text.ts';
import { resources } from '../../../model/resources/all.ts';
import { event } from '../../../model/resources/event.ts';
import { linkFields } from '../../../model/resources/relations.ts';
import { type DateTime, instantOf, utcOf } from '../../../model/time/datetime.ts';
import type { Day } from '../../../model/time/days.ts';
import { type Display, today, wallNow } from '../../days/display.ts';
import { type TextInput, textInput } from '../text-input.ts';

/** The main fields but the image, which a terminal cannot show. */
const order = event.mainFields.filter((name) => name !== 'image');

const links = linkFields('events');

/** The field that links to posts, with the name of their label; undefined for any other field. */
export const postLink = (name: string): { label: string } | undefined => {
  const link = links.find((field) => field.name === name && resources[field.links].family === 'post');
  return link && { label: resources[link.links].label };
};

export const isTermLink = (name: string): boolean => links.some((field) => field.name === name && resources[field.links].family === 'term');

/** The fields of the form: those in `order`, other links, and fields that the reference doesn't have. */
export const formFields: readonly Field[] = [
  ...order.map((name) => event.fields.find((field) => field.name === name)!),
  ...links.filter(({ name }) => !order.includes(name)),
  ...event.fields.filter((field) => field.unindexed && !field.shown.writeOnly),
];

/** The state of the form. It is kept if saving fails. */
export interface Form {
  /** The event to change; undefined for a new one. */
  entry?: Entry;
  values: Record<string, TextInput>;
  /** The initial texts by field. */
  initial: Record<string, string>;
  /** The index of the focused field. */
  focused: number;
  /** Fields whose errors are shown: those visited, and all after an attempt to save. */
  visited: Record<string, true>;
  /** Errors that the calendar returned on saving, by field, until the field changes. */
  rejected: Record<string, string>;
  saving: boolean;
  /** True while the prompt to discard changes is open. */
  leaving: boolean;
  /** Prompts before unknown records are created, by field. */
  questions?: readonly [field: string, question: string][];
  /** Message of a failed save. */
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
  return rawText(entry, name) ?? decodeEntities(String(value ?? ''));
}

/** A form for a new event on a day: at 9:00, or today at the next full hour. An empty time zone is the calendar's. */
export function newForm(day: Day, display: Display): Form {
  const first = Object.fromEntries(formFields.map(({ name }) => [name, '']));
  const start = day === today(display) ? nextHour(wallNow(display)) : `${day} 09:00`;
  return formOf({ ...first, start_date: start, timezone: display.tz ?? '', all_day: 'no', status: 'publish' });
}

const nextHour = (wall: DateTime): string => utcOf(instantOf(`${wall.slice(0, -6)}:00:00`) + 3_600_000).slice(0, -3);

export const formFor = (entry: Entry): Form => ({
  ...formOf(Object.fromEntries(formFields.map(({ name }) => [name, textOf(entry, name)]))),
  entry,
});

const formOf = (initial: Record<string, string>): Form => ({
  initial,
  values: Object.fromEntries(formFields.map(({ name }) => [name, textInput(initial[name]!)])),
  focused: 0,
  visited: {},
  rejected: {},
  saving: false,
  leaving: false,
});

export const isChanged = (form: Form): boolean => formFields.some(({ name }) => form.values[name]!.value !== form.initial[name]);

/** True if a field contains its default value, which typing replaces. */
export function isDefault({ entry, values, initial }: Form, { name }: Field): boolean {
  const { value, cursor } = values[name]!;
  return !entry && value !== '' && value === initial[name] && cursor === textInput(value).cursor;
}

export const focusedField = (form: Form): Field => formFields[form.focused]!;
