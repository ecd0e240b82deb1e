import fc from 'fast-check';
import { expect } from 'vitest';
import { growthOf, piecesFor, unboundedExpressions } from '../support/expressions.ts';
import { fuzz } from '../support/fuzz.ts';

const expressions = await unboundedExpressions();

/** A beginning, a text to repeat and an end, made of what an expression may consume. */
const attack = fc.constantFrom(...expressions).chain((expression) => {
  const piece = fc.constantFrom(...piecesFor(expression));
  const few = (minLength: number, maxLength: number) => fc.array(piece, { minLength, maxLength }).map((found) => found.join(''));
  return fc.tuple(fc.constant(expression), few(0, 2), few(1, 3), few(0, 1));
});

// Linear expressions take ten times as long, others a hundred times.
fuzz('no regular expression takes the square of the text', attack, ([expression, before, repeated, after]) => {
  expect([expression, growthOf(expression, before, repeated, `${after}\0`) ?? 0]).toSatisfy(([, growth]) => growth < 40);
});
