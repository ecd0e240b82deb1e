import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import { basic } from '../support/contract-server.ts';
import { markup, texts } from '../support/hostile-texts.ts';

type Calendar = Awaited<ReturnType<typeof createCalendar>>;
type Element = DefaultTreeAdapterTypes.Element;

interface Loaded {
  status: number;
  html: string;
  /** Elements of a name, as a browser without JavaScript reads them, or one with it. */
  all(name: string, scriptingEnabled?: boolean): Element[];
  attribute(name: string, key: string, value: string, wanted: string): string | undefined;
  /** The schema.org data, by script. */
  data: unknown[];
}

function* elementsIn(node: DefaultTreeAdapterTypes.Node): Generator<Element> {
  if ('tagName' in node) yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* elementsIn(child);
}
const textOf = (node: DefaultTreeAdapterTypes.Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
const attributeOf = ({ attrs }: Element, key: string) => attrs.find(({ name }) => name === key)?.value;

async function load(calendar: Calendar, path: string, headers: { authorization?: string } = {}): Promise<Loaded> {
  const response = await calendar.fetch(path, { headers: { accept: 'text/html', ...headers } });
  const html = await response.text();
  const elements = new Map<boolean, Element[]>();
  const all: Loaded['all'] = (name, scriptingEnabled = false) => {
    if (!elements.has(scriptingEnabled)) elements.set(scriptingEnabled, [...elementsIn(parse(html, { scriptingEnabled }))]);
    return elements.get(scriptingEnabled)!.filter(({ tagName }) => tagName === name);
  };
  const data = all('script')
    .filter((script) => attributeOf(script, 'type') === 'application/ld+json')
    .map((script) => JSON.parse(textOf(script)));
  return {
    status: response.status,
    html,
    all,
    data,
    attribute: (name, key, value, wanted) => {
      const element = all(name).find((each) => attributeOf(each, key) === value);
      return element && attributeOf(element, wanted);
    },
  };
}

const dates = { start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
const origin = 'http://calendar.localhost';

describe('pages of the demo', () => {
  let calendar: Calendar;
  beforeAll(async () => {
    calendar = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z', listen: false });
  });
  afterAll(() => calendar.close());

  it.each(['events', 'venues', 'organizers'] as const)('have the schema.org data of each of the %s', async (name) => {
    let count = 0;
    for (let page = 1, pages = 1; page <= pages; page++) {
      const path = `/calendar/events/v1/${name}?start_date=2000-01-01&end_date=2100-01-01&per_page=50&page=${page}`;
      const list = (await (await calendar.fetch(path)).json()) as { total_pages: number } & Record<string, { id: number; url: string }[]>;
      pages = list.total_pages;
      for (const { id, url } of list[name]!) {
        const { json_ld } = await calendar[name].get(id);
        expect((await load(calendar, new URL(url).pathname)).data).toEqual([json_ld]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(7);
  });

  it.each([
    '/events/',
    '/events/list/',
    '/events/month/2027-03/',
    '/events/category/music/',
    '/?post_type=calendar_events',
    '/events/list/?page=2',
    '/events/list/page/2/',
  ])('list the events of their feed: %s', async (path) => {
    const size = path.includes('month') ? '' : '&posts_per_page=12';
    const feed = await (await calendar.fetch(`${path}${path.includes('?') ? '&' : '?'}ical=1${size}`)).text();
    const titles = [...feed.replaceAll('\r\n ', '').matchAll(/^SUMMARY:(.*)\r$/gm)].map(([, title]) => title!.replaceAll('\\', ''));
    const page = await load(calendar, path);
    const links = page.all('li').map((item) => [...elementsIn(item)].find(({ tagName }) => tagName === 'a')!);
    expect([titles.length > 1, links.map(textOf)]).toEqual([true, titles]);
    const [events] = page.data as { url: string }[][];
    expect(events!.map(({ url }) => url)).toEqual(links.map((link) => attributeOf(link, 'href')));
    expect(page.all('h1')).toHaveLength(1);
  });

  it('say who they are', async () => {
    const { events } = await calendar.events.list({ search: 'jazz', per_page: 1 });
    const event = events[0]!;
    const venue = [event.venue].flat()[0]!;
    const { name: site } = (await (await calendar.fetch('/?rest_route=/')).json()) as { name: string };
    const path = `/event/${event.slug}/`;
    const page = await load(calendar, path);
    const property = (name: string) => page.attribute('meta', 'property', `og:${name}`, 'content');
    expect({
      title: textOf(page.all('title')[0]!),
      canonical: page.attribute('link', 'rel', 'canonical', 'href'),
      json: page.attribute('link', 'type', 'application/json', 'href'),
      ical: page
        .all('link')
        .map((link) => attributeOf(link, 'href'))
        .find((url) => url?.endsWith('ical=1')),
      graph: [property('title'), property('type'), property('url'), property('site_name')],
    }).toEqual({
      title: `${event.title} – ${site}`,
      canonical: event.url,
      json: event.rest_url,
      ical: `${origin}${path}?ical=1`,
      graph: [event.title, 'article', event.url, site],
    });
    expect(page.attribute('meta', 'name', 'description', 'content')).toBe(property('description'));
    expect(page.attribute('meta', 'name', 'calendar-api-origin', 'content')).toBe(origin);
    expect(textOf(page.all('main')[0]!)).toContain(event.start_date.slice(0, 16));
    const venuePage = await load(calendar, new URL(venue.url).pathname);
    expect(venuePage.attribute('link', 'type', 'application/json', 'href')).toBe(`${origin}/calendar/events/v1/venues/${venue.id}`);
  });

  it('name their addresses in a world and below a base path, too', async () => {
    const other = await createCalendar({
      seed: 'minimal',
      basePath: '/wp-json',
      namespace: 'brand/events/v1',
      listen: false,
      now: '2027-03-01T09:00Z',
    });
    const world = await other.worlds.create();
    const { events } = await world.events.list({});
    const path = new URL(events[0]!.url).pathname;
    const page = await load(other, path);
    expect([path.startsWith('/_worlds/'), page.attribute('link', 'rel', 'canonical', 'href')]).toEqual([true, events[0]!.url]);
    expect(page.attribute('link', 'type', 'application/json', 'href')).toBe(events[0]!.rest_url);
    expect(page.data).toEqual([(await world.events.get(events[0]!.id)).json_ld]);
    await other.close();
  });
});

describe('records that visitors may not read', () => {
  let calendar: Calendar;
  const open = async (users: boolean) => {
    calendar = await createCalendar({
      listen: false,
      now: '2027-03-01T09:00Z',
      ...(users ? { users: [{ name: 'ada', role: 'editor', password: 'password' }] } : {}),
    });
    const hall = await calendar.venues.create({ venue: 'Secret hall', description: 'secret', status: 'draft' });
    await calendar.venues.create({ venue: 'Locked hall', description: 'secret', post_password: 'x' });
    await calendar.events.create({ title: 'Draft', slug: 'draft', description: 'secret', status: 'draft', ...dates });
    await calendar.events.create({ title: 'Private', slug: 'private', description: 'secret', status: 'private', ...dates });
    await calendar.events.create({ title: 'Protected', slug: 'protected', description: 'secret', post_password: 'x', ...dates });
    await calendar.events.create({ title: 'Open', slug: 'open', description: 'public', venue: hall.id, ...dates });
  };
  afterAll(() => calendar.close());

  it.each([false, true])('have today’s status and nothing in their documents (users: %j)', async (users) => {
    await open(users);
    const headers = users ? { authorization: basic('ada') } : {};
    for (const [path, visitor] of [
      ['/event/draft/', users ? 403 : 200],
      ['/event/private/', users ? 403 : 200],
      ['/event/protected/', 200],
      ['/venue/secret-hall/', users ? 403 : 200],
      ['/venue/locked-hall/', 200],
    ] as const) {
      const pages = [await load(calendar, path), await load(calendar, path, headers)];
      expect([path, ...pages.map(({ status, data, html }) => [status, data, /secret/.test(html.replace(/Secret/g, ''))])]).toEqual([
        path,
        [visitor, [], false],
        [200, [], false],
      ]);
    }
    const page = await load(calendar, '/event/open/', headers);
    expect([page.html.includes('Secret hall'), (page.data[0] as { name: string }).name]).toEqual([false, 'Open']);
    const list = await load(calendar, '/events/list/', headers);
    expect([
      list.html.includes('secret'),
      list
        .all('li')
        .map(textOf)
        .map((text) => text.split(' 2027')[0]),
    ]).toEqual([false, ['Protected', 'Open']]);
    if (!users) await calendar.close();
  });
});

it('hostile texts stay texts, with and without JavaScript', async () => {
  const calendar = await createCalendar({ listen: false, now: '2027-03-01T09:00Z' });
  const slugs: string[] = [];
  // Others can't end a text of HTML, nor an attribute.
  const hostile = [...texts, ...markup].filter((text) => /[<>"'&\\\0-\x1f]|script/.test(text));
  for (const [i, text] of hostile.entries()) {
    // The owner may store any HTML.
    const venue = { venue: `Hall ${i} ${text}`, description: text, address: text, phone: text };
    const input = {
      title: `Event ${i} ${text}`,
      description: text,
      excerpt: text,
      cost: text,
      categories: [`C${i} ${text}`],
      slug: `e${i}`,
      venue,
      ...dates,
    };
    await calendar.events.create(input as Parameters<typeof calendar.events.create>[0]);
    slugs.push(`/event/e${i}/`, `/venue/hall-${i}/`);
  }
  const plain = await load(calendar, '/event/nothing/');
  for (const path of [...slugs, '/events/list/', '/events/list/?page=3']) {
    const page = await load(calendar, path);
    for (const scripting of [false, true]) {
      const codes = page.all('script', scripting).filter((script) => attributeOf(script, 'type') !== 'application/ld+json');
      expect([path, codes.map((script) => attributeOf(script, 'type') ?? textOf(script))]).toEqual([
        path,
        plain.all('script').map((script) => attributeOf(script, 'type') ?? textOf(script)),
      ]);
      const elements = ['iframe', 'style', 'svg', 'object', 'base', 'form'].flatMap((name) => page.all(name, scripting));
      expect([path, elements.length, page.all('meta', scripting).some((meta) => attributeOf(meta, 'http-equiv'))]).toEqual([
        path,
        0,
        false,
      ]);
      const names = ['a', 'p', 'div', 'img', 'body', 'meta', 'link', 'li', 'dd']
        .flatMap((name) => page.all(name, scripting))
        .flatMap(({ attrs }) => attrs);
      expect(names.filter(({ name, value }) => name.startsWith('on') || /^\s*javascript:/i.test(value))).toEqual([]);
    }
    expect(page.all('h1').length).toBeLessThan(2);
  }
  await calendar.close();
});
