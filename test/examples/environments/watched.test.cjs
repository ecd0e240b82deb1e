const { appendFileSync } = require('node:fs');
const { expect, test } = require('@jest/globals');
const { useCalendar } = require('local-calendar/jest');

const own = useCalendar({ seed: 'minimal' });
const world = useCalendar({ server: process.env.SERVER });

test('has a calendar and a world', async () => {
  appendFileSync(process.env.ADDRESSES, `${own.url}\n`);
  for (const calendar of [own, world]) {
    await calendar.tags.create({ name: 'left behind' });
    expect((await calendar.tags.list({ hide_empty: false, search: 'left' })).total).toBe(1);
  }
});
