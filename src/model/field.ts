import type { Asking, PostKind, TermKind } from './asking.ts';
import { readCost } from './cost.ts';
import { cleanHtml, cleanText, cleanTitle } from './html.ts';
import { slugOf } from './slug.ts';
import { isZone, readInstant } from './time.ts';
import { dateText, degreesOf, isImageUrl, isTruthy, said, termsOf, wholeNumber } from './value.ts';
import { mayUpload, mayUseAnyHtml } from './viewer.ts';

/** What a column of the store can hold. */
export type SqlValue = string | number | null;

/** How the namespace index and the document describe a parameter. */
export interface Wire {
  type?: 'string' | 'integer' | 'boolean';
  items?: { type: 'integer' };
  format?: string;
  default?: unknown;
}

/** The column a field is stored in; a column is never null unless it says so. */
export interface Column {
  type: 'TEXT' | 'INTEGER' | 'REAL';
  default?: string | number;
  references?: string;
}

/** One named value of a record: it checks itself, says how it is stored and how it is explained. */
export interface Field {
  name: string;
  /** One phrase for help and documents. */
  about: string;
  wire: Wire;
  /** Whether a record cannot be created without it. */
  required?: boolean;
  /** Goes beyond the specification: the namespace index does not list it. */
  beyond?: boolean;
  /** What is wrong with a value, as a half sentence; undefined when nothing is. Runs before the wire's type check. */
  check(value: unknown, asking: Asking): string | undefined;
  column?: Column;
  /** What is stored of a value that passed both checks. */
  stored?(value: unknown, asking: Asking): SqlValue;
  /** Takes several values: its flag repeats, and commas separate. */
  many?: boolean;
  /** What its flag shows in help in place of a value; absent for switches. */
  placeholder?: string;
  /** Values to choose from. */
  choices?: readonly string[];
}
type Kind = Omit<Field, 'name'>;

/** Names kinds of field by the keys they stand under. */
export const fields = (kinds: Record<string, Kind>): Field[] => Object.entries(kinds).map(([name, kind]) => ({ name, ...kind }));

/** What the wire's own type check says of a value: a half sentence, or undefined. */
export function wireFault({ type }: Wire, value: unknown): string | undefined {
  switch (type) {
    case 'string':
      return textFault(value);
    case 'integer': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return Number.isSafeInteger(number) ? undefined : 'must be a whole number';
    }
    case 'boolean':
      return isSwitch(value) ? undefined : 'must be true or false';
  }
}

const isSwitch = (value: unknown) =>
  typeof value === 'string' ? /^(true|false|1|0)$/i.test(value) : [true, false, 1, 0].some((known) => known === value);

const textFault = (value: unknown) => (typeof value === 'string' ? undefined : 'must be text');
const emptyFault = (value: unknown) => textFault(value) ?? (value === '' || value === '0' ? 'must not be empty' : undefined);
const anything = () => undefined;

const text = (value: unknown) => String(value ?? '');
const plain = (about: string, column: Column = { type: 'TEXT', default: '' }) => ({ about, column, placeholder: 'text' });

/** A text that may not be empty once it is given, kept as HTML. */
export const html = (about: string, more: Partial<Kind> = {}): Kind => ({
  ...plain(about),
  wire: { type: 'string' },
  check: emptyFault,
  stored: (value, asking) => cleanHtml(text(value), mayUseAnyHtml(asking.viewer)),
  ...more,
});

/** What a record is called: never empty, with the little markup that titles may have. */
export const title = (about: string, more: Partial<Kind> = {}): Kind =>
  html(about, {
    check: (value) => (typeof value === 'string' && value.trim() === '' ? 'must not be empty' : emptyFault(value)),
    stored: (value, asking) => cleanTitle(text(value), mayUseAnyHtml(asking.viewer)),
    ...more,
  });

/** A text that may be empty, kept as HTML. */
export const prose = (about: string, more: Partial<Kind> = {}): Kind => html(about, { check: textFault, ...more });

/** A text without markup; empty clears it. */
export const line = (about: string, more: Partial<Kind> = {}): Kind => ({
  ...plain(about),
  wire: { type: 'string' },
  check: textFault,
  stored: (value) => cleanText(text(value)),
  ...more,
});

/** A text kept as it was sent; empty clears it. */
export const secret = (about: string): Kind => ({
  ...plain(about),
  wire: { type: 'string' },
  beyond: true,
  check: textFault,
  stored: text,
});

/** The last part of an address, made from any text. */
export const slug = (about: string): Kind => ({
  ...plain(about),
  placeholder: 'slug',
  wire: { type: 'string' },
  check: emptyFault,
  stored: (value) => slugOf(text(value)),
});

const switchColumn = { type: 'INTEGER', default: 0 } as const;
/** A switch: true, false, 1 or 0, or these words as text. */
export const flag = (about: string, more: Partial<Kind> = {}): Kind => ({
  about,
  wire: { type: 'boolean' },
  check: anything,
  column: switchColumn,
  stored: (value) => (isTruthy(value) ? 1 : 0),
  ...more,
});

/** A switch that this wire declares as text; a word that is not a yes is a no. */
export const wordFlag = (about: string): Kind => ({
  about,
  wire: { type: 'string', default: null },
  check: anything,
  column: { type: 'INTEGER', default: 1 },
  stored: (value) => (isTruthy(value) ? 1 : 0),
});

/** A moment in any form `strtotime` reads, given as text. */
export const date = (about: string, more: Partial<Kind> = {}): Kind => ({
  about,
  placeholder: 'date',
  wire: { type: 'string' },
  check: dateFault,
  ...more,
});

const yearTenThousand = Date.UTC(10_000, 0);

/** Why a value cannot be read as a date: `2027-03-01 10:00`, `next monday 9am`, a Unix timestamp… (PHP's strtotime). */
export function dateFault(value: unknown, asking: Asking): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return 'must be a date, as text';
  const date =
    isZone(text(value).trim()) || /^\s*[a-z]\s*$/i.test(text(value)) ? undefined : readInstant(dateText(value), asking.now, 'UTC');
  // The reference takes the first second of 1970 for no date; texts of five-digit years do not sort by time.
  return date && date.instant !== 0 && date.instant < yearTenThousand ? undefined : `is not a date that can be read: ${said(value)}`;
}

/** A time zone: an IANA name, or `UTC` with an offset in hours. Empty stands for the calendar's own. */
export const zone = (about: string): Kind => ({
  ...plain(about),
  placeholder: 'zone',
  wire: { type: 'string' },
  check: (value) =>
    textFault(value) ??
    (value === '' || isZone(text(value)) ? undefined : `is not a time zone: ${said(value)}; try Europe/Paris or UTC+5.5`),
  stored: (value, asking) => text(value) || asking.zone,
});

export const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'] as const;
/** Where a post stands in its life. */
export const status = (about: string, wire: Wire = { type: 'string' }): Kind => ({
  about,
  placeholder: 'status',
  choices: statuses,
  wire,
  check: (value) => (statuses.some((known) => known === value) ? undefined : `must be one of ${statuses.join(', ')}`),
  column: { type: 'TEXT', default: 'publish' },
});

/** An existing user. */
export const author = (about: string, wire: Wire = { type: 'integer' }): Kind => ({
  about,
  placeholder: 'user',
  wire,
  check: (value, asking) => {
    const id = wholeNumber(value);
    return id !== undefined && id > 0 && asking.store.hasUser(id) ? undefined : `is not the ID of a user: ${said(value)}`;
  },
  column: { type: 'INTEGER', default: 1 },
  stored: (value) => Number(value),
});

const address = /^([a-z][a-z0-9+.-]*:\/\/[\w[][\x21-\x7e]*|mailto:[\x21-\x7e]+)?$/i;
/** An absolute web address, or empty. `unset` columns are null until something is stored. */
export const url = (about: string, wire: Wire, more: Partial<Kind> = {}): Kind => ({
  about,
  placeholder: 'url',
  wire,
  check: (value) =>
    value === null ? undefined : (textFault(value) ?? (address.test(String(value)) ? undefined : 'must be an absolute web address')),
  column: { type: 'TEXT', default: '' },
  stored: (value) => (value === null && more.column ? null : text(value).replace(/%0[ad]/gi, '')),
  ...more,
});

/** An image: the ID of a kept one, or the address of one to keep. */
export const image = (about: string, { clearable = false } = {}): Kind => ({
  about,
  placeholder: 'image',
  wire: { type: 'string' },
  check: (value, asking) => {
    if (clearable && value === '') return undefined;
    const id = wholeNumber(value);
    if (id !== undefined) return asking.store.hasImage(id) ? undefined : `is not the ID of an image: ${said(value)}`;
    if (typeof value !== 'string' || !isImageUrl(value))
      return 'must be the ID of an image, or an image address (http or https, ending in .jpg, .png, …)';
    return mayUpload(asking.viewer) ? undefined : 'must be the ID of an image: this user may not add images';
  },
  column: { type: 'INTEGER', references: 'images' },
});

/** What an event costs: a number, a text, or a list of these. */
export const cost = (about: string): Kind => ({
  ...plain(about),
  placeholder: 'cost',
  wire: {},
  check: anything,
  column: { type: 'TEXT', default: '[]' },
  stored: (value) => JSON.stringify(readCost(value)),
});

/** The ID of one record of a kind; 0 for none. */
export const reference = (about: string, kind: PostKind, more: Partial<Kind> = {}): Kind => ({
  about,
  placeholder: 'id',
  wire: { type: 'integer' },
  check: (value, asking) => (wholeNumber(value) === 0 ? undefined : postFault(value, kind, asking)),
  column: { type: 'INTEGER', references: `${kind}s` },
  stored: (value) => wholeNumber(value) || null,
  ...more,
});

/** Why a value is not the ID of a record of this kind. */
export function postFault(value: unknown, kind: PostKind, asking: Asking): string | undefined {
  const id = wholeNumber(value);
  return id !== undefined && asking.store.hasPost(kind, id)
    ? undefined
    : `is not the ID of an ${kind}: ${said(value)}`.replace(/an ([^aeiou])/, 'a $1');
}

/** Records of another kind that this one is linked to: IDs, `{id}`, or the data of new ones. */
export const links = (about: string, check: Field['check']): Kind => ({
  about,
  placeholder: 'id',
  many: true,
  wire: { items: { type: 'integer' }, default: null },
  check,
});

/** Terms of an event: IDs, slugs or names; names that do not exist are made. */
export const terms = (about: string): Kind => ({
  about,
  placeholder: 'name',
  many: true,
  wire: { items: { type: 'integer' }, default: null },
  check: (value) => (termsOf(value).some((item) => typeof item === 'object') ? 'must hold IDs, slugs or names' : undefined),
});

/** The category that a category belongs under; 0 for none. */
export const parentTerm = (about: string, kind: TermKind): Kind => ({
  about,
  placeholder: 'id',
  wire: { type: 'integer' },
  check: (value, asking) => (wholeNumber(value) === 0 ? undefined : termFault(value, kind, asking)),
  column: { type: 'INTEGER', default: 0 },
  // Digits may be the slug of a category as well as an ID.
  stored: (value, asking) => (wholeNumber(value) === 0 ? 0 : asking.store.findTerm(kind, value as string | number)!),
});

/** Why a value names no term of this kind, by slug or by ID. */
export function termFault(value: unknown, kind: TermKind, asking: Asking): string | undefined {
  const known = (typeof value === 'string' || typeof value === 'number') && asking.store.findTerm(kind, value) !== undefined;
  return known ? undefined : `names no ${kind}: ${said(value)}`;
}

/** Degrees north or east. */
export const degrees = (about: string, limit: number): Kind => ({
  about,
  placeholder: 'degrees',
  wire: { format: 'double' },
  beyond: true,
  check: (value) =>
    value === '' || value === null || degreesOf(value, limit) !== undefined ? undefined : `must be a number from -${limit} to ${limit}`,
  column: { type: 'REAL', default: 0 },
  stored: (value) => degreesOf(value, limit) ?? 0,
});
