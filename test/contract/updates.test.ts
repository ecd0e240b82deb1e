import { beforeAll, describe, expect, it } from 'vitest';
import type { ResourceName } from '../../src/model/calendar.ts';
import { resources } from '../../src/model/resources/all.ts';
import { contract, type Json, start } from '../support/contract-server.ts';

/** For every field: a value to change it to, and the keys of the record that follow from it. */
const follows: Record<ResourceName, Record<string, [value: unknown, ...keys: string[]]>> = {
  events: {
    author: [3, 'author'],
    date: ['2026-01-02 03:04:05', 'date', 'date_utc'],
    date_utc: ['2026-01-02 03:04:05', 'date', 'date_utc'],
    title: ['Another', 'title'],
    description: ['Other words', 'description'],
    slug: ['another-slug', 'slug', 'url'],
    excerpt: ['Other short words', 'excerpt'],
    status: ['private', 'status', 'categories', 'tags'], // whose counts go down
    timezone: [
      'Asia/Tokyo',
      'timezone',
      'timezone_abbr',
      'utc_start_date',
      'utc_start_date_details',
      'utc_end_date',
      'utc_end_date_details',
    ],
    all_day: [
      true,
      'all_day',
      'start_date',
      'start_date_details',
      'end_date',
      'end_date_details',
      'utc_start_date',
      'utc_start_date_details',
      'utc_end_date',
      'utc_end_date_details',
    ],
    start_date: ['2027-03-01 09:00', 'start_date', 'start_date_details', 'utc_start_date', 'utc_start_date_details'],
    end_date: ['2027-03-01 19:00', 'end_date', 'end_date_details', 'utc_end_date', 'utc_end_date_details'],
    image: ['https://example.org/other.png', 'image'],
    cost: ['7 €', 'cost', 'cost_details'],
    website: ['https://other.example.org', 'website'],
    show_map: [false, 'show_map'],
    show_map_link: [false, 'show_map_link'],
    hide_from_listings: [true, 'hide_from_listings'],
    sticky: [false, 'sticky'],
    featured: [false, 'featured'],
    categories: [['Other'], 'categories'],
    tags: [['Other'], 'tags'],
    venue: [0, 'venue'],
    organizer: [[], 'organizer'],
    post_password: ['secret'],
    post_parent: [0],
    ticketed: [false],
  },
  venues: {
    author: [3, 'author'],
    date: ['2026-01-02 03:04:05', 'date', 'date_utc'],
    date_utc: ['2026-01-02 03:04:05', 'date', 'date_utc'],
    venue: ['Another', 'venue'],
    description: ['Other words', 'description'],
    status: ['private', 'status'],
    show_map: ['true', 'show_map'],
    show_map_link: ['true', 'show_map_link'],
    address: ['1 Other St', 'address'],
    city: ['Other', 'city'],
    country: ['Canada', 'country', 'stateprovince'],
    province: ['Quebec', 'province'],
    state: ['NY', 'state', 'stateprovince'],
    zip: ['1', 'zip'],
    phone: ['2', 'phone'],
    stateprovince: ['Somewhere', 'stateprovince'],
    website: ['https://other.example.org', 'website'],
    image: ['', 'image'],
    post_password: ['secret'],
    geo_lat: [1.5, 'geo_lat'],
    geo_lng: [2.5, 'geo_lng'],
  },
  organizers: {
    author: [3, 'author'],
    date: ['2026-01-02 03:04:05', 'date', 'date_utc'],
    date_utc: ['2026-01-02 03:04:05', 'date', 'date_utc'],
    organizer: ['Another', 'organizer'],
    description: ['Other words', 'description'],
    status: ['draft', 'status', 'url'],
    phone: ['2', 'phone'],
    website: ['https://other.example.org', 'website'],
    email: ['', 'email'],
    image: ['', 'image'],
    post_password: ['secret'],
  },
  categories: {
    name: ['Another', 'name'],
    description: ['Other words', 'description'],
    slug: ['other-slug', 'slug', 'url'],
    parent: [0, 'parent', 'urls', 'url', '_links'],
  },
  tags: { name: ['Another', 'name'], description: ['Other words', 'description'], slug: ['other-slug', 'slug', 'url'] },
};

it.each(Object.entries(follows))('every field of %s is changed separately', (resource, table) => {
  expect(Object.keys(table).sort()).toEqual(resources[resource as ResourceName].fields.map(({ name }) => name).sort());
});

contract('an update changes what was sent and nothing else', {}, (server) => {
  let count = 0;
  const links: Record<string, number> = {};
  beforeAll(async () => {
    links.venue = (await server.make('venues', { venue: 'Linked hall' })).id;
    links.organizer = (await server.make('organizers', { organizer: 'Linked Ada' })).id;
    links.parent = (await server.make('events', { title: 'Parent', start_date: '2027-01-01', end_date: '2027-01-01' })).id;
    links.category = (await server.make('categories', { name: 'Top' })).id;
  });
  const website = 'https://example.org';
  const image = 'https://example.org/a.jpg';
  /** Records with a value in every field. */
  const full: Record<ResourceName, () => object> = {
    events: () => ({
      title: `Event ${++count}`,
      description: 'Words',
      excerpt: 'Short',
      author: 2,
      timezone: 'Europe/Paris',
      date: '2026-03-04 05:06:07',
      start_date: '2027-03-01 10:00',
      end_date: '2027-03-01 12:00',
      image,
      cost: '5-10$',
      website,
      show_map: true,
      show_map_link: true,
      sticky: true,
      featured: true,
      categories: ['Full'],
      tags: ['Full', 'Fuller'],
      venue: links.venue,
      organizer: [links.organizer],
      post_parent: links.parent,
      ticketed: true,
    }),
    venues: () => ({
      venue: `Venue ${++count}`,
      description: 'Words',
      author: 2,
      date: '2026-03-04 05:06:07',
      show_map: 'false',
      show_map_link: 'false',
      address: '1 St',
      city: 'Boston',
      country: 'United States',
      state: 'MA',
      province: 'P',
      zip: '02108',
      phone: '555',
      website,
      image,
      geo_lat: 42,
      geo_lng: -71,
    }),
    organizers: () => ({
      organizer: `Organizer ${++count}`,
      description: 'Words',
      author: 2,
      date: '2026-03-04 05:06:07',
      phone: '555',
      website,
      email: 'a@example.org',
      image,
    }),
    categories: () => ({ name: `Category ${++count}`, description: 'Words', parent: links.category }),
    tags: () => ({ name: `Tag ${++count}`, description: 'Words' }),
  };
  const changed = (before: Json, after: Json) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      .sort();
  const read = (resource: string, id: number) =>
    server.ask(200, { path: `/${resource}/${id}`, query: 'context=edit', as: 'administrator' });
  const same = ({ json_ld: _, ...record }: Json) => record;
  const beyond = async (id: number) =>
    [
      await server.names('events', `include=${id}&ticketed=true`, 'editor'),
      await server.names('events', `include=${id}&post_parent=${links.parent}`, 'editor'),
    ].map((names) => names.length);

  describe.each(
    Object.entries(follows).flatMap(([resource, table]) =>
      Object.entries(table).map(([name, [value, ...keys]]) => [resource as ResourceName, name, value, keys] as const),
    ),
  )('%s.%s', (resource, name, value, keys) => {
    it.each(['POST', 'PUT', 'PATCH'])('by %s', async (method) => {
      const { id } = await server.make(resource, full[resource]());
      const before = same(await read(resource, id));
      const unseen = resource === 'events' ? await beyond(id) : [];
      server.now = start + 1000;
      await server.ask(200, { method, path: `/${resource}/${id}`, json: { [name]: value }, as: 'administrator' });
      server.now = start;
      const after = same(await read(resource, id));
      const differing = changed(before, after).filter((key) => !['modified', 'modified_utc'].includes(key));
      if (name === 'post_password') expect(differing.filter((key) => key !== 'json_ld')).toEqual([]);
      else expect(differing.filter((key) => key !== 'modified' && key !== 'modified_utc')).toEqual([...keys].sort());
      if (before.modified) expect(after.modified).not.toBe(before.modified);
      if (resource === 'events' && name !== 'hide_from_listings')
        expect(await beyond(id)).toEqual([name === 'ticketed' ? 0 : unseen[0], name === 'post_parent' ? 0 : unseen[1]]);
      await server.drop(resource, id);
    });
  });

  it.each(Object.keys(full))('nothing was sent to %s', async (resource) => {
    const { id } = await server.make(resource, full[resource as ResourceName]());
    const before = same(await read(resource, id));
    await server.change(resource, id, {});
    expect(changed(before, same(await read(resource, id))).filter((key) => !key.startsWith('modified'))).toEqual([]);
  });
  it.each(Object.keys(full))('the same slug was sent to %s', async (resource) => {
    const { id, slug } = await server.make(resource, full[resource as ResourceName]());
    expect((await server.change(resource, id, { slug })).slug).toBe(slug);
  });
  // As of new events: a slug that comes to nothing is made of the title.
  it('a slug of which nothing is left is made of the title, and a draft has none then', async () => {
    const { id } = await server.make('events', { ...full.events(), title: `Named ${++count}`, slug: `other-${count}` });
    expect((await server.change('events', id, { slug: '...' })).slug).toBe(`named-${count}`);
    expect((await server.change('events', id, { slug: '!?' })).slug).toBe(`named-${count}`);
    expect((await server.change('events', id, { slug: '...', status: 'draft' })).slug).toBe('');
  });
  it.each([
    ['events', 'website', expect.stringContaining('/event/')],
    ['events', 'cost', ''],
    ['events', 'categories', []],
    ['venues', 'website', undefined],
    ['venues', 'city', undefined],
    ['venues', 'geo_lat', undefined],
    ['venues', 'show_map', false],
    ['organizers', 'website', undefined],
    ['organizers', 'author', '2'],
    ['organizers', 'organizer', expect.stringContaining('Organizer')],
    ['organizers', 'status', 'publish'],
  ] as const)('null empties a text or a list, and leaves what cannot be empty: %s.%s', async (resource, name, left) => {
    const { id } = await server.make(resource, full[resource]());
    expect((await server.change(resource, id, { [name]: null }))[name]).toEqual(left);
  });
  it.each(['venues', 'organizers'] as const)('null in new %s is as if it was left out', async (resource) => {
    const label = resource.slice(0, -1);
    const nulls = Object.fromEntries(
      resources[resource].fields.filter(({ wire }) => wire.default === null).map((field) => [field.name, null]),
    );
    const made = await server.make(resource, { ...nulls, [label]: `Null ${++count}` });
    const plain = await server.make(resource, { [label]: `Plain ${++count}` });
    expect(Object.keys(made)).toEqual(Object.keys(plain));
    expect(made).toMatchObject({ author: '1', status: 'publish' });
  });
  it('a refused update changes nothing', async () => {
    const { id } = await server.make('events', full.events());
    const before = await read('events', id);
    await server.ask(400, {
      method: 'PATCH',
      path: `/events/${id}`,
      json: { title: 'New', categories: ['Made?'], venue: { venue: 'Made?' }, status: 'foo' },
      as: 'editor',
    });
    await server.ask(400, {
      method: 'PATCH',
      path: `/events/${id}`,
      json: { title: 'New', tags: ['Made?'], venue: { venue: 'Made?' }, organizer: { organizer: '' } },
      as: 'editor',
    });
    expect(await read('events', id)).toEqual(before);
    expect(await server.names('venues', 'search=made', 'editor')).toEqual([]);
    expect(await server.names('tags', 'search=made&hide_empty=0')).toEqual([]);
  });
});

contract('a record that was read and is sent back changes nothing', {}, (server) => {
  const when = { start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' };
  const events = {
    bare: { title: 'Bare', ...when },
    draft: { title: 'Draft', status: 'draft', ...when },
    scheduled: { title: 'Scheduled', date: '2027-01-01', ...when },
    full: {
      title: 'Fish & "chips" -- <b>hot</b>',
      description: 'One\ntwo\n\n"Three" \\ & more',
      excerpt: "It's short",
      ...when,
      timezone: 'Asia/Tokyo',
      cost: ['$5', '$10'],
      website: 'https://example.org/?a=1&b=2',
      image: 'https://example.org/a.jpg',
      categories: ['Food & Drink', 'Music'],
      tags: ['free'],
      venue: { venue: 'Hall & Yard', country: 'Canada', province: 'ON', geo_lat: 1, geo_lng: 2 },
      organizer: [{ organizer: 'Ada' }, { organizer: 'Bob', email: 'bob@example.org' }],
      featured: true,
      all_day: true,
    },
    'linked to a draft': { title: 'Linked', ...when, venue: { venue: 'Draft hall', status: 'draft' } },
    protected: { title: 'Protected', description: 'Words', post_password: 'open', ...when },
  };
  const rows = [
    ...Object.entries(events).map(([name, input]) => ['events', name, input] as const),
    ['venues', 'bare', { venue: 'Bare' }],
    ['venues', 'full', { venue: 'A & B', description: 'x\n\ny', state: 'MA', image: 'https://example.org/b.png', show_map: 'false' }],
    ['organizers', 'full', { organizer: 'C & D', phone: '1', email: 'c@example.org' }],
    ['categories', 'bare', { name: 'E & F' }],
    ['tags', 'full', { name: 'G & H', description: 'x' }],
  ] as const;
  const stable = ({ modified: _local, modified_utc: _utc, ...record }: Json) => record;

  it.each(rows)('of %s: %s', async (resource, _name, input) => {
    const { id } = await server.make(resource, input);
    const path = `/${resource}/${id}`;
    const read = await server.get(path, 'context=edit', 'editor');
    await server.change(resource, id, read, 'editor');
    expect(stable(await server.get(path, 'context=edit', 'editor'))).toEqual(stable(read));
    const listed = (await server.get(`/${resource}`, `include=${id}&hide_empty=0&context=edit`, 'editor'))[resource].find(
      (each: Json) => each.id === id,
    );
    await server.change(resource, id, listed, 'editor');
    expect(stable(await server.get(path, 'context=edit', 'editor'))).toEqual(stable(read));
  });
  it('except for changed fields', async () => {
    const { id } = await server.make('events', { ...events.full, title: 'Other' });
    const read = await server.get(`/events/${id}`);
    const image = (await server.make('venues', { venue: 'With image', image: 'https://example.org/c.jpg' })).image;
    const [category] = read.categories;
    const changed = await server.change('events', id, {
      ...read,
      excerpt: 'New',
      image,
      categories: [category],
      tags: { id: read.tags[0].id },
    });
    expect(changed).toMatchObject({
      excerpt: '<p>New</p>',
      image,
      categories: [{ id: category.id }],
      tags: read.tags,
      description: read.description,
    });
    expect(changed.organizer).toHaveLength(2);
  });
  it.each([{ excerpt: '' }, { image: false }, { categories: [{ id: 'x' }] }, { image: { id: 999999 } }, { image: { id: 'x' } }])(
    '%j is refused in a body that names no record',
    async (json) => {
      const { id } = await server.make('events', events.bare);
      await server.ask(400, { method: 'PATCH', path: `/events/${id}`, json, as: 'editor' });
    },
  );
  it('and tells nothing to who may not change it', async () => {
    const { id } = await server.make('events', events.draft);
    for (const excerpt of ['', 0])
      await server.ask(400, { method: 'PATCH', path: `/events/${id}`, json: { id, excerpt }, as: 'contributor' });
  });
});
