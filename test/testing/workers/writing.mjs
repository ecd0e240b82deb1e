import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { internal } from '../../../dist/index.cjs';

const calendar = internal.calendarBetween(
  { beforeAll, beforeEach: (work) => beforeEach(() => work()), afterEach: (work) => afterEach(() => work()), afterAll },
  { seed: 'minimal', now: '2027-03-01T09:00Z' },
);
const worker = process.env.WORKER;
let url;
let firstId;

const json = async (response) => (await response).json();

it.each(Array.from({ length: 10 }, (_, at) => at))('writes, and finds nothing but what the seed and it wrote: %d', async (at) => {
  url ??= calendar.url;
  expect(calendar.url).toBe(url);
  const title = `${worker} test ${at}`;
  const made = await json(
    fetch(`${calendar.url}/events`, {
      method: 'POST',
      body: new URLSearchParams({ title, start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00', 'tags[]': title }),
    }),
  );
  expect(made.title).toBe(title);
  // IDs begin again after each reset, too.
  firstId ??= made.id;
  expect(made.id).toBe(firstId);
  await calendar.venues.create({ venue: title });
  const { events } = await json(fetch(`${calendar.url}/events?start_date=2027-03-02&end_date=2027-03-02`));
  expect(events.map((event) => event.title)).toEqual([title]);
  const { venues } = await calendar.venues.list({ search: 'worker' });
  expect(venues.map(({ venue }) => venue)).toEqual([title]);
});
