import { expect, it } from 'vitest';
import { isNumericText, toWholeNumber } from '../../../src/model/fields/coerce.ts';
import { costDetails } from '../../../src/model/fields/cost-format.ts';
import { readDate } from '../../../src/model/time/parse-date.ts';
import { expectLinear } from '../../support/linear.ts';

it.each([
  ['5', true],
  ['5.', true],
  ['.5', true],
  ['5.50', true],
  [' +5.5e-3 ', true],
  ['-0', true],
  ['', false],
  ['.', false],
  ['5x', false],
  ['5 5', false],
  ['5.5.5', false],
  ['e5', false],
  ['0x5', false],
])('%j is a number: %s', (text, expected) => expect(isNumericText(text)).toBe(expected));

it.each([
  ['a number of a request', toWholeNumber],
  ['a date', (text: string) => readDate(text, 0, 'UTC')],
  ['a cost', (text: string) => costDetails([text])],
])('%s takes linear time', async (_name, parse) => {
  for (const piece of ['0', '0.', '+1 ', '1:', 'e1'])
    for (const end of ['', 'x']) await expectLinear((times) => () => parse(`0${piece.repeat((8192 * times) / piece.length)}${end}`), 1);
});
