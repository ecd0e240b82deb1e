import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resources } from '../../src/model/resources/all.ts';
import { defaultSlugs, siteAddressOf, sitePathOf } from '../../src/model/site-address.ts';
import type { WebPage } from '../../src/model/web-page.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

const page: WebPage = {
  files: [],
  definitions: () => ({}),
  document: (_context, _folder, { head = '', body = '' }) => `<!doctype html>${head}${body}`,
};
/** Categories and events named like words of the grammar. */
const words = ['list', 'category', '2027-03', 'page', 'month', 'feed', 'ical'];

let site: WholeServer;
beforeAll(async () => {
  // The clock is at 2026-11-20 14:00 UTC.
  site = await wholeServer({
    basePath: '/wp-json',
    namespace: 'brand/events/v1',
    page: async () => page,
    async prepare(store) {
      await store.change((local) => {
        const at = (date: string, from = '10:00', to = '11:00') => ({ start_date: `${date} ${from}`, end_date: `${date} ${to}` });
        local.categories.create({ name: 'Music', slug: 'music' });
        for (const slug of ['jazz', ...words]) {
          local.categories.create({ name: `Below ${slug}`, slug: `below-${slug}`, parent: local.idBy('categories', 'slug', 'music') });
        }
        for (const slug of words) {
          local.categories.create({ name: slug, slug });
          local.events.create({ title: `Word ${slug}`, slug, ...at('2026-11-22'), categories: [slug] });
        }
        const music = { categories: ['music'], tags: ['loud'] };
        for (let day = 1; day <= 30; day++) {
          const date = `2027-03-${String(day).padStart(2, '0')}`;
          local.events.create({ title: `March ${day}`, ...at(date), ...(day % 2 ? music : {}), featured: day % 10 === 0 });
        }
        local.events.create({ title: 'Concert', slug: 'concert', ...at('2027-04-01'), categories: ['below-jazz'], featured: true });
        local.events.create({ title: 'Today', ...at('2026-11-20', '09:00', '23:00') });
        const first = Date.UTC(2026, 7, 1);
        for (let day = 0; day < 80; day++) {
          const date = new Date(first + day * 86_400_000).toISOString().slice(0, 10);
          local.events.create({ title: `Past ${day}`, ...at(date), ...(day % 4 ? {} : { categories: ['music'] }) });
        }
      });
    },
  });
});
afterAll(() => site.close());

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(site.listening.url + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' });
  const text = (await response.text()).replaceAll('\r\n ', '');
  const type = response.headers.get('content-type')!;
  const pattern = type.includes('calendar')
    ? /^SUMMARY:(.*)\r$/gm
    : type.includes('rss')
      ? /<item>\n<title>(.*)<\/title>/g
      : type.includes('atom')
        ? /<entry>\n<title type="html">(.*)<\/title>/g
        : /<li><a[^>]*>(.*?)<\/a>/g;
  const titles = [...text.matchAll(pattern)].map(([, title]) => title!);
  return {
    status: response.status,
    type,
    text,
    titles,
    location: response.headers.get('location'),
    hint: response.headers.get('x-calendar-hint'),
  };
}

const march = (...days: number[]) => days.map((day) => `March ${day}`);
const range = (from: number, to: number, by = 1) => Array.from({ length: (to - from) / by + 1 }, (_, i) => from + i * by);
const wordTitles = words.map((word) => `Word ${word}`);
const all = ['Today', ...wordTitles, ...march(...range(1, 30)), 'Concert'];
const inMarch = march(...range(1, 30));
const music = [...march(...range(1, 29, 2)), 'Concert'];
const loud = march(...range(1, 29, 2));
const featured = [...march(10, 20, 30), 'Concert'];
const past = range(0, 79)
  .map((day) => `Past ${day}`)
  .reverse();
const november = ['Today', ...wordTitles];

/** Lists by their address, with the titles of all of their pages. */
const lists: [string, string[]][] = [
  ['/events/', all],
  ['/events/list/', all],
  ['/events/featured/', featured],
  ['/events/list/featured/', featured],
  ['/events/month/', november],
  ['/events/month/2027-03/', inMarch],
  ['/events/month/2027-03/featured/', march(10, 20, 30)],
  ['/events/2027-03/', inMarch],
  ['/events/2027-03/featured/', march(10, 20, 30)],
  ['/events/month/2029-01/', []],
  ['/events/day/', ['Today']],
  ['/events/today/', ['Today']],
  ['/events/2027-03-05/', march(5)],
  ['/events/category/music/', music],
  ['/events/category/music/list/', music],
  ['/events/category/music/2027-03/', loud],
  ['/events/category/music/month/2027-03/featured/', []],
  ['/events/category/music/day/2027-03-05/', march(5)],
  ['/events/category/music/featured/', ['Concert']],
  ['/events/category/music/below-jazz/', ['Concert']],
  ['/events/category/music/below-jazz/list/', ['Concert']],
  ['/events/tag/loud/', loud],
  ['/events/tag/loud/list/', loud],
  ['/events/tag/loud/2027-03/', loud],
  ['/tag/loud/', loud],
  ['/?post_type=brand_events', all],
  ['/?post_type=brand_events&eventDisplay=month&eventDate=2027-03', inMarch],
  ['/?brand_events_cat=music', music],
  ['/events/?brand_events_cat=music', music],
  ['/events/?tag=loud', loud],
  ['/events/category/music/?tag=loud', loud],
  ['/events/tag/loud/?brand_events_cat=below-jazz', []],
  ['/?brand_events_cat=music&tag=loud', loud],
  ['/events/?brand_events_cat=music,list', ['Word list', ...music]],
  ['/events/category/music,list/', ['Word list', ...music]],
  ['/events/?brand_events_cat=music%2Bbelow-jazz', ['Concert']],
  ['/events/category/music+below-jazz/', ['Concert']],
  ['/events/?tag=loud,loud', loud],
  ['/events/category/music+list/', []],
  ['/events/?brand_event_display=past', past],
  ['/events/?featured=1', featured],
  ['/events/?brand-bar-search=concert', ['Concert']],
  ['/events/list/?brand-bar-date=2027-03-20', [...march(...range(20, 30)), 'Concert']],
  ['/events/?eventDisplay=day&brand-bar-date=2027-03-05', march(5)],
  ['/events/?eventDisplay=month&brand-bar-date=2027-03-05', inMarch],
  ['/events/?eventDisplay=past', past],
  ['/events/list/?eventDisplay=past', past],
  ['/events/category/music/?eventDisplay=past', past.filter((title) => Number(title.slice(5)) % 4 === 0)],
  ['/events/?eventDisplay=past&brand-bar-date=2026-08-03', ['Past 1', 'Past 0']],
  ...words.map((word): [string, string[]] => [`/events/category/${word}/`, [`Word ${word}`]]),
  ['/events/category/list/list/', ['Word list']],
  ['/events/category/page/page/1/', ['Word page']],
  ['/events/category/2027-03/2027-03/', []],
];

const withQuery = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`;
/** The words of an ending belong to the path. */
const withEnding = (path: string, ending: string) => path.replace(/^([^?]*)/, `$1${ending}/`);
const hasPath = (path: string) => !path.startsWith('/?') && !path.startsWith('/tag/');
const isWhole = (path: string) => /month|day|20\d\d-\d\d[/-]/.test(path.replace(/list\/.*|brand-bar-date=.*|category\/[^/]+\//, ''));

/** The events of the feed of a list. That of the present day is that of all days. */
const calendarTitles = (path: string, titles: string[]) =>
  path === '/events/day/' ? all.slice(0, 30) : titles.slice(0, isWhole(path) ? undefined : 30);

describe.each(lists)('%s', (path, titles) => {
  it.each([
    ['ical=1', 'text/calendar'],
    ['ical', 'text/calendar'],
    ['ical=0', 'text/calendar'],
    ['outlook-ical=1', 'text/calendar'],
  ])('with %s', async (query, type) => {
    const feed = await read(withQuery(path, query));
    const listed = calendarTitles(path, titles);
    expect([feed.status, feed.type, feed.titles]).toEqual([200, expect.stringContaining(listed.length ? type : 'text/html'), listed]);
  });
  it('as a page, and its next page', async () => {
    const first = await read(path);
    expect([first.status, first.type]).toEqual([200, expect.stringContaining('text/html')]);
    expect(first.titles).toEqual(isWhole(path) ? titles : titles.slice(0, 12));
    const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&').replaceAll('&#038;', '&');
    expect(next !== undefined).toBe(first.titles.length < titles.length);
    if (next) expect((await read(next.replace(/^http:\/\/[^/]+/, ''))).titles).toEqual(titles.slice(12, 24));
  });
});

describe.each(lists.filter(([path]) => hasPath(path)))('%s', (path, titles) => {
  it('with the endings ical and feed', async () => {
    const [ical, rss] = [await read(withEnding(path, 'ical')), await read(withEnding(path, 'feed'))];
    expect([ical.status, ical.titles]).toEqual([200, calendarTitles(path, titles)]);
    expect([rss.status, rss.titles]).toEqual([200, titles.slice(0, 10)]);
  });
});

describe('what feeds alone have', () => {
  it.each<[string, string[]]>([
    ['/?ical=1', all.slice(0, 30)],
    ['/?outlook-ical=1', all.slice(0, 30)],
    ['/?ical', all.slice(0, 30)],
    ['/feed/?post_type=brand_events', all.slice(0, 10)],
    ['/?post_type=brand_events&feed=rss2', all.slice(0, 10)],
    ['/events/rss/', all.slice(0, 10)],
    ['/events/feed/rss2/', all.slice(0, 10)],
    ['/events/category/music/feed/atom/', music.slice(0, 10)],
    ['/events/list/page/2/?ical=1', all.slice(12, 42)],
    ['/events/page/2/?ical=1', all.slice(12, 42)],
    ['/events/list/?ical=1&page=2', all.slice(12, 42)],
    ['/events/list/?ical=1&paged=2', all.slice(12, 42)],
    ['/events/list/?ical=1&brand_paged=2', all.slice(12, 42)],
    ['/events/?feed=atom', all.slice(0, 10)],
    ['/events/feed/atom/', all.slice(0, 10)],
    ['/events/atom/', all.slice(0, 10)],
    ['/events/list/page/2/ical/', all.slice(12, 42)],
    ['/events/list/featured/page/2/?ical=1', []],
    ['/events/?eventDisplay=past&ical=1&page=3', past.slice(24, 54)],
    ['/events/?eventDisplay=past&ical=1&page=8', []],
    ['/events/?eventDisplay=past&ical=1&posts_per_page=7&page=12', past.slice(77)],
    // A feed begins now, a page on the day.
    ['/events/list/?brand-bar-date=2026-10-18&ical=1', all.slice(0, 30)],
    ['/event/concert/ical/', ['Concert']],
    ['/event/concert/?ical=0', ['Concert']],
    ['/?brand_events=concert&ical=1', ['Concert']],
    ...words.map((word): [string, string[]] => [`/event/${word}/?ical=1`, [`Word ${word}`]]),
  ])('%s', async (path, titles) => {
    const feed = await read(path);
    expect([feed.status, feed.titles]).toEqual([200, titles]);
  });

  it('a list begins with a day that is over, as a page', async () =>
    expect((await read('/events/list/?brand-bar-date=2026-10-18')).titles.slice(0, 3)).toEqual(['Past 78', 'Past 79', 'Today']));

  it('events by their IDs', async () => {
    const { events } = await site.json<{ events: { id: number; title: string }[] }>('GET', '/events?search=March&per_page=50');
    const chosen = events.filter(({ title }) => ['March 3', 'March 7'].includes(title));
    expect((await read(`/events/?event_ids=${chosen.map(({ id }) => id).join()}&ical=1`)).titles).toEqual(march(3, 7));
  });
});

describe('redirects to permalinks', () => {
  it.each(['', '&post_type=brand_events', '&ical=1'])('?p=ID%s', async (more) => {
    const { id } = await site.json<{ id: number }>('GET', '/events/by-slug/concert');
    const { status, location } = await read(`/?p=${id}${more}`);
    expect([status, location]).toEqual([301, `${site.listening.url}/event/concert/${more.includes('ical') ? '?ical=1' : ''}`]);
  });
  it('by the slug of an event', async () =>
    expect(await read('/?brand_events=concert')).toMatchObject({ status: 301, location: `${site.listening.url}/event/concert/` }));
});

describe('what is 404, with a sentence', () => {
  it.each([
    ['/events/week/', 'Addresses of lists'],
    ['/events/summary/', 'Addresses of lists'],
    ['/events/list/list/', 'Addresses of lists'],
    ['/events/featured/list/', 'Addresses of lists'],
    ['/events/day/2027-03-05/', 'Addresses of lists'],
    ['/events/month/2027-13/', 'Addresses of lists'],
    ['/events/2027-02-30/', 'Addresses of lists'],
    ['/events/month/page/2/', 'Addresses of lists'],
    ['/events/list/page/0/', 'Addresses of lists'],
    ['/events/category/music/list/jazz/', 'Addresses of lists'],
    ['/events/tag/loud/more/', 'Addresses of lists'],
    ['/event/concert/2027-04-01/', 'No occurrence of concert is on 2027-04-01'],
    ['/event/concert/2027-02-30/', 'The page of a record is at /event/SLUG/'],
    ['/event/concert/feed/', 'comments'],
    ['/feed/', 'The feed of events is at'],
    ['/events/?eventDisplay=week', 'eventDisplay is one of'],
    ['/events/category/nothing/?ical=1', 'The API is at'],
    ['/?brand_events_cat=nothing&ical=1', 'The API is at'],
    ['/event/nothing/ical/', 'The API is at'],
  ])('%s', async (path, sentence) => {
    const { status, hint } = await read(path, { accept: 'application/json' });
    expect([status, hint]).toEqual([404, expect.stringContaining(sentence)]);
  });
});

it.each([
  ['/events/list/?ical=1&seach=jazz', 'Ignored unknown parameter seach'],
  ['/events/?brand-bar-serch=jazz', 'Did you mean brand-bar-search?'],
  ['/events/?ical=1&page=2&posts_per_page=3', null],
  ['/event/concert/?edit=true', null],
  ['/?view=list', null],
])('%s has the hint %j', async (path, hint) =>
  expect((await read(path)).hint).toEqual(hint === null ? null : expect.stringContaining(hint)),
);

it.each([
  ['/events/?ical=1&brand-bar-date=banana', 'brand-bar-date'],
  ['/events/?ical=1&posts_per_page=0', 'posts_per_page'],
])('%s names %s', async (path, name) => {
  const { status, text } = await read(path);
  expect([status, JSON.parse(text)]).toMatchObject([400, { data: { params: { [name]: expect.any(String) } } }]);
});

it('parses what it writes', () => {
  for (const [path] of lists.filter(([each]) => hasPath(each) && !each.includes('?'))) {
    const address = siteAddressOf(path, defaultSlugs)!;
    expect([path, siteAddressOf(sitePathOf(address, defaultSlugs), defaultSlugs)]).toEqual([
      path,
      { ...address, ...(address.page === 1 ? { page: undefined } : {}) },
    ]);
  }
});

it('has the pages of all resources', () => {
  for (const [name, { page: place }] of Object.entries(resources)) {
    const base = typeof place === 'string' ? place : place.base;
    expect(siteAddressOf(`/${base}/x/`, defaultSlugs)?.record).toEqual({ resource: name, slug: 'x', path: `${base}/x` });
  }
});
