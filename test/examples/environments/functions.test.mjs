import assert from 'node:assert/strict';
import { test } from 'node:test';
import nodeTest from 'local-calendar/node-test';

for (const status of [418, 419])
  test(`options that differ in a function only: ${status}`, async (t) => {
    const calendar = await nodeTest.calendarFor(t, { hooks: { request: () => ({ status }) } });
    assert.equal((await fetch(`${calendar.url}/tags`)).status, status);
  });
