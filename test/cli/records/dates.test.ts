import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDays, queryInZone, withSpan } from '../../../src/cli/records/dates.ts';
import type { Entry } from '../../../src/model/calendar.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { instantOf, utcOf } from '../../../src/model/time/datetime.ts';
import { readDuration } from '../../../src/model/time/duration.ts';
import { fromUtc, toUtc } from '../../../src/model/time/time.ts';
import { type Served, served } from '../../support/served.ts';
import { folder, run, words } from '../../support/transcript.ts';

const now = Date.parse('2026-11-20T22:30:00Z');
const clock = (zone = 'UTC') => ({ clock: async () => () => now, zone: async () => zone });

describe('how long something lasts', () => {
  it.each([
    ['45m', 0, 0, 2700],
    ['1h30m', 0, 0, 5400],
    ['1h 30m', 0, 0, 5400],
    ['1.5h', 0, 0, 5400],
    ['90s', 0, 0, 90],
    ['7d', 0, 7, 0],
    ['1w', 0, 7, 0],
    ['2 weeks', 0, 14, 0],
    ['1mo', 1, 0, 0],
    ['1y', 12, 0, 0],
    ['45 minutes', 0, 0, 2700],
    ['-2d', 0, -2, 0],
    ['P7D', 0, 7, 0],
    ['P1M', 1, 0, 0],
    ['PT90M', 0, 0, 5400],
    ['-PT1H', 0, 0, -3600],
    ['P1DT2H', 0, 1, 7200],
    ['P1Y2M3W4DT5H6M7S', 14, 25, 18_367],
    ['PT0.5S', 0, 0, 0.5],
    ['PT1,5H', 0, 0, 5400],
    ['PT-6H3M', 0, 0, -21_420],
    ['P-1D', 0, -1, 0],
    ['PT2592000S', 0, 0, 2_592_000],
  ])('%s', (text, months, days, seconds) => {
    const read = readDuration(text)!;
    // Without a difference between 0 and -0.
    expect([read.months + 0, read.days + 0, read.seconds + 0]).toEqual([months, days, seconds]);
  });

  it.each(['', 'P', 'PT', '90', 'h', '1h1h', '30m1h', '1M', '1.5d', 'soon', '7dd', 'P1H', 'P1.5D', 'P-', 'PT-', '99999999d'])(
    'is not %j',
    (text) => {
      expect(readDuration(text)).toBeUndefined();
    },
  );
});

describe('an end', () => {
  const start_date = '2027-03-27 22:00';
  it.each([
    ['23:15', '2027-03-27 23:15:00'],
    ['11pm', '2027-03-27 23:00:00'],
    ['+45 minutes', '2027-03-27 22:45:00'],
    ['2 hours', '2027-03-28 00:00:00'],
    ['+1 day 9:00', '2027-03-28 09:00:00'],
    ['21:59', '2027-03-28 21:59:00'],
    ['noon', '2027-03-28 12:00:00'],
    // The hour that the clock skips that night has passed.
    ['+4 hours', '2027-03-28 03:00:00'],
    ['2027-03-28 10:00', '2027-03-28 10:00'],
    ['2027-03-27T21:30:00Z', '2027-03-27 22:30:00'],
  ])('%j counts from its start where it says no day', async (end_date, expected) => {
    expect(await withSpan({ start_date, end_date, timezone: 'Europe/Paris' }, undefined, clock())).toMatchObject({ end_date: expected });
  });

  it.each(['-1 hour', '2027-03-27', 'friday', '@0x', '2027-03-27T20:59:00Z'])('%j is refused or left to the API', async (end_date) => {
    const input = { start_date, end_date, timezone: 'Europe/Paris' };
    const done = withSpan(input, undefined, clock());
    if (end_date === '@0x') expect(await done).toEqual(input);
    else await expect(done).rejects.toMatchObject({ code: 'rest_invalid_param', message: /is before the start/ });
  });

  it('goes along when the start alone moves, in every zone: as long as before', async () => {
    const zones = ['UTC', 'Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC+5.5'];
    const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) }).map((value) => value - (value % 60_000));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...zones),
        instant,
        fc.integer({ min: 0, max: 50_000 }),
        instant,
        async (timezone, from, minutes, to) => {
          const wall = (at: number) => fromUtc(utcOf(at), timezone);
          const entry = (at: number): Entry => ({
            id: 8,
            timezone,
            all_day: false,
            start_date: wall(at),
            end_date: wall(at + minutes * 60_000),
            utc_start_date: utcOf(at),
            utc_end_date: utcOf(at + minutes * 60_000),
          });
          const moved = await withSpan({ start_date: wall(to) }, entry(from), clock());
          const length = instantOf(toUtc(String(moved.end_date), timezone)) - instantOf(toUtc(String(moved.start_date), timezone));
          // A wall time that comes twice may be read as the other one.
          const repeated = [to, to + minutes * 60_000].some((at) => instantOf(toUtc(wall(at), timezone)) !== at);
          return repeated || length === minutes * 60_000;
        },
      ),
    );
  });
});

describe('days that there are not', () => {
  it.each([
    ['2027-02-30', '2027-02-30'],
    ['2027-02-29 10:00', '2027-02-29'],
    ['2028-02-29', undefined],
    ['30 february 2027', '2027-02-30'],
    ['2027-04-31', '2027-04-31'],
    ['2027-00-10', '2027-00-10'],
    ['2027-01-00', '2027-01-00'],
    ['2027-12-31', undefined],
    ['2027-366', undefined],
    ['2027-W53', undefined],
    ['last day of february 2027', undefined],
    ['0000-00-00 00:00:00', undefined],
    ['@1893456000', undefined],
    ['nonsense', undefined],
  ])('%s', async (start_date, day) => {
    const checked = checkDays(resources.events.fields, { start_date }, clock());
    if (day) await expect(checked).rejects.toThrow(`start_date: the day ${day} doesn't exist`);
    else await expect(checked).resolves.toBeUndefined();
  });
});

describe('today', () => {
  // 22:30 in UTC is the next day in Paris already.
  it.each([
    ['UTC', { starts_after: 'today' }, { starts_after: '2026-11-20' }],
    ['Europe/Paris', { starts_after: 'today' }, { starts_after: '2026-11-20' }],
    ['Asia/Tokyo', { starts_after: 'today' }, { starts_after: '2026-11-21' }],
    ['Asia/Tokyo', { start_date: 'tomorrow 9am' }, { start_date: '2026-11-22' }],
    ['Asia/Tokyo', { start_date: '2027-03-01' }, { start_date: '2027-03-01' }],
    ['Asia/Tokyo', { start_date: '2027-03-01T23:00:00Z' }, { start_date: '2027-03-02' }],
    ['Asia/Tokyo', { start_date: 'today', strict_dates: 'true' }, { start_date: '2026-11-20 15:00:00', strict_dates: 'true' }],
    ['Asia/Tokyo', { ends_after: '2027-03-01 18:00', strict_dates: 'true' }, { ends_after: '2027-03-01 09:00:00', strict_dates: 'true' }],
    ['Asia/Tokyo', { start_date: 'nonsense' }, { start_date: 'nonsense' }],
  ])('in %s: %j', async (zone, query, expected) => {
    expect(await queryInZone(resources.events.list.parameters, query, clock(zone))).toEqual(expected);
  });

  describe('is the calendar’s everywhere', () => {
    const place = folder();
    let server: Served;
    // It is 16:05 in UTC, and 01:05 of the next day in Tokyo.
    const days = ['2026-11-20 12:00', '2026-11-21 12:00', '2026-11-22 12:00'];
    const input = JSON.stringify(days.map((day) => ({ title: `At ${day.slice(8, 10)}`, start_date: day, end_date: day })));
    beforeAll(async () => {
      server = await served();
      server.store.db.change(() => server.store.settings.set('timezone', 'Asia/Tokyo'));
      await run(['settings', 'set', 'timezone', 'Asia/Tokyo'], { cwd: place.path });
      for (const where of [[], ['--url', server.url]]) await run(['events', 'create', '--data', input, ...where], { cwd: place.path });
    });
    afterAll(async () => {
      await server.close();
      place.remove();
    });

    it.each([
      ['events list --start-date today --format tsv --fields title', 'title\nAt 21\nAt 22\n'],
      ['events list --starts-after today --format tsv --fields title', 'title\nAt 22\n'],
      ["events list --start-date 'today 11:00' --end-date 'today 13:00' --strict-dates --format tsv --fields title", 'title\nAt 21\n'],
      ['events create --title New --start-date today --end-date today --json=start_date', '{\n  "start_date": "2026-11-21 00:00:00"\n}\n'],
      ['agenda today', 'Sat, November 21, 2026, today\n  all day'],
      ['agenda today --tz America/New_York', 'Sat, November 21, 2026, today\n'],
    ])('%s', async (line, expected) => {
      const here = await run(words(line), { cwd: place.path });
      const there = await run([...words(line), '--url', server.url], { cwd: place.path });
      expect(there).toEqual(here);
      expect(here.stderr).toBe('');
      if (line.startsWith('agenda')) expect(here.stdout).toContain(expected.split('\n')[0]);
      else expect(here.stdout).toBe(expected);
    });

    it('is said on a terminal of another zone', async () => {
      const at = (line: string, env: Record<string, string>) => run([...words(line), '--no-color'], { cwd: place.path, columns: 80, env });
      expect((await at('agenda', {})).stderr).toBe(`"Today" is in Asia/Tokyo, the calendar's time zone.\n`);
      expect((await at('agenda', { TZ: 'Asia/Tokyo' })).stderr).toBe('');
      expect((await at('month --tz Europe/Paris', { TZ: 'Europe/Paris' })).stderr).toBe(
        `Times are in Europe/Paris. "Today" is in Asia/Tokyo, the calendar's time zone.\n`,
      );
    });
  });
});

describe('dates as people write them', () => {
  const place = folder();
  afterAll(() => place.remove());
  const spanOf = async (dates: string) => {
    const { stdout } = await run(words(`events create --title x ${dates} --json=start_date,end_date,all_day --db typed.db`), {
      cwd: place.path,
    });
    const { start_date, end_date, all_day } = JSON.parse(stdout);
    return all_day ? `${start_date.slice(0, 10)} to ${end_date.slice(0, 10)}` : `${start_date.slice(0, 16)} to ${end_date.slice(0, 16)}`;
  };

  it.each([
    ['--start-date 24.12.26', '2026-12-24 to 2026-12-24'],
    ['--start-date 24.12.', '2026-12-24 to 2026-12-24'],
    ['--start-date 24.12', '2026-12-24 to 2026-12-24'],
    ["--start-date '24.12. 20 Uhr' --end-date 22.30", '2026-12-24 20:00 to 2026-12-24 22:30'],
    ["--set 'start_date=Fr 04.12.2026'", '2026-12-04 to 2026-12-04'],
    ["--start-date '4. Dezember 2026'", '2026-12-04 to 2026-12-04'],
    ["--start-date '4 de diciembre de 2026'", '2026-12-04 to 2026-12-04'],
    ["--start-date 'vendredi 4 décembre 2026 à 19h30' --duration 2h", '2026-12-04 19:30 to 2026-12-04 21:30'],
    ['--start-date 30.12. --end-date 2.1.', '2026-12-30 to 2027-01-02'],
    ['--start-date 19.11. --end-date 21.11.', '2027-11-19 to 2027-11-21'],
    ["--start-date 'nov 19'", '2027-11-19 to 2027-11-19'],
    ["--start-date '6 march 14:00' --end-date 19.30", '2027-03-06 14:00 to 2027-03-06 19:30'],
  ])('%s is %s', async (dates, span) => expect(await spanOf(dates)).toBe(span));

  it.each([
    ['--start-date 5.12', 'Ambiguous start_date "5.12": December 5 or 05:12\nWrite "5.12." or "05:12".'],
    [
      "--start-date 'Fr 05.12.2026'",
      'Invalid start_date: "Fr 05.12.2026" says Friday, but December 5, 2026 is a Saturday\nWrite 2026-12-05, or 2025-12-05, which is a Friday.',
    ],
    [
      "--start-date 'Sa 04.12.'",
      'Invalid start_date: the date says Saturday, but December 4, 2026 is a Friday\nWrite 2026-12-04, or 2027-12-04, which is a Saturday.',
    ],
    ['--start-date 31.11.', "Invalid start_date: the day 2026-11-31 doesn't exist\nSee: calendar help dates"],
  ])('%s is refused', async (dates, message) => {
    const { stderr, exit } = await run(words(`events create --title x ${dates} --db typed.db`), { cwd: place.path });
    expect(stderr.trim()).toBe(`calendar: ${message.replace('\n', '\n  ')}`);
    expect(exit).toBe(2);
  });

  it('name the days that a list without years is about', async () => {
    const list = await run(words('events list --from 7.6.27 --to 9.6. --db typed.db'), { cwd: place.path });
    expect(list.stderr).toContain('--to is 2027-06-09');
    expect(list.stderr).not.toContain('--from');
    const none = await run(words('events list --from 19.12. --to 25.12. --format ids --db typed.db'), { cwd: place.path });
    expect(none.stderr).toContain('--from is 2026-12-19');
    expect(none.stdout.trim().split('\n')).toHaveLength(4);
  });

  it('end a period of other commands after its start', async () => {
    const generated = await run(words('generate --events 3 --from 19.11. --until 20.11. --db generated.db'), { cwd: place.path });
    expect(generated.exit).toBe(0);
    const { stdout } = await run(words('events list --all --json=start_date --db generated.db'), { cwd: place.path });
    expect(JSON.parse(stdout).map(({ start_date }: { start_date: string }) => start_date.slice(0, 8))).toEqual([
      '2027-11-',
      '2027-11-',
      '2027-11-',
    ]);
  });

  it('leave JSON as the API reads it', async () => {
    const data = JSON.stringify({ title: 'x', start_date: 'nov 19', end_date: 'nov 19' });
    const { stdout } = await run(['events', 'create', '--db', 'typed.db', '--data', data, '--json=start_date'], { cwd: place.path });
    expect(JSON.parse(stdout)).toEqual({ start_date: '2026-11-19 00:00:00' });
  });
});
