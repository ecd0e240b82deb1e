import * as z from 'zod';
import { declaredFieldsForm } from '../model/resources/declared.ts';
import { type ServerOption, serverOptionRows, serverOptions } from '../model/server-options.ts';
import { settingsOfSite } from '../store/records/settings.ts';

/** A profile: a calendar as a URL or a file, with credentials. */
export const profileSchema = z.strictObject({
  url: z.string().optional(),
  db: z.string().optional(),
  namespace: z.string().optional(),
  user: z.string().optional(),
  password: z.string().optional(),
  headers: z.record(z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/), z.string().regex(/^[^\0\r\n]*$/)).optional(),
});

/** The form of an option of a server. Texts are parsed where they are used, as those of the command line. */
function optionForm({ kind, choices, min = 0, max = 0 }: ServerOption): z.ZodType {
  if (kind === 'switch') return choices ? z.union([z.boolean(), z.enum(choices)]) : z.boolean();
  if (kind === 'number') return z.int().min(min).max(max);
  const text = choices && kind !== 'value' ? z.enum(choices) : z.string();
  return kind === 'list' ? z.array(text) : text;
}

/** The options of `calendar serve`, with their names in TypeScript. */
const serveSchema = z.strictObject({
  ...Object.fromEntries(
    serverOptionRows
      .filter(([, { of, isWithheld }]) => of !== 'library' && !isWithheld)
      .map(([name, option]) => [name, optionForm(option).describe(option.about).optional()]),
  ),
  fail: z.array(z.string()).describe(serverOptions.fail.about).optional(),
  settings: z
    .strictObject(Object.fromEntries(['title', ...settingsOfSite].map((name) => [name, z.string().optional()])))
    .describe('Settings of a new calendar')
    .optional(),
});

/** A profile file. Each profile is validated when it is used, so that an error in one doesn't affect the others. */
export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  /** The default profile. */
  profile: z.string().optional(),
  profiles: z.record(z.string(), z.unknown()).default({}),
  /** Options of `calendar serve` in this project. */
  serve: serveSchema.optional(),
  /** Fields that the calendar declares. */
  fields: declaredFieldsForm(z).optional(),
});

/** The JSON Schema of a profile file, for editors. */
export const configJsonSchema = (): object => {
  const { $schema: _, ...schema } = z.toJSONSchema(configSchema.extend({ profiles: z.record(z.string(), profileSchema).optional() }), {
    io: 'input',
  });
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'calendar.config.json', ...schema };
};

export type Profile = z.infer<typeof profileSchema>;
export type Config = z.infer<typeof configSchema>;
