const assert = require('node:assert/strict');
const { test } = require('node:test');
const { connectCalendar, Failure } = require('local-calendar');
const { useCalendar } = require('local-calendar/node-test');

const calendar = useCalendar({ seed: 'minimal', now: '2027-03-01T09:00Z' });

test('what is scheduled is published when its time has come', async () => {
  const event = await calendar.events.create({
    title: 'Announced tomorrow',
    start_date: '2027-04-01 20:00',
    end_date: '2027-04-01 23:00',
    date: '2027-03-02 08:00',
    status: 'future',
  });
  await calendar.clock.advance('P1D');
  assert.equal((await calendar.events.get(event.id)).status, 'publish');
});

test('a calendar at an address has the same face', async () => {
  const other = await connectCalendar(calendar.url);
  await assert.rejects(other.events.get(4711), (error) => error instanceof Failure && error.status === 404);
  await other.close();
});
