import { degreesOf, quoted, wholeNumber as wholeNumberOf } from '../coerce.ts';
import { bodySchema, type FieldKind, orNull, type Wire, wireSchema } from './field.ts';

const isCleared = (value: unknown) => value === '' || value === null;

/** Degrees north or east, 0 where there are none; shown where `other`, the field of the other direction, is given too. */
export const degrees = (about: string, limit: number, other: string): FieldKind => ({
  about,
  placeholder: 'degrees',
  control: 'number',
  schema: (z) => z.number(),
  wire: { format: 'double' },
  unindexed: true,
  extension: 'geolocation',
  clearable: true,
  check: (value) => (isCleared(value) || degreesOf(value, limit) !== undefined ? undefined : `must be a number from -${limit} to ${limit}`),
  column: { type: 'REAL', default: 0 },
  stored: (value) => degreesOf(value, limit) ?? 0,
  empty: 0,
  show: (value, row) => (value && row[other] ? value : 0),
  answer: { type: 'number', description: about },
  redacted: 0,
  columnOnRequest: true,
  fromAnswer: (shown) => Number(shown ?? 0),
  compared: (shown) => shown ?? 0,
});

/** The least and the most that a whole number may be, both included; from 0 unless it is said otherwise. */
export interface Bounds {
  least?: number;
  most?: number;
}

/** What is wrong with a value as a whole number within bounds: a half sentence that names them. */
export function wholeNumberFault(value: unknown, { least = 0, most }: Bounds): string | undefined {
  const number = wholeNumberOf(value);
  if (number !== undefined && number >= least && number <= (most ?? number)) return undefined;
  return `must be a whole number${most === undefined ? `, ${least} or more` : ` from ${least} to ${most}`}: ${quoted(value)}`;
}

/** The wire of a whole number within bounds. */
export const wholeNumberWire = ({ least = 0, most }: Bounds): Wire => ({
  type: 'integer',
  minimum: least,
  ...(most === undefined ? {} : { maximum: most }),
});

/** A whole number, or none. None is null: 0 is a number like any other, and shows. Null and an empty text clear it. */
export const wholeNumber = (about: string, bounds: Bounds = {}): FieldKind => ({
  about,
  placeholder: 'n',
  control: 'number',
  schema: (z) =>
    z
      .int()
      .min(bounds.least ?? 0)
      .max(bounds.most ?? Number.MAX_SAFE_INTEGER)
      .nullable(),
  wire: { ...wholeNumberWire(bounds), default: null },
  unindexed: true,
  clearable: true,
  check: (value) => (isCleared(value) ? undefined : wholeNumberFault(value, bounds)),
  column: { type: 'INTEGER' },
  stored: (value) => wholeNumberOf(value) ?? null,
  empty: null,
  accepts: orNull({ ...bodySchema(wholeNumberWire(bounds)), pattern: '^\\d*$' }),
  answer: orNull({ ...wireSchema(wholeNumberWire(bounds)), description: about }),
  redacted: null,
  isAbsent: (shown) => shown === null,
  fromCell: (text) => wholeNumberOf(text) ?? text,
  fromAnswer: (shown) => shown ?? null,
  compared: (shown) => shown ?? null,
});
