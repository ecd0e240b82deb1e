import { expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

const known = [
  ...['/events', '/events/26', '/events/by-slug/concert', '/tags/3', '/', '/doc', '/openapi.json', '/calendar.ics', '/events/'],
  ...['/wp-json/brand/events/v1/events', '/wp-json/wp/v2/media', '/wp/v2/users/me', '/_calendar/health', '/event/concert', '/wp-json'],
  ...['*/event', '/event*', '/events/:id', '/events/{id}', '/index.php'],
];

it('a match names a path that a route can have, or a pattern', async () => {
  await using calendar = await createCalendar({ basePath: '/wp-json', namespace: 'brand/events/v1' });
  for (const path of known) {
    await calendar.faults.add({ match: { path }, delay: 1 });
    await calendar.requests.verify({ path }, { never: true });
  }
});

it.each([
  ['/event', 'Did you mean /events?'],
  ['/evnts/26', 'Did you mean /events/26?'],
  ['/events/abc', 'Paths are like /events, /events/26 and /events/by-slug/concert?'],
  ['/calendar/events/v1/venue', 'Did you mean /venues?'],
  ['/cart', 'Paths are like /events'],
])('a match of %s, which would never match, is refused', async (path, hint) => {
  await using calendar = await createCalendar();
  const refusal = { code: 'rest_invalid_param', message: expect.stringContaining(hint) };
  await expect(calendar.faults.add({ match: { path }, delay: 1 })).rejects.toMatchObject(refusal);
  await expect(calendar.requests.verify({ path }, { never: true })).rejects.toMatchObject(refusal);
  await expect(calendar.requests.waitFor({ path }, { timeout: 1 })).rejects.toMatchObject(refusal);
  await expect(createCalendar({ faults: [{ match: { path }, delay: 1 }] })).rejects.toMatchObject(refusal);
});

it('hooks of requests answer any path', async () => {
  await using calendar = await createCalendar({ hooks: { request: ({ path }) => (path === '/cart' ? { status: 200 } : undefined) } });
  await calendar.faults.add({ match: { path: '/cart' }, then: 503 });
  expect((await calendar.fetch('/cart')).status).toBe(503);
  await calendar.requests.verify({ path: '/cart' }, { exactly: 1 });
});
