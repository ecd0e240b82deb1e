import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { calendarFor } from 'local-calendar/node-test';

// A calendar for each test, on the same port: concurrent tests don't disturb each other.
describe('tests that run at the same time', { concurrency: true }, () => {
  for (const name of ['first', 'second'])
    test(`the ${name} has its own calendar`, async (t) => {
      const calendar = await calendarFor(t, { seed: 'minimal', now: '2027-03-01T09:00Z' });
      await calendar.tags.create({ name: 'same name' });
      assert.equal((await calendar.tags.list({ hide_empty: false, search: 'same' })).total, 1);
    });
});
