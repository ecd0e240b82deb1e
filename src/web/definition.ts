import type { ResourceName } from '../model/calendar.ts';
import type { Control } from '../model/fields/field.ts';

/** A field as forms need it. */
export interface FieldDefinition {
  name: string;
  about: string;
  control: Control;
  required?: true;
  many?: true;
  choices?: readonly string[];
  /** The resource that it links to. */
  links?: ResourceName;
}

/** A resource as forms need it. */
export interface FormDefinition {
  /** The field that names a record for people. */
  label: string;
  /** True if links name its records by ID; else by slug. */
  isPost?: true;
  fields: FieldDefinition[];
}

export type Definitions = Record<ResourceName, FormDefinition>;
