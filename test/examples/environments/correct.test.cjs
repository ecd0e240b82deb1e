const { afterEach, expect, jest: fake, test } = require('@jest/globals');
const { useCalendar } = require('local-calendar/jest');
const { clients, options } = require('./correct.cjs');

const calendar = useCalendar(options);
afterEach(() => fake.useRealTimers());

test.each(Object.entries(clients))('%s', async (_name, client) => {
  fake.useFakeTimers({
    now: Date.now(),
    doNotFake: ['setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance'],
  });
  await client(calendar, async (ms) => fake.setSystemTime(Date.now() + ms));
  expect(await calendar.requests.hints()).toEqual([]);
});
