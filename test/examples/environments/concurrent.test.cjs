const { expect, test } = require('@jest/globals');
const { createCalendar } = require('local-calendar');
const { useCalendar } = require('local-calendar/jest');

useCalendar({ seed: 'minimal' });

test.concurrent('starts before the hooks, which jest does not say', async () => {
  const calendar = await createCalendar();
  const world = await calendar.worlds.create();
  expect((await world.tags.list()).total).toBe(0);
  await calendar.close();
});
test.concurrent.each([1, 2])('%i', async (number) => expect(number).toBeGreaterThan(0));
