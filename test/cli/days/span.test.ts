import { expect, it } from 'vitest';
import { spanOf } from '../../../src/cli/days/span.ts';
import { lookWith } from '../../support/displayed-days.ts';
import { eventWith } from '../../support/printed-records.ts';

const start = '2027-03-01 10:00:00';

it.each<[what: string, dates: { start_date?: unknown; end_date?: unknown }, last: string | undefined]>([
  ['both dates', { start_date: start, end_date: '2027-03-02 11:00:00' }, '2027-03-02'],
  ['a start', { start_date: start, end_date: undefined }, '2027-03-01'],
  ['a start and no date as an end', { start_date: start, end_date: 'soon' }, undefined],
  ['no date as a start, and an end', { start_date: 'soon', end_date: start }, undefined],
  ['numbers', { start_date: 5, end_date: 6 }, undefined],
])('an event with %s is on the days of its dates', (_what, dates, last) => {
  expect(spanOf({ ...eventWith({ id: 1 }), ...dates }, lookWith())?.last).toBe(last);
});
