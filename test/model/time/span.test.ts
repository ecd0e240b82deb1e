import { describe, expect, it } from 'vitest';
import { readDuration } from '../../../src/model/time/duration.ts';
import {
  clockIn,
  eventLength,
  type GivenSpan,
  type PreviousSpan,
  resolveSpan,
  type SpanRules,
  spanRules,
} from '../../../src/model/time/span.ts';

const now = Date.parse('2027-03-26T12:00:00Z');
const zone = 'Europe/Paris';
const { api, ical, people } = spanRules;
const moment = (wall: string) => ({ wall, instant: clockIn(zone).instantOf(wall) });
const resolve = (rules: SpanRules, given: GivenSpan, before?: PreviousSpan) => resolveSpan(given, before, rules, { now, zone });
/** A span as one line; the word at its end tells what was assumed. */
function text(rules: SpanRules, given: GivenSpan, before?: PreviousSpan): string {
  try {
    const span = resolve(rules, given, before);
    if (!span) return 'unreadable';
    return [span.start.wall, span.end.wall, span.allDay ? 'all day' : '', span.usual ?? ''].filter(Boolean).join(', ');
  } catch (error) {
    return (error as Error).message;
  }
}

const evening = { start: '2027-03-27 22:00' };
const concert = { start: '2027-03-27 22:00:00', end: '2027-03-27 23:30:00', allDay: false };
const fair = { start: '2027-03-27 00:00:00', end: '2027-03-28 23:59:59', allDay: true };

describe.each([
  ['no end', evening, '2027-03-27 22:00:00, 2027-03-27 22:00:00', '2027-03-27 22:00:00, 2027-03-27 23:00:00, 1 hour'],
  [
    'no end, no time',
    { start: '2027-03-27' },
    '2027-03-27 00:00:00, 2027-03-27 00:00:00',
    '2027-03-27 00:00:00, 2027-03-27 23:59:59, all day, 1 day',
  ],
  [
    'days',
    { start: '2027-03-27', end: '2027-03-28' },
    '2027-03-27 00:00:00, 2027-03-28 00:00:00',
    '2027-03-27 00:00:00, 2027-03-28 23:59:59, all day',
  ],
  [
    'days that are not all day',
    { start: '2027-03-27', end: '2027-03-28', allDay: false },
    '2027-03-27 00:00:00, 2027-03-28 00:00:00',
    '2027-03-27 00:00:00, 2027-03-28 00:00:00',
  ],
  [
    'midnight in words',
    { start: '2027-03-27 midnight', end: '2027-03-28' },
    '2027-03-27 00:00:00, 2027-03-28 00:00:00',
    '2027-03-27 00:00:00, 2027-03-28 00:00:00',
  ],
  [
    'times of an all-day event',
    { start: '2027-03-27 22:00', end: '2027-03-28 01:00', allDay: true },
    '2027-03-27 00:00:00, 2027-03-28 23:59:59, all day',
    '2027-03-27 00:00:00, 2027-03-28 23:59:59, all day',
  ],
  [
    'a time after the start',
    { ...evening, end: '23:15' },
    '2027-03-27 22:00:00, 2027-03-27 22:00:00',
    '2027-03-27 22:00:00, 2027-03-27 23:15:00',
  ],
  [
    'a time before the start',
    { ...evening, end: '1am' },
    '2027-03-27 22:00:00, 2027-03-27 22:00:00',
    '2027-03-27 22:00:00, 2027-03-28 01:00:00',
  ],
  [
    'a distance over a change of the clock',
    { ...evening, end: '+4 hours' },
    '2027-03-27 22:00:00, 2027-03-27 22:00:00',
    '2027-03-27 22:00:00, 2027-03-28 03:00:00',
  ],
  [
    'a date before the start',
    { ...evening, end: '2027-03-27 21:00' },
    '2027-03-27 22:00:00, 2027-03-27 22:00:00',
    'Invalid end_date: 2027-03-27 21:00:00 is before the start 2027-03-27 22:00:00',
  ],
  [
    'a day before the start',
    { ...evening, end: '2027-03-26' },
    '2027-03-27 22:00:00, 2027-03-27 22:00:00',
    'Invalid end_date: 2027-03-26 00:00:00 is before the start 2027-03-27 22:00:00',
  ],
  [
    'the UTC offset of another place',
    { ...evening, end: '2027-03-27T22:30:00Z' },
    '2027-03-27 22:00:00, 2027-03-27 22:30:00',
    '2027-03-27 22:00:00, 2027-03-27 23:30:00',
  ],
  [
    'a time that the clock skips',
    { start: '2027-03-28 02:30', end: '2027-03-28 05:00' },
    '2027-03-28 03:30:00, 2027-03-28 05:00:00',
    '2027-03-28 03:30:00, 2027-03-28 05:00:00',
  ],
  [
    'a duration',
    { ...evening, duration: readDuration('4h') },
    '2027-03-27 22:00:00, 2027-03-28 03:00:00',
    '2027-03-27 22:00:00, 2027-03-28 03:00:00',
  ],
  [
    'days as a duration',
    { start: '2027-03-27', duration: readDuration('2d') },
    '2027-03-27 00:00:00, 2027-03-29 00:00:00',
    '2027-03-27 00:00:00, 2027-03-28 23:59:59, all day',
  ],
  [
    'hours from a day on',
    { start: '2027-03-27', duration: readDuration('2h') },
    '2027-03-27 00:00:00, 2027-03-27 02:00:00',
    '2027-03-27 00:00:00, 2027-03-27 02:00:00',
  ],
  ['no start', { end: '2027-03-28' }, 'unreadable', 'unreadable'],
  ['what is not a date', { start: '2027-03-27', end: 'sooner' }, 'unreadable', 'unreadable'],
] as const)('a new event with %s', (_name, given, wire, typed) => {
  it('over HTTP', () => expect(text(api, given)).toBe(wire));
  it('typed by people', () => expect(text(people, given)).toBe(typed));
});

describe.each([
  [
    'a later start',
    { start: '2027-03-30 20:00' },
    concert,
    '2027-03-30 20:00:00, 2027-03-30 20:00:00',
    '2027-03-30 20:00:00, 2027-03-30 21:30:00',
  ],
  [
    'an earlier start',
    { start: '2027-03-20 20:00' },
    concert,
    '2027-03-20 20:00:00, 2027-03-27 23:30:00',
    '2027-03-20 20:00:00, 2027-03-20 21:30:00',
  ],
  ['a later end', { end: '2027-03-28' }, concert, '2027-03-27 22:00:00, 2027-03-28 00:00:00', '2027-03-27 22:00:00, 2027-03-28 00:00:00'],
  ['a time for an end', { end: '0:30' }, concert, '2027-03-27 22:00:00, 2027-03-27 22:00:00', '2027-03-27 22:00:00, 2027-03-28 00:30:00'],
  [
    'a start of days',
    { start: '2027-04-03' },
    fair,
    '2027-04-03 00:00:00, 2027-04-03 23:59:59, all day',
    '2027-04-03 00:00:00, 2027-04-04 23:59:59, all day',
  ],
  [
    'times for days',
    { start: '2027-04-03 10:00', allDay: false },
    fair,
    '2027-04-03 10:00:00, 2027-04-03 10:00:00',
    '2027-04-03 10:00:00, 2027-04-05 10:00:00',
  ],
  [
    'only a duration',
    { duration: readDuration('45m') },
    concert,
    '2027-03-27 22:00:00, 2027-03-27 22:45:00',
    '2027-03-27 22:00:00, 2027-03-27 22:45:00',
  ],
  ['a day', { start: '2027-03-30' }, concert, '2027-03-30 00:00:00, 2027-03-30 00:00:00', '2027-03-30 00:00:00, 2027-03-30 01:30:00'],
] as const)('an event that is given %s', (_name, given, before, wire, typed) => {
  it('over HTTP', () => expect(text(api, given, before)).toBe(wire));
  it('by people', () => expect(text(people, given, before)).toBe(typed));
});

describe('iCalendar', () => {
  it.each([
    ['nothing', {}, '2027-03-27 22:00:00, 2027-03-27 22:00:00'],
    ['an end', { end: moment('2027-03-28 01:00:00') }, '2027-03-27 22:00:00, 2027-03-28 01:00:00'],
    ['an end before the start', { end: moment('2027-03-27 21:00:00') }, '2027-03-27 22:00:00, 2027-03-27 22:00:00'],
    ['no end, of a whole day', { allDay: true }, '2027-03-27 00:00:00, 2027-03-27 23:59:59, all day'],
    ['an exclusive end', { end: moment('2027-03-29 00:00:00'), allDay: true }, '2027-03-27 00:00:00, 2027-03-28 23:59:59, all day'],
    ['an end on the first day', { end: moment('2027-03-27 00:00:00'), allDay: true }, '2027-03-27 00:00:00, 2027-03-27 23:59:59, all day'],
  ])('with %s', (_name, given: GivenSpan, expected) => {
    expect(text(ical, { start: moment('2027-03-27 22:00:00'), ...given })).toBe(expected);
  });
});

describe('a length', () => {
  it.each([
    ['1:30', 5400],
    ['90m', 5400],
    ['PT1H', 3600],
  ])('%s', (length, seconds) => expect(eventLength(length).seconds).toBe(seconds));
  it.each(['-1h', 'soon', '1:5', ''])('is not %j', (length) => {
    expect(() => eventLength(length)).toThrow('is not a duration');
  });
});
