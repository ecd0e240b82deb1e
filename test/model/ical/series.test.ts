import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { expandSeries } from '../../../src/model/ical/series.ts';
import { instantOf, utcOf } from '../../../src/model/time/datetime.ts';
import { toUtc } from '../../../src/model/time/time.ts';
import { calendarWith, exported } from '../../support/calendars.ts';

/** Starts in UTC as another program reads them. Without its VTIMEZONE, a time zone is not known to it. */
function startsIn(text: string): string[] {
  ICAL.TimezoneService.reset();
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return calendar.getAllSubcomponents('vevent').flatMap((component) => {
    const event = new ICAL.Event(component);
    const iterator = event.iterator();
    const starts: string[] = [];
    for (let next = iterator.next(); next && starts.length < 50; next = iterator.next()) {
      expect([next.zone?.tzid, event.startDate.zone?.tzid].includes('floating')).toBe(false);
      starts.push(utcOf(next.toUnixTime() * 1000));
    }
    return starts;
  });
}

const zones = ['UTC', 'UTC+5.5', 'UTC-3.5', 'UTC+14', 'UTC-12', 'UTC+1', '+05:30', '+14:00', 'EST', 'Europe/Paris', 'America/New_York'];
const rules = ['FREQ=WEEKLY;BYDAY=MO;COUNT=5', 'FREQ=MONTHLY;BYMONTHDAY=1;COUNT=5', 'FREQ=DAILY;COUNT=3', 'FREQ=YEARLY;COUNT=2'];

describe('a series', () => {
  it.each(zones.flatMap((timezone) => rules.map((rule) => [timezone, rule])))(
    'in %s, %s, is the same in another program',
    async (timezone, rule) => {
      // 1 February 2027 is a Monday.
      const [start, end] = ['2027-02-01 02:00:00', '2027-02-01 03:30:00'];
      const store = await calendarWith({ events: { e: { title: 'E', start_date: start, end_date: end, timezone, repeat: rule } } });
      const expected = expandSeries({ uid: 'e', rule, start, end, timezone, all_day: false, from: 0, until: Date.UTC(2100, 0) });
      expect(expected[0]).toEqual({
        uid: `e#${toUtc(start, timezone).replace(/[-:]/g, '').replace(' ', 'T')}Z`,
        start_date: start,
        end_date: end,
        timezone,
        all_day: false,
      });
      expect(startsIn(exported(store, 'ics'))).toEqual(expected.map((each) => toUtc(each.start_date, timezone)));
      for (const each of expected) expect(each.start_date.slice(11)).toBe('02:00:00');
      expect(instantOf(expected.at(-1)!.end_date) - instantOf(expected.at(-1)!.start_date)).toBe(5_400_000);
    },
  );

  // The other program knows offsets from -12:00 to +14:00.
  it('in -14:00 has that offset', async () => {
    const document = { title: 'E', start_date: '2027-02-01 02:00', end_date: '2027-02-01 03:00', timezone: '-14:00', repeat: rules[0] };
    const text = exported(await calendarWith({ events: { e: document } }), 'ics');
    expect(text).toContain('TZID:-14:00\r\nBEGIN:STANDARD');
    expect(text).toContain('TZOFFSETTO:-1400');
    expect(text).toContain('DTSTART;TZID="-14:00":20270201T020000');
  });
});
