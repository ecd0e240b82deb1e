import { useCalendar } from 'local-calendar/vitest';
import { expect, it } from 'vitest';

// One calendar for this file, separate from other files; reset before each test.
const calendar = useCalendar({ seed: 'shapes', now: '2027-03-01T09:00Z', strict: true });

it('lists what is coming up', async () => {
  const { events } = await calendar.events.list({ per_page: 3 });
  expect(events.map(({ start_date }) => start_date)).toEqual(events.map(({ start_date }) => start_date).sort());
});

it('shows the next day what was scheduled for it', async () => {
  const { id } = await calendar.events.create({
    title: 'Announced tomorrow',
    start_date: '2027-04-01 20:00',
    end_date: '2027-04-01 23:00',
    date: '2027-03-02 08:00',
    status: 'future',
  });
  await calendar.clock.advance('P1D');
  await expect(calendar.events.get(id)).resolves.toMatchObject({ status: 'publish' });
});

it('hands fetch to a client', async () => {
  const client = async (fetch: typeof calendar.fetch) => (await fetch('venues')).json();
  expect(await client(calendar.fetch)).toMatchObject({ total: 2 });
});
