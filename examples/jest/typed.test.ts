import { expect, test } from '@jest/globals';
import { useCalendar } from 'local-calendar/jest';

const calendar = useCalendar({ seed: 'shapes', now: '2027-03-01T09:00Z', strict: true });

test('a retry after a lost answer makes no second event', async () => {
  const concert = { title: 'Concert', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00' };
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(concert) };
  await calendar.faults.add({ match: { method: 'POST', path: '/events' }, times: 1, at: 'after', then: 'reset' });
  await expect(fetch(`${calendar.url}/events`, init)).rejects.toThrow('fetch failed');
  expect((await calendar.events.list({ search: 'Concert', start_date: '2027-03-02', end_date: '2027-03-02' })).total).toBe(1);
});
