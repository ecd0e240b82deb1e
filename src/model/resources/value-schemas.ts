import { digits, type JsonSchema } from '../fields/field.ts';
import { resources } from './all.ts';
import { embeddedTermSchema } from './term.ts';

const text = (description: string): JsonSchema => ({ type: 'string', description });
const integer = (description: string): JsonSchema => ({ type: 'integer', description });

/** One size of an image. */
export const imageSize: JsonSchema = {
  type: 'object',
  properties: {
    width: integer('Pixels'),
    height: integer('Pixels'),
    'mime-type': text('MIME type'),
    filesize: integer('Size in bytes'),
    url: text('URL'),
  },
};

/** The schema of an object whose members are all required. */
export const whole = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** Schemas of values in records, by name. */
export const valueSchemas: Record<string, JsonSchema> = {
  CostDetails: {
    ...whole({
      currency_symbol: text('Currency symbol, if all amounts have the same one'),
      currency_code: text('ISO 4217 code'),
      currency_position: {
        ...text('Position of the symbol; `suffix` from the form of a site is `postfix` from the API'),
        enum: ['prefix', 'postfix', 'suffix', ''],
      },
      values: { type: 'array', items: { type: 'string' }, description: 'Amounts in ascending order' },
    }),
    // Older releases have no codes.
    required: ['currency_symbol', 'currency_position', 'values'],
  },
  Image: {
    type: 'object',
    required: ['url', 'id', 'extension'],
    properties: {
      url: text('URL'),
      id: { ...digits, description: 'ID; 0 for a poster that the server draws' },
      extension: text('File extension'),
      width: integer('Pixels'),
      height: integer('Pixels'),
      filesize: integer('Size in bytes'),
      sizes: {
        type: 'object',
        additionalProperties: imageSize,
        description: 'Sizes by name, like thumbnail. Of an image elsewhere, its URL with a nominal width',
      },
    },
  },
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
