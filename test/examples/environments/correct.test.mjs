import { useCalendar } from 'local-calendar/vitest';
import { afterEach, expect, test, vi } from 'vitest';
import { clients, options } from './correct.cjs';

const calendar = useCalendar(options);
afterEach(() => vi.useRealTimers());

test.each(Object.entries(clients))('%s', async (_name, client) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await client(calendar, async (ms) => vi.advanceTimersByTime(ms));
  expect(await calendar.requests.hints()).toEqual([]);
});
