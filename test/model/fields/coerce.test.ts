import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDeepEqual } from '../../../src/model/fields/coerce.ts';

it('JSON values are equal as for Node, members that are undefined included', () => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<unknown>(null, undefined, 0, 1, '', '1', true, Number.NaN, [], {}),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', '0', 'toString'), tie('value'), { maxKeys: 2, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(isDeepEqual(one, other)).toBe(isDeepStrictEqual(one, other));
      expect(isDeepEqual(one, structuredClone(one))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

it('members with ignored names do not count, at any depth', () => {
  const isIgnored = (name: string) => name.startsWith('x');
  expect(isDeepEqual({ a: [{ b: 1, x: 2 }] }, { a: [{ xy: 3, b: 1 }], x: 0 }, isIgnored)).toBe(true);
  expect(isDeepEqual({ a: [{ b: 1, x: 2 }] }, { a: [{ xy: 3, b: 2 }] }, isIgnored)).toBe(false);
});
