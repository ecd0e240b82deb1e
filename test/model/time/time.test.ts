import { describe, expect, it, vi } from 'vitest';
import { zoneAbbreviation, zoneAbbreviationAt } from '../../../src/model/time/abbreviations.ts';
import { addDays, addMonths, dateDetails, endOfDay, instantOf, startOfDay, utcOf } from '../../../src/model/time/datetime.ts';
import { readDate } from '../../../src/model/time/parse-date.ts';
import { fromUtc, isoDate, lastListedDay, toUtc } from '../../../src/model/time/time.ts';
import { isZone } from '../../../src/model/time/zone.ts';

const now = Date.UTC(2026, 10, 20, 16, 5, 30);
const newYork = 'America/New_York';

describe('a date text is read', () => {
  it.each([
    ['2027-04-05 06:07:08', '2027-04-05 06:07:08'],
    ['2027-4-5 6:07', '2027-04-05 06:07:00'],
    ['2027/04/05', '2027-04-05 00:00:00'],
    ['4/5/2027 6:07pm', '2027-04-05 18:07:00'],
    ['4/5/27', '2027-04-05 00:00:00'],
    ['4/5/70', '1970-04-05 00:00:00'],
    ['5.4.2027 18.07', '2027-04-05 18:07:00'],
    ['05-04-2027', '2027-04-05 00:00:00'],
    ['27-04-05', '2027-04-05 00:00:00'],
    ['5 April 2027', '2027-04-05 00:00:00'],
    ['April 5th, 2027 6 p.m.', '2027-04-05 18:00:00'],
    ['5-Apr-2027', '2027-04-05 00:00:00'],
    ['Apr-05-2027', '2027-04-05 00:00:00'],
    ['5 IV 2027', '2027-04-05 00:00:00'],
    ['5 Sept', '2026-09-05 00:00:00'],
    ['April', '2026-04-20 00:00:00'],
    ['April 2027', '2027-04-01 00:00:00'],
    ['2027 April', '2027-04-01 00:00:00'],
    ['2027-04', '2027-04-01 00:00:00'],
    ['Dec 25 10:00', '2026-12-25 10:00:00'],
    ['2027-W14-1', '2027-04-05 00:00:00'],
    ['2027W14', '2027-04-05 00:00:00'],
    ['2027-095', '2027-04-05 00:00:00'],
    ['20270405T060708', '2027-04-05 06:07:08'],
    ['20270405T0607', '2027-04-05 06:07:00'],
    ['20270405 060708', '2027-04-05 06:07:08'],
    ['2027:04:05 06:07:08', '2027-04-05 06:07:08'],
    ['2027-04-05T06:07:08.999', '2027-04-05 06:07:08'],
    ['Mon, 05 Apr 2027 06:07:08', '2027-04-05 06:07:08'],
    ['10:00 5 April 2027', '2027-04-05 10:00:00'],
    ['10:00 April 5 2027', '2027-04-05 10:00:00'],
    ['0000-00-00', '-0001-11-30 00:00:00'],
    ['2027-02-31', '2027-03-03 00:00:00'],
    ['2027-04-05 24:00', '2027-04-06 00:00:00'],
    ['2027-04-05 23:59:60', '2027-04-06 00:00:00'],
    ['now', '2026-11-20 11:05:30'],
    ['today', '2026-11-20 00:00:00'],
    ['noon', '2026-11-20 12:00:00'],
    ['tomorrow', '2026-11-21 00:00:00'],
    ['yesterday noon', '2026-11-19 12:00:00'],
    ['10:00 tomorrow', '2026-11-21 00:00:00'],
    ['12am', '2026-11-20 00:00:00'],
    ['back of 7pm', '2026-11-20 19:15:00'],
    ['front of 7', '2026-11-20 06:45:00'],
    ['+1 day', '2026-11-21 11:05:30'],
    ['-1 month 2027-03-31', '2027-03-03 00:00:00'],
    ['2027-03-31 + 2 weeks 3 days', '2027-04-17 00:00:00'],
    ['2027-04-05 10:00:00 +90 minutes', '2027-04-05 11:30:00'],
    ['2 days ago', '2026-11-18 11:05:30'],
    ['--1 day', '2026-11-21 11:05:30'],
    ['next year', '2027-11-20 11:05:30'],
    ['third month', '2027-02-20 11:05:30'],
    ['1 fortnight', '2026-12-04 11:05:30'],
    ['monday', '2026-11-23 00:00:00'],
    ['friday', '2026-11-20 00:00:00'],
    ['next friday', '2026-11-27 00:00:00'],
    ['last friday', '2026-11-13 00:00:00'],
    ['sat', '2026-11-21 00:00:00'],
    ['sunday this week', '2026-11-22 00:00:00'],
    ['tuesday last week', '2026-11-10 00:00:00'],
    ['+3 weekdays', '2026-11-25 11:05:30'],
    ['-5 weekdays', '2026-11-13 11:05:30'],
    ['second tuesday of april 2027', '2027-04-13 00:00:00'],
    ['last monday of april 2027 9am', '2027-04-26 09:00:00'],
    ['first thursday of next month', '2026-12-03 00:00:00'],
    ['last day of next month', '2026-12-31 11:05:30'],
    ['first day of april 2027 noon', '2027-04-01 12:00:00'],
    ['1800000000', '2027-01-15 08:00:00'],
    ['-1', '1969-12-31 23:59:59'],
    ['@0', '1970-01-01 00:00:00'],
    ['@1.75', '1970-01-01 00:00:01'],
    ['  2027-04-05  ', '2027-04-05 00:00:00'],
    // Words for one day, and weeks of a year, take the place of days that were counted before.
    ['+3 days tomorrow', '2026-11-21 00:00:00'],
    ['-2 weeks yesterday', '2026-11-19 00:00:00'],
    ['-2 weeks 2027-W14', '2027-04-05 00:00:00'],
  ])('%s as %s', (text, wall) => expect(readDate(text, now, newYork)?.wall).toBe(wall));

  it.each([
    ['', 'nothing'],
    ['   ', 'blanks'],
    ['hello', 'a word'],
    ['2027-13-05', 'month 13'],
    ['2027-04-32', 'day 32'],
    ['32 April 2027', 'day 32 in words'],
    ['14/04/2027', 'a European date with slashes'],
    ['2027-04-05 25:00', 'hour 25'],
    ['2027-04-05 10:60', 'minute 60'],
    ['13pm', 'hour 13 of 12'],
    ['2027-04-05 2027-04-06', 'two dates'],
    ['10:00 11:00', 'two times'],
    ['2027-04-05 UTC EST Z', 'three zones'],
    ['2027-04-05 Mars/Base', 'an unknown zone'],
    ['2027-04-05 at noon', 'at'],
    ['week', 'a bare unit'],
    ['5 avril 2027', 'French'],
    [`2027-04-05${' '.repeat(200)}`, 'too long a text'],
    ['dec 31 11pm', 'a number behind a day of a month is a year'],
  ])('not: %s (%s)', (text) => expect(readDate(text, now, newYork)).toBeUndefined());

  it.each([
    ['2027-04-05 10:00', '2027-04-05T14:00:00Z', false],
    ['2027-04-05 10:00Z', '2027-04-05T10:00:00Z', true],
    ['2027-04-05T10:00:00+05:30', '2027-04-05T04:30:00Z', true],
    ['2027-04-05 10:00 -0330', '2027-04-05T13:30:00Z', true],
    ['2027-04-05 10:00 GMT+2', '2027-04-05T08:00:00Z', true],
    ['2027-04-05 10:00 EST', '2027-04-05T15:00:00Z', true],
    ['2027-04-05 10:00 (PDT)', '2027-04-05T17:00:00Z', true],
    ['2027-04-05 10:00 Asia/Tokyo', '2027-04-05T01:00:00Z', true],
    ['10/Apr/2027:10:00:00 +0100', '2027-04-10T09:00:00Z', true],
  ])('%s at %s', (text, instant, ownZone) => {
    expect(readDate(text, now, newYork)).toMatchObject({ instant: Date.parse(instant), ownZone });
  });

  // What a text leaves out is as the clock shows it where it is read: in New York it is still Friday morning.
  it.each([
    ['today EST', 'Asia/Tokyo', '2026-11-21T05:00:00Z'],
    ['tomorrow 9am UTC', 'Asia/Tokyo', '2026-11-22T09:00:00Z'],
    ['T10:00:00Z', newYork, '2026-11-20T10:00:00Z'],
    ['UTC', newYork, '2026-11-20T11:05:30Z'],
  ])('%s read in %s is %s', (text, zone, instant) => expect(readDate(text, now, zone)?.instant).toBe(Date.parse(instant)));

  it('with hours as time that passes', () => {
    expect(readDate('2027-03-14 01:30 +1 hour', now, newYork)?.wall).toBe('2027-03-14 03:30:00');
  });
});

describe('a wall time in its zone', () => {
  it.each([
    ['an ordinary day', newYork, '2027-07-01 12:00:00', '2027-07-01 16:00:00'],
    ['a gap in the west', newYork, '2027-03-14 02:30:00', '2027-03-14 07:30:00'],
    ['a gap in the east', 'Europe/Berlin', '2027-03-28 02:30:00', '2027-03-28 01:30:00'],
    ['twice in the west', newYork, '2027-11-07 01:30:00', '2027-11-07 05:30:00'],
    ['twice in the east', 'Europe/Berlin', '2027-10-31 02:30:00', '2027-10-31 01:30:00'],
    ['twice, half an hour', 'Australia/Lord_Howe', '2027-04-04 01:45:00', '2027-04-03 15:15:00'],
    ['a day left out', 'Pacific/Apia', '2011-12-30 12:00:00', '2011-12-30 22:00:00'],
    ['local mean time', 'Asia/Kolkata', '1850-01-01 00:00:00', '1849-12-31 18:06:32'],
    ['the year 1', newYork, '0001-01-01 00:00:00', '0001-01-01 04:56:02'],
    ['the year 9999', newYork, '9999-12-31 23:59:59', '10000-01-01 04:59:59'],
    ['daylight time far ahead', 'Europe/Paris', '2600-07-01 12:00:00', '2600-07-01 10:00:00'],
    ['a fixed abbreviation', 'EST', '2027-07-01 12:00:00', '2027-07-01 17:00:00'],
    ['lower case', 'asia/tokyo', '2027-07-01 12:00:00', '2027-07-01 03:00:00'],
    ['an offset', '-02:30', '2027-07-01 12:00:00', '2027-07-01 14:30:00'],
    ['a manual offset', 'UTC+5.5', '2027-07-01 12:00:00', '2027-07-01 06:30:00'],
    ['a manual offset with minutes', 'UTC+5:45', '2027-07-01 12:00:00', '2027-07-01 06:15:00'],
    ['a manual offset taken for Caracas', 'UTC-4.5', '2027-07-01 12:00:00', '2027-07-01 16:00:00'],
    ['a manual offset taken for UTC', 'UTC-9.5', '2027-07-01 12:00:00', '2027-07-01 12:00:00'],
  ])('%s, %s %s, is %s UTC', (_, zone, wall, utc) => expect(toUtc(wall, zone)).toBe(utc));

  it.each([
    [newYork, '2027-03-14 07:00:00', '2027-03-14 03:00:00', '-04:00'],
    [newYork, '2027-03-14 06:59:59', '2027-03-14 01:59:59', '-05:00'],
    ['Asia/Kathmandu', '2027-01-01 00:00:00', '2027-01-01 05:45:00', '+05:45'],
    ['nowhere', '2027-01-01 00:00:00', '2027-01-01 00:00:00', '+00:00'],
  ])('in %s comes from %s UTC as %s%s', (zone, utc, wall, offset) => {
    expect(fromUtc(utc, zone)).toBe(wall);
    expect(isoDate(wall, zone)).toBe(wall.replace(' ', 'T') + offset);
  });
});

it.each([
  ['Europe/Rome', true],
  ['europe/rome', true],
  ['US/Pacific', true],
  ['UTC', true],
  ['utc', true],
  ['UTC+0', true],
  ['UTC-5', true],
  ['UTC+5.75', true],
  ['+05:30', true],
  ['PST', true],
  ['', false],
  ['Mars/Phobos', false],
  ['UTC 3', true],
  ['hello', false],
])('%s is a zone: %s', (text, known) => expect(isZone(text)).toBe(known));

it.each([
  [newYork, '2027-01-01 00:00:00', 'EST'],
  [newYork, '2027-07-01 00:00:00', 'EDT'],
  ['europe/paris', '2027-07-01 00:00:00', 'CEST'],
  ['Europe/London', '2027-07-01 00:00:00', 'BST'],
  ['Europe/Moscow', '2009-07-01 00:00:00', 'MSD'],
  ['Europe/Moscow', '2012-07-01 00:00:00', 'MSK'],
  ['Asia/Kolkata', '1899-12-31 00:00:00', 'MMT'],
  ['Europe/Paris', '-0001-11-29 23:50:39', 'LMT'],
  ['America/Bahia', '2027-01-01 00:00:00', '-03'],
  ['Asia/Kathmandu', '2027-01-01 00:00:00', '+0545'],
  ['Australia/Lord_Howe', '2027-01-01 00:00:00', 'AEST'],
  ['+05:30', '2027-01-01 00:00:00', 'GMT+0530'],
  ['utc', '2027-01-01 00:00:00', 'UTC'],
  ['EST', '2027-07-01 00:00:00', 'EST'],
  ['UTC-5', '2027-07-01 00:00:00', 'UTC-5'],
  ['nowhere', '2027-07-01 00:00:00', ''],
])('%s at %s UTC is called %s', (zone, utc, abbreviation) => {
  expect(zoneAbbreviation(zone, utc)).toBe(abbreviation);
  if (abbreviation) expect(zoneAbbreviationAt(zone, utc, fromUtc(utc, zone))).toBe(abbreviation);
});

it.each([
  [addDays('2028-02-28 10:00:00', 2), '2028-03-01 10:00:00'],
  [addDays('2027-01-01 10:00:00', -1), '2026-12-31 10:00:00'],
  [addMonths('2027-01-31 10:00:00', 1), '2027-03-03 10:00:00'],
  [addMonths('2027-01-15 10:00:00', -13), '2025-12-15 10:00:00'],
  [addMonths('2028-02-29 00:00:00', 12), '2029-03-01 00:00:00'],
  [startOfDay('2027-01-31 10:00:00'), '2027-01-31 00:00:00'],
  [endOfDay('2027-01-31 10:00:00'), '2027-01-31 23:59:59'],
  [utcOf(instantOf('0001-02-03 04:05:06')), '0001-02-03 04:05:06'],
  [utcOf(-1), '1969-12-31 23:59:59'],
])('calendar arithmetic: %s', (found, wanted) => expect(found).toBe(wanted));

it('the details of a date are strings with their zeroes', () => {
  const details = { year: '2027', month: '03', day: '01', hour: '09', minutes: '05', seconds: '07' };
  expect(dateDetails('2027-03-01 09:05:07')).toEqual(details);
});

it('many conversions use one formatter', () => {
  toUtc('2027-01-01 00:00:00', newYork);
  using formatter = vi.spyOn(Intl, 'DateTimeFormat');
  for (let day = 1; day <= 28; day++) toUtc(`2027-07-${String(day).padStart(2, '0')} 00:00:00`, newYork);
  expect(formatter).not.toHaveBeenCalled();
});

// An event that goes on into the morning is listed on its evening, if it is shorter than a day.
it.each([
  ['2027-03-01 20:00:00', '2027-03-02 05:59:59', '2027-03-01'],
  ['2027-03-01 20:00:00', '2027-03-02 06:00:00', '2027-03-02'],
  ['2027-03-01 05:00:00', '2027-03-02 04:59:59', '2027-03-01'],
  ['2027-03-01 05:00:00', '2027-03-02 05:00:00', '2027-03-02'],
  ['2027-03-01 20:00:00', '2027-03-02 00:00:00', '2027-03-01'],
  ['2027-03-01 20:00:00', '2027-03-03 00:00:00', '2027-03-02'],
  ['2027-03-01 00:00:00', '2027-03-01 00:00:00', '2027-03-01'],
  ['2027-03-01 10:00:00', '2027-02-27 10:00:00', '2027-03-01'],
])('%s to %s is last listed on %s', (from, to, day) => expect(lastListedDay(from, to)).toBe(day));
