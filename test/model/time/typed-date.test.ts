import { describe, expect, it } from 'vitest';
import { readMoment, typedDate, typedDateFault } from '../../../src/model/time/typed-date.ts';

describe('typedDate', () => {
  it.each([
    ['20270305', '2027-03-05'],
    [' 19991231 ', '1999-12-31'],
    ['20271305', '20271305'],
    ['+1h', '+3600 seconds'],
    ['+1h30m', '+5400 seconds'],
    ['-90m', '-5400 seconds'],
    ['+7d', '+7 days'],
    ['-1mo +2w', '-1 months +14 days'],
    ['+1.5 hours', '+5400 seconds'],
    ['tomorrow +2h', 'tomorrow +7200 seconds'],
    ['+1 day', '+1 day'],
    ['+2 weekdays', '+2 weekdays'],
    ['2027-03-01T19:00+01:00', '2027-03-01T19:00+01:00'],
    ['2027-03-01 19:00 +0100', '2027-03-01 19:00 +0100'],
    ['1803896400', '1803896400'],
    ['in 2 hours', 'now +2 hours'],
    ['In two days', 'now +2 days'],
    ['in a week 20:00', 'now +1 week 20:00'],
    ['in 1h30m', 'now +5400 seconds'],
    ['in an hour and 15 minutes', 'now +1 hour   15 minutes'],
    ['in half an hour', 'now +30 minutes'],
    ['an hour from now', 'now +1 hour'],
    ['friday at 20:00', 'friday 20:00'],
    ['in 2 weeks at 8pm', 'now +2 weeks 8pm'],
    ['in march', 'in march'],
    ['look at 12', 'look at 12'],
  ])('%s → %s', (text, date) => expect(typedDate(text)).toBe(date));
});

describe('readMoment', () => {
  const now = Date.UTC(2027, 2, 1, 11);
  it.each([
    ['+2 days', '2027-03-03 12:00:00'],
    ['2 hours', '2027-03-01 14:00:00'],
    ['1h30m', '2027-03-01 13:30:00'],
    ['in 2 hours', '2027-03-01 14:00:00'],
    ['in an hour and 15 minutes', '2027-03-01 13:15:00'],
    ['2 weeks from now', '2027-03-15 12:00:00'],
    ['2 hours ago', '2027-03-01 10:00:00'],
    ['in a month', '2027-04-01 12:00:00'],
    ['in 4 weeks', '2027-03-29 12:00:00'],
    ['tomorrow at 8pm', '2027-03-02 20:00:00'],
    ['friday 20:00', '2027-03-05 20:00:00'],
    ['2027-03-01T09:00:00Z', '2027-03-01 10:00:00'],
    ['2027', undefined],
    ['soon', undefined],
    ['in', undefined],
    [' ', undefined],
  ])('%s → %s', (text, wall) => expect(readMoment(text, now, 'Europe/Amsterdam')?.wall).toBe(wall));
});

describe('typedDateFault', () => {
  it.each([
    ['2027', 'is a number, not a date'],
    ['46451', 'is a number, not a date'],
    ['46451.75', 'is a number, not a date'],
    ['-5', 'is a number, not a date'],
    ['20271305', 'is a number, not a date'],
    ['+1.5 days', 'is not a valid date'],
    ['2027-03-05 19:00-21:00', 'a range of times or a UTC offset'],
    ['19.30 - 21.00', 'a range of times or a UTC offset'],
    ['05/06/2027', 'May 6, 2027 or June 5, 2027'],
    ['1803896400', undefined],
    ['@86400', undefined],
    ['13/06/2027', undefined],
    ['2027-03-05T19:00-05:00', undefined],
    ['2027-03-05 19:00:00-05:00', undefined],
    ['2027-03-05 19:00 -0500', undefined],
    ['19.30', undefined],
    ['7.30pm', undefined],
  ])('%s: %s', (text, reason) => expect(typedDateFault(text)?.reason).toBe(reason));
});
