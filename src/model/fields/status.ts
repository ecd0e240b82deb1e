import type { FieldKind, Wire } from './field.ts';

/** Every status that a post can have. */
export const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'auto-draft', 'inherit'] as const;
export const status = (about: string, wire: Wire = { type: 'string' }): FieldKind => ({
  about,
  placeholder: 'status',
  choices: statuses,
  control: 'choice',
  schema: (z) => z.enum(statuses),
  wire,
  accepts: wire.default === null ? { enum: [...statuses, null] } : { type: 'string', enum: statuses },
  response: { type: 'string', description: about, enum: statuses },
  always: true,
  check: (value) => (statuses.some((each) => each === value) ? undefined : `must be one of ${statuses.join(', ')}`),
  column: { type: 'TEXT', default: 'publish' },
  empty: 'publish',
  toCell: (value) => String(value ?? 'publish'),
  fromResponse: (value) => value || undefined,
  options: statuses.filter((status) => !['trash', 'auto-draft', 'inherit'].includes(status)),
});
