import type { ZodType } from 'zod';
import type { Extension, RequestContext, ViewOptions } from '../context.ts';
import type { Entry, Related, Row, SqlValue } from '../record.ts';

/** How the namespace index and the document describe a parameter. */
export interface Wire {
  type?: 'string' | 'integer' | 'boolean';
  items?: { type: 'integer' };
  format?: string;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

export type JsonSchema = Record<string, unknown>;

/** The column a field is stored in; a column with a default is never null. */
export interface Column {
  type: 'TEXT' | 'INTEGER' | 'REAL';
  default?: string | number;
  references?: string;
}

/** The library that reads documents, as a parameter: who does not read any does not load it. */
export type Zod = typeof import('zod');

/** What values name: a resource, or `images` or `users`, which have IDs too. */
export type LinkTarget = string;

/** How a field is read and shown whose values are rows of a table of links. */
export interface Join {
  /** Returns the items that an input names, each an ID, a name, or the data of a new record. */
  items(value: unknown): unknown[];
  /** Returns what a response shows of the linked records. */
  show(linked: readonly Entry[]): unknown;
}

/** What a field of a record and a parameter of a list have in common: how people and programs give it. */
export interface ParameterDefinition {
  name: string;
  /** One phrase for help and documents. */
  about: string;
  wire: Wire;
  /** What may be sent of it, as a JSON Schema: in a body for a field, in a query for a filter. What it means is for `check` to say. */
  accepts: JsonSchema;
  /** The reference does not have it: the namespace index leaves it out. */
  unindexed?: boolean;
  /** The part of the service that it belongs to: a server without that part does not know it. */
  extension?: Extension;
  /** It is on or off: the values that say so. */
  switch?: { on: unknown; off: unknown };
  /** What help shows in place of its value; a switch has none. */
  placeholder?: string;
  /** Takes several values: its flag repeats, and commas separate. */
  many?: boolean;
  /** Values to choose from. */
  choices?: readonly string[];
  /** The topic of `calendar help` that explains its values. */
  topic?: 'dates';
  /** What its values name: people give an ID, a slug or a name. */
  links?: LinkTarget;
  /** A name that no record has yet makes one. */
  makesNew?: boolean;
}

/** Whether a server knows a parameter: it has the part of the service that this belongs to. */
export const isKnown = ({ extension }: { extension?: Extension }, { extensions }: { extensions: readonly Extension[] }): boolean =>
  extension === undefined || extensions.includes(extension);

/** What takes a value in a form: `line` one line of text, `text` several; a `word switch` says on and off in words. */
export type Control =
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
  | 'records'
  | 'terms';

/** One named value of a record, on its way in and on its way out. Each kind answers for itself; nobody asks a field what kind it is. */
export interface Field extends ParameterDefinition {
  /** Whether a record cannot be created without it. */
  required?: boolean;
  /** What is wrong with a value, as a half sentence; undefined when nothing is. Runs before the wire's type check. */
  check(value: unknown, ctx: RequestContext): string | undefined;
  /** Null and an empty text take its value away; the wire's type check lets them pass. */
  clearable?: boolean;
  column?: Column;
  /** Set if its values are in a table of links to records of the resource in `links`. */
  join?: Join;
  /** What is stored of a value that passed both checks. */
  stored?(value: unknown, ctx: RequestContext): SqlValue;
  /** Null leaves the column as it is. */
  ignoresNull?: boolean;
  /** What is stored in a venue or organizer that a new one repeats, where the new one does not say it; undefined leaves it as it is. */
  onRepeat?: SqlValue;
  /** A stored value that is not the default, as the input that stores it again. */
  restored(value: SqlValue): unknown;
  /** What a record that leaves it out has: as an input, it takes away what is there. */
  empty: unknown;
  /** Stays when a record that is brought up to date leaves it out: it cannot be taken away. */
  lasting?: boolean;
  /** No answer has it. */
  writeOnly?: boolean;
  /** Its value in an answer, from that of its column. */
  show(value: SqlValue, row: Row, related: Related, view: ViewOptions): unknown;
  /** The schema of what it shows; of several forms the usual one comes first. */
  response: JsonSchema;
  /** Every answer has it, those that leave out what is empty too. */
  always?: true;
  /** What it shows while a password hides the record; a field without it is public. */
  redacted?: unknown;
  /** Whether a shown value is none; answers of venues and organizers leave these out. */
  isAbsent(shown: unknown): boolean;
  /** Tables for programs have its column only where it is asked for. */
  columnOnRequest?: boolean;

  /** Its cell in a file of comma-separated values; undefined is what an input leaves out. */
  toCell(value: unknown): string;
  /** What a cell says; a text that is not understood comes back as it is, for the check to refuse. */
  fromCell(text: string): unknown;
  /** What another calendar shows of it, as the input that is shown the same; undefined leaves it out. Links are left to who knows the records. */
  fromResponse(shown: unknown, entry: Entry): unknown;
  /** What must be equal where a record is the same in two calendars; null is compared with nothing. `linked` translates IDs. */
  compared: ((shown: unknown, entry: Entry, linked: (resource: LinkTarget, id: number) => unknown) => unknown) | null;
  /** The form of its value in a fixture. What the value means is for `check` to say. */
  schema(z: Zod): ZodType;
  /** What takes its value in a form. */
  control: Control;
  /** The words that a form offers, to be turned through in place of typing. */
  options?: readonly string[];
}

type WithDefault =
  | 'accepts'
  | 'control'
  | 'restored'
  | 'empty'
  | 'show'
  | 'response'
  | 'isAbsent'
  | 'toCell'
  | 'fromCell'
  | 'fromResponse'
  | 'compared';
/** A kind of field, to be named by the key it stands under; what it does not answer is as texts answer it. */
export type FieldKind = Omit<Field, 'name' | WithDefault> & Partial<Pick<Field, WithDefault>>;

/** A shown value as text; nothing and false are empty. */
export const shownText = (value: unknown): string => (value === undefined || value === null || value === false ? '' : String(value));

/** What PHP takes for empty. */
const isEmpty = (value: unknown) => value === '' || value === false || value === 0 || value === '0' || value === null;

/** Names kinds of field by the keys they stand under. */
export const fields = (kinds: Record<string, FieldKind>): Field[] =>
  Object.entries(kinds).map(([name, kind]) => ({
    name,
    accepts: bodySchema(kind.wire),
    control: 'line' as const,
    restored: (value) => value,
    empty: '',
    show: (value) => value,
    response: { ...(kind.wire.type ? { type: kind.wire.type } : {}), description: kind.about },
    isAbsent: isEmpty,
    toCell: (value) => String(value ?? ''),
    fromCell: (text) => text,
    fromResponse: shownText,
    compared: (shown) => shown ?? '',
    ...kind,
  }));

/** What a parameter takes, as a JSON Schema. */
export const wireSchema = ({ type, items, format, minimum, maximum, default: value }: Wire): JsonSchema => ({
  ...(items ? { type: 'array', items } : type ? { type } : format === 'double' ? { type: 'number', format } : {}),
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
  ...(value === undefined || value === null ? {} : { default: value }),
});

/** The schema of a list that holds nothing. */
export const emptyList: JsonSchema = { type: 'array', items: {}, maxItems: 0, description: 'Always empty' };

/** A schema that null passes too. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string' && !schema.enum) return { ...schema, type: [schema.type, 'null'] };
  if (Array.isArray(schema.type)) return schema.type.includes('null') ? schema : { ...schema, type: [...schema.type, 'null'] };
  const none = { type: 'null' };
  return Array.isArray(schema.anyOf) ? { ...schema, anyOf: [...schema.anyOf, none] } : { anyOf: [schema, none] };
}

/** On or off, as JSON and as the words and digits that stand for it. */
const switchSchema: JsonSchema = {
  anyOf: [{ type: 'boolean' }, { enum: [0, 1, '0', '1', 'true', 'false', 'True', 'False', 'TRUE', 'FALSE'] }],
};
/** A whole number, or its digits. */
export const digits: JsonSchema = { type: ['integer', 'string'], pattern: '^\\d+$' };

/** Whether null passes the wire's type check. */
const takesNull = ({ type, default: value }: Wire) => value === null || type === undefined;

/** What a body may hold of a field with this wire. */
export function bodySchema(wire: Wire): JsonSchema {
  const { type, format, minimum, maximum } = wire;
  const bounds = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  const schema =
    type === 'integer'
      ? { ...digits, ...bounds }
      : type === 'boolean'
        ? switchSchema
        : { type: format === 'double' ? ['number', 'string'] : 'string', ...bounds };
  return takesNull(wire) ? orNull(schema) : schema;
}

/** What a query may hold of a filter with this wire. */
export function querySchema({ type, items, format, minimum, maximum }: Wire): JsonSchema {
  const bounds = { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
  if (items) return { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 };
  if (type === 'boolean') return switchSchema;
  return { type: format === 'double' ? 'number' : (type ?? 'string'), ...bounds };
}

/** What the wire's own type check says of a value: a half sentence, or undefined. */
export function wireFault({ type }: Wire, value: unknown): string | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'must be text';
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
