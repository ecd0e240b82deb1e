import { expect, it } from 'vitest';
import { typeOf } from '../../scripts/record-types.ts';

it.each([
  [{ type: ['integer', 'null'] }, 'number | null'],
  [{ type: 'array', items: { type: ['string', 'integer'] } }, '(string | number)[]'],
  [{ anyOf: [{ type: 'boolean' }, { enum: [0, 1, 'true', 'false'] }] }, 'boolean'],
  [{ enum: ['a', 0] }, "'a' | 0"],
  [{ type: 'object', required: ['id'], properties: { id: { type: 'integer' }, x: { type: 'string' } } }, '{ id: number; x?: string }'],
  [{ type: 'object', required: ['id'], properties: { id: { type: ['integer', 'string'] } } }, 'HasId'],
  [{ $ref: '#/components/schemas/Venue' }, 'VenueRecord'],
  [{ $ref: '#/components/schemas/NewVenue' }, 'NewVenue'],
])('%j is %s', (schema, type) => expect(typeOf(schema)).toBe(type));

it('an unknown schema has no type', () => expect(() => typeOf({ not: {} })).toThrow('no type for the schema'));
