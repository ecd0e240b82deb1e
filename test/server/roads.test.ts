import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';

let calendar: Calendar;
const origin = () => new URL(calendar.url).origin;
const at = (path: string) => calendar.fetch(origin() + path);
const text = async (path: string) => (await at(path)).text();
const titlesIn = (xml: string, pattern: RegExp) => [...xml.matchAll(pattern)].map(([, title]) => title);
beforeAll(async () => {
  calendar = await createCalendar({ listen: false, now: '2027-03-10T09:00Z' });
  const dates = (start: string) => ({ start_date: `${start} 19:00`, end_date: `${start} 20:00` });
  const weekly = { repeat: 'FREQ=WEEKLY;COUNT=5' };
  await calendar.data.seed({
    categories: [
      { id: 1, name: 'Music', slug: 'music' },
      { id: 2, name: 'Jazz', slug: 'jazz', parent: 1 },
      { name: 'Talks', slug: 'talks' },
    ],
    events: [
      { title: 'Choir', ...dates('2027-03-01'), ...weekly, categories: ['music'] },
      { title: 'Club', ...dates('2027-03-04'), ...weekly, categories: ['talks'] },
      { title: 'Alone', ...dates('2027-03-12'), categories: ['jazz'] },
      { title: 'Hidden', ...dates('2027-03-13'), hide_from_listings: true },
      { title: 'Draft', ...dates('2027-03-13'), status: 'draft' },
    ],
  });
});
afterAll(() => calendar.close());

describe('hide_subsequent_recurrences', () => {
  const list = async (query: string) => {
    const page = (await (await calendar.fetch(`events?${query}`)).json()) as {
      events: { title: string; start_date: string }[];
      total: number;
      next_rest_url?: string;
    };
    return { ...page, shown: page.events.map(({ title, start_date }) => `${title} ${start_date.slice(5, 10)}`) };
  };
  it.each([
    ['start_date=2027-03-01&end_date=2028-01-01', ['Choir 03-01', 'Club 03-04', 'Alone 03-12']],
    // The first that the other filters leave.
    ['start_date=2027-03-10&end_date=2028-01-01', ['Club 03-11', 'Alone 03-12', 'Choir 03-15']],
    ['start_date=2027-03-01&end_date=2028-01-01&categories=talks', ['Club 03-04']],
    ['start_date=2027-03-20&end_date=2027-03-24', ['Choir 03-22']],
  ])('lists with %s have the first event of each series', async (query, expected) => {
    const { shown, total } = await list(`${query}&hide_subsequent_recurrences=1`);
    expect([shown, total]).toEqual([expected, expected.length]);
    expect((await list(`${query}&hide_subsequent_recurrences=0`)).total).toBe((await list(query)).total);
  });
  it('is in the links of pages', async () =>
    expect((await list('start_date=2027-03-01&per_page=1&hide_subsequent_recurrences=true')).next_rest_url).toContain(
      'hide_subsequent_recurrences=1',
    ));
  it('reduces feeds and pages', async () => {
    const feed = await text('/events/?ical=1&hide_subsequent_recurrences=1');
    expect(titlesIn(feed, /^SUMMARY:(.*)\r$/gm)).toEqual(['Club', 'Alone', 'Choir']);
    expect((await text('/events/feed/?hide_subsequent_recurrences=1')).match(/<item>/g)).toHaveLength(3);
    expect((await text('/events/?ical=1&hide_subsequent_recurrences=0')).match(/BEGIN:VEVENT/g)!.length).toBeGreaterThan(3);
  });
});

describe('the parameter of the filter bar', () => {
  const ids: Record<string, number> = {};
  beforeAll(async () => {
    const { categories } = await calendar.categories.list({ hide_empty: false });
    for (const { slug, id } of categories) ids[slug] = id;
  });
  const titles = async (path: string) => [...new Set(titlesIn(await text(path), /^SUMMARY:(.*)\r$/gm))].sort();
  it('takes the IDs of categories, of which each event has one', async () => {
    expect(await titles(`/events/?ical=1&calendar_eventcategory[0]=${ids.talks}`)).toEqual(['Club']);
    expect(
      await titles(`/events/list/?ical=1&calendar_eventcategory%5B0%5D=${ids.talks}&calendar_eventcategory%5B1%5D=${ids.jazz}`),
    ).toEqual(['Alone', 'Club']);
  });
  it('restricts a category further', async () =>
    expect(await titles(`/events/category/music/?ical=1&calendar_eventcategory[0]=${ids.jazz}`)).toEqual(['Alone']));
  it('gets no hint, and an unknown ID is an error', async () => {
    const known = await at(`/events/?ical=1&calendar_eventcategory[0]=${ids.talks}`);
    expect(known.headers.get('x-calendar-hint')).toBeNull();
    expect((await at('/events/?ical=1&calendar_eventcategory[0]=999')).status).toBe(400);
  });
});

describe('sitemaps', () => {
  const urls = (xml: string) => titlesIn(xml, /<loc>(.*?)<\/loc>/g).map((url) => url!.replace(origin(), ''));
  it('has an index', async () => {
    const response = await at('/wp-sitemap.xml');
    expect(response.headers.get('content-type')).toBe('application/xml; charset=UTF-8');
    expect(urls(await response.text())).toEqual(['/wp-sitemap-posts-calendar_events-1.xml']);
  });
  it.each(['/wp-sitemap-posts-calendar_events-1.xml', '/calendar_events-sitemap.xml', '/calendar_events-sitemap1.xml'])(
    '%s has every published event, also past and hidden ones',
    async (path) => {
      const xml = await text(path);
      expect(urls(xml)).toHaveLength(12);
      expect(urls(xml)).toEqual(expect.arrayContaining(['/event/alone/', '/event/hidden/']));
      expect(xml).not.toContain('draft');
      expect(xml).toMatch(/<lastmod>2027-03-10T09:00:00\+00:00<\/lastmod>/);
    },
  );
  it.each(['/wp-sitemap-posts-calendar_events-2.xml', '/wp-sitemap-posts-page-1.xml', '/other-sitemap.xml'])(
    '%s is 404, with a hint',
    async (path) => {
      const response = await at(path);
      expect([response.status, response.headers.get('x-calendar-hint')]).toEqual([404, expect.stringContaining('sitemap of events')]);
    },
  );
});

it('Atom has entries with IDs, dates and contents', async () => {
  const response = await at('/events/feed/atom/');
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=UTF-8');
  const xml = await response.text();
  expect(xml).toContain(`<link rel="self" type="application/atom+xml" href="${origin()}/events/feed/atom/"/>`);
  expect(xml).toContain('<published>2027-03-12T19:00:00Z</published>');
  expect(xml.match(/<entry>/g)!.length).toBe(xml.match(/<id>/g)!.length - 1);
  expect(xml.match(/<entry>/g)!.length).toBe(xml.match(/<updated>/g)!.length - 1);
});

it.each([
  ['/wp-json/calendar/views/v2/html?u=/events/', 'calendar/views/v2/html is not served'],
  ['/wp-json/calendar/tickets/v1/attendees?event=1', 'calendar/tickets/v1/attendees is not served'],
  ['/wp-json/jwt-auth/v1/token', 'jwt-auth/v1/token is not served'],
  ['/wp-json/wp/v2/calendar_events', 'wp/v2/calendar_events is not served'],
  ...['photo', 'week', 'map', 'summary'].map((view): [string, string] => [`/events/${view}/`, 'Addresses of lists']),
])('%s stays out, and a hint says what is served', async (path, hint) => {
  const response = await at(path);
  expect([response.status, response.headers.get('x-calendar-hint')]).toEqual([404, expect.stringContaining(hint)]);
});
