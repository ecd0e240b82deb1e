import { expect, jest, test } from '@jest/globals';
import { Failure } from 'local-calendar';
import { useCalendar } from 'local-calendar/jest';

const calendar = useCalendar({ seed: 'minimal', now: '2027-03-01T09:00Z' });

test.each(['first', 'second'])('the %s test finds the calendar as it was at its start', async (name) => {
  expect((await calendar.tags.list({ hide_empty: false, search: 'left' })).total).toBe(0);
  await calendar.tags.create({ name: `left behind by the ${name}` });
  await expect(calendar.tags.get(4711)).rejects.toBeInstanceOf(Failure);
});

test('fake timers stop no request', async () => {
  jest.useFakeTimers();
  await calendar.faults.add({ delay: 20 });
  expect((await fetch(`${calendar.url}/events`)).status).toBe(200);
  jest.useRealTimers();
});
