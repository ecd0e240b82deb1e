import { appendFileSync } from 'node:fs';
import { calendarTest, useCalendar } from 'local-calendar/vitest';
import { expect, test } from 'vitest';

const own = useCalendar({ seed: 'minimal' });
const inWorld = calendarTest({ server: process.env.SERVER });

test('has a calendar', async () => {
  appendFileSync(process.env.ADDRESSES, `${own.url}\n`);
  await own.tags.create({ name: 'left behind' });
  expect((await own.tags.list({ hide_empty: false, search: 'left' })).total).toBe(1);
});

inWorld('has a world', async ({ calendar }) => {
  await calendar.tags.create({ name: 'left behind' });
  expect((await calendar.tags.list({ hide_empty: false, search: 'left' })).total).toBe(1);
});
