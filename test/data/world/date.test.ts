import { afterEach, expect, it, vi } from 'vitest';
import { createCalendar } from '../../../bin/library.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('the Date header follows the clock, under fake timers and when it is set', async () => {
  await using calendar = await createCalendar();
  const date = async () => (await calendar.fetch('tags')).headers.get('date');
  const sent = async () => (await fetch(`${calendar.url}/tags`)).headers.get('date');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-01-02T03:04:05Z') });
  expect([await date(), await sent()]).toEqual(Array(2).fill('Wed, 02 Jan 2030 03:04:05 GMT'));
  expect((await calendar.clock.get()).now).toBe('2030-01-02T03:04:05.000Z');
  vi.setSystemTime('2030-01-02T04:00:00Z');
  expect(await sent()).toBe('Wed, 02 Jan 2030 04:00:00 GMT');
  vi.useRealTimers();
  await calendar.clock.set('2027-03-01T09:00Z');
  expect([await date(), await sent()]).toEqual(Array(2).fill('Mon, 01 Mar 2027 09:00:00 GMT'));
});
