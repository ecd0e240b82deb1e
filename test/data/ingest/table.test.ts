import { describe, expect, it } from 'vitest';
import type { ImportOptions } from '../../../src/data/ingest/options.ts';
import type { ResourceName } from '../../../src/model/calendar.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { exported, imported, memory } from '../../support/calendars.ts';

const sources = (store: Store, name: ResourceName = 'events') => [
  ...store.local(owner, { home: 'http://x', root: 'http://x/v1' }).sources(name),
];
const startsOf = async (text: string, options: ImportOptions = {}) => {
  const store = await memory();
  await imported(store, 'csv', text, undefined, options);
  return sources(store).map((event) => String(event.start_date).slice(0, 16));
};
const failureOf = (text: string, options: ImportOptions = {}) =>
  startsOf(text, options).then(
    (starts) => `imported ${starts.join(', ')}`,
    ({ message, hint }) => `${message} / ${hint}`,
  );
const rows = (...dates: string[]) => `title,start_date\n${dates.map((date, at) => `E${at},"${date}"\n`).join('')}`;

describe('the order of day and month', () => {
  it.each<[string[], string[], ImportOptions?]>([
    [
      ['05/06/2027', '25/12/2027'],
      ['2027-06-05', '2027-12-25'],
    ],
    [
      ['05/06/2027', '12/25/2027'],
      ['2027-05-06', '2027-12-25'],
    ],
    [
      ['05/06/2027 19:30', '25-12-2027'],
      ['2027-06-05 19:30', '2027-12-25'],
    ],
    [['05/06/2027'], ['2027-06-05'], { date_order: 'dmy' }],
    [['05/06/2027'], ['2027-05-06'], { date_order: 'mdy' }],
    [['27-05-06'], ['2027-05-06'], { date_order: 'ymd' }],
    [
      ['05/05/2027', '2027/05/06', '2027-6-7'],
      ['2027-05-05', '2027-05-06', '2027-06-07'],
    ],
    [
      ['05.06.2027', '07/08/2027'],
      ['2027-06-05', '2027-08-07'],
    ],
    [
      ['05.06.2027', '5. 6. 2028', '7.6.27'],
      ['2027-06-05', '2028-06-05', '2027-06-07'],
    ],
  ])('%j: %j', async (dates, starts, options) =>
    expect(await startsOf(rows(...dates), options)).toEqual(starts.map((start) => expect.stringContaining(start))),
  );

  it('is that of the whole table, in whichever column it shows', async () => {
    const text = 'title,start_date,end_date\nA,05/06/2027,05/06/2027\nB,05/07/2027,13/07/2027\n';
    expect(await startsOf(text)).toEqual(['2027-06-05 00:00', '2027-07-05 00:00']);
  });

  it.each<[string, string, ImportOptions?]>([
    [
      rows('05/06/2027', '05/06/2027', '07/08/2027', '01/02/2027', '03/04/2027'),
      'test: line 2: the order of day and month is ambiguous: "05/06/2027" (line 2), "07/08/2027" (line 4), "01/02/2027" (line 5) / Pass --date-order dmy, --date-order mdy or --date-order ymd.',
    ],
    [rows('05/06/2027'), 'the order of day and month is ambiguous', { lenient: true }],
    [rows('05-06-27'), 'the order of day and month is ambiguous'],
    [
      rows('01/02/2027', '25/12/2027', '12/25/2027'),
      'the dates have different orders of day and month: "12/25/2027" (line 4), "25/12/2027" (line 3)',
    ],
    [rows('25/12/2027'), 'start_date: "25/12/2027" is not a date in the order mdy', { date_order: 'mdy' }],
    [rows('19:30'), 'start_date: "19:30" has no day'],
    [rows('7.6.'), 'start_date: "7.6." has no year'],
    [rows('5/6 19:30'), 'start_date: "5/6 19:30" has no year'],
    [rows('13.13.2027'), 'is not a valid date'],
  ])('%j is rejected', async (text, message, options) => expect(await failureOf(text, options)).toContain(message));

  it('is month first in a table of Google Calendar, unless its dates show another', async () => {
    const google = (date: string) => `Subject,Start Date,Start Time,End Date,End Time\nA,05/06/2027,10:00 AM,${date},11:00 AM\n`;
    expect(await startsOf(google('05/06/2027'))).toEqual(['2027-05-06 10:00']);
    expect(await startsOf(google('25/06/2027'))).toEqual(['2027-06-05 10:00']);
  });
});

describe('a year for all rows', () => {
  it('is that of dates without one, in any form', async () => {
    const text = rows('24.12.', 'Do 24.12.', '24.12', '4. Dezember', 'dec 4', '24.12. 20 Uhr', '7.6.27', '2028-01-01');
    expect(await startsOf(text, { year: 2026 })).toEqual([
      '2026-12-24 00:00',
      '2026-12-24 00:00',
      '2026-12-24 00:00',
      '2026-12-04 00:00',
      '2026-12-04 00:00',
      '2026-12-24 20:00',
      '2027-06-07 00:00',
      '2028-01-01 00:00',
    ]);
  });

  it('leaves the order of slashes to the table', async () => {
    expect(await startsOf(rows('24/12', '05/06'), { year: 2026 })).toEqual(['2026-12-24 00:00', '2026-06-05 00:00']);
    expect(await startsOf(rows('05/06'), { year: 2026, date_order: 'mdy' })).toEqual(['2026-05-06 00:00']);
    expect(await failureOf(rows('05/06'), { year: 2026 })).toContain('the order of day and month is ambiguous');
  });

  it.each<[string, string, ImportOptions?]>([
    ['24.12.', 'start_date: "24.12." has no year. Write one, or pass --year for all rows.'],
    ['dec 4', 'start_date: "dec 4" has no year'],
    ['4. Dezember', 'start_date: "4. Dezember" has no year'],
    ['5.12', 'start_date: "5.12" is ambiguous: December 5 or 05:12. Write "5.12." or "05:12".', { year: 2026 }],
    ['29.2.', "the day 2026-02-29 doesn't exist", { year: 2026 }],
    ['Fr 24.12.', '"Fr 24.12." says Friday, but December 24, 2026 is a Thursday. Write 2026-12-24, or 2027-12-24', { year: 2026 }],
    ['Fr 05.12.2026', '"Fr 05.12.2026" says Friday, but December 5, 2026 is a Saturday. Write 2026-12-05, or 2025-12-05'],
  ])('%s is rejected: %s', async (date, message, options) => expect(await failureOf(rows(date), options)).toContain(message));

  it('is not needed for times', async () => {
    expect(
      await startsOf('title,Datum,Uhrzeit\nA,24.12.,5.12\nB,25.12.,24.12\n', { year: 2026 }).catch((error) => error.message),
    ).toContain('line 3');
    expect(await startsOf('title,Datum,Uhrzeit,Ende\nA,24.12.,5.12,10.11\n', { year: 2026 })).toEqual(['2026-12-24 05:12']);
  });
});

it.each([
  ['Fr 04.12.2026', '19.30', '2026-12-04 19:30'],
  ['4 de diciembre de 2026', '19h30', '2026-12-04 19:30'],
  ['vendredi 4 décembre 2026', '5.12', '2026-12-04 05:12'],
  ['7.6.27', '19.30 Uhr', '2027-06-07 19:30'],
  ['7.6.2027', '19 Uhr', '2027-06-07 19:00'],
  ['07.06.2027', '19h30', '2027-06-07 19:30'],
  ['2027-06-07', '19h', '2027-06-07 19:00'],
  ['2027-06-07', '7.30pm', '2027-06-07 19:30'],
  ['2027-06-07', '12.15 a.m.', '2027-06-07 00:15'],
  ['2027-06-07', '19.30 uur', '2027-06-07 19:30'],
  ['2027-06-07', '19u30', '2027-06-07 19:30'],
  ['2027-06-07', 'à 19 h 30', '2027-06-07 19:30'],
  ['June 7, 2027', '7:30 PM', '2027-06-07 19:30'],
])('%s and %s are %s', async (day, time, start) => {
  expect(await startsOf(`title,Datum,Uhrzeit\nA,"${day}",${time}\n`)).toEqual([start]);
  expect(await startsOf(`title,Uhrzeit,Datum\nA,${time},"${day}"\n`)).toEqual([start]);
});

it.each([
  ['46451', '"46451" is a number, not a date'],
  ['2027', '"2027" is a number, not a date'],
  ['2027-06-07,19:00-21:00', '"2027-06-07 19:00-21:00" is ambiguous: a range of times or a UTC offset'],
  ['2027-06-07,9:00-11:00', '"2027-06-07 9:00-11:00" is ambiguous'],
])('the dates %s are rejected', async (cells, reason) => {
  const text = `title,Datum${cells.includes(',') ? ',Uhrzeit' : ''}\nA,${cells}\n`;
  await expect(imported(await memory(), 'csv', text)).rejects.toThrow(reason);
});

it.each<[string, ImportOptions, string | RegExp, string[]?]>([
  ['W. Europe Standard Time', {}, 'Europe/Berlin'],
  ['/example.org/Europe/Paris', {}, 'Europe/Paris'],
  ['US-Mountain', { tz: 'America/Denver' }, 'America/Denver', ['unknown time zone "US-Mountain"; used America/Denver']],
  ['', { tz: 'America/Denver' }, 'America/Denver'],
  ['W. Europe Standard Time', { tz: 'Europe/Berlin' }, 'Europe/Berlin'],
  ['Asia/Tokyo', { tz: 'America/Denver' }, 'Asia/Tokyo'],
  ['US-Mountain', {}, /"US-Mountain" is not a time zone .* Pass --tz/],
  ['Europe/Berln', {}, /Did you mean Europe\/Berlin/],
])('the time zone %j with %j is %s', async (cell, options, zone, notes = []) => {
  const store = await memory();
  const run = imported(store, 'csv', `title,start_date,end_date,timezone\nA,2027-06-07 10:00,11:00,${cell}\n`, undefined, options);
  if (typeof zone !== 'string') return expect(run).rejects.toThrow(zone);
  const summary = await run;
  expect(sources(store)[0]!.timezone).toBe(zone);
  expect(summary.notes.map(({ reason }) => reason)).toEqual(notes);
  expect(summary.done(0).conversions).toEqual(cell === '' || notes.length ? { 'events in the zone of --tz': 1 } : {});
});

it.each<[string, string, string | undefined, Record<string, string>?]>([
  [
    'title,start_date,Priority,Show time as',
    'E,2027-03-01,high,2',
    'left out "Priority" and "Show time as", for which events have no field',
  ],
  ['title,start_date,,Priority', 'E,2027-03-01,x,', 'left out column 3 without a heading, for which events have no field'],
  ['title,start_date,,Priority', 'E,2027-03-01,,', undefined],
  ['title,start_date,Priority', 'E,2027-03-01,high', undefined, { Priority: '' }],
])('columns of other programs are named once: %s', async (headings, row, expected, map = {}) => {
  const { notes } = await imported(await memory(), 'csv', `${headings}\n${row}\n${row}\n`, undefined, {
    map: new Map(Object.entries(map)),
  });
  expect(notes.filter(({ reason }) => reason.includes('left out'))).toEqual(
    expected === undefined ? [] : [{ at: 'line 1', reason: expected }],
  );
});

it('a map of a heading that the table lacks is rejected, except for an ignored one', async () => {
  const text = 'title,start_date\nA,2027-06-07\n';
  const map = (heading: string, field: string) => ({ map: new Map([[heading, field]]) });
  await expect(imported(await memory(), 'csv', text, undefined, map('titel', 'title'))).rejects.toThrow('the table has no heading "titel"');
  await imported(await memory(), 'csv', text, undefined, map('Notes', ''));
  await imported(await memory(), 'csv', text, undefined, { ...map('Notes', 'description'), lenient: true });
});

it('a date of eight digits is a day', async () => {
  expect(await startsOf('title,Datum\nA,20270607\n')).toEqual(['2027-06-07 00:00']);
});

it.each([
  ['1.234,50 €', '1234.50 €'],
  ['1 234,50 €', '1234.50 €'],
  ["CHF 1'234.50", 'CHF 1234.50'],
  ['$1,234.50', '$1234.50'],
  ['1.234 €', '1234 €'],
  ['12,50 €', '12,50 €'],
  ['12,-', '12'],
  ['10.50', '10.50'],
])('the cost %s is %s', async (cell, cost) => {
  const store = await memory();
  const summary = await imported(store, 'csv', `title,start_date,cost\nA,2027-06-07,"${cell}"\n`);
  expect(sources(store)[0]!.cost).toEqual([cost]);
  expect(summary.done(0).conversions).toEqual(cell === cost ? {} : { 'rewritten prices': 1 });
});

it('a range of prices is a list with their currency, and words between prices are named', async () => {
  const store = await memory();
  const rows = ['A,2027-06-07,10 – 20 €', 'B,2027-06-08,VVK 12 € / AK 15 €', 'C,2027-06-09,Donation'];
  const summary = await imported(store, 'csv', `title,start_date,cost\n${rows.join('\n')}\n`);
  expect(sources(store).map(({ cost }) => cost)).toEqual([['€10', '€20'], ['12 €', '15 €'], ['Donation']]);
  expect(summary.notes).toContainEqual({
    at: 'line 3',
    reason:
      'cost "VVK 12 € / AK 15 €" names several prices with words, which the API does not keep; stored as "12 €" and "15 €", shown as "12€ – 15€"',
  });
});

it.each([
  ['€10 / $12', '"€10 / $12" would be shown as "$10 – $12"'],
  ['1e3', '"1e3" would be shown as "$1 – $3"'],
])('the cost %s is refused with its line', async (cell, reason) => {
  await expect(imported(await memory(), 'csv', `title,start_date,cost\nA,2027-06-07,${cell}\n`)).rejects.toMatchObject({
    data: { problems: [{ at: 'line 2: cost', reason }] },
  });
});

it('counts the cells that it reads differently from a request', async () => {
  const summary = await imported(
    await memory(),
    'csv',
    'title,start_date,end_date\nA,7.6.27 19.30 Uhr,21h\nB,2027-06-08 19:30,21:00\nC,13/06/2027,\n',
  );
  expect(summary.done(0).conversions).toEqual({ 'rewritten dates': 2, 'rewritten times': 1 });
});

describe('tables of other programs', () => {
  const outlook =
    'Subject,Start Date,Start Time,End Date,End Time,All day event,Reminder on/off,Reminder Date,Reminder Time,Meeting Organizer,Required Attendees,Optional Attendees,Meeting Resources,Billing Information,Categories,Description,Location,Mileage,Priority,Private,Sensitivity,Show time as';
  it.each([
    ['6/14/2027,12:00:00 AM,6/15/2027,12:00:00 AM,True', '2027-06-14 00:00:00', '2027-06-14 23:59:59'],
    ['6/14/2027,12:00:00 AM,6/17/2027,12:00:00 AM,True', '2027-06-14 00:00:00', '2027-06-16 23:59:59'],
    ['6/14/2027,12:00:00 AM,6/14/2027,12:00:00 AM,True', '2027-06-14 00:00:00', '2027-06-14 23:59:59'],
    ['6/14/2027,9:00:00 AM,6/14/2027,10:00:00 AM,False', '2027-06-14 09:00:00', '2027-06-14 10:00:00'],
  ])('Outlook: %s', async (dates, start_date, end_date) => {
    const store = await memory();
    await imported(store, 'csv', `${outlook}\nTrip,${dates},False,,,Ann,,,,,Travel,Notes,Harbor,,Normal,False,Normal,2\n`);
    expect(sources(store)[0]).toMatchObject({ title: 'Trip', start_date, end_date, description: 'Notes' });
    expect(sources(store, 'organizers')).toMatchObject([{ organizer: 'Ann' }]);
  });

  it('the import file of venues', async () => {
    const store = await memory();
    const headings = [
      'Name',
      'Country',
      'Address',
      'Address 2',
      'City',
      'State/Province',
      'Zip',
      'Phone',
      'URL',
      'Latitude',
      'Longitude',
      'Show Map',
    ];
    const text = `${headings.map((heading) => `Venue ${heading}`).join(',')}\nHall,Germany,Main St 1,Back door,Kiel,SH,24103,1,http://x.test,54.3,10.1,yes\n`;
    await imported(store, 'csv', text, ['venues']);
    expect(sources(store, 'venues')[0]).toMatchObject({ venue: 'Hall', address: 'Main St 1, Back door', geo_lat: 54.3, geo_lng: 10.1 });
  });

  it('unknown columns are skipped by a lenient import, and named', async () => {
    const store = await memory();
    const { notes } = await imported(store, 'csv', 'Event Name,Event Start Date,Event Phone,Custom A\nA,2027-06-07,1,2\n', undefined, {
      lenient: true,
    });
    expect([sources(store).length, notes[0]]).toEqual([1, { at: 'line 1', reason: 'skipped the unknown column "Custom A"' }]);
  });
});

it('lines without a resource are of the one that --only names', async () => {
  const line = '{"title":"A","start_date":"2027-06-07"}\n';
  const store = await memory();
  const problem = (error: { message: string }) => error.message;
  expect(await imported(store, 'ndjson', line).catch(problem)).toContain('pass e.g. --only events');
  await imported(store, 'ndjson', '{"title":"A","start_date":"2027-06-07","end_date":"2027-06-08"}\n', ['events']);
  expect(sources(store)).toHaveLength(1);
});

it('an iCalendar file keeps that an event is hidden from lists', async () => {
  const [store, copy] = [await memory(), await memory()];
  await imported(store, 'csv', 'title,start_date,hide_from_listings\nA,2027-06-07,yes\nB,2027-06-08,no\n');
  const text = exported(store, 'ics');
  await imported(copy, 'ics', text);
  expect(sources(copy).map(({ hide_from_listings }) => hide_from_listings === true)).toEqual([true, false]);
  expect((await imported(copy, 'ics', text)).counts).toMatchObject({ unchanged: 2, updated: 0 });
  await imported(copy, 'ics', text.replace('X-HIDE-FROM-LISTINGS:TRUE', 'X-HIDE-FROM-LISTINGS:FALSE'));
  expect(sources(copy).map(({ hide_from_listings }) => hide_from_listings === true)).toEqual([false, false]);
});
