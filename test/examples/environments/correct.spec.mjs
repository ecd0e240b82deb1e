import { expect, test } from 'local-calendar/playwright';
import { clients, options } from './correct.cjs';

test.use({ calendarOptions: options });

for (const [name, client] of Object.entries(clients))
  test(name, async ({ calendar }) => {
    await client(calendar, (ms) => calendar.clock.advance(ms));
    expect(await calendar.requests.hints()).toEqual([]);
  });
