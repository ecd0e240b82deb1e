import type { ResourceName } from '../model/calendar.ts';
import type { Control } from '../model/fields/field.ts';

/** A field as the forms use it. */
export interface FieldDefinition {
  name: string;
  about: string;
  control: Control;
  required?: true;
  many?: true;
  choices?: readonly string[];
  /** Resource that the field links to. */
  links?: ResourceName;
}

/** A resource as the forms use it. */
export interface FormDefinition {
  /** Field that contains the name or title of a record. */
  label: string;
  /** True if links refer to records by ID, not by slug. */
  isPost?: true;
  fields: FieldDefinition[];
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
