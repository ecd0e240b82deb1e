import type { RequestContext } from './context.ts';
import type { Column, Field } from './fields/field.ts';
import type { ListForm } from './fields/list.ts';
import type { ResponseForm } from './fields/response.ts';
import type { Doubt } from './mistakes/table.ts';
import type { Columns, Entry, Input, Row } from './record.ts';
import type { Role } from './viewer.ts';

/** Stands for a value that the reference makes again from others. */
export const derived = '(derived)';
/** Stands for the time of the update. */
export const currentTime = 'now';

/** The definition of a resource. Everything about its records is derived from it. */
export interface Definition {
  /** Name in paths, tables and commands: `venues`. */
  name: string;
  /** Name of one record in messages, error codes, schemas and link tables: `venue`. */
  kind: string;
  /** Description in help and documents. */
  about: string;
  fields: readonly Field[];
  /** The members of a record in responses. */
  response: ResponseForm;
  /** List parameters, their conditions, and the sort order. */
  list: ListForm;
  /** The field that names a record for people; its slug is made from it. */
  label: string;
  /** The columns of a table by default. */
  summary: readonly string[];
  /** The fields that a form always shows, in this order. */
  mainFields: readonly string[];
  /** The columns that are searched. */
  search: readonly string[];
  /** Fields that the reference resets when an update omits them, with the input that does the same; none by default. This program keeps them. */
  resets?: Readonly<Record<string, string>>;
  /** Fields that the reference ignores in an update without the others. */
  together?: readonly string[];
  /** Fields with links that an update of the reference can't remove. */
  keepsLinks?: readonly string[];
  /** Returns what a client probably didn't mean with values that are valid alone, by field. `before` is the record that is updated. */
  doubts?(input: Input, ctx: RequestContext, zone: string, before: Entry | undefined): Record<string, Doubt>;
  /** Columns without a field. */
  derived: Record<string, Column>;
}

export interface PageAddress {
  type: string;
  /** The start of its path, in the words of a site that has chosen none. */
  base: string;
}

/** A resource whose records have authors, statuses, slugs and a trash. */
export interface PostDefinition extends Definition {
  family: 'post';
  /** The parts of the address of a record's page. */
  page: PageAddress;
  /** True of the records that events link to: an equal name and description is the same record, and errors are named after their kind. */
  isLinked: boolean;
  /** The columns that follow from others when a record is written. `before` is undefined for a new record. */
  derive?(input: Input, columns: Columns, before: Row | undefined, ctx: RequestContext): Columns;
}

/** A resource whose records group events. */
export interface TermDefinition extends Definition {
  family: 'term';
  /** The path of its pages, in the words of a site that has chosen none. */
  page: string;
  taxonomy: string;
  /** The lowest role that may create records. */
  creators: Role;
  /** True if a record can have a parent of the same kind, in its field `parent`. */
  isTree: boolean;
}
