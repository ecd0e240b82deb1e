import { degreesOf, isTruthy, quoted, toWholeNumber as wholeNumberOf } from './coerce.ts';
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

const yes = ['yes', 'true', '1', 'x', 'on', 'ja', 'wahr', 'oui', 'vrai', 'sí', 'si', 'sì', 'verdadero', 'vero', 'waar'];
const no = ['no', 'false', '0', 'off', '', 'nein', 'falsch', 'non', 'faux', 'falso', 'nee', 'onwaar'];

/** True if a word in a table means no. */
export const isNo = (word: string): boolean => no.includes(word.toLowerCase());

/** Common members of switches. */
const switched = (about: string, on: unknown, off: unknown, initial: 0 | 1) =>
  ({
    about,
    switch: { on, off },
    control: 'switch',
    options: ['no', 'yes'],
    check: () => undefined,
    column: { type: 'INTEGER', default: initial },
    stored: (value) => (isTruthy(value) ? 1 : 0),
    ignoresNull: true,
    restored: (value) => (value === 1 ? on : off),
    empty: initial === 1 ? on : off,
    show: (value) => value === 1,
    redacted: null,
    isAbsent: () => false,
    toCell: (value) => String(value ?? initial === 1),
    fromCell: (text) => {
      const word = text.toLowerCase();
      return yes.includes(word) ? on : no.includes(word) ? off : text;
    },
  }) satisfies Partial<FieldKind>;

/** A switch with the values true, false, 1 or 0, or these as text. */
export const flag = (about: string, more: Partial<FieldKind> = {}): FieldKind => ({
  ...switched(about, true, false, 0),
  wire: { type: 'boolean' },
  schema: (z) => z.boolean(),
  response: { type: 'boolean', description: about },
  fromResponse: (value) => (typeof value === 'boolean' ? value : undefined),
  ...more,
});

/** A switch that this wire declares as text, on by default; any word that does not mean yes is a no. */
export const wordFlag = (about: string): FieldKind => ({
  ...switched(about, 'true', 'false', 1),
  control: 'word switch',
  wire: { type: 'string', default: null },
  always: true,
  response: { type: 'boolean', description: about },
  schema: (z) => z.string(),
  onRepeat: 1,
  fromResponse: (value) => (value === undefined ? undefined : String(value !== false)),
});
