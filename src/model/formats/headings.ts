import type { Resource } from '../calendar.ts';
import { closestWords } from '../did-you-mean.ts';
import { foreignHeadings } from './foreign-headings.ts';

/** The meaning of a heading. */
export interface HeadingMeaning {
  /** A field, or one of the {@link extraColumns}; undefined for an ignored column. `day` is the start of an event, unless another column is. */
  name?: string;
  /** Set if its cells are appended to another column of the same field, with this text between: a time to a date. */
  joinedBy?: string;
}

/** Columns of events that are not fields. */
const extraColumns = ['duration', 'duration_minutes', 'private'];

/** The form of headings in which they are compared: lowercase words without accents, joined by `_`. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');

/** Columns that are not fields. */
const besides = ({ family }: Resource) => ['id', 'slug', ...(family === 'post' ? ['uid'] : [])];

/** Returns the headings of a resource's table: ID, slug and UID, then its fields in order. */
export const headingsOf = (resource: Resource): string[] => [
  ...new Set([...besides(resource), ...resource.fields.map((field) => field.name)]),
];

/** Returns the columns of known headings in their plain form. */
function columnsOf(resource: Resource): Map<string, HeadingMeaning> {
  const { name } = resource;
  const columns = new Map<string, HeadingMeaning>();
  const add = (heading: string, column: HeadingMeaning) => {
    if (!columns.has(heading)) columns.set(heading, column);
  };
  const day = foreignHeadings[name]?.day?.split('|') ?? [];
  for (const heading of day) add(plain(heading), { name: 'day' });
  for (const field of [...headingsOf(resource), ...(name === 'events' ? extraColumns : [])]) add(field, { name: field });
  for (const [field, headings] of Object.entries(foreignHeadings[name] ?? {})) {
    const joinedBy = { '+': ' ', '&': ', ' }[field.at(-1) ?? ''];
    const column = { name: field.replace(/[+&]$/, '') || undefined, ...(joinedBy ? { joinedBy } : {}) };
    for (const heading of headings.split('|')) add(plain(heading), column);
  }
  return columns;
}

/** The program that wrote a table, where its headings tell. */
export type TableOrigin = 'export' | 'google' | 'outlook';

const google = ['subject', 'start_date', 'start_time', 'end_date', 'end_time', 'all_day_event', 'description', 'location', 'private'];

/** Returns the program whose headings a table has. */
export function originOf(headings: readonly string[]): TableOrigin | undefined {
  const names = headings.map(plain);
  const has = (name: string) => names.includes(name);
  if (has('id') && has('uid')) return 'export';
  if (has('subject') && (has('show_time_as') || has('reminder_on_off'))) return 'outlook';
  return has('subject') && has('start_date') && names.every((name) => google.includes(name)) ? 'google' : undefined;
}

/** Recognizes the headings of a resource's table. */
export class Headings {
  readonly #columns: ReadonlyMap<string, HeadingMeaning>;
  readonly #prefix: RegExp;

  constructor(private readonly resource: Resource) {
    this.#columns = columnsOf(resource);
    this.#prefix = new RegExp(`^${resource.name.replace(/s$/, '')}_`);
  }

  /** Returns the column of a heading; undefined for an unknown heading. */
  find(heading: string): HeadingMeaning | undefined {
    const whole = plain(heading);
    return this.#columns.get(whole) ?? this.#columns.get(whole.replace(this.#prefix, ''));
  }

  /** Returns the field that an unknown heading most likely means. */
  guess(heading: string): string | undefined {
    // Short words are close to too many others.
    const isLong = ({ length }: string) => length > 3;
    const [first] = isLong(plain(heading)) ? closestWords(plain(heading), [...this.#columns.keys()].filter(isLong)) : [];
    const name = first === undefined ? undefined : this.#columns.get(first)!.name;
    return name === 'day' ? 'start_date' : name;
  }

  /** The fields and other columns that a heading can be mapped to. */
  get names(): string[] {
    return [...headingsOf(this.resource), ...(this.resource.name === 'events' ? extraColumns : [])];
  }
}
