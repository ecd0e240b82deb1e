import { expect, it } from 'vitest';
import { icalInstant, isUnambiguous } from '../../../src/model/ical/vtimezone.ts';

// RFC 5545, 3.3.5: a repeated time is the first one, a skipped one uses the offset before the gap.
it.each([
  ['2027-10-31 02:30:00', 'Europe/Berlin', '2027-10-31T00:30:00.000Z', false],
  ['2027-11-07 01:30:00', 'America/New_York', '2027-11-07T05:30:00.000Z', false],
  ['2027-04-04 02:30:00', 'Australia/Sydney', '2027-04-03T15:30:00.000Z', false],
  ['2027-03-28 02:30:00', 'Europe/Berlin', '2027-03-28T01:30:00.000Z', false],
  ['2027-03-14 02:30:00', 'America/New_York', '2027-03-14T07:30:00.000Z', false],
  ['2027-07-01 12:00:00', 'Europe/Berlin', '2027-07-01T10:00:00.000Z', true],
  ['2027-07-01 12:00:00', 'UTC+5.5', '2027-07-01T06:30:00.000Z', true],
  ['2027-07-01 12:00:00', 'Nowhere', '2027-07-01T12:00:00.000Z', true],
])('%s in %s is %s, once: %s', (wall, zone, instant, isOnce) => {
  expect(new Date(icalInstant(wall, zone)).toISOString()).toBe(instant);
  expect(isUnambiguous(wall, zone)).toBe(isOnce);
});
