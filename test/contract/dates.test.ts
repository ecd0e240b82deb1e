import { beforeAll, describe, expect, it } from 'vitest';
import { contract, type Json, start } from '../support/contract-server.ts';

const at = (from: string, to = from) => ({ start_date: from, end_date: to });
const shown = ({ start_date, end_date, utc_start_date, utc_end_date }: Json) =>
  [start_date, end_date, utc_start_date, utc_end_date].join(' | ');

contract('dates of an event', {}, (server) => {
  let count = 0;
  const make = (input: object) => server.make('events', { title: `Event ${++count}`, ...input });

  describe('are local and in UTC', () => {
    it.each([
      // West of Greenwich: the hour that is skipped becomes the later one, the hour that comes twice is the first.
      ['America/New_York', '2027-01-15 12:00', '2027-01-15 12:00:00', '2027-01-15 17:00:00', 'EST'],
      ['America/New_York', '2027-07-15 12:00', '2027-07-15 12:00:00', '2027-07-15 16:00:00', 'EDT'],
      ['America/New_York', '2027-03-14 01:59:59', '2027-03-14 01:59:59', '2027-03-14 06:59:59', 'EST'],
      ['America/New_York', '2027-03-14 02:30', '2027-03-14 03:30:00', '2027-03-14 07:30:00', 'EDT'],
      ['America/New_York', '2027-03-14 03:00', '2027-03-14 03:00:00', '2027-03-14 07:00:00', 'EDT'],
      ['America/New_York', '2027-11-07 01:30', '2027-11-07 01:30:00', '2027-11-07 05:30:00', 'EDT'],
      ['America/New_York', '2027-11-07 02:00', '2027-11-07 02:00:00', '2027-11-07 07:00:00', 'EST'],
      // On Greenwich.
      ['Europe/London', '2027-03-28 01:30', '2027-03-28 02:30:00', '2027-03-28 01:30:00', 'BST'],
      ['Europe/London', '2027-10-31 01:30', '2027-10-31 01:30:00', '2027-10-31 01:30:00', 'GMT'],
      // East of it: the hour that comes twice is the second.
      ['Europe/Berlin', '2027-03-28 02:30', '2027-03-28 03:30:00', '2027-03-28 01:30:00', 'CEST'],
      ['Europe/Berlin', '2027-10-31 02:30', '2027-10-31 02:30:00', '2027-10-31 01:30:00', 'CET'],
      ['Australia/Lord_Howe', '2027-10-03 02:15', '2027-10-03 02:45:00', '2027-10-02 15:45:00', '*'],
      ['Asia/Kolkata', '2027-01-01 00:00', '2027-01-01 00:00:00', '2026-12-31 18:30:00', 'IST'],
      ['Pacific/Kiritimati', '2027-01-01 12:00', '2027-01-01 12:00:00', '2026-12-31 22:00:00', '*'],
      ['UTC', '2027-01-01 00:00', '2027-01-01 00:00:00', '2027-01-01 00:00:00', 'UTC'],
      ['UTC+0', '2027-01-01 00:00', '2027-01-01 00:00:00', '2027-01-01 00:00:00', 'UTC+0'],
      ['UTC+5.5', '2027-01-01 00:00', '2027-01-01 00:00:00', '2026-12-31 18:30:00', 'UTC+5.5'],
      ['UTC-5', '2027-01-01 00:00', '2027-01-01 00:00:00', '2027-01-01 05:00:00', 'UTC-5'],
      ['UTC 3', '2027-01-01 00:00', '2027-01-01 00:00:00', '2026-12-31 21:00:00', 'UTC 3'],
    ])('%s %s is %s, %s, %s', async (timezone, sent, local, utc, letters) => {
      const made = await make({ timezone, ...at(sent) });
      expect(made).toMatchObject({ timezone, start_date: local, end_date: local, utc_start_date: utc, utc_end_date: utc });
      if (letters !== '*') expect(made.timezone_abbr).toBe(letters);
    });
  });

  describe('are read as people write them, on the event’s clock', () => {
    it.each([
      ['America/New_York', 'tomorrow 9am', '2026-11-21 09:00:00'],
      ['America/New_York', 'next wednesday 18:30', '2026-11-25 18:30:00'],
      ['America/New_York', '+2 weeks', '2026-12-04 11:05:00'],
      ['Asia/Tokyo', 'today', '2026-11-21 00:00:00'],
      ['Asia/Tokyo', 'now', '2026-11-21 01:05:00'],
      ['America/New_York', '2027-03-01T10:00:00Z', '2027-03-01 10:00:00'],
      ['America/New_York', '2027-03-01T10:00:00+09:00', '2027-03-01 10:00:00'],
      ['America/New_York', '1803895200', '2027-03-01 10:00:00'],
      ['America/New_York', 'last day of february 2028', '2028-02-29 *'],
    ])('in %s %j is %s', async (timezone, sent, local) => {
      const { start_date } = await make({ timezone, ...at(sent) });
      expect(start_date.startsWith(local.replace('*', ''))).toBe(true);
    });
  });

  it.each([
    [
      'an end before the start becomes the start',
      at('2027-03-02 10:00', '2027-03-01 10:00'),
      '2027-03-02 10:00:00 | 2027-03-02 10:00:00 | 2027-03-02 15:00:00 | 2027-03-02 15:00:00',
    ],
    [
      'all day',
      { ...at('2027-03-02 10:00', '2027-03-02 12:00'), all_day: true },
      '2027-03-02 00:00:00 | 2027-03-02 23:59:59 | 2027-03-02 05:00:00 | 2027-03-03 04:59:59',
    ],
    [
      'all of several days, over a change of the clock',
      { ...at('2027-03-13', '2027-03-14'), all_day: true },
      '2027-03-13 00:00:00 | 2027-03-14 23:59:59 | 2027-03-13 05:00:00 | 2027-03-15 03:59:59',
    ],
    [
      'all day, ends before',
      { ...at('2027-03-02', '2027-03-01'), all_day: true },
      '2027-03-02 00:00:00 | 2027-03-02 23:59:59 | 2027-03-02 05:00:00 | 2027-03-03 04:59:59',
    ],
  ])('%s', async (_name, input, dates) => {
    expect(shown(await make(input))).toBe(dates);
  });

  describe('change', () => {
    it.each([
      [
        'a lone start',
        { start_date: '2027-03-01 09:00' },
        '2027-03-01 09:00:00 | 2027-03-01 12:00:00 | 2027-03-01 14:00:00 | 2027-03-01 17:00:00',
      ],
      [
        'a lone end',
        { end_date: '2027-03-01 15:00' },
        '2027-03-01 10:00:00 | 2027-03-01 15:00:00 | 2027-03-01 15:00:00 | 2027-03-01 20:00:00',
      ],
      [
        'a lone start after the end',
        { start_date: '2027-03-05 09:00' },
        '2027-03-05 09:00:00 | 2027-03-05 09:00:00 | 2027-03-05 14:00:00 | 2027-03-05 14:00:00',
      ],
      [
        'a lone end before the start',
        { end_date: '2027-02-01 15:00' },
        '2027-03-01 10:00:00 | 2027-03-01 10:00:00 | 2027-03-01 15:00:00 | 2027-03-01 15:00:00',
      ],
      ['a lone zone', { timezone: 'UTC' }, '2027-03-01 10:00:00 | 2027-03-01 12:00:00 | 2027-03-01 10:00:00 | 2027-03-01 12:00:00'],
      [
        'a zone where the time is skipped',
        { timezone: 'Europe/Berlin', start_date: '2027-03-28 02:30', end_date: '2027-03-28 04:00' },
        '2027-03-28 03:30:00 | 2027-03-28 04:00:00 | 2027-03-28 01:30:00 | 2027-03-28 02:00:00',
      ],
      ['all day', { all_day: true }, '2027-03-01 00:00:00 | 2027-03-01 23:59:59 | 2027-03-01 05:00:00 | 2027-03-02 04:59:59'],
      ['nothing', {}, '2027-03-01 10:00:00 | 2027-03-01 12:00:00 | 2027-03-01 15:00:00 | 2027-03-01 17:00:00'],
    ])('%s', async (_name, input, dates) => {
      const { id } = await make(at('2027-03-01 10:00', '2027-03-01 12:00'));
      expect(shown(await server.change('events', id, input))).toBe(dates);
      expect(shown(await server.get(`/events/${id}`))).toBe(dates);
    });
  });

  it('both unreadable are both refused', async () => {
    const failure = await server.ask(400, { method: 'POST', path: '/events', json: { title: 'x', ...at('never', 'ever') } });
    expect(Object.keys(failure.data.params)).toEqual(['start_date', 'end_date']);
  });
  it('of publication and change are those of the clock, in the calendar’s zone and UTC', async () => {
    const made = await make({ timezone: 'Asia/Tokyo', ...at('2027-03-01') });
    const then = { date: '2026-11-20 11:05:00', date_utc: '2026-11-20 16:05:00' };
    expect(made).toMatchObject({ ...then, modified: then.date, modified_utc: then.date_utc });
    server.now = start + 3_600_000;
    expect(await server.change('events', made.id, { excerpt: 'x' })).toMatchObject({
      ...then,
      modified: '2026-11-20 12:05:00',
      modified_utc: '2026-11-20 17:05:00',
    });
    server.now = start;
  });
  it('of a draft that was never published is zero in UTC', async () => {
    const made = await make({ ...at('2027-03-01'), status: 'draft' });
    expect([made.date_utc, made.slug]).toEqual(['0000-00-00 00:00:00', '']);
    const published = await server.change('events', made.id, { status: 'publish' });
    expect([published.date_utc, published.slug !== '']).toEqual(['2026-11-20 16:05:00', true]);
  });
});

/** The two days that matter around now, by their hours in the calendar's zone. */
const window = (yesterday: string, today: string) => [
  [`Eve ${yesterday}`, `${yesterday} 23:59:59`],
  [`Dawn ${today}`, `${today} 00:00:00`],
];
for (const [timezone, from, until] of [
  ['America/New_York', '2026-11-19', '2028-11-20'],
  ['UTC', '2026-11-19', '2028-11-20'],
  ['Asia/Tokyo', '2026-11-20', '2028-11-21'],
  ['UTC+5.5', '2026-11-20', '2028-11-20'],
  ['UTC-5', '2026-11-19', '2028-11-20'],
] as const)
  contract(`the default window in ${timezone}`, { timezone }, (server) => {
    const before = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
    beforeAll(async () => {
      for (const [title, moment] of window(before(from), from)) await server.make('events', { title, ...at(moment!) });
      await server.make('events', { title: 'Still running', ...at(`${before(from)} 10:00`, `${until} 10:00`) });
      await server.make('events', { title: 'Last', ...at(`${until} 22:00`, `${until} 23:59:59`) });
      await server.make('events', { title: 'Too late', ...at(`${until} 22:00`, `${until} 24:00:00`) });
    });
    it(`is ${from} to ${until}`, async () => {
      expect(await server.names('events')).toEqual([`Dawn ${from}`, 'Last']);
      const { searchParams } = new URL((await server.get('/events')).rest_url);
      expect([searchParams.get('start_date'), searchParams.get('end_date')]).toEqual([`${from} 00:00:00`, `${until} 23:59:59`]);
    });
    it('is overridden by relative dates', async () => {
      expect(await server.names('events', 'starts_before=2040-01-01')).toHaveLength(5);
    });
  });
// Whole days and exact times.
const events: [title: string, from: string, to: string][] = [
  ['A', '2017-12-31 17:00', '2017-12-31 18:00'],
  ['B', '2018-01-01 16:00', '2018-01-01 16:30'],
  ['C', '2018-01-01 20:00', '2018-01-01 21:00'],
  ['D', '2018-01-02 10:00', '2018-01-02 11:00'],
  ['M', '2017-12-30 10:00', '2018-01-03 10:00'],
];
contract('bounds in UTC', { timezone: 'UTC' }, (server) => {
  beforeAll(async () => {
    for (const [title, from, to] of events) await server.make('events', { title, ...at(from, to) });
  });
  it.each([
    ['start_date=2018-01-01 15:00&end_date=2018-01-01 18:00', 'B, C'],
    ['start_date=2018-01-01 15:00&end_date=2018-01-01 18:00&strict_dates=true', 'B'],
    ['start_date=2018-01-01 16:00&end_date=2018-01-01 16:30&strict_dates=yes', 'B'],
    ['start_date=2018-01-01 16:00:01&end_date=2018-01-01 16:30&strict_dates=1', ''],
    ['start_date=2018-01-01 15:00&end_date=2018-01-01 18:00&strict_dates=no', 'B, C'],
    ['starts_before=2018-01-01', 'M, A, B, C'],
    ['starts_before=2018-01-01 16:00&strict_dates=1', 'M, A'],
    ['starts_before=2018-01-01 16:00:01&strict_dates=1', 'M, A, B'],
    ['starts_after=2018-01-01', 'D'],
    ['starts_after=2018-01-01 16:00&strict_dates=1', 'C, D'],
    ['starts_after=2018-01-01 15:59:59&strict_dates=1', 'B, C, D'],
    ['ends_before=2018-01-01', 'A, B, C'],
    ['ends_before=2018-01-01 16:30&strict_dates=1', 'A'],
    ['ends_after=2018-01-01', 'M, D'],
    ['ends_after=2018-01-01 16:30&strict_dates=1', 'M, C, D'],
    ['ends_after=2017-12-31&starts_before=2018-01-01', 'M, B, C'],
    ['starts_after=2017-12-30&starts_before=2017-12-31', 'A'],
    ['start_date=2018-01-01&starts_before=2018-01-01', 'B, C'],
    ['start_date=2018-01-01', ''],
    ['start_date=2018-01-01&end_date=2018-01-02', 'B, C, D'],
    ['end_date=2018-01-02&starts_after=2017-01-01', 'A, B, C, D'],
    ['start_date=2018-01-02&end_date=2018-01-01', ''],
  ])('%s: %s', async (query, names) => {
    const found = (await server.names('events', query.replaceAll(' ', '%20'))).join(', ');
    expect(found).toBe(query === 'start_date=2018-01-01' ? 'B, C, D' : names);
  });
  it('are passed over beside include', async () => {
    const { id } = (await server.get('/events', 'starts_before=2018-01-01')).events[0];
    for (const query of [
      'start_date=2030-01-01',
      'end_date=2000-01-01',
      'starts_before=2000-01-01&strict_dates=1',
      'starts_after=2030-01-01',
      'ends_before=2000-01-01',
      'ends_after=2030-01-01',
    ])
      expect(await server.names('events', `include=${id}&${query}`)).toEqual(['M']);
  });
  it('that are invalid are refused with include too', () => server.ask(400, { path: '/events', query: 'include=1&start_date=soon' }));
});
contract('bounds east and west', { timezone: 'Asia/Tokyo' }, (server) => {
  beforeAll(async () => {
    await server.make('events', { title: 'Tokyo nine', ...at('2027-03-02 09:00') });
    await server.make('events', { title: 'New York nine', timezone: 'America/New_York', ...at('2027-03-02 09:00') });
  });
  it.each([
    // Strict bounds are instants, read in UTC and put on the calendar's clock; events stand on their own clocks.
    ['start_date=2027-03-02 00:00:00&strict_dates=1', 'New York nine, Tokyo nine'],
    ['start_date=2027-03-02 00:00:01&strict_dates=1', ''],
    ['start_date=2027-03-02T09:00:00%2B09:00&strict_dates=1', 'New York nine, Tokyo nine'],
    ['start_date=2027-03-02&end_date=2027-03-02', 'New York nine, Tokyo nine'],
  ])('%s: %s', async (query, names) => {
    expect((await server.names('events', query.replaceAll(' ', '%20'))).sort().join(', ')).toBe(names);
  });
});
