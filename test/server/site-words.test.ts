import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';
import { resourceNames } from '../../src/model/calendar.ts';
import { defaultSlugs, inWords, type SiteSlugs, siteAddressOf, sitePathOf } from '../../src/model/site-address.ts';

/** The words of sites: none changed, translated, with a part before them, and with one word for lists and events. */
const words: Record<string, Partial<SiteSlugs>> = {
  default: {},
  translated: { events: 'termine', event: 'termin', venue: 'ort', organizer: 'veranstalter', category: 'kategorie', tag: 'schlagwort' },
  index: Object.fromEntries(Object.keys(defaultSlugs).map((name) => [name, name === 'category' ? name : `index.php/${name}`])),
  'one word': { events: 'whats-on', event: 'whats-on' },
  encoded: { event: 'f%c3%a4lle', venue: 'l.o-c_al' },
};
const paths = [
  ...['events', 'events/list', 'events/month/2027-03', 'events/2027-03-05/featured/ical', 'events/list/page/2', 'events/feed/rss2'],
  ...['events/category/music', 'events/category/music/jazz/list/ical', 'events/category/music/day/2027-03-05', 'events/tag/loud/feed'],
  ...['event/concert', 'event/concert/ical', 'event/concert/2027-03-05', 'event/concert/2027-03-05/ical', 'venue/hall', 'organizer/ada'],
];

describe.each(Object.entries(words))('the words of a site that are %s', (_, changed) => {
  const slugs: SiteSlugs = { ...defaultSlugs, ...changed };
  it.each(paths)('are in %s', (path) => {
    const base = ['events/category', 'events/tag', 'events', 'event', 'venue', 'organizer'].find((each) =>
      `${path}/`.startsWith(`${each}/`),
    )!;
    const own = `/${inWords(base, slugs)}${path.slice(base.length)}/`;
    const address = siteAddressOf(own, slugs);
    expect(address).toEqual(siteAddressOf(`/${path}/`, defaultSlugs));
    expect(address).toBeDefined();
    if (!path.startsWith('venue') && !path.startsWith('organizer'))
      expect(siteAddressOf(sitePathOf(address!, slugs), slugs)).toEqual(address);
  });

  describe('on a server', () => {
    let calendar: Calendar;
    beforeAll(async () => {
      const settings = Object.fromEntries(Object.entries(changed).map(([name, slug]) => [`${name}_slug`, slug]));
      const option = { basePath: '/blog/wp-json', seed: 'minimal', now: '2027-03-01T09:00Z', settings } as const;
      calendar = await createCalendar({ ...option, listen: false, page: false });
    });
    afterAll(() => calendar.close());
    const root = () => new URL(calendar.url).origin;
    const read = async (path: string) => (await (await calendar.fetch(path)).json()) as Record<string, unknown>;

    it('are in the address of each record, at which its page is', async () => {
      for (const name of resourceNames) {
        const records = (await read(`${name}?hide_empty=false&start_date=2000-01-01`))[name] as { id: number; url: string }[];
        expect(records.length).toBeGreaterThan(0);
        for (const { id, url } of records) {
          const resource = { events: 'event', venues: 'venue', organizers: 'organizer', categories: 'events/category', tags: 'tag' }[name];
          expect(url).toContain(`${root()}/blog/${inWords(resource, slugs)}/`);
          if (name !== 'categories' && name !== 'tags') continue;
          const feed = await calendar.fetch(`${url}?ical=1`);
          expect([id, feed.status, feed.headers.get('content-type')]).toEqual([id, 200, 'text/calendar; charset=utf-8']);
        }
      }
    });
    it('are in feeds, schema.org data, documents and hints', async () => {
      const feed = await (await calendar.fetch(`${root()}/blog/${slugs.events}/feed/`)).text();
      expect(feed).toContain(`<link>${root()}/blog/${slugs.event}/`);
      const ics = await (await calendar.fetch(`${root()}/blog/${slugs.events}/ical/`)).text();
      expect(ics.replaceAll('\r\n ', '')).toContain(`URL:${root()}/blog/${slugs.event}/`);
      const documented = Object.keys((await read('openapi.json')).paths as object);
      expect(documented).toEqual(
        expect.arrayContaining([`/${slugs.event}/{slug}/ical`, `/${inWords('events/category', slugs)}/{slug}/feed`]),
      );
      const hint = async (path: string) => (await calendar.fetch(`${root()}/blog/${path}`)).headers.get('x-calendar-hint');
      expect(await hint(`${slugs.events}/week/x/`)).toContain(`/${slugs.events}/, then list`);
      expect(await hint(`${slugs.venue}/a/b/`)).toContain(`/${slugs.venue}/SLUG/`);
    });
    it('are in the paths that a check of requests may name', async () => {
      await calendar.faults.add({ match: { path: `/blog/${slugs.events}/month/ical/` }, then: 503 });
      await expect(calendar.faults.add({ match: { path: '/blog/nothing/month/ical/' }, then: 503 })).rejects.toThrow('has no route');
      expect((await calendar.fetch(`${root()}/blog/${slugs.events}/month/ical/`)).status).toBe(503);
    });
  });
});

describe('an address of an occurrence', () => {
  let calendar: Calendar;
  beforeAll(async () => {
    calendar = await createCalendar({ listen: false, now: '2027-03-01T09:00Z', settings: { event_slug: 'termin' } });
    const day = { start_date: '2027-03-01 19:00', end_date: '2027-03-01 20:00' };
    const repeat = { repeat: 'FREQ=WEEKLY;COUNT=3' };
    await calendar.data.seed({
      events: [
        { ...day, title: 'Choir', ...repeat },
        { ...day, title: 'Alone' },
      ],
    });
  });
  afterAll(() => calendar.close());
  const at = (path: string, options = {}) => calendar.fetch(new URL(calendar.url).origin + path, options);

  it.each(['2027-03-01', '2027-03-08', '2027-03-15'])('of %s is that of the occurrence', async (day) => {
    for (const end of ['?ical=1', 'ical/'])
      expect(await (await at(`/termin/choir/${day}/${end}`)).text()).toContain(`:${day.replaceAll('-', '')}T190000`);
    const page = await at(`/termin/choir/${day}/`, { headers: { accept: 'application/json' } });
    expect(await page.json()).toMatchObject({ title: 'Choir', start_date: `${day} 19:00:00` });
  });
  it.each(['choir/2027-03-02', 'choir/2027-02-30', 'alone/2027-03-01', 'nothing/2027-03-01'])('of %s is 404', async (path) =>
    expect((await at(`/termin/${path}/?ical=1`)).status).toBe(404),
  );
});

it.each(['', '/event', 'event/', 'a//b', '..', 'a/../b', './a', 'a b', 'é', 'a?b', 'wp-json', 'wp-json/x', '_calendar', 'x'.repeat(201)])(
  'the word %j is rejected',
  async (slug) => {
    await expect(createCalendar({ listen: false, settings: { event_slug: slug } })).rejects.toThrow('Invalid event_slug');
  },
);
