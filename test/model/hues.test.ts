import { expect, it } from 'vitest';
import { hueIndexes } from '../../src/model/hues.ts';

it.each([
  ['top-level categories have different colors, and subcategories theirs', [[1], [2], [3, 1], [4, 3]], [0, 1, 0, 0]],
  ['subcategories of a single category have different colors', [[1], [2, 1], [3, 1], [4, 3]], [0, 1, 2, 2]],
  ['a parent that is unknown does not count', [[1, 9], [2]], [0, 1]],
])('%s', (_title, tree, expected) => {
  const hueOf = hueIndexes(tree.map(([id, parent]) => ({ id: id!, parent })));
  expect(tree.map(([id]) => hueOf([{ id: id! }]))).toEqual(expected);
});
