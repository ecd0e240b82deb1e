import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readIcal, surveyIcal } from '../../../src/model/ical/read.ts';
import type { ReadEvent } from '../../../src/model/ical/read-event.ts';

const window = { from: Date.UTC(2026, 10, 19), until: Date.UTC(2028, 10, 20) };
const text = (name: string) => readFileSync(new URL(`../../support/ics/${name}`, import.meta.url), 'utf8');

function read(source: string, more: Partial<Parameters<typeof readIcal>[2]> = {}) {
  // In pieces that fall anywhere.
  const pieces = source.match(/[\s\S]{1,37}/g) ?? [];
  const survey = surveyIcal(pieces);
  const found = [...readIcal(pieces, survey, { zone: 'UTC', window, ...more })];
  return {
    events: found.flatMap((each) => ('event' in each ? [each.event] : [])),
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

  it('tell floating times in the zone that is asked for', () => {
    const { events } = read(text('mail.ics'), { floating: 'Asia/Tokyo' });
    expect(times(events[1]!)).toBe('Floating: seven in the evening, wherever you are | 2027-02-01 19:00 - 2027-02-01 20:00 Asia/Tokyo');
    expect(times(events[0]!)).toContain('Europe/Stockholm');
  });

  it('leave out what lies outside a window that is asked for', () => {
    const march = { from: Date.UTC(2027, 2, 1), until: Date.UTC(2027, 2, 17) };
    expect(read(text('desktop.ics'), { window: march, strict: true }).events.map(times)).toEqual([
      'Swimming | 2027-03-09 08:00 - 2027-03-09 08:45 America/New_York',
      'Swimming | 2027-03-16 08:00 - 2027-03-16 08:45 America/New_York',
    ]);
  });
});

describe('broken calendars', () => {
  it('say everything that is wrong, by line', () => {
    const { events, problems } = read(text('broken.ics'));
    expect(problems).toEqual([
      'line 3: VEVENT has no DTSTART',
      'line 10: DTSTART is not a date: "tomorrow"',
      'line 15: DTSTART is not a date: "20270230"',
      'line 20: DTSTART names a time zone that is not known and not described in the file: "Middle Earth"',
      'line 26: is no property: "RRULE:FREQ=SOMETIMES" (invalid frequency)',
      'line 30: is no property: "this is no property" (invalid line (no token)',
    ]);
    expect(events.map(({ title }) => title)).toEqual(['All is well']);
  });

  it.each([
    ['', 'line 1: must be BEGIN:VCALENDAR, found nothing'],
    ['<!DOCTYPE html>', 'line 1: must be BEGIN:VCALENDAR, found "<!DOCTYPE html>"'],
    ['BEGIN:VEVENT\nEND:VEVENT', 'line 1: must be BEGIN:VCALENDAR, found BEGIN:VEVENT'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1', 'line 2: BEGIN:VEVENT has no end: the file is cut short'],
    ['BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR', 'line 3: END:VCALENDAR closes nothing: VEVENT of line 2 is open'],
    [`BEGIN:VCALENDAR\nX:${'a'.repeat(9 << 20)}`, 'line 2: is longer than 8 MiB'],
    [`BEGIN:VCALENDAR\nX:${'\n a'.repeat(5 << 20)}`, 'line 2: is longer than 8 MiB with its continuations'],
  ])('%#: are refused with the line', (source, message) => {
    expect(() => surveyIcal(source.match(/[\s\S]{1,65536}/g) ?? [])).toThrow(message);
  });

  it('do not make endless lists', () => {
    const source =
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Tick\nDTSTART:20270101T000000Z\nRRULE:FREQ=SECONDLY\nEND:VEVENT\nEND:VCALENDAR\n';
    expect(read(source).problems).toEqual([expect.stringMatching(/^line 6: RRULE gives more than 5000 occurrences/)]);
  });
});
