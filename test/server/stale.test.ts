import { expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

it('every response with an ETag has Cache-Control: no-cache, also 304 and patched ones', async () => {
  // The links of a list have the second of the request.
  await using calendar = await createCalendar({ seed: 'minimal', now: '2027-03-01T09:00:00Z' });
  const { events } = await calendar.events.list();
  const read = async (path: string, init?: RequestInit) => {
    const { status, headers } = await fetch(`${calendar.url}${path}`, init);
    return { status, etag: headers.get('etag'), control: headers.get('cache-control') };
  };
  for (const path of ['/events', `/events/${events[0]!.id}`, '/tags', '', '/doc']) {
    const { etag, ...plain } = await read(path);
    expect({ path, ...plain }).toEqual({ path, status: 200, control: 'no-cache' });
    expect(await read(path, { headers: { 'if-none-match': etag! } })).toEqual({ status: 304, etag, control: 'no-cache' });
    expect(await read(path, { method: 'HEAD' })).toEqual({ status: 200, etag, control: 'no-cache' });
  }
  await calendar.faults.add({ match: { path: '/events' }, then: { patch: { total: 0 } } });
  expect(await read('/events')).toMatchObject({ status: 200, etag: expect.any(String), control: 'no-cache' });
  expect(await read('/events/99999')).toEqual({ status: 404, etag: null, control: null });
});
