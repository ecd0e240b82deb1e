import { describe, expect, it } from 'vitest';
import { readIcal, surveyIcal } from '../../../src/model/ical/read.ts';
import { Clocks } from '../../../src/model/ical/zones.ts';
import { expectLinear } from '../../support/linear.ts';

const window = { from: Date.UTC(2026, 10, 19), until: Date.UTC(2028, 10, 20) };
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
const many = (count: number, make: (at: number) => string) => Array.from({ length: count }, (_, at) => make(at));
const start = 'DTSTART:20270101T100000Z';
const time = (hours: number) => new Date(Date.UTC(2027, 0, 1) + hours * 3_600_000).toISOString().replace(/[-:]|\.000/g, '');
const clock = (name: string, ...lines: string[]) =>
  [
    ...['BEGIN:VTIMEZONE', `TZID:${name}`, 'BEGIN:STANDARD', 'DTSTART:16010101T030000', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100'],
    ...[...lines, 'END:STANDARD', 'END:VTIMEZONE'],
  ].join('\r\n');
const series = event('UID:1', start, 'RRULE:FREQ=HOURLY;COUNT=2000');

/** The content of a calendar of about the given size in KB. */
const shapes: [string, (size: number) => string | string[]][] = [
  ['dates on lines of their own', (size) => event('UID:1', start, ...many(size * 40, (at) => `RDATE:${time(at)}`))],
  ['dates on one line', (size) => event('UID:1', start, `RDATE:${many(size * 60, time).join(',')}`)],
  ['excluded dates', (size) => [event('UID:1', start, 'RRULE:FREQ=HOURLY;COUNT=2000', ...many(size * 40, (at) => `EXDATE:${time(at)}`))]],
  [
    'changed occurrences',
    (size) => [series, ...many(size * 8, (at) => event('UID:1', `RECURRENCE-ID;RANGE=THISANDFUTURE:${time(at)}`, `DTSTART:${time(at)}`))],
  ],
  ['revisions', (size) => many(size * 10, (at) => event('UID:1', start, `SEQUENCE:${at}`))],
  [
    'rules that give nothing',
    (size) => many(size * 4, (at) => event(`UID:${at}`, 'DTSTART:19900101T000000', 'RRULE:FREQ=YEARLY;BYMONTHDAY=30;BYMONTH=2;COUNT=9')),
  ],
  [
    'rules of one event',
    (size) => event('UID:1', 'DTSTART:20270101T000000', ...many(size * 20, () => 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30')),
  ],
  [
    'a list in a rule',
    (size) => event('UID:1', start, `RRULE:FREQ=DAILY;COUNT=3;BYMONTHDAY=${many(size * 300, (at) => String((at % 31) + 1)).join(',')}`),
  ],
  ['spaces', (size) => event('UID:1', start, `LOCATION:a${' '.repeat(size * 500)}b`, `CONTACT:a${' '.repeat(size * 500)}b`)],
  ['line breaks', (size) => event('UID:1', start, `LOCATION:a${'\\n'.repeat(size * 250)}b`, `DESCRIPTION:a${'\\n'.repeat(size * 250)}b`)],
  [
    'addresses that do not end',
    (size) => event('UID:1', start, `CONTACT:a <${'@'.repeat(size * 500)}`, `CONTACT:${'<'.repeat(size * 500)}a@b>`),
  ],
  [
    'pages that do not end',
    (size) => many(2, (at) => event(`UID:${at}`, start, `X-ALT-DESC;FMTTYPE=text/html:${['<body>', '<body'][at]!.repeat(size * 80)}`)),
  ],
  ['parameters', (size) => many(size / 4, (at) => event(`UID:${at}`, start, `SUMMARY${';A=b'.repeat(1000)}:x`))],
  ['quotes', (size) => event('UID:1', start, `SUMMARY;A=${'"'.repeat(size * 500)}:x`, `DESCRIPTION;A="${'x'.repeat(size * 500)}`)],
  ['commas', (size) => event('UID:1', start, `CATEGORIES:${'a,'.repeat(size * 250)}`, `CATEGORIES:${'\\,'.repeat(size * 250)}`)],
  ['backslashes', (size) => event('UID:1', start, `DESCRIPTION:${'\\'.repeat(size * 500)}`, `CATEGORIES:${'\\'.repeat(size * 500)}`)],
  ['zones that are not known', (size) => many(size * 10, (at) => event(`UID:${at}`, `DTSTART;TZID=Zone ${at}:20270101T100000`))],
  [
    'the name of a zone',
    (size) => event('UID:1', `DTSTART;TZID="(UTC+01:00) ${' '.repeat(size * 500)}${',a'.repeat(size * 250)}":20270101T100000`),
  ],
  [
    'clocks',
    (size) =>
      many(size * 2, (at) =>
        [clock(`Z${at}`, 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'), event(`UID:${at}`, `DTSTART;TZID=Z${at}:20270101T100000`)].join(
          '\r\n',
        ),
      ),
  ],
  [
    'the dates of a clock',
    (size) => [clock('Z', ...many(size * 40, (at) => `RDATE:${time(at)}`)), event('UID:1', 'DTSTART;TZID=Z:20270101T100000')],
  ],
  ['components in components', (size) => ['BEGIN:A\r\n'.repeat(size * 50) + 'END:A\r\n'.repeat(size * 50).trimEnd()]],
  ['folded lines', (size) => event('UID:1', start, `DESCRIPTION:x${'\r\n y'.repeat(size * 200)}`)],
];

describe('a calendar takes no longer than its size lets expect, made of', () => {
  it.each(shapes)('%s', (_, shape) =>
    expectLinear((times) => {
      const lines = [shape(32 * times)].flat();
      const text = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n');
      return () => {
        const survey = surveyIcal([text]);
        for (const _found of readIcal([text], survey, { zone: 'UTC', window }));
      };
    }, 1),
  );
});

it('an invalid clock is read once', () => {
  let reads = 0;
  const clocks = new Clocks();
  const component = {
    name: 'VTIMEZONE',
    line: 1,
    lines: [{ text: 'TZID:Own clock', line: 2 }],
    get children() {
      reads++;
      return [];
    },
  };
  clocks.add(component);
  for (let count = 0; count < 3; count++) expect(() => clocks.get('Own clock')).toThrow('has no STANDARD or DAYLIGHT');
  expect(reads).toBe(1);
});
