import { expect, it } from 'vitest';
import { nested } from '../../src/server/body.ts';

it('a form of too many values is refused, with their number', () =>
  expect(() => nested(new URLSearchParams('a[]&'.repeat(10_001)))).toThrow('more than 10000 values'));

it.each([
  ['a[]=1&a[]=2', { a: ['1', '2'] }],
  ['a[5]=1&a[]=2&a[6]=3', { a: ['1', '3'] }],
  ['a[x]=1&a[]=2', { a: { x: '1', 0: '2' } }],
  ['a[][b]=1&a[][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
  ['a[999999999999999999999]=1&a[]=2', { a: ['1', '2'] }],
])('%s', (text, value) => expect(nested(new URLSearchParams(text))).toEqual(value));

it.each([
  [8, 'a[b][c][d][e][f][g][h]', { a: { b: { c: { d: { e: { f: { g: { h: '1' } } } } } } } }],
  [9, 'a[b][c][d][e][f][g][h][i]', { a: { b: { c: { d: { e: { f: { g: { h: '1' } } } } } } } }],
])('a name of %i parts is nested eight deep', (_, name, value) => expect(nested([[name, '1']])).toEqual(value));
