import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';

type Calendar = Awaited<ReturnType<typeof createCalendar>>;
const origin = 'http://calendar.localhost';

describe.each([
  ['/blog/wp-json', '/blog'],
  ['/a/b/wp-json', '/a/b'],
  ['/wp-json', ''],
  ['/api', ''],
  ['/my-wp-json', ''],
  ['', ''],
])('a site whose API is below %j', (basePath, folder) => {
  let calendar: Calendar;
  let id = 0;
  const open = async (path: string, headers: Record<string, string> = { accept: 'text/html' }) => {
    const response = await calendar.fetch(path, { headers, redirect: 'manual' });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  };
  beforeAll(async () => {
    calendar = await createCalendar({ basePath, listen: false, now: '2027-03-01T09:00Z', posters: true });
    const input = { title: 'Jazz', slug: 'jazz', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00', categories: ['Music'] };
    ({ id } = await calendar.events.create({ ...input, venue: { venue: 'Hall' } }));
  });
  afterAll(() => calendar.close());

  it('has its addresses in the folder', async () => {
    const root = `${origin}${basePath}/calendar/events/v1`;
    const expected = {
      url: `${origin}${folder}/event/jazz/`,
      global_id: `calendar.localhost${folder}?id=${id}`,
      rest_url: `${root}/events/${id}`,
      image: { url: expect.stringContaining(`${origin}${folder}/`) },
      categories: [{ urls: { self: expect.stringContaining(root) } }],
      venue: { url: `${origin}${folder}/venue/hall/` },
    };
    expect(await (await calendar.fetch(`/calendar/events/v1/events/${id}`.replace(/^/, basePath))).json()).toMatchObject(expected);
    expect(await calendar.events.get(id)).toMatchObject(expected);
    const page = await open(`${folder}/event/jazz/`);
    expect([page.status, page.headers['x-calendar-api-origin'], page.headers['x-calendar-api-root']]).toEqual([
      200,
      `${origin}${folder}`,
      `${root}/`,
    ]);
    expect(page.headers.link).toBe(`<${origin}${basePath}/>; rel="https://api.w.org/"`);
    expect(page.text).toContain(`<link rel="canonical" href="${origin}${folder}/event/jazz/">`);
    const { image } = await calendar.events.get(id);
    expect((await open(new URL((image as { url: string }).url).pathname)).headers['content-type']).toMatch(/^image\//);
  });

  it.each(['/', '/?ical=1', '/event/jazz/', '/events/', '/events/list/?ical=1', '/events/category/music/', '/events/feed/'])(
    '%s is in the folder, and at the root a redirect',
    async (path) => {
      expect((await open(folder + path)).status).toBe(200);
      if (folder !== '') expect(await open(path)).toMatchObject({ status: 301, headers: { location: `${origin}${folder}${path}` } });
    },
  );

  it.each(['/_calendar', '/_calendar/faults'])('%s stays at the root', async (path) => {
    expect((await open(path)).status).toBe(200);
    if (folder !== '') expect((await open(folder + path)).status).toBe(404);
  });

  it('has the routes of a parameter at both roots', async () => {
    for (const start of new Set(['', folder]))
      expect((await open(`${start}/?rest_route=/calendar/events/v1/events`, {})).text).toContain('"title":"Jazz"');
  });

  it.each(['/events/2027-03/', '/events/feed/', '/event/jazz/ical/', '/events/category/a/b/list/page/2/'])(
    'has a route for checks and faults at %s',
    async (path) => {
      await calendar.requests.count({ path: folder + path });
      await calendar.faults.add({ then: 503, match: { path: folder + path } });
    },
  );

  it.each(['/events/2027-13/', '/events/wek/', '/event/jazz/feed/'])('has none at %s', async (path) => {
    await expect(calendar.faults.add({ then: 503, match: { path: folder + path } })).rejects.toThrow('has no route');
  });

  it('has it in its worlds, whose prefix is before it', async () => {
    const world = await calendar.worlds.create();
    const { url } = await world.events.create({ title: 'Jazz', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' });
    expect(new URL(url).pathname).toMatch(new RegExp(`^/_worlds/[^/]+${folder}/event/jazz/$`));
    expect((await open(new URL(url).pathname)).status).toBe(200);
  });
});
