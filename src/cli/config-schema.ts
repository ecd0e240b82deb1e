import * as z from 'zod';

const profile = z.strictObject({
  url: z.string().optional(),
  db: z.string().optional(),
  namespace: z.string().optional(),
  user: z.string().optional(),
  password: z.string().optional(),
});

/** What may stand in a file of profiles. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  /** The profile to use when none is named. */
  profile: z.string().optional(),
  profiles: z.record(z.string(), profile).default({}),
});

/** A calendar with a name: where it is, and as whom to go there. */
export type Profile = z.infer<typeof profile>;
export type Config = z.infer<typeof configSchema>;
