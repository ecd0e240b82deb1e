import { expect, it } from 'vitest';
import { growthOf, piecesFor, unboundedExpressions } from '../support/expressions.ts';
import { limit } from '../support/timeouts.ts';

const expressions = await unboundedExpressions();

it('no regular expression takes the square of what it may consume', { timeout: limit(120_000) }, () => {
  expect(expressions.length).toBeGreaterThan(400);
  const slow = expressions.flatMap((expression) =>
    piecesFor(expression).flatMap((piece) =>
      ['', '<', '"'].flatMap((before) =>
        (growthOf(expression, before, piece, '\0') ?? 0) > 40 ? [[expression.at, expression.source, before, piece]] : [],
      ),
    ),
  );
  expect(slow).toEqual([]);
});

it.each([
  ['^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)(e[+-]?\\d+)?\\s*$', 'i', '', '0'],
  ['\\/+$', '', '', '/'],
  ['^<\\s*(\\/?)\\s*([a-z][a-z0-9-]*)([^>]*)>$', 'i', '<', ' '],
  ['<[^>]*>', 'g', '', '<'],
])('/%s/%s would be found', (source, flags, before, piece) => {
  const expression = { at: '', source, flags };
  expect(piecesFor(expression)).toContain(piece);
  expect(growthOf(expression, before, piece, '\0')).toBeGreaterThan(40);
});
