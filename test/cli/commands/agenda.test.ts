import stringWidth from 'string-width';
import { beforeAll, describe, expect, it } from 'vitest';
import { agenda, weekAhead } from '../../../src/cli/commands/agenda.ts';
import type { Calendar } from '../../../src/model/calendar.ts';
import { calendarWith, city, lookWith, whole } from '../../support/displayed-days.ts';

let calendar: Calendar;
beforeAll(async () => {
  calendar = await calendarWith(city);
});
const days = (from: string, to = from) => ({ from, to });

describe('agenda', () => {
  it('shows a week: running, all-day, overnight and foreign events each on their days', async () => {
    expect(await whole(agenda(calendar, weekAhead(lookWith()), lookWith()))).toBe(`Wed, 3 March 2027, today
  all day      Exhibition (12/14) · Pier 9, Lyon
  all day      Hackathon (2/3)
  09:30–10:30  Breakfast & talk
  20:00–00:00  Concert
  23:00–05:00  Night

Thu, 4 March 2027
  all day      Exhibition (13/14) · Pier 9, Lyon
  until 12:00  Hackathon (3/3)
  08:00        Reminder

Fri, 5 March 2027
  all day          Exhibition (14/14) · Pier 9, Lyon
  07:00–08:00 JST  Call from Tokyo

Sat, 6 March 2027
  all day      Holiday
`);
  });

  it('shows times in one zone, all-day events on their own days', async () => {
    const text = await whole(agenda(calendar, days('2027-03-03', '2027-03-06'), lookWith({ tz: 'Asia/Tokyo', here: 'Asia/Tokyo' })));
    expect(text).toContain('Wed, 3 March 2027, today\n  all day      Exhibition (12/14)');
    expect(text).toContain(
      'Thu, 4 March 2027\n  all day      Exhibition (13/14) · Pier 9, Lyon\n  until 20:00  Hackathon (2/2)\n  04:00–08:00  Concert\n  07:00–13:00  Night\n  16:00        Reminder\n',
    );
    expect(text).toContain('  07:00–08:00  Call from Tokyo');
    expect(text).toContain('Sat, 6 March 2027\n  all day      Holiday\n');
  });

  it('an event of another zone is on the day it has in the zone of --tz', async () => {
    const text = await whole(agenda(calendar, days('2027-03-04'), lookWith({ tz: 'America/New_York', here: 'America/New_York' })));
    expect(text).toContain('17:00–18:00  Call from Tokyo');
  });

  it.each([
    [days('2027-04-01'), 'No events on Thu, 1 April 2027.\n'],
    [days('2027-04-01', '2027-04-03'), 'No events from Thu, 1 April 2027 to Sat, 3 April 2027.\n'],
  ])('reports an empty calendar: %j', async (range, expected) => {
    expect(await whole(agenda(calendar, range, lookWith()))).toBe(expected);
  });

  it('is narrowed like a list', async () => {
    expect(await whole(agenda(calendar, days('2027-03-03'), lookWith(), { search: 'concert' }))).toBe(
      'Wed, 3 March 2027, today\n  20:00–00:00  Concert\n',
    );
  });

  it.each([80, 40, 24])('fits %i columns', async (width) => {
    const lines = (await whole(agenda(calendar, weekAhead(lookWith()), lookWith({ width })))).split('\n');
    for (const line of lines.filter((each) => each.startsWith(' '))) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  });

  it.each([
    ['en-US', 'from 11:00 PM'],
    ['en-GB', 'from 23:00'],
    ['de-DE', 'from 23:00'],
    ['hi-IN', 'from 11:00 PM'],
  ])('shows times as %s does: %s', async (locale, time) => {
    const busy = await calendarWith([{ title: 'Late', start_date: '2027-03-03 23:00', end_date: '2027-03-04 08:00' }]);
    expect(await whole(agenda(busy, days('2027-03-03'), lookWith({ locale })))).toMatch(new RegExp(`${time} +Late`));
  });

  it('writes days in English in every locale', async () => {
    expect(await whole(agenda(calendar, days('2027-03-06'), lookWith({ locale: 'de-DE' })))).toMatch(/^Sat, 6 March 2027\n/);
  });

  it('reads past the first page', async () => {
    const many = await calendarWith(
      Array.from({ length: 120 }, (_, at) => ({ title: `Talk ${at}`, start_date: '2027-03-04 10:00', end_date: '2027-03-04 11:00' })),
    );
    expect((await whole(agenda(many, days('2027-03-04'), lookWith()))).split('\n')).toHaveLength(122);
  });
});
