import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type Calendar, createCalendar, type EventRecord, type NewEvent } from 'local-calendar';
import { useCalendar } from 'local-calendar/node-test';

const calendar = useCalendar({ seed: 'demo', now: '2027-03-01T09:00Z' });
const concert: NewEvent = { title: 'Concert', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00', venue: { venue: 'Hall' } };

/** An event's venue is one object, or a list: an empty one, or several. */
const venuesOf = ({ venue }: EventRecord) => (Array.isArray(venue) ? venue : [venue]);

test('every field has its type', async () => {
  const event = await calendar.events.create(concert);
  assert.deepEqual([event.title.toUpperCase(), venuesOf(event)[0]?.venue], ['CONCERT', 'Hall']);
  const { events, total } = await calendar.events.list({ include: [event.id], status: ['publish'] });
  assert.deepEqual([events[0]?.start_date_details.hour, total], ['20', 1]);
  // @ts-expect-error an event has an end
  await assert.rejects(calendar.events.create({ title: 'x', start_date: '2027-03-02' }));
  // @ts-expect-error there is no such parameter
  await assert.rejects(calendar.events.list({ per_pages: 5 }));
});

test('a calendar is let go where its block ends', async () => {
  let left: Calendar;
  {
    await using own = await createCalendar({ seed: 'minimal' });
    left = own;
    assert.equal((await own.events.list({ start_date: '2000-01-01' })).events.length, 1);
  }
  await assert.rejects(left.events.list());
});
