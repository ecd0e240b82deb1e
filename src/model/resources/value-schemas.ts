import type { JsonSchema } from '../fields/field.ts';
import { resources } from './all.ts';
import { embeddedTermSchema } from './term.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });

/** Returns the schema of an object whose members are all required. */
export const whole = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** Schemas of values in records, by name. */
export const valueSchemas: Record<string, JsonSchema> = {
  CostDetails: whole({
    currency_symbol: text('Currency symbol, if all amounts have the same one'),
    currency_code: text('ISO 4217 code'),
    currency_position: { ...text('Position of the symbol'), enum: ['prefix', 'postfix', ''] },
    values: { type: 'array', items: { type: 'string' }, description: 'Amounts in ascending order' },
  }),
  Image: whole({ url: text('URL'), id: { type: 'integer', description: 'ID' }, extension: text('File extension') }),
  DateDetails: whole(
    Object.fromEntries(
      ['year', 'month', 'day', 'hour', 'minutes', 'seconds'].map((name) => [
        name,
        { ...text('Zero-padded digits'), pattern: name === 'year' ? '^-?\\d{4,}$' : '^\\d\\d$' },
      ]),
    ),
  ),
  EmbeddedTerm: embeddedTermSchema(Object.values(resources).flatMap((resource) => ('taxonomy' in resource ? resource.taxonomy : []))),
};
