import { expect, it } from 'vitest';
import { plainBasePath, plainNamespace } from '../../src/data/serving/options.ts';
import { parseCost } from '../../src/model/fields/cost-format.ts';
import { slugOf } from '../../src/model/fields/slug.ts';
import { typedCost } from '../../src/model/fields/typed-cost.ts';
import { renderTitle } from '../../src/model/html/render.ts';
import { cleanTermDescription } from '../../src/model/html/sanitize.ts';
import { expectLinear } from '../support/linear.ts';

it.each<[string, (text: string) => unknown, string, string, string]>([
  ['a tag with spaces', cleanTermDescription, '<', ' ', '>'],
  ['a tag with spaces and a name', cleanTermDescription, '<', ' ', 'a'],
  ['a tag with a long name', cleanTermDescription, '<', 'a-', '\n'],
  ['prices', typedCost, '', '+1 ', ''],
  ['amounts of prices', typedCost, '', '1:', ''],
  ['prices with separators', typedCost, '', '1,10', 'x'],
  ['stored prices', (text) => parseCost([text]), '', '1,10', 'x'],
  ['a slug of ampersands', slugOf, '', '&&', '\n'],
  ['a product of numbers', renderTitle, '', '1,0,', 'y'],
  ['a namespace', plainNamespace, 'a', '/', 'a'],
  ['a base path', plainBasePath, 'a', '/', 'a'],
])('%s takes linear time', (_name, read, before, piece, after) =>
  expectLinear((times) => () => read(before + piece.repeat((4096 * times) / piece.length) + after), 1),
);

it.each([
  ['12x30', '12&#215;30'],
  ['1,5x2', '1,5&#215;2'],
  ['1x2x3', '1&#215;2x3'],
  ['0x5', '0x5'],
  ['00x5', '00&#215;5'],
  ['a1x5', 'a1x5'],
])('the product %s is shown as %s', (text, shown) => expect(renderTitle(text)).toBe(shown));

it.each([
  ['a &amp; b', 'a-b'],
  ['a &b c;d', 'a-d'],
  ['a &b', 'a-b'],
])('the slug of %s is %s', (text, slug) => expect(slugOf(text)).toBe(slug));

it.each([
  ['//a/b//', 'a/b'],
  ['a//b', 'a//b'],
  ['///', ''],
])('the namespace of %s is %s', (text, plain) => expect(plainNamespace(text)).toBe(plain));
