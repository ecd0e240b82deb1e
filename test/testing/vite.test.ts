import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger, createServer, type Plugin, type ViteDevServer } from 'vite';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { type MountOptions, vitePlugin } from '../../bin/library.ts';

const root = mkdtempSync(join(tmpdir(), 'calendar-vite-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
writeFileSync(join(root, 'index.html'), '<h1>The app</h1>');

const servers: ViteDevServer[] = [];
let messages: string[];
beforeEach(() => {
  messages = [];
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Starts a dev server. Returns it with its origin. */
async function start(options: MountOptions, folder = root): Promise<{ server: ViteDevServer; origin: string }> {
  const customLogger = createLogger('silent');
  customLogger.info = (text) => void messages.push(text);
  customLogger.error = (text) => void messages.push(text);
  const server = await createServer({
    ...{ root: folder, customLogger, configFile: false, appType: 'spa', optimizeDeps: { noDiscovery: true } },
    plugins: [vitePlugin(options) as Plugin],
    server: { port: 0, host: '127.0.0.1', watch: null, ws: false },
  });
  servers.push(server);
  await server.listen();
  return { server, origin: originOf(server) };
}

const originOf = (server: ViteDevServer) => `http://127.0.0.1:${(server.httpServer!.address() as { port: number }).port}`;
const read = async (url: string, init?: RequestInit) => JSON.parse(await (await fetch(url, init)).text());
const statusFor = (url: string, options: http.RequestOptions) =>
  new Promise<number>((resolve, reject) => {
    const request = http.request(url, options, (response) => resolve(response.resume().statusCode!));
    request.on('error', reject).end();
  });

it('mounts API, feed, control and page, and leaves all other addresses to the app', async () => {
  const { origin, server } = await start({ seed: 'demo', now: '2027-03-01T09:00Z', basePath: '/wp-json' });
  const list = await read(`${origin}/wp-json/calendar/events/v1/events?search=jazz`);
  expect([list.total, list.rest_url]).toEqual([7, expect.stringContaining(`${origin}/wp-json/calendar/`)]);
  expect(await (await fetch(`${origin}/wp-json/calendar.ics`)).text()).toContain('BEGIN:VCALENDAR');
  expect(await read(`${origin}/_calendar/health`)).toMatchObject({ seed: 'demo', url: `${origin}/wp-json/calendar/events/v1` });
  const world = await read(`${origin}/_calendar/worlds`, { method: 'POST' });
  expect(world.url).toBe(`${origin}/_worlds/${world.id}/wp-json/calendar/events/v1`);
  expect((await read(`${world.url}/events?search=jazz`)).total).toBe(7);
  expect(await read(`${origin}/_worlds/${world.id}/_calendar/health`)).toMatchObject({ url: world.url });
  const html = { headers: { accept: 'text/html' } };
  for (const path of ['/', '/event/jazz-thursday-3', '/calendar.ics', '/calendar'])
    expect(await (await fetch(origin + path, html)).text()).toContain('The app');
  const page = await (await fetch(`${origin}/_calendar/page/event/jazz-thursday-3`, html)).text();
  expect(page).toContain('"prefix":"/_calendar/page"');
  expect(page).toContain('"control":"everyone"');
  expect((await fetch(new URL(/src="([^"]+\.js)"/.exec(page)![1]!, origin))).status).toBe(200);
  const tools = await fetch(`${origin}/_calendar/traffic?q=1`, { ...html, redirect: 'manual' });
  expect([tools.status, tools.headers.get('location')]).toEqual([302, '/_calendar/page/_calendar/traffic?q=1']);
  server.printUrls();
  expect(messages).toContain(`  ➜  Calendar: ${origin}/_calendar/page/`);
});

it.each([['/wp-json'], ['/blog/wp-json']])(
  'answers the feeds of a site with the API at %s, and leaves its pages and other feeds to the app',
  async (basePath) => {
    const { origin } = await start({ seed: 'demo', now: '2027-03-01T09:00Z', basePath });
    const folder = basePath.slice(0, -'/wp-json'.length);
    const open = async (path: string) => (await fetch(origin + path, { headers: { accept: 'text/html' } })).text();
    for (const path of ['/events/feed/', '/events/category/music/feed/', '/events/?feed=rss2'])
      expect([path, (await open(folder + path)).slice(0, 5)]).toEqual([path, '<?xml']);
    for (const path of [
      '/events/?ical=1',
      '/events/list/?outlook-ical=1',
      '/event/jazz-thursday-3/ical/',
      '/event/jazz-thursday-3/?ical=1',
    ])
      expect([path, (await open(folder + path)).slice(0, 15)]).toEqual([path, 'BEGIN:VCALENDAR']);
    for (const path of ['/', '/?feed=rss2', '/feed/', '/shop/?ical=1', '/shop/feed/'])
      expect([path, await open(path)]).toEqual([path, expect.stringContaining('The app')]);
  },
);

it('names each problem of a fixture, at the start and when it changes', async () => {
  const file = join(root, 'wrong.json');
  const wrong = JSON.stringify({ tags: { one: { nam: 'One' }, two: { name: 5 } } });
  const problems = ['tags.one.nam: unknown field', 'tags.one.name: is required', 'tags.two.name: must be'];
  writeFileSync(file, wrong);
  const message = await start({ seed: 'wrong.json' }).then(
    () => '',
    (error: Error) => error.message,
  );
  for (const problem of problems) expect(message).toContain(`\n  ${problem}`);
  writeFileSync(file, JSON.stringify({ tags: { one: { name: 'One' } } }));
  await start({ seed: 'wrong.json' });
  writeFileSync(file, wrong);
  await expect.poll(() => messages.join()).toContain('\nThe calendar is unchanged.');
  for (const problem of problems) expect(messages.join()).toContain(`\n  ${problem}`);
});

it.each([
  ['/', ''],
  ['/shop/', ''],
  ['/events/?ical=1', 'BEGIN:VCALENDAR'],
  ['/events/', '/_calendar/page/events/'],
  ['/events/category/music/?view=day', '/_calendar/page/events/category/music/?view=day'],
  ['/event/jazz-thursday-3/', '/_calendar/page/event/jazz-thursday-3/'],
  ['/venue/cellar-club/', '/_calendar/page/venue/cellar-club/'],
])('with pages, leads %s of a site in the root to "%s", and without, only feeds', async (path, expected) => {
  for (const pages of [true, false]) {
    const { origin } = await start({ seed: 'demo', now: '2027-03-01T09:00Z', basePath: '/wp-json', pages });
    const response = await fetch(origin + path, { headers: { accept: 'text/html' }, redirect: 'manual' });
    const place = response.headers.get('location') ?? (await response.text());
    const isApp = expected === '' || (expected.startsWith('/') && !pages);
    expect([pages, place]).toEqual([pages, expect.stringContaining(isApp ? 'The app' : expected)]);
    if (!isApp && expected.startsWith('/')) expect(await (await fetch(origin + place)).text()).toContain('"prefix":"/_calendar/page"');
  }
});

it.each<[MountOptions, string, boolean]>([
  [{ basePath: '/wp-json' }, '/wp-content/uploads/posters/events-27-full.svg', true],
  [{ basePath: '/blog/wp-json' }, '/blog/wp-content/uploads/posters/events-27-full.svg', true],
  [{}, '/wp-content/uploads/posters/events-27-full.svg', true],
  [{}, '/wp-content/uploads/own.svg', false],
  [{ media: root }, '/wp-content/uploads/own.svg', true],
  [{}, '/wp/v2/media', true],
  [{ basePath: '/wp-json' }, '/wp/v2/media', false],
])('with %j, answers %s: %s', async (options, path, isAnswered) => {
  const { origin } = await start({ seed: 'demo', ...options });
  const response = await fetch(origin + path, { headers: { accept: 'text/html' } });
  expect((await response.text()).includes('The app')).toBe(!isAnswered);
  if (path.includes('posters'))
    expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('image/svg+xml')]);
});

it('mounts the pages of a site in a folder, which are not those of the app', async () => {
  const { origin } = await start({ seed: 'demo', now: '2027-03-01T09:00Z', basePath: '/blog/wp-json' });
  const open = async (path: string) => (await fetch(origin + path, { headers: { accept: 'text/html' } })).text();
  for (const path of ['/blog/events/', '/blog/event/jazz-thursday-3/', '/blog/venue/cellar-club/'])
    expect(await open(path)).toContain('"folder":"/blog"');
  expect(await open('/blog/events/?ical=1')).toContain('BEGIN:VCALENDAR');
  for (const path of ['/', '/blog/', '/events/', '/event/jazz-thursday-3/']) expect(await open(path)).toContain('The app');
});

it.each([
  ['by its name', {}, 200],
  ['of a page of another site', { origin: 'http://localhost:1' }, 403],
  ['that a proxy forwards', { 'x-forwarded-for': '203.0.113.9' }, 404],
  ['by an address of the network', { host: '192.168.1.20:5173' }, 404],
  ['by a name that a page can rebind', { host: 'evil.example' }, 403],
])('controls the calendar for programs of this machine only: a request %s', async (_, headers, status) => {
  const { origin } = await start({ seed: 'minimal' });
  expect(await statusFor(`${origin}/_calendar/reset`, { method: 'POST', headers })).toBe(status);
});

it('keeps the calendar when the dev server restarts, and closes it with the last server', async () => {
  const { server } = await start({ seed: 'minimal', file: join(root, 'kept.db') });
  await fetch(`${originOf(server)}/calendar/events/v1/tags`, { method: 'POST', body: new URLSearchParams({ name: 'kept' }) });
  await server.restart();
  await server.restart();
  expect((await read(`${originOf(server)}/calendar/events/v1/tags?hide_empty=false&search=kept`)).total).toBe(1);
  await server.close();
  servers.length = 0;
  const next = await start({ file: join(root, 'kept.db') });
  expect((await read(`${next.origin}/calendar/events/v1/tags?hide_empty=false&search=kept`)).total).toBe(1);
});

it('reads a fixture again when it changes, and keeps the calendar if it has errors', async () => {
  const file = join(root, 'fixture.json');
  writeFileSync(file, JSON.stringify({ tags: { one: { name: 'One' } } }));
  const { origin } = await start({ seed: 'fixture.json' });
  const names = async () =>
    (await read(`${origin}/calendar/events/v1/tags?hide_empty=false`)).tags.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(['One']);
  writeFileSync(file, JSON.stringify({ tags: { two: { name: 'Two' } } }));
  await expect.poll(names).toEqual(['Two']);
  await expect.poll(() => messages).toContain('calendar: Reloaded fixture.json');
  writeFileSync(file, '{ "tags": ');
  await expect.poll(() => messages.join()).toContain('The calendar is unchanged');
  expect(await names()).toEqual(['Two']);
});

it('resets the connection for a fault, and fails to start with the reason', async () => {
  const { origin } = await start({ seed: 'minimal', faults: [{ then: 'reset' }] });
  await expect(fetch(`${origin}/calendar/events/v1/events`)).rejects.toThrow('fetch failed');
  await expect(start({ seed: 'no-such-seed' })).rejects.toThrow('no-such-seed');
  expect((await start({ seed: 'minimal' })).origin).toMatch('http');
});

it('follows calendar.config.json, and prints requests that failed or got a hint', async () => {
  const folder = mkdtempSync(join(root, 'configured-'));
  writeFileSync(join(folder, 'calendar.config.json'), '{"serve": {"namespace": "brand/events/v1", "basePath": "/wp-json"}}');
  const statuses = async (options: MountOptions) => {
    const { origin } = await start(options, folder);
    const paths = ['/wp-json/brand/events/v1/events', '/calendar/events/v1/events'];
    const html = { headers: { accept: 'text/html' } };
    return Promise.all(paths.map(async (path) => (await (await fetch(origin + path, html)).text()).startsWith('{')));
  };
  expect(await statuses({ seed: 'minimal' })).toEqual([true, false]);
  expect(await statuses({ seed: 'minimal', config: false })).toEqual([false, true]);
  expect(messages.filter((text) => text.includes('GET'))).toEqual([]);
  const { origin } = await start({ seed: 'minimal', namespace: 'v1' });
  await fetch(`${origin}/v1/events/99`);
  await fetch(`${origin}/v1/events?serach=x`);
  await expect
    .poll(() => messages.filter((text) => text.includes('GET')))
    .toEqual([
      expect.stringMatching(/^calendar: GET \/v1\/events\/99 404 \S+ ms rest-event-not-found: Event 99 not found/),
      expect.stringMatching(/^calendar: GET \/v1\/events\?serach=x 200 \S+ ms \(.*serach/),
    ]);
});
