import * as z from 'zod';

/** The form of a profile: a named calendar, as a URL or a file, and credentials. */
export const profileSchema = z.strictObject({
  url: z.string().optional(),
  db: z.string().optional(),
  namespace: z.string().optional(),
  user: z.string().optional(),
  password: z.string().optional(),
});

/** The form of a file of profiles. Each profile is checked when it is used, so that a mistake in one leaves the others. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  /** The default profile. */
  profile: z.string().optional(),
  profiles: z.record(z.string(), z.unknown()).default({}),
});

export type Profile = z.infer<typeof profileSchema>;
export type Config = z.infer<typeof configSchema>;
