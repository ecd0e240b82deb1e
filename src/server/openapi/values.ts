import type { JsonSchema } from '../../model/fields/field.ts';
import { resources } from '../../model/resources/all.ts';
import { embeddedTermSchema } from '../../model/resources/term.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });

/** An object that has all of its members. */
export const whole = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** Returns the name of a resource's records in schemas and operations: `Event`, `Events`. */
export const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** The schemas of values that records hold, by the names that fields refer to. */
export const valueSchemas: Record<string, JsonSchema> = {
  CostDetails: whole({
    currency_symbol: text('what stands by every number, when it is the same'),
    currency_code: text('ISO 4217'),
    currency_position: { ...text('prefix or postfix'), enum: ['prefix', 'postfix', ''] },
    values: { type: 'array', items: { type: 'string' }, description: 'the numbers, ascending' },
  }),
  Image: whole({ url: text('its address'), id: { type: 'integer', description: 'its ID' }, extension: text('how its name ends') }),
  DateDetails: whole(
    Object.fromEntries(
      ['year', 'month', 'day', 'hour', 'minutes', 'seconds'].map((name) => [
        name,
        { ...text('digits, zero-padded'), pattern: name === 'year' ? '^-?\\d{4,}$' : '^\\d\\d$' },
      ]),
    ),
  ),
  EmbeddedTerm: embeddedTermSchema(Object.values(resources).flatMap((resource) => ('taxonomy' in resource ? resource.taxonomy : []))),
};
