import { calendarTest } from 'local-calendar/vitest';
import { expect } from 'vitest';

// A calendar for each test, on the same port: concurrent tests don't disturb each other.
const it = calendarTest({ seed: 'minimal', now: '2027-03-01T09:00Z', strict: true });

for (const name of ['first', 'second', 'third'])
  it.concurrent(`the ${name} test has its own records and clock`, async ({ calendar }) => {
    await calendar.tags.create({ name: 'same name' });
    await calendar.clock.advance('P1D');
    const { total } = await (await fetch(`${calendar.url}/tags?hide_empty=false&search=same`)).json();
    expect(total).toBe(1);
    expect((await calendar.clock.get()).now).toBe('2027-03-02T09:00:00.000Z');
  });
