import assert from 'node:assert/strict';
import { test } from 'node:test';
import nodeTest from 'local-calendar/node-test';
import { clients, options } from './correct.cjs';

for (const [name, client] of Object.entries(clients))
  test(name, async (t) => {
    const calendar = await nodeTest.calendarFor(t, options);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    await client(calendar, async (ms) => t.mock.timers.tick(ms));
    assert.deepEqual(await calendar.requests.hints(), []);
  });
