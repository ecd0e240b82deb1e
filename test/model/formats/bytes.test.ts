import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  base64Bytes,
  base64Text,
  concatBytes,
  hexText,
  isEqualBytes,
  latin1Bytes,
  latin1Text,
  randomUuid,
  utf8Bytes,
  utf8Text,
} from '../../../src/model/formats/bytes.ts';

const bytes = fc.uint8Array({ maxLength: 200, size: 'max' });
/** Bytes of which many are parts of characters. */
const nearUtf8 = fc
  .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe2, 0x82, 0xac, 0xef, 0xbb, 0xbf, 0xed, 0xa0, 0xf0, 0x9f, 0x98, 0xf8))
  .map((all) => Uint8Array.from(all));
/** Texts with unpaired surrogates and byte order marks. */
const text = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom('\ud83d', '\ude00', '\ufeff', 'é')),
});
/** Texts that are almost base64. */
const nearBase64 = fc.string({ unit: fc.constantFrom(...'AZaz09+/-_=== \n\t!é\0:.') });

const plain = (value: Uint8Array) => [...value];
const same = <T>(values: fc.Arbitrary<T>, own: (value: T) => unknown, nodes: (value: T) => unknown) =>
  fc.assert(
    fc.property(values, (value) => {
      expect(own(value)).toEqual(nodes(value));
    }),
    { numRuns: 500 },
  );

describe('bytes and text as those of a Buffer', () => {
  it('from UTF-8', () => same(fc.oneof(bytes, nearUtf8), utf8Text, (value) => Buffer.from(value).toString()));
  it('from Latin-1', () => same(bytes, latin1Text, (value) => Buffer.from(value).toString('latin1')));
  it('to base64', () => same(bytes, base64Text, (value) => Buffer.from(value).toString('base64')));
  it.each(['base64', 'base64url'] as const)('from %s', (encoding) =>
    same(bytes, (value) => plain(base64Bytes(Buffer.from(value).toString(encoding))), plain),
  );
  it.each([
    ['to UTF-8', text, utf8Bytes, 'utf8'],
    ['to Latin-1', text, latin1Bytes, 'latin1'],
    ['from what is almost base64', nearBase64, base64Bytes, 'base64'],
  ] as const)('%s', (_, values, own, encoding) =>
    same(
      values,
      (value) => plain(own(value)),
      (value) => plain(Buffer.from(value, encoding)),
    ),
  );
  it('to hexadecimal', () => same(bytes, hexText, (value) => Buffer.from(value).toString('hex')));
  it('joined', () =>
    same(
      fc.array(bytes),
      (value) => plain(concatBytes(value)),
      (value) => plain(Buffer.concat(value)),
    ));
  it('compared', () => {
    const pair = fc.tuple(fc.uint8Array({ maxLength: 2, max: 1 }), fc.uint8Array({ maxLength: 2, max: 1 }));
    same(
      pair,
      ([one, other]) => isEqualBytes(one, other),
      ([one, other]) => Buffer.compare(one, other) === 0,
    );
  });
});

it('a part of larger bytes is that part', () => {
  const part = utf8Bytes('ab€cd').subarray(1, 5);
  expect([utf8Text(part), latin1Text(part), base64Text(part), hexText(part)]).toEqual([
    'b€',
    'b\u00e2\u0082\u00ac',
    'YuKCrA==',
    '62e282ac',
  ]);
});

it('random UUIDs are of version 4, and differ', () => {
  const all = Array.from({ length: 100 }, randomUuid);
  expect(new Set(all).size).toBe(100);
  for (const uuid of all) expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
});
