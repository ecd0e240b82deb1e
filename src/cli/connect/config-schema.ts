import * as z from 'zod';

const profile = z.strictObject({
  url: z.string().optional(),
  db: z.string().optional(),
  namespace: z.string().optional(),
  user: z.string().optional(),
  password: z.string().optional(),
});

/** The form of a file of profiles. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  /** The default profile. */
  profile: z.string().optional(),
  profiles: z.record(z.string(), profile).default({}),
});

/** A named calendar: a URL or a file, and credentials. */
export type Profile = z.infer<typeof profile>;
export type Config = z.infer<typeof configSchema>;
