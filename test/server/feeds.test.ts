import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
])('?ical=1 on the page of %s is the event of the other feed, with the UID and the URL of a site', async (slug, headers, more) => {
  const [{ id, start_date, end_date }] = server.store.db.all<Record<string, string | number>>(
    'select id, start_date, end_date from events where slug = ?',
    slug,
  ) as [Record<string, string | number>];
  const feed = await at(`/wp-json/calendar.ics?include=${id}${more}`, headers);
  const own = await at(`/event/${slug}/?ical=1`, headers);
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(own.headers.get('content-disposition')).toMatch(/^attachment; filename="calendar-[0-9a-f]{11}\.ics"$/);
  expect(feed.headers.get('content-disposition')).toBe('inline; filename="calendar.ics"');
  const text = (await own.text()).replaceAll('\r\n ', '');
  const seconds = [start_date, end_date].map((local) => Date.parse(`${local}Z`) / 1000);
  expect(text).toContain(`UID:${id}-${seconds.join('-')}@127.0.0.1\r\n`);
  const page = slug === 'draft' ? `/?post_type=calendar_events&p=${id}` : `/event/${slug}/`;
  expect(text).toContain(`URL:${server.listening.url}${page}\r\n`);
  expect(text).toContain(`X-ORIGINAL-URL:${server.listening.url}\r\nX-WR-CALDESC:Events for Calendar\r\n`);
  const withoutSite = (ics: string) =>
    ics
      .replaceAll('\r\n ', '')
      .replaceAll(';X-NAME=Hall', '')
      .replace(/^(?:UID|URL|X-ORIGINAL-URL|X-WR-CALDESC|X-VENUES):.*\r\n/gm, '');
  expect(withoutSite(text)).toBe(withoutSite(await feed.text()));
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1);
});

it('Outlook gets no name of the calendar', async () => {
  const [one, other] = await Promise.all(['ical', 'outlook-ical'].map(async (name) => (await at(`/events/?${name}=1`)).text()));
  expect(other).toBe(one!.replace(/^(?:NAME|X-WR-CALNAME):.*\r\n/gm, ''));
  expect(one).not.toBe(other);
});

it.each([
  ['ical', 'ical'],
  ['outlook-ical', 'outlook'],
])('the name of the file with %s follows the format and the IDs', async (parameter, prefix) => {
  const [{ id }] = server.store.db.all<{ id: number }>("select id from events where slug = 'jazz'") as [{ id: number }];
  const { headers } = await at(`/event/jazz/?${parameter}=1`);
  const hash = createHash('md5').update(`${prefix}${id}`).digest('hex').slice(0, 11);
  expect(headers.get('content-disposition')).toBe(`attachment; filename="calendar-${hash}.ics"`);
});

it('the whole feed keeps the website and the UID of an event', async () => {
  const text = await (await at('/wp-json/calendar.ics?include=1&include=2')).text();
  expect(text).not.toMatch(/@127\.0\.0\.1|X-ORIGINAL-URL/);
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

it.each(['/event/jazz/', '/venue/hall/', '/events/'])('%s is the page', async (path) =>
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

describe.each([
  ['', 'calendar/events/v1', ''],
  ['/wp-json', 'brand/events/v1', ''],
  ['/wp-json', 'calendar/events/v1', '/_worlds/'],
])('the feeds with the base path %j, the namespace %s and %j', (basePath, namespace, world) => {
  const type = `${namespace.split('/')[0]}_events`;
  let site: WholeServer;
  let home = '';
  beforeAll(async () => {
    // The clock is at 2026-11-20 14:00 UTC.
    site = await wholeServer({
      basePath,
      namespace,
      page: async () => page,
      async prepare(store) {
        await store.change((local) => {
          const at = (start_date: string, end_date: string) => ({ start_date, end_date });
          const later = at('2026-12-24 20:00', '2026-12-24 22:00');
          const music = { name: 'Music', slug: 'music' };
          local.categories.create(music);
          local.categories.create({ name: 'Jazz', slug: 'jazz', parent: local.idBy('categories', 'slug', 'music') });
          local.events.create({ title: 'Past', ...at('2026-11-01 20:00', '2026-11-01 22:00'), categories: ['music'] });
          local.events.create({
            title: 'Running',
            ...at('2026-11-19 20:00', '2026-11-21 22:00'),
            tags: ['loud'],
            venue: { venue: 'Hall' },
          });
          local.events.create({ title: 'Later', ...later, categories: ['jazz'], organizer: { organizer: 'Ada' } });
          local.events.create({ title: 'Soon', ...at('2026-12-01 20:00', '2026-12-01 22:00'), categories: ['music'] });
          local.events.create({ title: 'Far', ...at('2030-01-01 20:00', '2030-01-01 22:00') });
          local.events.create({ title: 'Hidden', hide_from_listings: true, ...later });
          local.events.create({ title: 'Draft', status: 'draft', ...later });
          for (let day = 1; day <= 31; day++)
            local.events.create({ title: `Day ${day}`, ...at(`2027-01-${day} 10:00`, `2027-01-${day} 11:00`), tags: ['daily'] });
        });
      },
    });
    if (world) {
      const { id } = await site.json<{ id: string }>('POST', '/_calendar/worlds', {});
      home = `${world}${id}`;
    }
  });
  afterAll(() => site.close());

  const read = async (path: string) => {
    const response = await fetch(site.listening.url + home + path, { headers: { accept: 'text/html' } });
    const text = await response.text();
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      titles: [...text.matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, title]) => title),
    };
  };
  const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `Day ${from + i}`);

  it.each<[string, string[]]>([
    ['/events/?ical=1', ['Running', 'Soon', 'Later', ...days(1, 27)]],
    ['/events?outlook-ical=1', ['Running', 'Soon', 'Later', ...days(1, 27)]],
    ['/events/list/?ical=1', ['Running', 'Soon', 'Later', ...days(1, 27)]],
    ['/events/list/?ical=1&page=2', [...days(10, 31), 'Far']],
    ['/events/list/?ical=1&page=3', [...days(22, 31), 'Far']],
    ['/events/list/?ical=1&page=4', []],
    ['/events/list/?ical=1&posts_per_page=2', ['Running', 'Soon']],
    ['/events/list/?ical=1&posts_per_page=2&page=2', ['Later', 'Day 1']],
    ['/events/list/?ical=1&posts_per_page=500', ['Running', 'Soon', 'Later', ...days(1, 31), 'Far']],
    ['/events/month/?ical=1', ['Past', 'Running']],
    ['/events/month/2027-01/?ical=1', days(1, 31)],
    ['/events/month/2026-12?outlook-ical=1', ['Soon', 'Later']],
    ['/events/month/2029-01/?ical=1', []],
    ['/events/category/music/?ical=1', ['Soon', 'Later']],
    ['/events/category/music/jazz/?ical=1', ['Later']],
    ['/events/category/jazz/?outlook-ical=1', ['Later']],
    ['/events/tag/loud/?ical=1', ['Running']],
    ['/tag/loud/?ical=1', ['Running']],
    ['/venue/hall/?ical=1', ['Running']],
    ['/organizer/ada/?ical=1', ['Later']],
    [`/?post_type=${type}&ical=1`, ['Running', 'Soon', 'Later', ...days(1, 27)]],
    [`/?post_type=${type}&outlook-ical=1&posts_per_page=1`, ['Running']],
    ['/event/hidden/?ical=1', ['Hidden']],
    ['/event/past/?outlook-ical=1', ['Past']],
    [`${basePath}/calendar.ics?tags=loud`, ['Running']],
  ])('%s', async (path, titles) =>
    expect(await read(path)).toEqual({ status: 200, type: `text/${titles.length ? 'calendar' : 'html'}; charset=utf-8`, titles }),
  );

  it.each([
    ['/events/category/nothing/?ical=1', 404],
    ['/events/tag/nothing/?ical=1', 404],
    ['/venue/nothing/?ical=1', 404],
    ['/organizer/nothing/?ical=1', 404],
    ['/event/nothing/?ical=1', 404],
    ['/events/month/2027-13/?ical=1', 404],
    ['/events/nothing/?ical=1', 404],
    ['/events/list/?ical=1&posts_per_page=0', 400],
    ['/events/list/?ical=1&page=x', 400],
  ])('%s is %i', async (path, status) => expect((await read(path)).status).toBe(status));

  it('the number of events on a page is named as the address names it', async () => {
    const response = await at('/events/list/?ical=1&posts_per_page=0');
    expect(await response.json()).toMatchObject({ data: { params: { posts_per_page: expect.stringContaining('"0"') } } });
  });

  it.each(['/?post_type=other_events&ical=1', `/?post_type=${type}&p=3&ical=1`])('%s is the page', async (path) =>
    expect((await read(path)).type).toContain('text/html'),
  );
});

it('faults meet a feed whose path is named, and the log has it', async () => {
  const add = (path?: string) => server.json('POST', '/_calendar/faults', { then: 503, ...(path ? { match: { path } } : {}) });
  await add();
  await add('/events/list');
  const status = async (path: string) => (await at(path)).status;
  expect([await status('/events/?ical=1'), await status('/events/list/?ical=1')]).toEqual([200, 503]);
  const { requests } = await server.json<{ requests: { path: string; status: number }[] }>('GET', '/_calendar/requests?limit=1');
  expect(requests).toMatchObject([{ path: '/events/list/', query: 'ical=1', status: 503 }]);
  await server.call('DELETE', '/_calendar/faults');
});
