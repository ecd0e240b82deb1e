import { expect, it } from 'vitest';
import { createCalendar } from '../../../bin/library.ts';

it('generated events start and end at a quarter of an hour', async () => {
  await using calendar = await createCalendar({ now: '2027-03-01T09:00:00Z' });
  await calendar.data.generate({ events: 60 });
  const { events } = await calendar.events.list({ start_date: '2000-01-01', end_date: '2100-01-01', per_page: 50 });
  expect(events.length).toBeGreaterThan(20);
  const timed = events.filter(({ all_day }) => !all_day).flatMap(({ start_date, end_date }) => [start_date, end_date]);
  expect(timed.filter((date) => !/:(00|15|30|45):00$/.test(date))).toEqual([]);
});
