import { expect, it } from 'vitest';
import { valueTexts } from '../../../src/cli/print/sync.ts';

it.each<[string, unknown[], string[]]>([
  ['entities', ['Tom &#038; Jerry', 'Tom &amp; Ada'], ['"Tom & Jerry"', '"Tom & Ada"']],
  ['entities in lists', [['a &#8211; b'], []], ['["a – b"]', '[]']],
  ['a difference of entities only', ['Tom &#038; Jerry', 'Tom &amp; Jerry'], ['"Tom &#038; Jerry"', '"Tom &amp; Jerry"']],
  ['other values', [1, undefined], ['1', 'unknown']],
  ['long texts', ['x'.repeat(200)], [`"${'x'.repeat(116)}…`]],
])('values with %s are shown on a line each', (_, values, texts) => expect(valueTexts(values)).toEqual(texts));
