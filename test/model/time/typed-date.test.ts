import { describe, expect, it } from 'vitest';
import { typedDate, typedDateFault } from '../../../src/model/time/typed-date.ts';

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
  ])('%s → %s', (text, date) => expect(typedDate(text)).toBe(date));
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
