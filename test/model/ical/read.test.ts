import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readIcal, surveyIcal } from '../../../src/model/ical/read.ts';
import type { ReadEvent } from '../../../src/model/ical/read-event.ts';
import { fromUtc, toUtc } from '../../../src/model/time/time.ts';

const window = { from: Date.UTC(2026, 10, 19), until: Date.UTC(2028, 10, 20) };
const text = (name: string) => readFileSync(new URL(`../../support/ics/${name}`, import.meta.url), 'utf8');

function read(source: string, more: Partial<Parameters<typeof readIcal>[2]> = {}) {
  // In pieces that fall anywhere.
  const pieces = source.match(/[\s\S]{1,37}/g) ?? [];
  const survey = surveyIcal(pieces);
  const found = [...readIcal(pieces, survey, { zone: 'UTC', window, ...more })];
  return {
    events: found.flatMap((each) => ('events' in each ? each.events : [])),
    problems: [...survey.problems, ...found.flatMap((each) => ('problems' in each ? each.problems : []))].map(
      ({ at, reason }) => `${at}: ${reason}`,
    ),
  };
}
const times = (event: ReadEvent) =>
  `${event.title} | ${event.start_date.slice(0, 16)} - ${event.end_date.slice(0, 16)} ${event.timezone}${event.all_day ? ' all day' : ''}`;

describe('calendars of other programs', () => {
  it.each([
    [
      'web.ics',
      [
        'Reading in the street | 2027-06-12 18:30 - 2027-06-12 20:00 Europe/Lisbon',
        'Book fair, three days | 2027-06-25 00:00 - 2027-06-27 23:59 Europe/Lisbon all day',
        'Poetry circle | 2026-12-05 18:00 - 2026-12-05 19:30 Europe/Lisbon',
        'Poetry circle (on Sunday) | 2027-02-07 16:00 - 2027-02-07 17:30 Europe/Lisbon',
      ],
    ],
    [
      'office.ics',
      [
        'Planung für den Sommer | 2027-04-15 15:30 - 2027-04-15 17:00 Europe/Berlin',
        'Bridge day | 2027-05-01 00:00 - 2027-05-01 23:59 Europe/Berlin all day',
        'Call with the other office | 2027-07-01 14:00 - 2027-07-01 15:00 UTC',
      ],
    ],
    [
      'desktop.ics',
      [
        'Dinner 🍽️ on the pier | 2027-03-20 19:30 - 2027-03-20 23:00 America/New_York',
        'Swimming | 2027-03-09 08:00 - 2027-03-09 08:45 America/New_York',
        'Swimming | 2027-03-16 08:00 - 2027-03-16 08:45 America/New_York',
        'Swimming | 2027-03-23 08:00 - 2027-03-23 08:45 America/New_York',
      ],
    ],
    [
      'mail.ics',
      [
        'Orienteering in the snow; bring a lamp | 2027-01-16 16:00 - 2027-01-16 18:30 Europe/Stockholm',
        'Floating: seven in the evening, wherever you are | 2027-02-01 19:00 - 2027-02-01 20:00 UTC',
        'A day without an end | 2027-02-03 00:00 - 2027-02-03 23:59 UTC all day',
      ],
    ],
    [
      'recurring.ics',
      [
        'Stand-up (afternoon) | 2027-03-26 14:00 - 2027-03-26 15:00 Europe/Paris',
        'Stand-up | 2027-03-25 10:00 - 2027-03-25 10:30 Europe/Paris',
        'Stand-up | 2027-03-28 10:00 - 2027-03-28 10:30 Europe/Paris',
        'Stand-up | 2027-03-29 10:00 - 2027-03-29 10:30 Europe/Paris',
        'Stand-up | 2027-03-30 10:00 - 2027-03-30 10:30 Europe/Paris',
        'Stand-up | 2027-03-31 10:00 - 2027-03-31 10:30 Europe/Paris',
        'Stand-up | 2027-04-02 17:00 - 2027-04-02 17:30 Europe/Paris',
        'Stand-up | 2027-04-03 17:00 - 2027-04-03 17:30 Europe/Paris',
        'Two days a year | 2027-05-01 00:00 - 2027-05-02 23:59 UTC all day',
        'A week later, one day | 2028-05-08 00:00 - 2028-05-08 23:59 UTC all day',
        'Course | 2027-01-05 09:00 - 2027-01-05 10:00 America/Chicago',
        'Course | 2027-01-12 09:00 - 2027-01-12 10:00 America/Chicago',
        'Course, later and longer | 2027-01-26 11:00 - 2027-01-26 13:00 America/Chicago',
        'Course, later and longer | 2027-01-19 11:00 - 2027-01-19 13:00 America/Chicago',
      ],
    ],
  ])('%s', (name, expected) => {
    const { events, problems } = read(text(name));
    expect(problems).toEqual([]);
    expect(events.map(times)).toEqual(expected);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
  });

  it('take what they say besides dates', () => {
    const [dinner] = read(text('desktop.ics')).events;
    expect(dinner).toMatchObject({
      geo: [42.3601, -71.0495],
      website: 'https://pier.example/dinner',
      places: [{ line: 'The Pier, 2 Dock Street, Boston MA 02110' }],
    });
    const [meeting, bridge] = read(text('office.ics')).events;
    expect(meeting).toMatchObject({
      contacts: [{ name: 'Weber, Lena', email: 'lena.weber@office.example' }],
      html: '<P>Please be <B>on time</B>.</P>\n<P>Room 3 is on the left.</P>',
      description: 'Please be on time.\n\nRoom 3 is on the left.',
    });
    expect(bridge!.status).toBe('private');
    const [snow, , gone] = read(text('mail.ics')).events;
    expect(snow).toMatchObject({
      categories: ['Sport', 'Club, young'],
      image: 'https://files.example/route.png',
      description: 'Meet at the hut, five minutes before.\nA < B & C',
    });
    expect(gone!.status).toBe('trash');
    expect(read(text('web.ics')).events[1]!.status).toBe('draft');
  });

  it('place floating times in the given zone', () => {
    const { events } = read(text('mail.ics'), { floating: 'Asia/Tokyo' });
    expect(times(events[1]!)).toBe('Floating: seven in the evening, wherever you are | 2027-02-01 19:00 - 2027-02-01 20:00 Asia/Tokyo');
    expect(times(events[0]!)).toContain('Europe/Stockholm');
  });

  it('leave out occurrences outside the given window', () => {
    const march = { from: Date.UTC(2027, 2, 1), until: Date.UTC(2027, 2, 17) };
    expect(read(text('desktop.ics'), { window: march, strict: true }).events.map(times)).toEqual([
      'Swimming | 2027-03-09 08:00 - 2027-03-09 08:45 America/New_York',
      'Swimming | 2027-03-16 08:00 - 2027-03-16 08:45 America/New_York',
    ]);
  });
});

/** A calendar of some VEVENTs, each given by its lines; what goes before them goes first. */
const calendarOf = (events: string[][], before: string[] = []) =>
  ['BEGIN:VCALENDAR', ...before, ...events.flatMap((lines) => ['BEGIN:VEVENT', 'SUMMARY:E', ...lines, 'END:VEVENT']), 'END:VCALENDAR'].join(
    '\r\n',
  );
const days = (...lines: string[]) => read(calendarOf([['UID:1', ...lines]])).events.map(({ start_date }) => start_date.slice(5, 10));
const span = (...lines: string[]) =>
  read(calendarOf([lines]), { zone: 'America/New_York' }).events.map(
    ({ start_date, end_date, timezone }) => `${start_date} ${end_date} ${timezone}`,
  );

describe('dates that programs write in their own ways', () => {
  it.each([
    ['UNTIL is a day', 'DTSTART;VALUE=DATE:20270101', 'RRULE:FREQ=DAILY;UNTIL=20270103', ['01-01', '01-02', '01-03']],
    ['UNTIL is a moment', 'DTSTART;VALUE=DATE:20270101', 'RRULE:FREQ=DAILY;UNTIL=20270103T000000Z', ['01-01', '01-02', '01-03']],
    ['UNTIL is a day of times', 'DTSTART:20270101T100000', 'RRULE:FREQ=DAILY;UNTIL=20270103', ['01-01', '01-02', '01-03']],
    ['UNTIL is the last time', 'DTSTART:20270101T100000', 'RRULE:FREQ=DAILY;UNTIL=20270103T100000', ['01-01', '01-02', '01-03']],
    ['UNTIL is before the last time', 'DTSTART:20270101T100000', 'RRULE:FREQ=DAILY;UNTIL=20270103T095959', ['01-01', '01-02']],
    ['the start is not a time of the rule', 'DTSTART:20270101T100000', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3', ['01-01', '01-04', '01-11']],
    ['a year has one twentieth Monday', 'DTSTART:20270517T100000', 'RRULE:FREQ=YEARLY;BYDAY=20MO', ['05-17', '05-15']],
    ['a year has one twentieth week', 'DTSTART:20270517T100000', 'RRULE:FREQ=YEARLY;BYWEEKNO=20', ['05-17', '05-15']],
    ['a rule takes days away', 'DTSTART:20270101T100000\r\nRRULE:FREQ=DAILY;COUNT=4', 'EXRULE:FREQ=DAILY;INTERVAL=2', ['01-02', '01-04']],
    [
      'whole days are excluded by times',
      'DTSTART;VALUE=DATE:20270101\r\nRRULE:FREQ=DAILY;COUNT=3',
      'EXDATE;TZID=Tokyo Standard Time:20270102T000000',
      ['01-01', '01-03'],
    ],
    ['a day has no type', 'DTSTART:20270701', 'RRULE:FREQ=DAILY;COUNT=2', ['07-01', '07-02']],
  ])('%s', (_, start, rule, expected) => expect(days(...start.split('\r\n'), rule)).toEqual(expected));

  it('a day without a type is a whole day', () => {
    const { events, problems } = read(calendarOf([['DTSTART:20270701', 'DTEND:20270703']]));
    expect(problems).toEqual([]);
    expect(events[0]).toMatchObject({ all_day: true, start_date: '2027-07-01 00:00:00', end_date: '2027-07-02 23:59:59' });
  });

  it('an all-day occurrence that was moved to a time is read once', () => {
    const source = calendarOf([
      ['UID:1', 'DTSTART;VALUE=DATE:20270104', 'DTEND;VALUE=DATE:20270105', 'RRULE:FREQ=DAILY;COUNT=3'],
      [
        ...['UID:1', 'RECURRENCE-ID;TZID=GMT Standard Time:20270105T000000', 'DTSTART;TZID=GMT Standard Time:20270109T000000'],
        'DTEND;TZID=GMT Standard Time:20270110T000000',
      ],
    ]);
    for (const zone of ['Europe/London', 'America/New_York', 'Asia/Tokyo']) {
      const { events } = read(source, { zone });
      expect(events.map(({ uid, start_date, all_day }) => [uid, start_date.slice(0, 10), all_day])).toEqual([
        ['1#20270104', '2027-01-04', true],
        ['1#20270106', '2027-01-06', true],
        ['1#20270105', '2027-01-09', true],
      ]);
    }
  });

  it('an end that floats is on the clock of its start', () => {
    expect(span('DTSTART;TZID=Asia/Tokyo:20270101T100000', 'DTEND:20270101T110000')).toEqual([
      '2027-01-01 10:00:00 2027-01-01 11:00:00 Asia/Tokyo',
    ]);
  });

  it('a period has its own duration', () => {
    expect(
      span(
        'DTSTART:20270101T100000Z',
        'DTEND:20270101T110000Z',
        'RDATE;VALUE=PERIOD:20270102T100000Z/PT3H,20270103T100000Z/20270103T103000Z',
      ),
    ).toEqual([
      '2027-01-01 10:00:00 2027-01-01 11:00:00 UTC',
      '2027-01-02 10:00:00 2027-01-02 13:00:00 UTC',
      '2027-01-03 10:00:00 2027-01-03 10:30:00 UTC',
    ]);
  });

  it.each([
    ['(UTC-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna', 'Europe/Amsterdam'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['/citadel.org/20210210_1/America/Denver', 'America/Denver'],
  ])('%s is %s', (tzid, zone) => {
    const [event] = read(calendarOf([[`DTSTART;TZID="${tzid}":20270101T100000`]])).events;
    expect([event?.timezone, event?.start_date]).toEqual([zone, '2027-01-01 10:00:00']);
  });

  it.each([
    ['48.85;2.29', [48.85, 2.29]],
    ['12.3\\;12.3', [12.3, 12.3]],
    [' -1 ; 0 ', [-1, 0]],
    ['91;0', undefined],
    ['1', undefined],
    ['1;2;3', undefined],
    ['a;b', undefined],
    ['', undefined],
  ])('GEO:%s', (geo, expected) => {
    const { events, problems } = read(calendarOf([['DTSTART:20270101T100000Z', `GEO:${geo}`]]));
    expect([events[0]!.geo, problems]).toEqual([
      expected,
      expected ? [] : ['line 5: invalid GEO, expected latitude and longitude, e.g. 48.85;2.29'],
    ]);
  });

  it('categories may end with a backslash', () => {
    expect(read(calendarOf([['DTSTART:20270101T100000Z', 'CATEGORIES:a\\\\,b\\,c\\;d,e']])).events[0]!.categories).toEqual([
      'a\\',
      'b,c;d',
      'e',
    ]);
  });
});

describe('time zones that only a file describes', () => {
  const clock = (...observances: string[][]) => [
    'BEGIN:VTIMEZONE',
    'TZID:Somewhere',
    ...observances.flatMap((lines) => ['BEGIN:STANDARD', ...lines, 'END:STANDARD']),
    'END:VTIMEZONE',
  ];
  const rome = [
    ['DTSTART:16010101T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'],
    ['DTSTART:16010101T020000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'],
  ];
  it.each([
    '20270101T100000',
    '20270327T100000',
    '20270328T013000',
    '20270328T023000',
    '20270328T033000',
    '20271030T100000',
    '20271031T033000',
    '20271101T100000',
  ])('tell %s as a known zone of the same rules does', (time) => {
    const at = (tzid: string) =>
      read(calendarOf([[`DTSTART;TZID=${tzid}:${time}`, 'X-TIMEZONE:UTC', 'DTEND:20290101T000000Z']], clock(...rome)));
    const instants = (tzid: string) => at(tzid).events.map(({ end_date, start_date, timezone }) => [start_date, end_date, timezone]);
    const [[start, , zone]] = instants('Somewhere') as [[string, string, string]];
    expect(zone).toBe('UTC');
    const [event] = read(calendarOf([[`DTSTART;TZID=Europe/Rome:${time}`]])).events;
    expect(start).toBe(fromUtc(toUtc(event!.start_date, 'Europe/Rome'), 'UTC'));
  });

  it.each([
    [[['DTSTART:20200101T000000']], 'lacks DTSTART, TZOFFSETFROM or TZOFFSETTO'],
    [[], 'has no STANDARD or DAYLIGHT'],
    [[['DTSTART:20200101T000000', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'RRULE:FREQ=SECONDLY']], 'takes too many steps'],
  ])('%#: are refused where they are used: %s', (observances, message) => {
    expect(read(calendarOf([['DTSTART;TZID=Somewhere:20270101T100000']], clock(...observances))).problems).toEqual([
      expect.stringContaining(message),
    ]);
    expect(read(calendarOf([['DTSTART:20270101T100000']], clock(...observances))).problems).toEqual([]);
  });
});

describe('broken calendars', () => {
  it('say everything that is wrong, by line', () => {
    const { events, problems } = read(text('broken.ics'));
    expect(problems).toEqual([
      'line 3: VEVENT has no DTSTART',
      'line 10: invalid DTSTART "tomorrow"',
      'line 15: invalid DTSTART "20270230"',
      'line 20: DTSTART has the unknown time zone "Middle Earth". Pass --tz to read such times in another',
      'line 26: invalid property "RRULE:FREQ=SOMETIMES" (invalid frequency)',
      'line 30: invalid property "this is not a property" (invalid line (no token)',
    ]);
    // Events with a valid start keep their other lines.
    expect(events.map(({ title }) => title)).toEqual(['No such rule', '(no title)', 'All is well']);
  });

  it.each([
    ['', 'line 1: expected BEGIN:VCALENDAR, found nothing'],
    ['<!DOCTYPE html>', 'line 1: expected BEGIN:VCALENDAR, found "<!DOCTYPE html>"'],
    ['BEGIN:VEVENT\nEND:VEVENT', 'line 1: expected BEGIN:VCALENDAR, found BEGIN:VEVENT'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1', 'line 2: BEGIN:VEVENT without END; the file may be truncated'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR', 'line 3: expected END:VEVENT for line 2, found END:VCALENDAR'],
    [`BEGIN:VCALENDAR\nX:${'a'.repeat(9 << 20)}`, 'line 2: line is longer than 8 MiB'],
    [`BEGIN:VCALENDAR\nX:${`\n ${'a'.repeat(1022)}`.repeat(9 << 10)}`, 'line 2: line is longer than 8 MiB with its continuations'],
  ])('%#: are refused with the line', (source, message) => {
    expect(() => surveyIcal(source.match(/[\s\S]{1,65536}/g) ?? [])).toThrow(message);
  });

  it.each([
    ['DTEND:tomorrow', 'invalid DTEND "tomorrow"'],
    ['DURATION:an hour', 'invalid DURATION "an hour"'],
    ['DURATION:P1M', 'invalid DURATION "P1M"'],
    ['RRULE:FREQ=DAILY;UNTIL=tomorrow', 'invalid UNTIL IN RRULE "FREQ=DAILY;UNTIL=tomorrow"'],
    ['RRULE:FREQ=DAILY;BYEASTER=1', 'RRULE has the unsupported part BYEASTER'],
    ['RDATE:20270101T100000Z,x', 'invalid RDATE "20270101T100000Z,x"'],
    ['EXDATE:x\r\nRRULE:FREQ=DAILY;COUNT=1', 'invalid EXDATE "x"'],
    ['RRULE', 'invalid property "RRULE" (invalid line (no token)'],
  ])('say what is wrong with %s, and keep the event without it', (lines, message) => {
    const { events, problems } = read(calendarOf([['UID:1', 'DTSTART:20270101T100000Z', ...lines.split('\r\n')]]));
    expect(problems).toEqual([`line 6: ${message}`]);
    expect(events).toHaveLength(1);
  });

  it('do not make endless lists', () => {
    const source =
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Tick\nDTSTART:20270101T000000Z\nRRULE:FREQ=SECONDLY\nEND:VEVENT\nEND:VCALENDAR\n';
    expect(read(source).problems).toEqual([expect.stringMatching(/^line 6: RRULE has more than 5000 occurrences/)]);
  });
});
