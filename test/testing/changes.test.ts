import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar, recordChanges } from '../../bin/library.ts';
import { calendarBetween } from '../../src/testing/test-hooks.ts';

const dates = { start_date: '2027-03-02 20:00', end_date: '2027-03-02 22:00' };

describe.each(['in this process', 'on a server'])('the changes of a calendar %s', (where) => {
  let server: Calendar;
  let remote: Calendar | undefined;
  let calendar: Calendar;
  beforeAll(async () => {
    server = await createCalendar({ seed: 'minimal' });
    if (where === 'on a server') remote = await connectCalendar(server.url);
    calendar = await (remote ?? server).worlds.create();
  });
  afterAll(async () => {
    await calendar.close();
    await remote?.close();
    await server.close();
  });

  it('are combined by record, and start with the recording or the last reset', async () => {
    await calendar.tags.create({ name: 'before' });
    const none = await recordChanges(calendar);
    expect(await none()).toEqual({ changes: [], isIncomplete: false });
    await calendar.tags.create({ name: 'lost' });
    await calendar.reset();
    const { id } = await calendar.events.create({ title: 'New', ...dates });
    await fetch(`${calendar.url}/events/${id}`, { method: 'POST', body: new URLSearchParams({ title: 'Newer' }) });
    const { id: deleted } = await calendar.venues.create({ venue: 'Deleted again' });
    await calendar.venues.delete(deleted);
    expect(await none()).toEqual({
      changes: [
        { resource: 'events', id, action: 'created', record: expect.objectContaining({ title: 'Newer' }) },
        { resource: 'venues', id: deleted, action: 'deleted' },
      ],
      isIncomplete: false,
    });
  });

  it('are incomplete after an import', async () => {
    const changes = await recordChanges(calendar);
    await calendar.data.generate({ events: 300 });
    expect(await changes()).toMatchObject({ isIncomplete: true });
  });
});

it('can be recorded of single calendars only', async () => {
  const hook = () => {};
  const shared = calendarBetween({ beforeAll: hook, beforeEach: hook, afterEach: hook, afterAll: hook });
  await expect(recordChanges(shared)).rejects.toThrow('recordChanges requires the calendar of createCalendar');
});
