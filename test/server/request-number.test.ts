import { expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

it.each([
  ['GET', '/tags', 200],
  ['HEAD', '/tags', 200],
  ['GET', '/nothing', 404],
  ['POST', '/tags', 400],
])('the response to %s %s has the number of its request in the log', async (method, path, status) => {
  await using calendar = await createCalendar({ headerPrefix: 'X-Town' });
  // The third response to an equal request is a cached one.
  for (let count = 0; count < 4; count++) {
    const response = await fetch(calendar.url + path, { method, headers: { origin: 'http://localhost:3000' } });
    const [last] = (await calendar.requests.list()).requests.slice(-1);
    expect([response.status, response.headers.get('x-town-request')]).toEqual([status, String(last!.id)]);
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Town-Request');
  }
});

it.each(['/_calendar/health', '/_calendar/requests'])('%s is not in the log, and has none', async (path) => {
  await using calendar = await createCalendar();
  expect((await fetch(calendar.root + path)).headers.get('x-calendar-request')).toBeNull();
});
