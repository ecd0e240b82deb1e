import type { FieldKind, Wire } from './field.ts';

/** Every status that a post can have. */
export const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'] as const;
export const status = (about: string, wire: Wire = { type: 'string' }): FieldKind => ({
  about,
  placeholder: 'status',
  choices: statuses,
  wire,
  accepts: wire.default === null ? { enum: [...statuses, null] } : { type: 'string', enum: statuses },
  check: (value) => (statuses.some((each) => each === value) ? undefined : `must be one of ${statuses.join(', ')}`),
  schema: (z) => z.enum(statuses),
  nothing: { input: 'publish' },
  stored: { column: { type: 'TEXT', default: 'publish' } },
  // Extensions of a site have statuses of their own.
  shown: {
    schema: {
      anyOf: [
        { type: 'string', enum: statuses },
        { type: 'string', pattern: '^[a-z0-9_]+-[a-z0-9_-]+$' },
      ],
      description: about,
    },
    always: true,
  },
  cell: { to: (value) => String(value ?? 'publish') },
  control: 'choice',
  options: statuses.filter((status) => !['trash', 'auto-draft', 'inherit'].includes(status)),
  compared: { input: (value) => value || undefined },
});
