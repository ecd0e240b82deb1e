import { expect, it } from 'vitest';
import { addDuration, movedDates, readLength } from '../../../src/model/time/date-steps.ts';
import { millisecondsIn, readDuration, readTime, timeForms } from '../../../src/model/time/duration.ts';

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

it.each([
  [3000, 3000],
  ['200ms', 200],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['1h30m', 5_400_000],
  ['1s 500ms', 1500],
  ['7d', 604_800_000],
  ['1w', 604_800_000],
  ['PT3S', 3000],
  ['PT0.25S', 250],
])('%j is a time of %i ms', (time, ms) => {
  expect(millisecondsIn(time, 'timeout', 'timeout')).toBe(ms);
});

it.each(['0s', '-5s', '1mo', 'soon', '3000', '', 0, -1, Number.NaN, '25d', null, [100, 200]])('%j is not a timeout', (time) => {
  expect(() => millisecondsIn(time, 'timeout', 'timeout')).toThrow(
    `Invalid timeout ${JSON.stringify(time)}: must be a time with a unit, like 500ms, 10s or 2m, or a number of milliseconds, up to 24d`,
  );
});

it('examples and limits of a time fit its use', () => {
  expect(timeForms('delay')).toBe('a time with a unit, like 200ms or 1.5s, or a number of milliseconds, up to 10m');
  expect([0, '0s', '10m', '601s'].map((time) => readTime(time, 'delay'))).toEqual([0, 0, 600_000, undefined]);
  expect(readTime('60d', 'ttl')).toBe(60 * 86_400_000);
});

it.each([
  ['1:30', 5400],
  ['-0:45', -2700],
  ['1h30m', 5400],
  ['90', undefined],
  ['1:5', undefined],
])('%s is a length of %s seconds', (text, seconds) => {
  expect(readLength(text)?.seconds).toBe(seconds);
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
