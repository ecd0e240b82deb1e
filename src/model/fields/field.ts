import type { ZodType } from 'zod';
import type { Extension, RequestContext, ViewOptions } from '../context.ts';
import type { Doubt } from '../mistakes/table.ts';
import type { Entry, Related, Row, SqlValue } from '../record.ts';
import type { DateOrder } from '../time/typed/digit-date.ts';
import { quoted } from './coerce.ts';

/** A parameter as the namespace index and the document describe it. */
export interface Wire {
  type?: 'string' | 'integer' | 'boolean';
  items?: { type: 'integer' };
  format?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

export type JsonSchema = Record<string, unknown>;

/** A column; with a default it is never null. */
export interface Column {
  type: 'TEXT' | 'INTEGER' | 'REAL';
  default?: string | number;
  references?: string;
}

/** The zod library, passed as a parameter so that it is loaded only when needed. */
export type Zod = typeof import('zod');

/** The resource that values refer to, or `images` or `users`. */
export type LinkTarget = string;

/** Reads and shows the values of a field that are records in a table of links. */
export interface Join {
  /** The items that an input names, each an ID, a name, or the data of a new record. */
  items(value: unknown): unknown[];
  /** Returns what a response shows of the linked records. */
  show(linked: readonly Entry[]): unknown;
}

/** The common definition of a field and a list parameter. */
export interface ParameterDefinition {
  name: string;
  /** Description in help and documents. */
  about: string;
  wire: Wire;
  /** JSON Schema of valid values: in a body for a field, in a query for a filter. `check` validates their meaning. */
  accepts: JsonSchema;
  /** True if the reference lacks it; the namespace index leaves it out. */
  unindexed?: boolean;
  /** The extension that it belongs to. */
  extension?: Extension;
  /** The values of a switch. */
  switch?: { on: unknown; off: unknown };
  /** Placeholder of the value in help; none for switches. */
  placeholder?: string;
  /** True if it takes several values, repeated or comma-separated. */
  many?: boolean;
  /** Values to choose from. */
  choices?: readonly string[];
  /** Returns what a client probably didn't mean with a valid value. `zone` is that of the record. */
  doubts?(value: unknown, ctx: RequestContext, zone: string): Doubt[];
  /** A hint for an invalid value, such as a similar one. */
  hint?(value: string): string | undefined;
  /** The topic of `calendar help` that explains its values. */
  topic?: 'dates';
  /** The resource that its values refer to by ID, slug or name. */
  links?: LinkTarget;
  /** True if an unknown name creates a record. */
  makesNew?: boolean;
}

export const isKnown = ({ extension }: { extension?: Extension }, { extensions }: { extensions: readonly Extension[] }): boolean =>
  extension === undefined || extensions.includes(extension);

/** The values that a typed text stands for. */
export interface TypedValues {
  /** With a `reason`, what a table would store; empty if it would reject the row. */
  list: string[];
  reason?: string;
  /** A phrase about what the API makes of the text as it is, if that is shown as something else. */
  otherwise?: string;
}

/** A form control: `line` is one line of text, `text` several; a `word switch` has the values yes and no as text. */
type Control =
  | 'line'
  | 'text'
  | 'switch'
  | 'word switch'
  | 'date'
  | 'zone'
  | 'choice'
  | 'address'
  | 'number'
  | 'secret'
  | 'record'
  | 'records'
  | 'terms'
  | 'cost'
  | 'image';

/** A missing value, in requests. */
interface Nothing {
  /** The input of a record without it, which clears it. */
  input: unknown;
  /** True if null and empty text clear it. */
  clears?: boolean;
  /** True if null leaves it unchanged. */
  isIgnored?: boolean;
  /** True if it cannot be cleared, so that updates without it keep it. */
  isRefused?: boolean;
}

/** Storage: a column, or a table of links, and the values in it. */
interface Stored {
  column?: Column;
  /** Set if its values are in a table of links to the resource in `links`. */
  join?: Join;
  value?(value: unknown, ctx: RequestContext): SqlValue;
  /** A stored value that is not the default as the input that stores it again. */
  restored(value: SqlValue): unknown;
  /** Value to store in an existing venue or organizer that a new one repeats without giving it; undefined leaves it unchanged. */
  onRepeat?: SqlValue;
}

/** Responses. */
interface Shown {
  /** True if no response contains it. */
  writeOnly?: boolean;
  value(value: SqlValue, row: Row, related: Related, view: ViewOptions): unknown;
  /** Schema of its value; the most common form comes first. */
  schema: JsonSchema;
  /** True if it is present even in responses that leave out empty values. */
  always?: true;
  /** True if a value is empty; venues and organizers leave these out. */
  isAbsent(value: unknown): boolean;
  /** Its value while a password hides the record; public if undefined. */
  redacted?: unknown;
}

/** Cells of CSV and TSV tables. */
interface Cell {
  /** True if tables include it only on request. */
  onRequest?: boolean;
  /** Formats a value; undefined is a missing input. */
  to(value: unknown): string;
  /** Parses a cell; returns invalid text unchanged, for the check to reject. */
  from(text: string): unknown;
  /** Rewrites a cell as people write it, e.g. `7.6.27`, in a form that the field reads. `isTime` is true in a column of times. Returns undefined if it contradicts the order of dates in its table. */
  rewrite?(cell: string, order: DateOrder | undefined, isTime: boolean): string | undefined;
}

/** The values of two calendars. */
interface Compared {
  /** Converts the value of another calendar to an input that is shown the same; undefined leaves it out. Links are left to the caller. */
  input(value: unknown, entry: Entry): unknown;
  /** True if another calendar that gets its own value as an input shows the same as before; always if undefined. */
  isKept?(input: unknown, entry: Entry): boolean;
  /** A value to compare records of two calendars; null if it is not compared. `linked` translates IDs. */
  value: ((value: unknown, entry: Entry, linked: (resource: LinkTarget, id: number) => unknown) => unknown) | null;
}

/**
 * A field of a record: what a request may give, then a face for each place that its value gets to. Each kind of field is a function in this folder that gives the faces in this order; nothing
 * else distinguishes kinds.
 */
export interface Field extends ParameterDefinition {
  /** True if new records require it. */
  required?: boolean;
  /** True if the calendar declares it. Its values are stored with the members that other sites add, not in a column. */
  isDeclared?: true;
  /** Returns why a value is invalid, as a phrase. Runs before the wire's type check. */
  check(value: unknown, ctx: RequestContext): string | undefined;
  /** Schema of its value in a fixture. `check` validates the meaning. */
  schema(z: Zod): ZodType;
  /** The missing value: the one answer to it in requests. */
  nothing: Nothing;
  stored: Stored;
  shown: Shown;
  cell: Cell;
  /** Reads a text as people type it: the values to send, and why they are not what was meant, as a phrase. */
  typed?(text: string): TypedValues;
  control: Control;
  /** Values that a form offers. */
  options?: readonly string[];
  compared: Compared;
}

const faces = ['nothing', 'stored', 'shown', 'cell', 'compared'] as const;
type Face = (typeof faces)[number];
/** A kind of field without its name; members of faces that have a default may be left out. */
export type FieldKind = Omit<Field, 'name' | 'accepts' | 'control' | Face> &
  Partial<Pick<Field, 'accepts' | 'control'>> & { [Name in Face]?: Partial<Field[Name]> };

/** A kind that is made of parts. What several parts give is taken from the last one, in each face member by member. */
export function kindOf<Base extends Partial<FieldKind>>(
  base: Base,
  own: Omit<FieldKind, keyof Base> & Partial<FieldKind>,
  more: Partial<FieldKind> = {},
): FieldKind {
  const parts: Partial<FieldKind>[] = [base, own, more];
  const merged = faces.map((face) => [face, Object.assign({}, ...parts.map((part) => part[face]))]);
  return { ...Object.assign({}, ...parts), ...Object.fromEntries(merged) };
}

/** A value of a response as text; null and false are empty. */
export const responseText = (value: unknown): string => (value === undefined || value === null || value === false ? '' : String(value));

/** True if PHP treats a value as empty. */
const isEmpty = (value: unknown) => value === '' || value === false || value === 0 || value === '0' || value === null;

/** Creates fields from kinds by name. */
export const defineFields = (kinds: Record<string, FieldKind>): Field[] =>
  Object.entries(kinds).map(([name, kind]) => ({
    name,
    accepts: bodySchema(kind.wire),
    control: 'line' as const,
    ...kind,
    nothing: { input: '', ...kind.nothing },
    stored: { restored: (value) => value, ...kind.stored },
    shown: {
      value: (value) => value,
      schema: { ...(kind.wire.type ? { type: kind.wire.type } : {}), description: kind.about },
      isAbsent: isEmpty,
      ...kind.shown,
    },
    cell: { to: (value) => String(value ?? ''), from: (text) => text, ...kind.cell },
    compared: { input: responseText, value: (value) => value ?? '', ...kind.compared },
  }));

/** The JSON Schema of a parameter as the reference documents it. */
export const wireSchema = ({ type, items, format, minimum, maximum, default: value }: Wire): JsonSchema => ({
  ...(items ? { type: 'array', items } : type ? { type } : format === 'double' ? { type: 'number', format } : {}),
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
  ...(value === undefined || value === null ? {} : { default: value }),
});

/** Schema of a list that is always empty. */
export const emptyList: JsonSchema = { type: 'array', items: {}, maxItems: 0, description: 'Always empty' };

export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string' && !schema.enum && schema.pattern === undefined) return { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.type)) return schema.type.includes('null') ? schema : { ...schema, type: [...schema.type, 'null'] };
  const none = { type: 'null' };
  return Array.isArray(schema.anyOf) ? { ...schema, anyOf: [...schema.anyOf, none] } : { anyOf: [schema, none] };
}

/** Schema of a switch: JSON booleans and equivalent words and digits. */
const switchSchema: JsonSchema = {
  anyOf: [{ type: 'boolean' }, { enum: [0, 1, '0', '1', 'true', 'false', 'True', 'False', 'TRUE', 'FALSE'] }],
};
/** Schema of a whole number, or its digits. Releases up to 2018 send digits in some responses. */
export const digits: JsonSchema = digitsWithin({});

/** The schema of a whole number within bounds, or its digits. Generators of clients can't read a pattern for several types. */
export function digitsWithin(bounds: JsonSchema): JsonSchema {
  return {
    anyOf: [
      { type: 'integer', ...bounds },
      { type: 'string', pattern: '^\\d+$' },
    ],
  };
}

/** True if null passes the wire's type check. */
export const takesNull = ({ type, default: value }: Wire) => value === null || type === undefined;

export function bodySchema(wire: Wire): JsonSchema {
  const { type, format, minimum, maximum } = wire;
  const bounds = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  const schema =
    type === 'integer'
      ? digitsWithin(bounds)
      : type === 'boolean'
        ? switchSchema
        : { type: format === 'double' ? ['number', 'string'] : 'string', ...bounds };
  return takesNull(wire) ? orNull(schema) : schema;
}

export function querySchema({ type, items, format, minimum, maximum }: Wire): JsonSchema {
  const bounds = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  if (items) return { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 };
  if (type === 'boolean') return switchSchema;
  return { type: format === 'double' ? 'number' : (type ?? 'string'), ...bounds };
}

/** Returns why a value fails the wire's type check, as a phrase. */
export function wireFault({ type }: Wire, value: unknown): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'must be text';
    case 'integer': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      return Number.isSafeInteger(number) ? undefined : 'must be a whole number';
    }
    case 'boolean':
      return isSwitch(value) ? undefined : `must be true or false${typeof value === 'string' ? `, not ${quoted(value)}` : ''}`;
  }
}

const isSwitch = (value: unknown) =>
  typeof value === 'string' ? /^(true|false|1|0)$/i.test(value) : [true, false, 1, 0].some((flag) => flag === value);
