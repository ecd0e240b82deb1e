import { degreesOf, quoted, wholeNumber as wholeNumberOf } from './coerce.ts';
import { bodySchema, type FieldKind, orNull, type Wire, wireSchema } from './field.ts';

const isCleared = (value: unknown) => value === '' || value === null;

/** Degrees north or east; 0 if unset, and shown only if `other`, the other coordinate, is set. */
export const degrees = (about: string, limit: number, other: string): FieldKind => ({
  about,
  placeholder: 'degrees',
  control: 'number',
  schema: (z) => z.number(),
  wire: { format: 'double' },
  accepts: {
    anyOf: [{ type: 'number', minimum: -limit, maximum: limit }, { type: 'string' }, { type: 'null' }],
  },
  unindexed: true,
  extension: 'geolocation',
  clearable: true,
  check: (value) => (isCleared(value) || degreesOf(value, limit) !== undefined ? undefined : `must be a number from -${limit} to ${limit}`),
  column: { type: 'REAL', default: 0 },
  stored: (value) => degreesOf(value, limit) ?? 0,
  empty: 0,
  show: (value, row) => (value && row[other] ? value : 0),
  response: { type: 'number', description: about },
  redacted: 0,
  columnOnRequest: true,
  fromResponse: (value) => Number(value ?? 0),
  compared: (value) => value ?? 0,
});

/** Inclusive bounds of a whole number; at least 0 by default. */
export interface Bounds {
  min?: number;
  max?: number;
}

/** Returns why a value is not a whole number within bounds. */
export function wholeNumberFault(value: unknown, { min = 0, max }: Bounds): string | undefined {
  const number = wholeNumberOf(value);
  if (number !== undefined && number >= min && number <= (max ?? number)) return undefined;
  return `must be a whole number ${max === undefined ? `of at least ${min}` : `from ${min} to ${max}`}, not ${quoted(value)}`;
}

export const wholeNumberWire = ({ min = 0, max }: Bounds): Wire => ({
  type: 'integer',
  minimum: min,
  ...(max === undefined ? {} : { maximum: max }),
});

/** A whole number or null. Null and empty text clear it; 0 is a value. */
export const wholeNumber = (about: string, bounds: Bounds = {}): FieldKind => ({
  about,
  placeholder: 'n',
  control: 'number',
  schema: (z) =>
    z
      .int()
      .min(bounds.min ?? 0)
      .max(bounds.max ?? Number.MAX_SAFE_INTEGER)
      .nullable(),
  wire: { ...wholeNumberWire(bounds), default: null },
  unindexed: true,
  clearable: true,
  check: (value) => (isCleared(value) ? undefined : wholeNumberFault(value, bounds)),
  column: { type: 'INTEGER' },
  stored: (value) => wholeNumberOf(value) ?? null,
  empty: null,
  accepts: orNull({ ...bodySchema(wholeNumberWire(bounds)), pattern: '^\\d*$' }),
  response: orNull({ ...wireSchema(wholeNumberWire(bounds)), description: about }),
  redacted: null,
  isAbsent: (value) => value === null,
  fromCell: (text) => wholeNumberOf(text) ?? text,
  fromResponse: (value) => value ?? null,
  compared: (value) => value ?? null,
});

/** A number or null. Null and empty text clear it; 0 is a value. */
export const decimal = (about: string): FieldKind => ({
  about,
  placeholder: 'n',
  control: 'number',
  schema: (z) => z.number().nullable(),
  wire: { format: 'double', default: null },
  accepts: { type: ['number', 'string', 'null'] },
  clearable: true,
  check: (value) =>
    isCleared(value) || degreesOf(value, Number.MAX_VALUE) !== undefined ? undefined : `must be a number, not ${quoted(value)}`,
  column: { type: 'REAL' },
  stored: (value) => degreesOf(value, Number.MAX_VALUE) ?? null,
  empty: null,
  response: { type: ['number', 'null'], description: about },
  redacted: null,
  isAbsent: (value) => value === null,
  fromCell: (text) => degreesOf(text, Number.MAX_VALUE) ?? text,
  fromResponse: (value) => value ?? null,
  compared: (value) => value ?? null,
});
