import { yesOrNo } from '../formats/languages.ts';
import { degreesOf, isTruthy, quoted, toWholeNumber as wholeNumberOf } from './coerce.ts';
import { bodySchema, type FieldKind, kindOf, orNull, type Wire, wireSchema } from './field.ts';

const isCleared = (value: unknown) => value === '' || value === null;

/** Degrees north or east; 0 if unset, and shown only if `other`, the other coordinate, is set. */
export const degrees = (about: string, limit: number, other: string): FieldKind => ({
  about,
  unindexed: true,
  extension: 'geolocation',
  placeholder: 'degrees',
  wire: { format: 'double' },
  accepts: {
    anyOf: [{ type: 'number', minimum: -limit, maximum: limit }, { type: 'string' }, { type: 'null' }],
  },
  check: (value) => (isCleared(value) || degreesOf(value, limit) !== undefined ? undefined : `must be a number from -${limit} to ${limit}`),
  schema: (z) => z.number(),
  nothing: { clears: true, input: 0 },
  stored: { column: { type: 'REAL', default: 0 }, value: (value) => degreesOf(value, limit) ?? 0 },
  shown: { value: (value, row) => (value && row[other] ? value : 0), schema: { type: 'number', description: about }, redacted: 0 },
  cell: { onRequest: true },
  control: 'number',
  compared: { input: (value) => Number(value ?? 0), value: (value) => value ?? 0 },
});

/** Inclusive bounds of a whole number; at least 0 by default. */
interface Bounds {
  min?: number;
  max?: number;
}

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
  unindexed: true,
  placeholder: 'n',
  wire: { ...wholeNumberWire(bounds), default: null },
  accepts: orNull({ ...bodySchema(wholeNumberWire(bounds)), pattern: '^\\d*$' }),
  check: (value) => (isCleared(value) ? undefined : wholeNumberFault(value, bounds)),
  schema: (z) =>
    z
      .int()
      .min(bounds.min ?? 0)
      .max(bounds.max ?? Number.MAX_SAFE_INTEGER)
      .nullable(),
  nothing: { clears: true, input: null },
  stored: { column: { type: 'INTEGER' }, value: (value) => wholeNumberOf(value) ?? null },
  shown: {
    schema: orNull({ ...wireSchema(wholeNumberWire(bounds)), description: about }),
    redacted: null,
    isAbsent: (value) => value === null,
  },
  cell: { from: (text) => wholeNumberOf(text) ?? text },
  control: 'number',
  compared: { input: (value) => value ?? null, value: (value) => value ?? null },
});

/** A number or null. Null and empty text clear it; 0 is a value. */
export const decimal = (about: string): FieldKind => ({
  about,
  placeholder: 'n',
  wire: { format: 'double', default: null },
  accepts: { type: ['number', 'string', 'null'] },
  check: (value) =>
    isCleared(value) || degreesOf(value, Number.MAX_VALUE) !== undefined ? undefined : `must be a number, not ${quoted(value)}`,
  schema: (z) => z.number().nullable(),
  nothing: { clears: true, input: null },
  stored: { column: { type: 'REAL' }, value: (value) => degreesOf(value, Number.MAX_VALUE) ?? null },
  shown: { schema: { type: ['number', 'null'], description: about }, redacted: null, isAbsent: (value) => value === null },
  cell: { from: (text) => degreesOf(text, Number.MAX_VALUE) ?? text },
  control: 'number',
  compared: { input: (value) => value ?? null, value: (value) => value ?? null },
});

/** Common members of switches. */
const switched = (about: string, on: unknown, off: unknown, initial: 0 | 1) =>
  ({
    about,
    switch: { on, off },
    check: () => undefined,
    nothing: { isIgnored: true, input: initial === 1 ? on : off },
    stored: {
      column: { type: 'INTEGER', default: initial },
      value: (value) => (isTruthy(value) ? 1 : 0),
      restored: (value) => (value === 1 ? on : off),
    },
    shown: { value: (value) => value === 1, redacted: null, isAbsent: () => false },
    cell: {
      to: (value) => String(value ?? initial === 1),
      from: (text) => {
        const value = yesOrNo(text);
        return value === undefined ? text : value ? on : off;
      },
    },
    control: 'switch',
    options: ['no', 'yes'],
  }) satisfies Partial<FieldKind>;

/** A switch with the values true, false, 1 or 0, or these as text. */
export const flag = (about: string, more: Partial<FieldKind> = {}): FieldKind =>
  kindOf(
    switched(about, true, false, 0),
    {
      wire: { type: 'boolean' },
      schema: (z) => z.boolean(),
      shown: { schema: { type: 'boolean', description: about } },
      compared: { input: (value) => (typeof value === 'boolean' ? value : undefined) },
    },
    more,
  );

/** A switch that this wire declares as text, on by default; any word that does not mean yes is a no. */
export const wordFlag = (about: string): FieldKind =>
  kindOf(switched(about, 'true', 'false', 1), {
    wire: { type: 'string', default: null },
    schema: (z) => z.string(),
    stored: { onRepeat: 1 },
    shown: { always: true, schema: { type: 'boolean', description: about } },
    control: 'word switch',
    compared: { input: (value) => (value === undefined ? undefined : String(value !== false)) },
  });
