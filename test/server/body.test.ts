import { expect, it } from 'vitest';
import { inputOf, nested } from '../../src/server/body.ts';

/** Default maximum body size of a server, in bytes. */
const limit = 1 << 20;
const filled = (piece: string) => piece.repeat(Math.floor(limit / piece.length));
const form = 'application/x-www-form-urlencoded';
const multipart = '--x\r\nContent-Disposition: form-data; name="a[]"\r\n\r\n\r\n';

it.each([
  ['empty brackets', form, filled('a[]&')],
  ['empty brackets after a number', form, `a[1]=&${filled('a[]&')}`.slice(0, limit)],
  ['brackets in brackets', form, filled('a[][]&')],
  ['brackets of every depth', form, `${'a'}${filled('[]')}`.slice(0, limit)],
  [
    'many names',
    form,
    Array.from({ length: 80_000 }, (_, i) => `a[${i}]`)
      .join('&')
      .slice(0, limit),
  ],
  ['brackets that never end', form, filled('a[')],
  ['percent signs', form, filled('%')],
  ['lists in lists', 'application/json', `${'['.repeat(limit / 2)}${']'.repeat(limit / 2)}`],
  ['lists beside each other', 'application/json', `[${'[],'.repeat(limit / 3 - 2)}[]]`],
  ['halves of characters', 'application/json', `{"a":"${'\\ud83d\\ude00'.repeat(80_000)}"}`],
  ['backslashes', 'application/json', `{"a":"${'\\\\'.repeat(limit / 4)}"}`],
  ['parts', 'multipart/form-data; boundary=x', `${multipart.repeat(18_000)}--x--\r\n`],
])('a body of %s takes less than a second of the processor', async (_, type, text) => {
  const before = process.cpuUsage();
  await inputOf(Buffer.from(text), { 'content-type': type }).catch(() => {});
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(1);
});

it('a form of too many values is refused, with their number', () =>
  expect(() => nested(new URLSearchParams('a[]&'.repeat(10_001)))).toThrow('more than 10000 values'));

it.each([
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[5]=1&a[]=2&a[6]=3', { a: ['1', '3'] }],
  ['a[x]=1&a[]=2', { a: { x: '1', 0: '2' } }],
  ['a[][b]=1&a[][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
  ['a[999999999999999999999]=1&a[]=2', { a: ['1', '2'] }],
])('%s', (text, value) => expect(nested(new URLSearchParams(text))).toEqual(value));
