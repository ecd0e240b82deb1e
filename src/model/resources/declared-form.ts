import type { Zod } from '../fields/field.ts';
import { declaredTypes } from './declared.ts';
import { resourceNames } from './names.ts';

/** Returns the schema of a declaration. */
export const declarationForm = (z: Zod) =>
  z.strictObject({
    type: z.enum(declaredTypes).describe('Type of the values'),
    filter: z.boolean().optional().describe('True if lists can be filtered by it'),
    about: z.string().max(200).optional().describe('Description in help and documents'),
  });

/** Returns the schema of the declared fields of a calendar. */
export const declaredFieldsForm = (z: Zod) =>
  z
    .partialRecord(z.enum(resourceNames), z.record(z.string(), declarationForm(z)))
    .describe('Fields that the calendar adds to its records, by resource and name');
