import { expect, it } from 'vitest';
import { anonymous, owner } from '../../src/model/viewer.ts';
import { openCalendar } from '../../src/store/calendar.ts';

const site = { home: 'http://127.0.0.1', root: 'http://127.0.0.1/calendar/events/v1' };

it('publishes scheduled records on their date', async () => {
  let now = Date.parse('2027-01-01T12:00:00Z');
  const store = await openCalendar(':memory:', { mode: 'write', now: () => now });
  const dates = { start_date: '2027-02-01 10:00', end_date: '2027-02-01 11:00' };
  const event = await store
    .calendarFor(owner, site)
    .events.create({ title: 'Later', ...dates, date: '2027-01-02 12:00', categories: ['News'] });
  const titles = async () => (await store.calendarFor(anonymous, site).events.list()).entries.map(({ title }) => title);
  const count = async () => (await store.calendarFor(anonymous, site).categories.list({ hide_empty: 'false' })).entries[0]!.count;

  expect(event.status).toBe('future');
  expect([await titles(), await count()]).toEqual([[], 0]);
  now = Date.parse('2027-01-02T11:59:59Z');
  expect(await titles()).toEqual([]);
  now = Date.parse('2027-01-02T12:00:00Z');
  expect([await titles(), await count()]).toEqual([['Later'], 1]);
  expect((await store.calendarFor(anonymous, site).events.get({ id: event.id })).date_utc).toBe('2027-01-02 12:00:00');
  await store.close();
});
