import stringWidth from 'string-width';
import { beforeAll, describe, expect, it } from 'vitest';
import { monthGrid } from '../../../src/cli/commands/month.ts';
import { next } from '../../../src/cli/commands/next.ts';
import type { Calendar } from '../../../src/model/calendar.ts';
import { calendarWith, city, lookWith, whole } from '../../support/displayed-days.ts';
import { folder, run } from '../../support/transcript.ts';

let calendar: Calendar;
beforeAll(async () => {
  calendar = await calendarWith(city);
});

describe('month', () => {
  it('shows weeks with their events', async () => {
    const text = await whole(monthGrid(calendar, '2027-03', lookWith({ width: 80 })));
    expect(text).toBe(`                                  March 2027
 Mon        Tue        Wed        Thu        Fri        Sat        Sun
┌──────────┬──────────┬──────────┬──────────┬──────────┬──────────┬──────────┐
│ 1        │ 2        │[3]       │ 4        │ 5        │ 6        │ 7        │
│◂Exhibition ──────────────────────────────────────────│          │          │
│          │Hackathon ──────────────────────│          │          │          │
│Over      │          │Breakfast…│Reminder  │Call from…│Holiday   │          │
│          │          │Concert   │          │          │          │          │
│          │          │Night     │          │          │          │          │
├──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────┤
│ 8        │ 9        │ 10       │ 11       │ 12       │ 13       │ 14       │
│          │          │          │          │          │          │          │
├──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────┤
│ 15       │ 16       │ 17       │ 18       │ 19       │ 20       │ 21       │
│          │          │          │          │          │          │          │
├──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────┤
│ 22       │ 23       │ 24       │ 25       │ 26       │ 27       │ 28       │
│          │          │          │          │          │          │          │
├──────────┼──────────┼──────────┼──────────┼──────────┼──────────┼──────────┤
│ 29       │ 30       │ 31       │ 1.4.     │ 2.4.     │ 3.4.     │ 4.4.     │
│          │          │          │          │          │          │          │
└──────────┴──────────┴──────────┴──────────┴──────────┴──────────┴──────────┘
`);
  });

  it('starts weeks on the given day', async () => {
    const lines = (await whole(monthGrid(calendar, '2027-03', lookWith({ width: 80, weekStart: 7 })))).split('\n');
    expect(lines[1]).toMatch(/^ Sun +Mon .* Sat$/);
    expect(lines[3]).toMatch(/^│ 28\.2\. +│ 1 /);
  });

  it.each([
    [{ COLUMNS: '60' }, 57],
    [{}, 99],
  ])('is as wide in a pipe as %j says', async (env, width) => {
    const { path, remove } = folder();
    await run(['seed', 'demo'], { cwd: path });
    const { stdout } = await run(['month'], { cwd: path, env });
    expect(Math.max(...stdout.split('\n').map((line) => stringWidth(line)))).toBe(width);
    remove();
  });

  it.each([200, 100, 80, 40, 30])('fits %i columns', async (width) => {
    for (const line of (await whole(monthGrid(calendar, '2027-03', lookWith({ width })))).split('\n'))
      expect(stringWidth(line)).toBeLessThanOrEqual(width);
  });

  it('shows times where there is room, and how many more there are', async () => {
    const busy = await calendarWith(
      Array.from({ length: 9 }, (_, at) => ({ title: `Talk ${at}`, start_date: `2027-03-04 1${at}:00`, end_date: `2027-03-04 1${at}:30` })),
    );
    const text = await whole(monthGrid(busy, '2027-03', lookWith({ width: 120 })));
    expect(text).toContain('│10:00 Talk 0');
    expect(text).toContain('│+4 more');
    expect(await whole(monthGrid(busy, '2027-03', lookWith({ whole: true })))).toContain('Talk 8');
  });
});

describe('next', () => {
  it('shows current and upcoming events', async () => {
    expect(await whole(next(calendar, 4, lookWith()))).toBe(`now       until today 10:30      Breakfast & talk
now       until Thu 4 Mar 12:00  Hackathon
now       until Fri 5 Mar        Exhibition · Pier 9, Lyon
in 10 h   today 20:00            Concert
in 13 h   today 23:00            Night
in 22 h   Thu 4 Mar 08:00        Reminder
tomorrow  Fri 5 Mar 07:00 JST    Call from Tokyo
`);
  });

  it('counts sooner events of other zones first', async () => {
    const zones = await calendarWith([
      { title: 'Paris', start_date: '2027-03-04 07:00', end_date: '2027-03-04 08:00' },
      { title: 'Tokyo', start_date: '2027-03-04 09:00', end_date: '2027-03-04 10:00', timezone: 'Asia/Tokyo' },
    ]);
    expect(await whole(next(zones, 1, lookWith()))).toMatch(/^in 15 h {2}.*Tokyo\n$/);
  });

  it('reports an empty calendar', async () => {
    expect(await whole(next(await calendarWith([]), 3, lookWith()))).toBe('No current or upcoming events.\n');
  });
});
