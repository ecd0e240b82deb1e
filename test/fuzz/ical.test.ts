import fc from 'fast-check';
import { RRule } from 'rrule';
import { describe, expect } from 'vitest';
import { DataError } from '../../src/model/error.ts';
import { readIcal, surveyIcal } from '../../src/model/ical/read.ts';
import { timezoneComponent } from '../../src/model/ical/vtimezone.ts';
import { instantOf, utcOf } from '../../src/model/time/datetime.ts';
import { timesHere, timesThere } from '../support/both-libraries.ts';
import { fuzz } from '../support/fuzz.ts';
import { rrules } from '../support/rules.ts';

const day = 86_400_000;
const compact = (time: number) => utcOf(time).replace(/[-:]/g, '').replace(' ', 'T');

/** The forms of a series' dates: whole days, UTC, a time zone, or floating. */
const kinds = fc.constantFrom<{ name: string; parameter: string; end: string; isDay?: boolean }>(
  { name: 'days', parameter: ';VALUE=DATE', end: '', isDay: true },
  { name: 'UTC', parameter: '', end: 'Z' },
  { name: 'Europe/Paris', parameter: ';TZID=Europe/Paris', end: '' },
  { name: 'America/New_York', parameter: ';TZID="America/New_York"', end: '' },
  { name: 'floating', parameter: '', end: '' },
);
const weekday = fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU');
/** Rules that other libraries follow rightly; those that they do not are in the test of rules alone. */
const rules = fc.oneof(
  fc.constant('FREQ=DAILY'),
  fc.integer({ min: 2, max: 4 }).map((interval) => `FREQ=DAILY;INTERVAL=${interval}`),
  fc.constant('FREQ=WEEKLY'),
  fc.uniqueArray(weekday, { minLength: 1, maxLength: 3 }).map((days) => `FREQ=WEEKLY;BYDAY=${days.join(',')}`),
  fc.integer({ min: 1, max: 28 }).map((date) => `FREQ=MONTHLY;BYMONTHDAY=${date}`),
  fc.tuple(fc.integer({ min: 1, max: 4 }), weekday).map(([nth, name]) => `FREQ=MONTHLY;BYDAY=${nth}${name}`),
);

/** The lines of one series with deleted, added, moved and canceled occurrences, all at times of the series. */
const series = fc
  .record({
    kind: kinds,
    rule: rules,
    start: fc.record({ date: fc.integer({ min: 0, max: 700 }), hour: fc.integer({ min: 8, max: 18 }), minute: fc.constantFrom(0, 15, 30) }),
    // No end is at night, when clocks change: programs differ on times that come twice or never.
    length: fc.integer({ min: 0, max: 3 }),
    says: fc.constantFrom('DTEND', 'DURATION', 'nothing'),
    ends: fc.oneof(
      fc.integer({ min: 1, max: 8 }).map((count) => ({ count })),
      fc.integer({ min: 1, max: 60 }).map((days) => ({ days })),
    ),
    without: fc.uniqueArray(fc.nat(6), { maxLength: 2 }),
    besides: fc.uniqueArray(fc.integer({ min: 61, max: 90 }), { maxLength: 2 }),
    moved: fc.option(fc.record({ at: fc.nat(6), by: fc.integer({ min: -3, max: 3 }), isGone: fc.boolean() })),
  })
  .map(({ kind, rule, start, length, says, ends, without, besides, moved }) => {
    const { isDay, parameter, end } = kind;
    const from = Date.UTC(2026, 0, 1) + start.date * day + (isDay ? 0 : (start.hour * 60 + start.minute) * 60_000);
    const said = (time: number) => (isDay ? compact(time).slice(0, 8) : compact(time) + end);
    const line = (name: string, times: number[]) => (times.length ? [`${name}${parameter}:${times.map(said).join(',')}`] : []);
    const options = RRule.parseString(`${rule}${'count' in ends ? `;COUNT=${ends.count}` : ''}`);
    const until = 'days' in ends ? from + ends.days * day : undefined;
    // The start is a time of its rule, which has one: programs differ where it is none.
    const all = new RRule({ ...options, dtstart: new Date(from), ...(until ? { until: new Date(until) } : {}) })
      .all()
      .map((date) => date.getTime());
    const [first = from] = all;
    const unit = isDay ? day : 3_600_000;
    const lasts = (time: number) =>
      says === 'DTEND' && length
        ? line('DTEND', [time + length * unit])
        : says === 'DURATION'
          ? [`DURATION:${isDay ? `P${length + 1}D` : `PT${length}H`}`]
          : [];
    const ending =
      until === undefined
        ? `COUNT=${'count' in ends ? ends.count : 1}`
        : `UNTIL=${isDay ? compact(until).slice(0, 8) : compact(until) + end}`;
    const picked = (at: number) => all[at % Math.max(1, all.length)] ?? first;
    const exception = moved && [
      ...line('RECURRENCE-ID', [picked(moved.at)]),
      ...line('DTSTART', [picked(moved.at) + moved.by * unit]),
      ...lasts(picked(moved.at) + moved.by * unit),
      ...(moved.isGone ? ['STATUS:CANCELLED'] : []),
    ];
    const gone = without.map(picked).filter((time) => !moved || time !== picked(moved.at));
    // A time that is added and excluded is excluded: the other library keeps it where its rule gives it too.
    const added = besides.map((days) => first + days * day).filter((time) => !all.includes(time));
    // UNTIL of a time on the clock of a zone is in UTC; its next midnight is later than the times of its day.
    const isLocal = parameter.startsWith(';TZID') && until !== undefined;
    return {
      times: all.length,
      master: [
        ...[...line('DTSTART', [first]), ...lasts(first)],
        ...[
          `RRULE:${rule};${isLocal ? `UNTIL=${compact(until + day).slice(0, 8)}T000000Z` : ending}`,
          ...line('EXDATE', [...new Set(gone)]),
          ...line('RDATE', added),
        ],
      ],
      exception,
    };
  })
  .filter(({ times }) => times > 0);

const calendar = fc
  .array(series, { minLength: 1, maxLength: 3 })
  .map((all) =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...['Europe/Paris', 'America/New_York'].map((zone) => timezoneComponent(zone, 2025)!.trim()),
      ...all.flatMap(({ master, exception }, at) =>
        [master, ...(exception ? [exception] : [])].flatMap((lines, part) => [
          'BEGIN:VEVENT',
          `UID:${at}`,
          `SUMMARY:${part ? 'moved' : 'series'} ${at}`,
          ...lines,
          'END:VEVENT',
        ]),
      ),
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  );

describe('calendar files', () => {
  const window = { from: Date.UTC(2025, 0), until: Date.UTC(2030, 0) };

  fuzz('events take place when another library says so', calendar, (text) => {
    const { times, problems } = timesHere(text, window);
    expect(problems, text).toEqual([]);
    expect(times, text).toEqual(timesThere(text, window));
  });

  fuzz('a rule gives the times that another library gives', rrules, ({ text, start }) => {
    const from = instantOf(start);
    const until = from + 4 * 366 * day;
    const rule = new RRule({ ...RRule.parseString(text), dtstart: new Date(from) });
    const given = rule
      .all((date, at) => at < 20 && date.getTime() <= until)
      .slice(0, 20)
      .map((date) => date.getTime());
    if (given[0] !== from) return;
    const last = given.length < 20 ? until : given[19]!;
    const file = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:E\nDTSTART:${compact(from)}Z\nRRULE:${text}\nEND:VEVENT\nEND:VCALENDAR\n`;
    const { times, problems } = timesHere(file, { from, until: last });
    expect(problems, text).toEqual([]);
    expect(
      times.map((time) => time.slice(0, 19).replace('T', ' ')),
      text,
    ).toEqual(given.filter((time) => time <= last).map(utcOf));
  });

  fuzz(
    'lines in any order and number are read, or told by their numbers',
    fc
      .array(
        fc.oneof(
          calendar,
          fc.string({ maxLength: 20 }),
          fc.constantFrom(
            'BEGIN:VEVENT',
            'END:VEVENT',
            'RRULE:FREQ=SECONDLY;BYMONTHDAY=-31',
            'DURATION:P9999999W',
            'TZID:x',
            'DTSTART;TZID=x:20270101T000000',
            'UID:0',
            'RECURRENCE-ID:20260101T080000Z',
            'DTSTART:99991231T235959Z',
          ),
        ),
        { maxLength: 6 },
      )
      .chain((pieces) =>
        fc
          .shuffledSubarray(pieces.join('\r\n').split('\r\n'))
          .map((lines) =>
            [
              'BEGIN:VCALENDAR',
              'BEGIN:VEVENT',
              ...lines.filter((line) => !/^(?:BEGIN|END):/.test(line)),
              'END:VEVENT',
              'END:VCALENDAR',
            ].join('\r\n'),
          ),
      ),
    (text) => {
      try {
        const survey = surveyIcal([text]);
        for (const found of readIcal([text], survey, { zone: 'UTC', window }))
          if ('problems' in found) for (const { at } of found.problems) expect(at).toMatch(/^line \d+/);
      } catch (error) {
        // A line that goes on the one before may open or close what does not match.
        if (!(error instanceof DataError)) throw error;
        expect(error.at).toMatch(/^line \d+/);
      }
    },
  );
});
