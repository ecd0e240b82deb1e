import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';

let calendar: Calendar;
beforeAll(async () => {
  calendar = await createCalendar({ seed: 'minimal', users: 'roles', listen: false, basePath: '/wp-json' });
});
afterAll(() => calendar.close());

const signedIn = { authorization: `Basic ${btoa('editor:editor')}` };
const root = '/wp-json/calendar/events/v1';
const paths = [
  '',
  '/doc',
  '/events',
  '/events/1',
  '/events/999',
  '/events?page=x',
  '/venues',
  '/organizers',
  '/categories',
  '/tags',
  '/tags/999',
];

describe.each(['GET', 'HEAD', 'OPTIONS'])('responses to %s of a user are kept by no cache', (method) => {
  // Other routes of the site have no description.
  const others = method === 'OPTIONS' ? [] : ['/wp-json/', '/wp-json/wp/v2/users/me'];
  it.each([...paths.map((path) => root + path), ...others])('%s', async (path) => {
    const cached = async (headers: Record<string, string>) =>
      (await calendar.fetch(path, { method, headers })).headers.get('cache-control') ?? '';
    expect(await cached(signedIn)).toContain('no-store, private');
    expect(await cached({})).not.toContain('private');
  });
});

it.each(['events', 'venues', 'organizers'])('a search of %s past 1,600 bytes is ignored, one below is not', async (name) => {
  const totals = await Promise.all(
    ['', `?search=${'x'.repeat(1601)}`, `?search=${encodeURIComponent('é'.repeat(801))}`, `?search=${'x'.repeat(1600)}`].map(
      async (query) => ((await (await calendar.fetch(`${root}/${name}${query}`)).json()) as { total: number }).total,
    ),
  );
  expect(totals).toEqual([totals[0], totals[0], totals[0], 0]);
  expect(totals[0]).toBeGreaterThan(0);
});

it('a wrong name of a callback is rejected as a script', async () => {
  const response = await calendar.fetch(`${root}/events?_jsonp=1bad-name`);
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'application/javascript; charset=UTF-8']);
});
