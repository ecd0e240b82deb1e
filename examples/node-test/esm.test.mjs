import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCalendar } from 'local-calendar';
import { useCalendar } from 'local-calendar/node-test';

// One calendar for this file, as it was at its start before each test.
const calendar = useCalendar({ seed: 'demo', now: '2027-03-01T09:00Z' });

test('a created event is listed', async () => {
  const { id } = await calendar.events.create({ title: 'Concert', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00' });
  const { events } = await (await fetch(`${calendar.url}/events?search=concert&include=${id}`)).json();
  assert.equal(events[0].title, 'Concert');
});

test('and is gone before the next test', async () => {
  assert.equal((await calendar.events.list({ search: 'concert', start_date: '2027-03-02', end_date: '2027-03-02' })).total, 0);
});

test('a client that is sent away asks again', async () => {
  await calendar.faults.add({ match: { method: 'POST', path: '/tags' }, times: 1, then: { status: 503 } });
  const post = () => calendar.fetch('tags', { method: 'POST', body: new URLSearchParams({ name: 'new' }) });
  assert.deepEqual([(await post()).status, (await post()).status], [503, 201]);
});

test('a separate calendar, until it is closed', async () => {
  const own = await createCalendar({ seed: 'conference' });
  try {
    assert.notEqual(own.url, calendar.url);
    const fork = await own.fork();
    await fork.reset({ to: 'empty' });
    assert.ok((await own.health()).records.events > 50);
    await fork.close();
  } finally {
    await own.close();
  }
});
