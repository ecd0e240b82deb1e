import { HtmlValidate } from 'html-validate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

let calendar: Awaited<ReturnType<typeof createCalendar>>;
const validate = new HtmlValidate({ extends: ['html-validate:standard'] });
beforeAll(async () => {
  const options = { basePath: '/blog/wp-json', namespace: 'brand/events/v1', headerPrefix: 'X-Brand' };
  calendar = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z', listen: false, ...options });
});
afterAll(() => calendar.close());

const open = async (path: string) => (await calendar.fetch(path, { headers: { accept: 'text/html' } })).text();
const home = 'http://calendar.localhost/blog';
const pages = [
  ...['/', '/event/jazz-thursday-3/', '/venue/cellar-club/', '/organizer/city-council/', '/tag/evening/', '/event/nothing/'],
  ...[
    '/events/',
    '/events/list/page/2/',
    '/events/month/2027-03/',
    '/events/today/',
    '/events/category/music/list/',
    '/events/tag/evening/',
  ],
  ...['/events/?eventDisplay=past', '/events/?brand-bar-search=jazz&brand-bar-date=2027-03-10', '/?post_type=brand_events'],
].map((path) => `/blog${path}`);

it.each(pages)('%s is valid HTML that names the API', async (path) => {
  const html = await open(path);
  const { results } = await validate.validateString(html);
  expect(results.flatMap(({ messages }) => messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`))).toEqual([]);
  for (const [name, content] of Object.entries({
    'brand-api-version': 'v1',
    'brand-api-root': `${home}/wp-json/brand/events/v1/`,
    'brand-api-origin': home,
  }))
    expect(html).toContain(`<meta name="${name}" content="${content}">`);
  expect(html).toContain(`<link rel="alternate" href="${home}/wp-json/brand/events/v1/">`);
});

it.each([
  ['/blog/events/', '/blog/events/'],
  ['/blog/events/list/page/2/', '/blog/events/list/'],
  ['/blog/events/month/2027-03/', '/blog/events/month/2027-03/'],
  ['/blog/events/category/music/list/', '/blog/events/category/music/list/'],
  ['/blog/tag/evening/', '/blog/events/tag/evening/'],
  ['/blog/events/?brand-bar-search=jazz', '/blog/events/?brand-bar-search=jazz'],
  ['/blog/?post_type=brand_events', '/blog/events/'],
])('%s names the same list in other formats', async (path, list) => {
  const html = await open(path);
  const hrefOf = (type: string) =>
    [...html.matchAll(new RegExp(`<link rel="alternate" type="${type}" href="([^"]+)"`, 'g'))].at(-1)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const links = [...html.matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => href);
  expect(links.length).toBeGreaterThan(1);
  const json = (await (await calendar.fetch(hrefOf('application/json'))).json()) as { events: { url: string }[] };
  expect(json.events.map(({ url }) => url).slice(0, links.length)).toEqual(links);
  expect([hrefOf('text/calendar'), hrefOf('application/rss\\+xml')]).toEqual([
    `http://calendar.localhost${list}${list.includes('?') ? '&' : '?'}ical=1`,
    `http://calendar.localhost${list.replace(/(\?|$)/, 'feed/$1')}`,
  ]);
  for (const type of ['text/calendar', 'application/rss\\+xml']) expect((await calendar.fetch(hrefOf(type))).status).toBe(200);
});
