import { expect, it } from 'vitest';
import { addDuration, millisecondsIn, movedDates, readDuration } from '../../../src/model/time/duration.ts';

it.each([
  ['2027-01-31 20:00:00', '1 month', '2027-02-28 20:00:00'],
  ['2028-01-31 20:00:00', 'P1M', '2028-02-29 20:00:00'],
  ['2027-03-31 20:00:00', '-1mo', '2027-02-28 20:00:00'],
  ['2027-01-31 20:00:00', '2 months', '2027-03-31 20:00:00'],
  ['2028-02-29 20:00:00', '1y', '2029-02-28 20:00:00'],
  ['2027-01-31 20:00:00', 'P1M1D', '2027-03-01 20:00:00'],
  ['2027-12-31 23:59:59', '1s', '2028-01-01 00:00:00'],
  ['2027-03-01 00:30:00', '-PT90M', '2027-02-28 23:00:00'],
])('%s and %s are %s', (wall, text, later) => {
  expect(addDuration(wall, readDuration(text)!)).toBe(later);
});

it.each(['9999-12-31 23:59:59', '9999-12-01 00:00:00'])('%s and a month are outside the years that four digits express', (wall) => {
  expect(() => addDuration(wall, readDuration('1mo')!)).toThrow('outside the years 1 to 9999');
});

it.each(['0s', '-5s', '1mo', 'soon'])('%s is not a time in milliseconds', (text) => {
  expect(() => millisecondsIn(text)).toThrow(`Invalid time "${text}"`);
});

it.each([
  ['PT13H', true, '2027-03-01 00:00:00', '2027-03-02 23:59:59'],
  ['PT24H', true, '2027-03-02 00:00:00', '2027-03-03 23:59:59'],
  ['-PT47H', true, '2027-02-28 00:00:00', '2027-03-01 23:59:59'],
  ['PT13H', false, '2027-03-01 13:00:00', '2027-03-03 12:59:59'],
])('by %s, dates of an event (all day: %s) move to %s and %s', (by, allDay, start_date, end_date) => {
  const event = { start_date: '2027-03-01 00:00:00', end_date: '2027-03-02 23:59:59', all_day: allDay, timezone: 'Europe/Paris' };
  expect(movedDates(event, readDuration(by)!)).toEqual({ start_date, end_date });
});
