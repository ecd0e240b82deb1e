import { describe, expect, it } from 'vitest';
import { weeksOf } from '../../src/model/time/days.ts';
import { parseState, rangeOf, stepDay, viewAddress } from '../../src/web/app/calendar/state.ts';
import { monthsLater } from '../../src/web/app/days.ts';

const today = '2027-03-10';
const state = (query: string) => parseState(new URLSearchParams(query), today);

describe('the address contains the whole state', () => {
  it.each([
    ['', '/'],
    ['view=week', '/?view=week'],
    ['view=week&day=2027-03-01&search=jazz', '/?view=week&day=2027-03-01&search=jazz'],
    [
      'categories=music,stage&tags=free&venue=1,2&organizer=7&featured=true',
      '/?categories=music,stage&tags=free&venue=1,2&organizer=7&featured=true',
    ],
    ['view=decade&day=2027-02-30&featured=no', '/'],
    [`day=${today}`, '/'],
    ['search=%26+%2B%2C', '/?search=%26+%2B,'],
  ])('?%s', (query, address) => {
    expect(viewAddress(state(query), today)).toBe(address);
    expect(state(address.slice(2))).toEqual(state(query));
  });
});

describe('the days of a view', () => {
  it.each([
    ['view=month', 1, { from: '2027-03-01', to: '2027-04-04' }, '2027-04-10'],
    ['view=month', 7, { from: '2027-02-28', to: '2027-04-03' }, '2027-04-10'],
    ['view=month&day=2027-01-31', 1, { from: '2026-12-28', to: '2027-01-31' }, '2027-02-28'],
    ['view=week', 1, { from: '2027-03-08', to: '2027-03-14' }, '2027-03-17'],
    ['view=day', 1, { from: '2027-03-10', to: '2027-03-10' }, '2027-03-11'],
    ['view=list', 1, { from: '2027-03-10' }, '2027-04-10'],
  ])('%s, weeks from %d', (query, weekStart, range, next) => {
    expect(rangeOf(state(query), weekStart)).toEqual(range);
    expect(stepDay(state(query), 1)).toBe(next);
  });
  it('clamps to the last day of a month', () => {
    expect([monthsLater('2028-01-31', 1), monthsLater('2027-12-31', 2), monthsLater('2027-03-31', -1)]).toEqual([
      '2028-02-29',
      '2028-02-29',
      '2027-02-28',
    ]);
    expect(weeksOf('2027-02', 1).map((days) => [days[0], days.length])).toEqual([
      ['2027-02-01', 7],
      ['2027-02-08', 7],
      ['2027-02-15', 7],
      ['2027-02-22', 7],
    ]);
  });
});
