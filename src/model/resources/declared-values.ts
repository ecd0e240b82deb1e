import type { ResourceName } from '../calendar.ts';

/**
 * The values of fields that your calendar declares, and of members that your site adds to its records, by resource. Add them in your project, and records, inputs, lists and fixtures have them:
 * `declare module 'local-calendar' { interface DeclaredValues { events: { age_group: string } } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: users add members
export interface DeclaredValues {}

/** The declared fields of a resource in inputs; null clears one. */
export type DeclaredInput<Name extends ResourceName> = Name extends keyof DeclaredValues
  ? { [Field in keyof DeclaredValues[Name]]?: DeclaredValues[Name][Field] | null | undefined }
  : unknown;

/** The declared fields of a resource in records; null where a record has no value. */
export type DeclaredMembers<Name extends ResourceName> = Name extends keyof DeclaredValues
  ? { [Field in keyof DeclaredValues[Name]]: DeclaredValues[Name][Field] | null }
  : unknown;

/** The parameters of lists for declared fields with a filter: a value or several, and bounds of numbers and dates. */
export type DeclaredParameters<Name extends ResourceName> = Name extends keyof DeclaredValues
  ? { [Field in keyof DeclaredValues[Name]]?: DeclaredValues[Name][Field] | readonly DeclaredValues[Name][Field][] } & {
      [Field in keyof DeclaredValues[Name] as `${string & Field}_${'min' | 'max'}`]?: DeclaredValues[Name][Field];
    }
  : unknown;
