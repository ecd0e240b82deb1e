import { expect, it } from 'vitest';
import { stampOf } from '../../../src/store/cache/index-plan.ts';

it('stamps have the order of the texts', () => {
  const texts = [
    '',
    ' ',
    '-0044-03-15 10:00:00',
    '0000-00-00 00:00:00',
    '1000-01-01 00:00:00',
    '10000-01-01 00:00:00',
    '1001-01-01 00:00:00',
  ];
  texts.push(
    '2027-03-01',
    '2027-03-01 00:00:00',
    '2027-03-01 00:00:00Z',
    '2027-03-01 00:00:01',
    '2027-03-01T00:00:00',
    '2027-1-1',
    '9999-12-31 23:59:59',
    'x',
  );
  texts.sort();
  const stamps = texts.map(stampOf);
  expect(stamps.toSorted((a, b) => a - b)).toEqual(stamps);
  expect(texts.filter((text) => Number.isInteger(stampOf(text)))).toEqual(
    texts.filter((text) => /^\d{4}(-\d\d){2} \d\d(:\d\d){2}$/.test(text)),
  );
});
