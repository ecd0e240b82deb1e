import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WebPage } from '../../src/model/web-page.ts';
import { basic } from '../support/contract-server.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

const page: WebPage = { files: [], definitions: () => ({}), document: () => '<!doctype html>' };
const authorization = basic('ada');
let server: WholeServer;
const at = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(server.listening.url + path, { method, headers: { accept: 'text/html', ...headers } });
beforeAll(async () => {
  server = await wholeServer({
    basePath: '/wp-json',
    page: async () => page,
    async prepare(store) {
      await store.change((local) => {
        local.users.add({ name: 'ada', role: 'editor', password: 'password' });
        const dates = { start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
        const venue = { venue: 'Hall', city: 'Graz' };
        local.events.create({
          title: 'Jazz',
          slug: 'jazz',
          venue,
          cost: '5',
          categories: ['Music'],
          image: 'https://a.example/x.png',
          ...dates,
        });
        local.events.create({ title: 'Draft', slug: 'draft', status: 'draft', ...dates });
        local.events.create({ title: 'Old', slug: 'old', start_date: '2020-01-01', end_date: '2020-01-01', all_day: true });
        local.events.create({ title: 'Protected', slug: 'protected', description: 'secret', post_password: 'x', ...dates });
      });
    },
  });
});
afterAll(() => server.close());

it.each([
  ['jazz', {}, ''],
  ['old', {}, ''],
  ['jazz', { authorization }, ''],
  ['draft', { authorization }, '&status=draft'],
])('?ical=1 on the page of %s returns what the feed of that event contains', async (slug, headers, more) => {
  const id = server.store.db.get<{ id: number }>('select id from events where slug = ?', slug)!.id;
  const feed = await at(`/wp-json/calendar.ics?include=${id}${more}`, headers);
  const own = await at(`/event/${slug}/?ical=1`, headers);
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(own.headers.get('content-disposition')).toBe(`inline; filename="${slug}.ics"`);
  const text = await own.text();
  expect(text).toBe(await feed.text());
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
});

it.each([
  ['/event/draft/?ical=1', 403],
  ['/event/protected/?ical=1', 403],
  ['/event/protected/?ical=1&password=y', 403],
  ['/event/protected/?ical=1&password=x', 200],
  ['/event/nothing/?ical=1', 404],
])('%s is visible only as the page is: %i', async (path, status) => {
  const response = await at(path);
  expect([response.status, (await response.text()).includes('secret')]).toEqual([status, status === 200]);
});

it.each(['/event/jazz/?ical=0', '/venue/hall/?ical=1'])('%s is the page', async (path) =>
  expect((await at(path)).headers.get('content-type')).toContain('text/html'),
);

it.each([
  ['/', 'GET'],
  ['/', 'HEAD'],
  ['/event/jazz/', 'GET'],
  ['/event/jazz/', 'HEAD'],
  ['/event/nothing/', 'HEAD'],
])('%s announces the API (%s)', async (path, method) => {
  const { url } = server.listening;
  expect(Object.fromEntries((await at(path, {}, method)).headers)).toMatchObject({
    link: `<${url}/wp-json/>; rel="https://api.w.org/"`,
    'x-calendar-api-version': 'v1',
    'x-calendar-api-root': `${url}/wp-json/calendar/events/v1/`,
    'x-calendar-api-origin': url,
  });
});
