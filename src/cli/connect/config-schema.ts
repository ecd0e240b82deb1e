import * as z from 'zod';
import { declaredFieldsForm } from '../../model/resources/declared.ts';

/** A profile: a calendar as a URL or a file, with credentials. */
export const profileSchema = z.strictObject({
  url: z.string().optional(),
  db: z.string().optional(),
  namespace: z.string().optional(),
  user: z.string().optional(),
  password: z.string().optional(),
  headers: z.record(z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/), z.string().regex(/^[^\0\r\n]*$/)).optional(),
});

/** A profile file. Each profile is validated when it is used, so that an error in one doesn't affect the others. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  /** The default profile. */
  profile: z.string().optional(),
  profiles: z.record(z.string(), z.unknown()).default({}),
  /** Fields that the calendar declares. */
  fields: declaredFieldsForm(z).optional(),
});

export type Profile = z.infer<typeof profileSchema>;
export type Config = z.infer<typeof configSchema>;
