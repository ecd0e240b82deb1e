import type { Resource, ResourceName } from '../model/calendar.ts';
import type { Field } from '../model/fields/field.ts';
import type { ListParameter } from '../model/fields/list.ts';
import type { PageAddress } from '../model/resource.ts';

/** A field as the forms use it. */
export interface FieldDefinition extends Pick<Field, 'name' | 'about' | 'control' | 'required' | 'many' | 'isDeclared' | 'choices'> {
  /** Resource that the field links to. */
  links?: ResourceName;
}

/** The names of a resource and the kind of its links. */
export interface RecordLabel extends Pick<Resource, 'kind'> {
  /** Field that contains the name or title of a record. */
  label: string;
  /** True if links refer to records by ID, not by slug. */
  isPost?: true;
  /** The start of the addresses of its pages, and the type of posts in others. */
  page: Pick<PageAddress, 'base'> & Partial<PageAddress>;
}

/** A resource as the forms use it. */
export interface FormDefinition {
  /** The members that the API defines. */
  members: readonly string[];
  fields: FieldDefinition[];
  /** The fields that are always visible, in this order. All others are under “More options”. */
  mainFields: readonly string[];
}

export type Definitions = Record<ResourceName, FormDefinition>;

/** A filter of events that the calendar offers, named like the parameter of the API. */
export interface FilterDefinition {
  name: string;
  about: string;
  kind: 'records' | 'switch' | 'text' | 'number';
  /** Resource of the records to choose from. */
  links?: ResourceName;
}

/** A list parameter as the tables use it. */
export interface ParameterChoice extends Pick<ListParameter, 'name' | 'about' | 'choices' | 'many'> {
  /** Resource whose records are its values. */
  links?: ResourceName;
}

/** A resource as the tables use it. */
export interface TableDefinition {
  /** All columns: members of a record that fit into a cell. */
  columns: readonly string[];
  /** The columns that are shown at first. */
  summary: readonly string[];
  filters: readonly ParameterChoice[];
  /** Parameters that select all records, including those that lists leave out by default. */
  whole: Readonly<Record<string, string>>;
  /** Parameters of which any one replaces the dates in `whole`. */
  dateNames: readonly string[];
}

export type TableDefinitions = Record<ResourceName, TableDefinition>;
