import { beforeAll, describe, expect, it } from 'vitest';
import type { ResourceName } from '../../src/model/calendar.ts';
import { nominalSizes } from '../../src/model/images/image.ts';
import { resources } from '../../src/model/resources/all.ts';
import { contract, faulty, type Json } from '../support/contract-server.ts';

/** Values of one field: each as sent, and as shown afterwards under the same name, or under `show`. */
interface Cases {
  good: [sent: unknown, shown: unknown][];
  bad: unknown[];
  show?: (record: Json) => unknown;
}

const object = { a: 1 };
const notText = [5, true, [], ['a'], object];
const required = ['', '0', ...notText];
const filled = { bad: required } as const;
const free = (name: string): Cases => ({
  good: [
    [`Some ${name}`, `Some ${name}`],
    ['a <b>b</b>', 'a b'],
    ["it's 5% 日本", "it's 5% 日本"],
    ['', undefined],
  ],
  bad: notText,
});
const prose: Cases = {
  good: [
    ['Two\n\nparts', '<p>Two</p>\n<p>parts</p>'],
    ['"q"', '<p>&#8220;q&#8221;</p>'],
  ],
  bad: notText,
};
const author: Cases = {
  good: [
    [3, '3'],
    ['4', '4'],
  ],
  bad: ['', 0, -1, '23999', 'foo', 1.5, [], object, true, 1e308],
};
const dates = ['', 'soon', '2027-13-45', [], object, true, '@99999999999999', '0'];
const date: Cases = {
  good: [
    ['2026-02-03 04:05:06', '2026-02-03 04:05:06'],
    ['2026-02-03', '2026-02-03 00:00:00'],
    ['1770091506', '2026-02-03 04:05:06'],
  ],
  bad: [...dates, 1770091506],
};
/** Of venues and organizers a Unix timestamp is a moment, shown in the calendar's zone. */
const momentDate: Cases = {
  ...date,
  good: [...date.good.slice(0, -1), ['1795269600', '2026-11-21 09:00:00'], ['@1795269600', '2026-11-21 09:00:00']],
};
const status: Cases = {
  good: [
    ['draft', 'draft'],
    ['pending', 'pending'],
    ['private', 'private'],
    ['publish', 'publish'],
    ['future', 'publish'],
  ],
  bad: ['', 'Draft', 'any', 'foo', 1, [], object, true],
};
const flag: Cases = {
  good: [
    [true, true],
    [false, false],
    ['true', true],
    ['false', false],
    ['1', true],
    ['0', false],
    [1, true],
    [0, false],
    ['TRUE', true],
  ],
  bad: ['yes', 'foo', 2, -1, [], object, 'null'],
};
const wordFlag: Cases = {
  good: [
    ['true', true],
    ['false', false],
    ['1', true],
    ['no', false],
  ],
  bad: [[], object, 5],
};
const image = (none: unknown): Cases => ({
  good: [
    [
      'https://example.org/a/Photo.JPG?w=1',
      { url: 'https://example.org/a/Photo.JPG?w=1', id: 1, extension: 'jpg', sizes: nominalSizes('https://example.org/a/Photo.JPG?w=1') },
    ],
    ['1', expect.objectContaining({ id: 1 })],
    ['https://example.org/b.webp', expect.objectContaining({ id: 2 })],
    ...(none === false ? [] : ([['', none]] as [unknown, unknown][])),
  ],
  bad: ['foo bar', '23999', 'ftp://example.org/a.jpg', 'https://example.org/a.txt', 'https://example.org', 1e308, [], object, '-1', '1.5'],
});
const website = (none: unknown): Cases => ({
  good: [
    ['https://example.org/a?b=c', 'https://example.org/a?b=c'],
    ['', none],
  ],
  bad: ['foo', 'www.example.org', 5, [], object, 'https://exa mple.org'],
});
const password: Cases = {
  good: [
    ['open', 'open'],
    ['', ''],
  ],
  bad: [5, [], object],
  show: (record) => record.password_is,
};
const name: Cases = {
  good: [
    ['  A & B  ', 'A &#038; B'],
    ["Ada's", 'Ada&#8217;s'],
    ['日本', '日本'],
    ['<i>x</i>', '<i>x</i>'],
  ],
  bad: [...required, '   '],
};
const terms = (key: string): Cases => ({
  good: [
    ['Brass', ['brass']],
    [
      ['Brass', 'Wind'],
      ['brass', 'wind'],
    ],
    ['Wind, Brass', ['brass', 'wind']],
    [{ 0: 'Wind' }, ['wind']],
    [[999999], []],
    ['', []],
    [[], []],
  ],
  bad: [[object], [['a']]],
  show: (record) => record[key].map(({ slug }: Json) => slug),
});
const ids = (list: Json) => (Array.isArray(list) ? list : [list]).map((record: Json) => record.id);
const linkBad = [999999, 'foo', '1.5', -1, [999999], { id: 999999 }, { id: 'foo' }, { city: 'x' }, [{}, 'x'], true];

const tables: Record<ResourceName, Record<string, Cases>> = {
  events: {
    author,
    date,
    date_utc: {
      ...date,
      good: [
        ['2026-02-03 04:05:06', '2026-02-03 04:05:06'],
        ['2026-02-03 04:05:06+02:00', '2026-02-03 02:05:06'],
      ],
    },
    title: name,
    description: { good: prose.good, ...filled },
    slug: {
      good: [
        ['My Slug', 'my-slug'],
        ['Ünï', 'uni'],
      ],
      ...filled,
    },
    excerpt: { good: [['Short', '<p>Short</p>']], ...filled },
    status,
    timezone: {
      good: [
        ['Europe/Paris', 'Europe/Paris'],
        ['UTC+5.5', 'UTC+5.5'],
        ['UTC', 'UTC'],
        ['', 'America/New_York'],
      ],
      bad: ['Mars/Phobos', 'UTC+99x', 5, [], object],
    },
    all_day: flag,
    start_date: {
      good: [
        ['2027-03-01 10:00', '2027-03-01 10:00:00'],
        ['1 March 2027 9am', '2027-03-01 09:00:00'],
      ],
      bad: [...dates, 1803895200],
    },
    end_date: { good: [['2027-03-01 13:00', '2027-03-01 13:00:00']], bad: [...dates, 1803895200] },
    image: image(false),
    cost: {
      good: [
        [10, '$10'],
        ['5-15 €', '$5 – $15'],
        [['0$', '20$'], 'Free – 20$'],
        ['Donation', 'Donation'],
        ['', ''],
        [null, ''],
        [true, ''],
        [object, ''],
      ],
      bad: [],
    },
    website: website(''),
    show_map: flag,
    show_map_link: flag,
    hide_from_listings: flag,
    sticky: flag,
    featured: flag,
    categories: terms('categories'),
    tags: terms('tags'),
    venue: {
      good: [
        ['{venue}', ['{venue}']],
        [
          ['{venue}', '{venue2}'],
          ['{venue}', '{venue2}'],
        ],
        [{ id: '{venue}' }, ['{venue}']],
        [{ venue: 'Hall' }, ['{venue}']],
        ['{venue},{venue2}', ['{venue}', '{venue2}']],
        [0, []],
      ],
      bad: linkBad,
      show: (record) => ids(record.venue),
    },
    organizer: {
      good: [
        ['{organizer}', ['{organizer}']],
        [
          ['{organizer2}', '{organizer}'],
          ['{organizer2}', '{organizer}'],
        ],
        [{ organizer: 'Ada' }, ['{organizer}']],
        [
          [{ id: '{organizer}' }, { organizer: 'Bob' }],
          ['{organizer}', '{organizer2}'],
        ],
        [[], []],
      ],
      bad: linkBad,
      show: (record) => ids(record.organizer),
    },
    post_password: password,
    post_parent: {
      good: [
        ['{event}', '{event}'],
        [0, 0],
      ],
      bad: ['', 'foo', 999999, '{venue}', -1, [], object],
      show: (record) => record.parent_is,
    },
    ticketed: { ...flag, show: (record) => record.ticketed_is },
  },
  venues: {
    author,
    date: momentDate,
    date_utc: date,
    venue: name,
    description: prose,
    status,
    show_map: wordFlag,
    show_map_link: wordFlag,
    ...Object.fromEntries(
      ['address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'stateprovince'].map((key) => [key, free(key)]),
    ),
    website: website(undefined),
    image: image(undefined),
    post_password: password,
    geo_lat: {
      good: [
        [42.5, 42.5],
        ['-90', -90],
        ['1e1', 10],
      ],
      bad: ['foo', 91, '-90.5', [], object, true, 'NaN', 1e308],
    },
    geo_lng: {
      good: [
        [-71.25, -71.25],
        ['180', 180],
      ],
      bad: ['foo', 181, [], object, true, 'Infinity'],
    },
  },
  organizers: {
    author,
    date: momentDate,
    date_utc: date,
    organizer: name,
    description: prose,
    status,
    phone: free('phone'),
    website: website(undefined),
    email: free('email'),
    image: image(undefined),
    post_password: password,
  },
  categories: {
    name: {
      good: [
        ['A & B', 'A &amp; B'],
        ['日本', '日本'],
      ],
      ...filled,
    },
    description: { good: [['Words', 'Words']], ...filled },
    slug: { good: [['My Slug', 'my-slug']], ...filled },
    parent: {
      good: [
        ['{category}', '{category}'],
        [0, 0],
      ],
      bad: ['', 'foo', 999999, -1, [], object, true, 1.5],
    },
  },
  tags: {
    name: {
      good: [
        ['A & B', 'A &amp; B'],
        ['日本', '日本'],
      ],
      ...filled,
    },
    description: { good: [['Words', 'Words']], ...filled },
    slug: { good: [['My Slug', 'my-slug']], ...filled },
  },
};

it.each(Object.entries(tables))('every field of %s has its cases', (resource, table) => {
  expect(Object.keys(table).sort()).toEqual(resources[resource as ResourceName].fields.map((field) => field.name).sort());
  for (const [name, { good }] of Object.entries(table)) expect(good.length, name).toBeGreaterThan(0);
});

contract('fields', {}, (server) => {
  const known: Record<string, number> = {};
  const records: Record<string, Json> = {};
  const label = { events: 'title', venues: 'venue', organizers: 'organizer', categories: 'name', tags: 'name' };
  const base: Record<string, object> = { events: { title: 'Base', start_date: '2027-03-01 09:30', end_date: '2027-03-01 12:00' } };

  beforeAll(async () => {
    known.venue = (await server.make('venues', { venue: 'Hall', geo_lat: 1, geo_lng: 1 })).id;
    known.venue2 = (await server.make('venues', { venue: 'Barn' })).id;
    known.organizer = (await server.make('organizers', { organizer: 'Ada' })).id;
    known.organizer2 = (await server.make('organizers', { organizer: 'Bob' })).id;
    known.event = (await server.make('events', { ...base.events, title: 'Parent' })).id;
    known.category = (await server.make('categories', { name: 'Parent' })).id;
    await server.make('events', { ...base.events, title: 'Images', image: 'https://example.org/a/Photo.JPG?w=1' });
    for (const [resource, key] of Object.entries(label))
      records[resource] = await server.make(resource, {
        ...(base[resource] ?? {}),
        [key]: 'Base',
        ...(resource === 'venues' ? { geo_lat: 1, geo_lng: 1 } : {}),
      });
  });

  const filled = (value: unknown): Json =>
    typeof value === 'string'
      ? /^\{\w+\}$/.test(value)
        ? known[value.slice(1, -1)]
        : value.replace(/\{(\w+)\}/g, (_, key: string) => String(known[key]))
      : Array.isArray(value)
        ? value.map(filled)
        : value !== null && typeof value === 'object' && !('asymmetricMatch' in value)
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item)]))
          : value;

  /** Values with which every field of a record is shown. */
  const visible: Record<string, Json> = {
    events: { hide_from_listings: false, status: 'publish', all_day: false },
    venues: { status: 'publish', show_map: 'true' },
    organizers: { status: 'publish' },
  };

  /** Fields that no record shows are tested by their effect. */
  const hidden: Record<string, (id: number, resource: string) => Promise<Json>> = {
    post_password: async (id, resource) => {
      const { status, body } = await server.send({ path: `/${resource}/${id}` });
      const locked =
        status === 403 ||
        (resource !== 'events' && !('show_map' in JSON.parse(body) ? JSON.parse(body).show_map !== null : JSON.parse(body).json_ld));
      return { password_is: locked ? 'open' : '' };
    },
    post_parent: async (id) => ({
      parent_is: (await server.names('events', `post_parent=${known.event}&include=${id}`)).length ? known.event : 0,
    }),
    ticketed: async (id) => ({ ticketed_is: (await server.names('events', `ticketed=true&include=${id}`)).length > 0 }),
  };

  describe.each(
    Object.entries(tables).flatMap(([resource, table]) => Object.entries(table).map(([name, cases]) => [resource, name, cases] as const)),
  )('%s.%s', (resource, name, { good, bad, show = (record: Json) => record[name] }) => {
    it.each(good)('%j is kept as %j', async (sent, shown) => {
      const { id } = records[resource];
      await server.change(resource, id, visible[resource] ?? {});
      const answer = await server.change(resource, id, { [name]: filled(sent) });
      const record = hidden[name] ? await hidden[name](id, resource) : answer;
      expect(show(record)).toEqual(filled(shown));
      const again = await server.ask(200, { path: `/${resource}/${id}`, query: 'context=edit', as: 'administrator' });
      if (!hidden[name]) expect(show(again)).toEqual(filled(shown));
      await server.change(resource, id, name === 'post_password' ? { post_password: '' } : {});
    });
    const bads = bad.map((value) => [value] as const);
    if (bads.length)
      it.each(bads)('%j is refused, with all else that is wrong, and changes nothing', async (sent) => {
        const { id } = records[resource];
        const before = await server.get(`/${resource}/${id}`, '', 'administrator');
        const failure = await server.ask(400, {
          method: 'PUT',
          path: `/${resource}/${id}`,
          json: { [name]: filled(sent) },
          as: 'administrator',
        });
        expect(failure).toEqual(faulty(name));
        expect(await server.get(`/${resource}/${id}`, '', 'administrator')).toEqual(before);
        const key = label[resource as ResourceName];
        const created = { ...(base[resource] ?? {}), [key]: 'New', [name]: filled(sent) };
        expect(await server.ask(400, { method: 'POST', path: `/${resource}`, json: created, as: 'administrator' })).toEqual(faulty(name));
      });
  });

  it.each([
    ['events', ['title', 'start_date', 'end_date']],
    ['venues', ['venue']],
    ['organizers', ['organizer']],
    ['categories', ['name']],
    ['tags', ['name']],
  ])('%s want %j', async (resource, params) => {
    expect(await server.ask(400, { method: 'POST', path: `/${resource}`, json: {} })).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { status: 400, params },
    });
  });

  it.each([
    'rest_url',
    'utc_start_date',
    'utc_end_date',
    'timezone_abbr',
    'cost_details',
    'start_date_details',
    'global_id',
    'id',
    'modified',
    'url',
  ])('%s of an event is worked out, not written', async (name) => {
    const { id } = records.events;
    const before = await server.get(`/events/${id}`);
    expect((await server.change('events', id, { [name]: 999999 }))[name]).toEqual(before[name]);
    await server.get(`/events/${id}`);
  });

  it.each([
    ['Free', '0'],
    [['free', '20 €'], '0'],
    ['$5 - $10', '5 – 10'],
  ])('the cost %j is offered at the price %j', async (cost, price) => {
    const { id } = await server.make('events', { title: 'Offer', start_date: '2027-03-01', end_date: '2027-03-01', cost });
    expect((await server.get(`/events/${id}`)).json_ld.offers.price).toBe(price);
  });

  it('the body’s id names no other record', async () => {
    const other = await server.make('events', { title: 'Other', start_date: '2027-03-01', end_date: '2027-03-01' });
    await server.change('events', records.events.id, { id: other.id, excerpt: 'Mine' });
    expect((await server.get(`/events/${other.id}`)).excerpt).toBe('');
    expect((await server.get(`/events/${records.events.id}`)).excerpt).toBe('<p>Mine</p>');
  });
  it('the body’s slug renames what the path’s slug names', async () => {
    const { slug } = await server.make('events', { title: 'By slug', start_date: '2027-03-01', end_date: '2027-03-01' });
    const changed = await server.ask(200, { method: 'POST', path: `/events/by-slug/${slug}`, json: { slug: 'renamed' }, as: 'editor' });
    expect(changed.slug).toBe('renamed');
    await server.ask(400, { path: `/events/by-slug/${slug}` });
    expect((await server.get('/events/by-slug/renamed')).id).toBe(changed.id);
  });
});

contract('without extensions their fields are unknown', { extensions: [] }, (server) => {
  it.each([
    { geo_lat: 1.5, geo_lng: 2.5 },
    { geo_lat: 'foo', geo_lng: 91 },
  ])('%j of a venue is neither kept nor shown', async (place) => {
    const { id } = await server.make('venues', { venue: `Hall ${place.geo_lat}`, ...place });
    const changed = await server.change('venues', id, place);
    const event = await server.make('events', { title: 'Inside', start_date: '2027-03-01', end_date: '2027-03-01', venue: id });
    const { json_ld, ...read } = await server.get(`/venues/${id}`);
    for (const shown of [changed, read, event.venue]) expect(Object.keys(shown).filter((name) => name.startsWith('geo_'))).toEqual([]);
    expect(json_ld).not.toHaveProperty('geo');
  });
  it('the document contains none of them', async () => {
    const { paths } = await server.get('/doc');
    const properties = (path: string) => Object.keys(paths[path].post.requestBody.content['application/json'].schema.properties);
    expect(properties('/venues/{id}')).toEqual(expect.not.arrayContaining(['geo_lat', 'geo_lng']));
    expect(properties('/venues/{id}')).toContain('post_password');
    expect(properties('/events/{id}')).not.toContain('ticketed');
  });
});
