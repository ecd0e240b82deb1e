import { parseRssFeed } from 'feedsmith';
import ICAL from 'ical.js';
import { convertIcsCalendar } from 'ts-ics';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

let calendar: Awaited<ReturnType<typeof createCalendar>>;
const odd = 'A & B <b>"quoted"</b> ]]> \u0007 日本語; a, b\\n';
beforeAll(async () => {
  calendar = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z', listen: false, basePath: '/blog/wp-json' });
  await calendar.categories.create({ name: 'R & D', slug: 'r-d' });
  const dates = { start_date: '2027-03-01 12:00', end_date: '2027-03-01 13:00', timezone: 'America/New_York' };
  await calendar.events.create({
    title: odd,
    slug: 'odd',
    description: odd,
    excerpt: odd,
    categories: ['r-d'],
    website: 'https://example.org/',
    ...dates,
  });
  await calendar.events.create({ title: 'All day', slug: 'all-day', ...dates, all_day: true });
});
afterAll(() => calendar.close());

const read = async (path: string) => {
  const response = await calendar.fetch(path);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

const feeds = [
  ...['/blog/events/?ical=1', '/blog/events/list/page/2/?ical=1', '/blog/events/month/2027-03/ical/', '/blog/events/today/ical/'],
  ...['/blog/events/category/music/ical/', '/blog/events/?eventDisplay=past&ical=1', '/blog/?outlook-ical=1', '/blog/event/odd/ical/'],
  ...['/blog/venue/cellar-club/?ical=1', '/blog/wp-json/calendar.ics'],
];

it.each(feeds)('%s is read by two parsers', async (path) => {
  const { status, type, text } = await read(path);
  expect([status, type]).toEqual([200, 'text/calendar; charset=utf-8']);
  const one = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => new ICAL.Event(component));
  const other = convertIcsCalendar(undefined, text).events ?? [];
  const sorted = (pairs: [string, string, number][]) => pairs.map((pair) => pair.join(' ')).sort();
  expect(sorted(other.map(({ uid, summary, start }) => [uid, summary, start.date.getTime()]))).toEqual(
    sorted(
      one.map(({ uid, summary, startDate }) => [
        uid,
        summary,
        startDate.isDate ? Date.parse(startDate.toString()) : startDate.toJSDate().getTime(),
      ]),
    ),
  );
  expect(new Set(one.map(({ uid }) => uid)).size).toBe(one.length);
});

it.each([
  ['/blog/events/feed/', 10],
  ['/blog/events/category/music/feed/rss2/', 10],
  ['/blog/events/category/r-d/feed/', 1],
  ['/blog/events/2020-01/feed/', 0],
  ['/blog/feed/?post_type=calendar_events', 10],
])('%s is read as RSS with %i items', async (path, count) => {
  const { status, type, text } = await read(path);
  expect([status, type]).toEqual([200, 'application/rss+xml; charset=UTF-8']);
  const { title, link, items = [] } = parseRssFeed(text);
  expect([title, link, items.length]).toEqual(['Upcoming Events – Rotterdam, week by week', 'http://calendar.localhost/blog', count]);
  for (const item of items) {
    expect(item).toMatchObject({ title: expect.any(String), link: expect.stringContaining('/blog/event/') });
    expect(item.guid).toMatchObject({ value: item.link, isPermaLink: false });
    expect(String(item.pubDate)).toMatch(/ \+0000$/);
  }
});

it('texts of RSS are the texts of the event', async () => {
  const [item] = parseRssFeed((await read('/blog/events/category/r-d/feed/')).text).items!;
  const [listed] = (await calendar.events.list({ categories: 'r-d' })).events;
  expect(item).toMatchObject({ title: expect.stringContaining('A & B') });
  expect(item!.content?.encoded).toBe(listed!.description.replaceAll('\u0007', ''));
});

it('an item of RSS has the start in the zone of the calendar, 30 words and tags', async () => {
  const words = Array.from({ length: 40 }, (_, at) => `w${at}`);
  await calendar.events.create({
    title: 'Long',
    description: `<p>${words.slice(0, 20).join(' ')}</p>\n<p>${words.slice(20).join(' ')} &lt;end</p>`,
    start_date: '2027-03-02 00:30',
    end_date: '2027-03-02 01:00',
    timezone: 'America/New_York',
    categories: ['r-d'],
    tags: ['only-rss'],
  });
  const { text } = await read('/blog/events/tag/only-rss/feed/');
  const [item] = parseRssFeed(text).items!;
  expect(item).toMatchObject({
    pubDate: 'Mon, 01 Mar 2027 23:30:00 +0000',
    description: `${words.slice(0, 30).join(' ')} [&#8230;]`,
    categories: [{ name: 'only-rss' }],
  });
});
