import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar } from '../../bin/library.ts';

describe.each(['in this process', 'over HTTP'])('follow of a calendar %s', (where) => {
  let server: Calendar;
  let calendar: Calendar;
  beforeAll(async () => {
    server = await createCalendar();
    calendar = where === 'over HTTP' ? await connectCalendar(server.url) : server;
  });
  afterAll(async () => {
    if (calendar !== server) await calendar.close();
    await server.close();
  });

  it('iterates over messages without await, and ends with the loop', async () => {
    const seen: string[] = [];
    const events = calendar.follow({ types: ['change'] });
    await events;
    await calendar.tags.create({ name: 'one' });
    await calendar.tags.create({ name: 'two' });
    for await (const { type, data } of events) {
      seen.push(`${type} ${JSON.stringify(data)}`);
      if (seen.length === 2) break;
    }
    expect(seen.map((each) => each.replace(/"id":\d+/, ''))).toEqual(Array(2).fill('change {"resource":"tags",,"action":"created"}'));
  });

  it('includes what happens from when it resolves, and ends at the signal', async () => {
    const stop = new AbortController();
    const messages = await calendar.follow({ types: ['clock'], signal: stop.signal });
    await calendar.clock.set('2027-03-01T09:00Z');
    const seen: unknown[] = [];
    for await (const { data } of messages) {
      seen.push(data);
      stop.abort();
    }
    expect(seen).toMatchObject([{ now: '2027-03-01T09:00:00.000Z' }]);
  });

  it('rejects where it is used', async () => {
    const invalid = calendar.follow({ types: ['nothing' as never] });
    await expect(invalid).rejects.toMatchObject({ status: 400 });
    await expect(async () => {
      for await (const _ of invalid);
    }).rejects.toMatchObject({ status: 400 });
  });
});
