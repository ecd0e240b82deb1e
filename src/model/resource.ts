import type { Asking, PostKind, TermKind } from './asking.ts';
import { Failure, type Fault, invalidParams } from './error.ts';
import { type Column, type Field, type SqlValue, wireFault } from './field.ts';
import type { Arrangement, Filter, Query } from './filter.ts';

/** The columns of a stored record. */
export type Row = Record<string, SqlValue>;
/** The columns to write. */
export type Columns = Record<string, SqlValue>;
/** What a create or an update was sent. */
export type Input = Record<string, unknown>;

/** A record in the one form it has everywhere: what GET answers. */
export type Entry = Record<string, unknown> & { id: number };

/** Names one record. */
export type Ref = { id: number } | { slug: string };

/** A page of a list, with the addresses of its neighbours. */
export interface Page<E extends Entry = Entry> {
  entries: E[];
  total: number;
  total_pages: number;
  rest_url: string;
  next_rest_url?: string;
  previous_rest_url?: string;
}

/** The five actions on the records of one resource. Each fails with a Failure. */
export interface Collection {
  list(query?: Query): Promise<Page>;
  get(ref: Ref, query?: Query): Promise<Entry>;
  create(input: Input): Promise<Entry>;
  update(ref: Ref, input: Input): Promise<Entry>;
  delete(ref: Ref): Promise<Entry>;
}

/** The same actions where nothing has to be waited for. */
export type Immediate<C> = { [Action in keyof C]: C[Action] extends (...args: infer A) => Promise<infer R> ? (...args: A) => R : never };

export const resourceNames = ['events', 'venues', 'organizers', 'categories', 'tags'] as const;
export type ResourceName = (typeof resourceNames)[number];

/** Five collections, as one viewer sees them. */
export type Calendar = Record<ResourceName, Collection>;

interface Definition {
  /** The name in paths, tables and commands. */
  name: ResourceName;
  /** One phrase for help and documents. */
  about: string;
  fields: Field[];
  filters: Filter[];
  /** The field that names a record for people; its slug is made from it. */
  label: string;
  /** The columns that a search looks through. */
  search: string[];
  /** Columns that no field fills. */
  derived: Record<string, Column>;
  /** What the list parameters of a query mean together. */
  arrange(query: Query, asking: Asking): Arrangement;
}
/** A resource whose records are written by authors, pass through statuses and have slugs of their own. */
export interface PostResource extends Definition {
  kind: PostKind;
  family: 'post';
}
/** A resource whose records group events. */
export interface TermResource extends Definition {
  kind: TermKind;
  family: 'term';
}
/** Fields and filters, what list parameters mean together, and how the wire names its records. */
export type Resource = PostResource | TermResource;

type Parameter = Field | Filter;

/**
 * Checks the values of a request, as the reference does: every parameter's own check first, and only when none fails the types of the wire.
 * Fails with `rest_invalid_param`, listing all that is wrong.
 */
export function check(parameters: readonly Parameter[], values: Query, asking: Asking): void {
  const faults: Record<string, Fault> = {};
  for (const parameter of parameters) {
    const value = values[parameter.name];
    if (value === undefined || value === null) continue;
    const found = parameter.check(value, asking, values);
    if (found) faults[parameter.name] = typeof found === 'string' ? { reason: found } : found;
  }
  if (Object.keys(faults).length) throw invalidParams(faults);
  for (const parameter of parameters) {
    const value = values[parameter.name];
    if (value === undefined || (value === null && parameter.wire.default === null)) continue;
    const reason = wireFault(parameter.wire, value);
    if (reason) faults[parameter.name] = { reason, detail: 'rest_invalid_type' };
  }
  if (Object.keys(faults).length) throw invalidParams(faults);
}

/** Fails with `rest_missing_callback_param` unless everything that a new record needs is there. */
export function requireAll(definition: Definition, input: Input): void {
  const missing = definition.fields.filter((field) => field.required && (input[field.name] ?? null) === null).map((field) => field.name);
  if (missing.length) throw new Failure('rest_missing_callback_param', `missing: ${missing.join(', ')}`, { params: missing });
}

/** The columns that the given values of an input fill, each stored as its field says. */
export function columnsOf(definition: Definition, input: Input, asking: Asking): Columns {
  const columns: Columns = {};
  for (const field of definition.fields) {
    const value = input[field.name];
    if (value === undefined || !field.column) continue;
    // Null empties a text; a name, a number or a switch cannot be empty, and stays.
    if (value === null && (field.required || field.column.type === 'INTEGER')) continue;
    columns[field.name] = field.stored ? field.stored(value, asking) : String(value);
  }
  return columns;
}
