import { beforeAll, describe, expect, it } from 'vitest';
import type { ResourceName } from '../../src/model/calendar.ts';
import { resources } from '../../src/model/resources/all.ts';
import { build, type City } from '../support/contract-calendar.ts';
import { contract, faulty } from '../support/contract-server.ts';

/** The names a list returns, in order, for values of one parameter. `{venues.hall}` is replaced by an ID. A third column names the user. */
interface Cases {
  good: [value: string, names: string, as?: string][];
  bad: (string | [value: string, as: string])[];
}

const all = 'Breakfast, Concert, Session, Fair, Stall';
const number = ['', '0', '-1', 'foo', '1.5', '1e400', 'NaN', '1;2', '[]=1'];
const page: Cases = {
  good: [
    ['1', all],
    ['%201', all],
    ['1.0', all],
    ['+1', all],
  ],
  bad: number,
};
const per_page: Cases = {
  good: [
    ['2', 'Breakfast, Concert'],
    ['50', all],
    ['51', all],
    ['9007199254740991', all],
    ['1e1', all],
  ],
  bad: [...number, '9007199254740992'],
};
const date = ['', 'soon', 'foo bar', '2027-13-45', '[]=2027-01-01', '0', '10000000000000000000000'];
const flag = ['', 'yes', '2', 'foo', '[]=1', 'null'];
const some = ['', ',', 'foo', '999999', '1.5', '-1', '[]=', '[a][b]=1'];

const events: Record<string, Cases> = {
  page,
  per_page,
  start_date: {
    good: [
      ['2027-03-03', 'Session, Fair, Stall'],
      ['2027-03-03 23:00', 'Session, Fair, Stall'],
      ['@1804118400', 'Fair, Stall'],
      ['1804118400', 'Fair, Stall'],
      ['tomorrow', all],
      ['2026-01-01', `Past, ${all}`],
    ],
    bad: date,
  },
  end_date: {
    good: [
      ['2027-03-02', 'Breakfast, Concert'],
      ['2027-03-02 01:00', 'Breakfast, Concert'],
      ['+2 days', ''],
      ['2040-01-01', `${all}, Distant`],
    ],
    bad: date,
  },
  starts_before: {
    good: [
      ['2027-03-02', 'Past, Breakfast, Concert'],
      ['2026-11-01', 'Past'],
    ],
    bad: date,
  },
  starts_after: {
    good: [
      ['2027-03-04', 'Stall, Distant'],
      ['2027-03-05', 'Distant'],
    ],
    bad: date,
  },
  ends_before: { good: [['2027-03-03', 'Past, Breakfast, Concert']], bad: date },
  ends_after: { good: [['2027-03-03', 'Session, Fair, Stall, Distant']], bad: date },
  strict_dates: {
    good: [
      ['1&start_date=2027-03-04 03:00', all.slice(all.indexOf('Fair'))],
      ['true', all],
      ['yes', all],
      ['on', all],
      ['no', all],
      ['false', all],
      ['enable', all],
      ['foo', all],
    ],
    bad: ['', '0', '[]=1'],
  },
  search: {
    good: [
      ['coffee', 'Breakfast, Concert'],
      ['CREME', 'Breakfast'],
      ['nowhere', ''],
      ['%25', ''],
      ['_', ''],
    ],
    bad: ['', '0', '[]=a'],
  },
  categories: {
    good: [
      ['food', 'Breakfast'],
      ['{categories.food}', 'Breakfast'],
      ['music', 'Concert, Session'],
      ['jazz,food', 'Breakfast, Concert, Session'],
      ['jazz, food', 'Breakfast, Concert, Session'],
      ['bebop', 'Session'],
      ['JAZZ', 'Concert, Session'],
      ['idle', ''],
    ],
    bad: [...some, 'food,foo', 'free'],
  },
  tags: {
    good: [
      ['free', 'Breakfast, Concert'],
      ['outdoor', 'Concert, Stall'],
      ['free,outdoor', 'Breakfast, Concert, Stall'],
      [',free,,outdoor,', 'Breakfast, Concert, Stall'],
      ['unused', ''],
    ],
    bad: [...some, 'music'],
  },
  venue: {
    good: [
      ['{venues.hall}', 'Breakfast'],
      ['{venues.hall},{venues.far}', 'Breakfast, Session'],
      ['{venues.empty}', ''],
    ],
    bad: [...some, 'town-hall', '{organizers.ada}', '{events.fair}', '{venues.hall},foo'],
  },
  organizer: {
    good: [
      ['{organizers.ada}', 'Breakfast, Concert'],
      ['{organizers.bob}', 'Concert, Fair'],
      ['{organizers.ada},{organizers.bob}', 'Breakfast, Concert, Fair'],
    ],
    bad: [...some, '{venues.hall}'],
  },
  featured: {
    good: [
      ['true', 'Concert'],
      ['1', 'Concert'],
      ['TRUE', 'Concert'],
      ['false', 'Breakfast, Session, Fair, Stall'],
      ['0', 'Breakfast, Session, Fair, Stall'],
    ],
    bad: flag,
  },
  status: {
    good: [
      ['publish', all],
      ['publish', all, 'editor'],
      ['draft', 'Draft', 'editor'],
      ['pending,private', 'Pending, Private', 'editor'],
      ['draft, private', 'Draft, Private', 'contributor'],
      ['future', 'Future', 'author'],
      ['trash', 'Trashed', 'editor'],
      ['auto-draft', 'Unfinished', 'editor'],
      ['', `${all}, Private`, 'administrator'],
    ],
    bad: [
      '',
      'draft',
      'any',
      'publish,draft',
      'foo',
      ['draft', 'subscriber'],
      ['any', 'editor'],
      ['foo', 'editor'],
      ['publish,foo', 'editor'],
      ['', 'subscriber'],
    ],
  },
  geoloc: {
    good: [
      ['true', 'Breakfast, Concert, Session'],
      ['false', 'Fair, Stall'],
    ],
    bad: flag,
  },
  geoloc_lat: {
    good: [
      ['42.36&geoloc_lng=-71.06', 'Breakfast, Concert'],
      ['38.7&geoloc_lng=-9.1', 'Session'],
      ['0&geoloc_lng=0', ''],
      ['-90&geoloc_lng=180', ''],
      ['4.236e1&geoloc_lng=-71.06', 'Breakfast, Concert'],
    ],
    bad: ['42', '&geoloc_lng=1', 'foo&geoloc_lng=1', '91&geoloc_lng=1', 'NaN&geoloc_lng=1', 'Infinity&geoloc_lng=1', '[]=1&geoloc_lng=1'],
  },
  geoloc_lng: {
    good: [['-71.06&geoloc_lat=42.36', 'Breakfast, Concert']],
    bad: ['42', '&geoloc_lat=1', '181&geoloc_lat=1', '-180.1&geoloc_lat=1', 'x&geoloc_lat=1'],
  },
  include: {
    good: [
      ['{events.fair}', 'Fair'],
      ['{events.stall},{events.past},{events.distant}', 'Past, Stall, Distant'],
      ['{events.fair}&start_date=2030-01-01', 'Fair'],
      ['{events.fair}&starts_after=2030-01-01', 'Fair'],
      ['999999', ''],
      ['{events.secret}', ''],
      ['{events.draft}', ''],
      ['{events.draft}', 'Draft', 'editor'],
      ['{events.trashed}', '', 'editor'],
    ],
    bad: ['', 'foo', '1,foo', '0', '-1', '1.5', '[]=', '[a][b]=1'],
  },
  post_parent: {
    good: [
      ['{events.fair}', 'Stall'],
      ['{events.stall}', ''],
    ],
    bad: ['', 'foo', '0', '-1', '999999', '{venues.hall}', '1,2', '[]=1'],
  },
  hide_subsequent_recurrences: {
    good: [
      ['true', all],
      ['1', all],
      ['0', all],
    ],
    bad: flag,
  },
  ticketed: {
    good: [
      ['true', 'Session'],
      ['1', 'Session'],
      ['false', 'Breakfast, Concert, Fair, Stall'],
    ],
    bad: flag.filter((value) => value !== 'null'),
  },
};

const linked = (resource: 'venues' | 'organizers', names: string): Record<string, Cases> => {
  const first = names.split(', ')[0]!;
  const has = resource === 'venues' ? 'Far Barn, City Park, Town Hall' : 'Bob, Ada Lovelace';
  const none = names
    .split(', ')
    .filter((name) => !has.includes(name))
    .join(', ');
  const words: Cases = {
    good: [
      ['true', has],
      ['yes', has],
      ['1', has],
      ['on', has],
      ['enable', has],
    ],
    bad: ['[]=1'],
  };
  return {
    page: { good: [['1', names]], bad: number },
    per_page: {
      good: [
        ['1', first],
        ['99', names],
      ],
      bad: number,
    },
    search:
      resource === 'venues'
        ? {
            good: [
              ['hall', 'Town Hall'],
              ['grass trees', 'City Park'],
              ['lisboa', 'Far Barn'],
              ['555', 'Far Barn'],
              ['02108', 'Town Hall'],
              ['town boston', ''],
              ['united', ''],
              ['%25', '*'],
            ],
            bad: ['', '0', '[]=a'],
          }
        : {
            good: [
              ['lovelace', 'Ada Lovelace'],
              ['ada example', 'Ada Lovelace'],
              ['nothing', 'Idle Hands'],
              ['bob.example', 'Bob'],
              ['555', 'Bob'],
            ],
            bad: ['', '0', '[]=a'],
          },
    event: {
      good:
        resource === 'venues'
          ? [
              ['{events.concert}', 'City Park'],
              ['{events.stall}', ''],
            ]
          : [
              ['{events.concert}', 'Bob, Ada Lovelace'],
              ['{events.stall}', ''],
            ],
      bad: ['', '0', 'foo', '23999', '{venues.hall}', '1,2', '[]=1'],
    },
    has_events: { good: [...words.good, ['false', none], ['no', none], ['0', none], ['off', none]], bad: words.bad },
    only_with_upcoming: { good: [...words.good, ['false', names], ['0', names]], bad: words.bad },
    status: {
      good: [
        ['publish', names],
        ['draft', resource === 'venues' ? 'Draft Room' : 'Draft Folk', 'editor'],
        ['trash', '', 'editor'],
        ['', names, 'administrator'],
      ],
      bad: ['', 'draft', 'any', 'foo', ['foo', 'editor'], ['any', 'editor']],
    },
  };
};

const terms = (resource: 'categories' | 'tags', names: string, every: string): Record<string, Cases> => {
  const of = resource === 'categories' ? ['music', 'jazz'] : ['free', 'outdoor'];
  const [one, two] = of as [string, string];
  const title = (key: string) => key[0]!.toUpperCase() + key.slice(1);
  const backwards = names.split(', ').reverse().join(', ');
  const event: Cases = {
    good: [
      ['{events.concert}', resource === 'categories' ? 'Jazz' : 'Free, Outdoor'],
      ['{events.fair}', ''],
    ],
    bad: ['', '0', '23999', 'foo', '{venues.hall}', '[]=1'],
  };
  return {
    page: {
      good: [
        ['1', names],
        ['2', ''],
      ],
      bad: number,
    },
    per_page: {
      good: [
        ['1', names.split(', ')[0]!],
        ['99', names],
      ],
      bad: number,
    },
    search: {
      good: [
        [`${one.slice(1, 4)}&hide_empty=0`, title(one)],
        ['nowhere', ''],
        ['%25', ''],
        ['_', ''],
      ],
      bad: ['', '0', '[]=a'],
    },
    // A slug is checked and stands for no ID, as in the reference.
    exclude: {
      good: [
        [
          `{${resource}.${one}},{${resource}.${two}}&hide_empty=0`,
          every
            .split(', ')
            .filter((name) => ![title(one), title(two)].includes(name))
            .join(', '),
        ],
        [`${one}&hide_empty=0`, every],
      ],
      bad: some.filter((value) => value !== '[a][b]=1'),
    },
    include: {
      good: [
        [`{${resource}.${one}},{${resource}.${two}}&hide_empty=0`, [title(one), title(two)].sort().join(', ')],
        [`${one}&hide_empty=0`, ''],
      ],
      bad: some.filter((value) => value !== '[a][b]=1'),
    },
    order: {
      good: [
        ['desc', backwards],
        ['DESC', backwards],
        ['asc', names],
        ['ASC', names],
      ],
      bad: ['', '0', '[]=asc'],
    },
    orderby: {
      good: [
        ['name', names],
        ['foo', names],
        ['slug', names],
        ['id&hide_empty=0', '*'],
        ['count', '*'],
        ['description', '*'],
        ['include', '*'],
        ['term_group', '*'],
      ],
      bad: ['', '0', '[]=id'],
    },
    hide_empty: {
      good: [
        ['true', names],
        ['1', names],
        ['false', every],
        ['0', every],
      ],
      bad: flag,
    },
    ...(resource === 'categories'
      ? {
          parent: {
            good: [
              ['{categories.music}&hide_empty=0', 'Jazz'],
              ['{categories.food}&hide_empty=0', ''],
            ],
            bad: ['', 'foo', '0', '999999', '[]=1'],
          } as Cases,
        }
      : {}),
    post: event,
    event: { ...event, good: [...event.good, ['{events.concert}&post={events.fair}', event.good[0]![1]]] },
    slug: {
      good: [
        [`${one}&hide_empty=0`, title(one)],
        ['nothing', ''],
        [`${one},${two}`, ''],
      ],
      bad: ['', '0', '[]=a'],
    },
  };
};

const tables: Record<ResourceName, Record<string, Cases>> = {
  events,
  venues: linked('venues', 'Empty Room, Far Barn, City Park, Town Hall'),
  organizers: linked('organizers', 'Idle Hands, Bob, Ada Lovelace'),
  categories: terms('categories', 'Bebop, Food &amp; Drink, Jazz', 'Bebop, Food &amp; Drink, Idle, Jazz, Music'),
  tags: terms('tags', 'Free, Outdoor', 'Free, Outdoor, Unused'),
};

it.each(Object.entries(tables))('every list parameter of %s has its cases', (resource, table) => {
  expect(Object.keys(table).sort()).toEqual(resources[resource as ResourceName].list.parameters.map(({ name }) => name).sort());
  for (const [name, { good, bad }] of Object.entries(table)) expect([good.length > 0, bad.length > 0], name).toEqual([true, true]);
});

contract('lists', {}, (server) => {
  let city: City;
  beforeAll(async () => {
    city = await build(server);
  });
  const filled = (value: string) => value.replace(/\{(\w+)\.(\w+)\}/g, (_, resource: keyof City, key: string) => city[resource][key].id);
  const queryOf = (name: string, value: string) => `${name}${value.startsWith('[') ? '' : '='}${filled(value)}`.replaceAll(' ', '%20');

  describe.each(
    Object.entries(tables).flatMap(([resource, table]) => Object.entries(table).map(([name, cases]) => [resource, name, cases] as const)),
  )('/%s?%s', (resource, name, { good, bad }) => {
    it.each(good.map(([value, names, as = '']) => [value, as, names] as const))('=%j (%s) answers %j', async (value, as, names) => {
      const found = await server.names(resource, queryOf(name, value), as);
      if (names !== '*') expect(found.join(', ')).toBe(names);
    });
    it.each(bad.map((row) => (typeof row === 'string' ? ([row, ''] as const) : row)))('=%j (%s) is refused', async (value, as) => {
      expect(await server.ask(400, { path: `/${resource}`, query: queryOf(name, value), as })).toEqual(faulty(name));
    });
    it('is refused together with all else that is wrong', async () => {
      const other = name === 'page' ? 'per_page' : 'page';
      const value = bad.find((row) => typeof row === 'string') as string;
      const { data } = await server.ask(400, { path: `/${resource}`, query: `${other}=foo&${queryOf(name, value)}` });
      expect(Object.keys(data.params)).toContain(other);
    });
  });

  it.each(Object.keys(tables))('/%s passes over parameters that it does not know', async (resource) => {
    expect(await server.names(resource, 'orderby_x=1&foo=bar&foo[]=1')).toEqual(await server.names(resource));
  });
});

contract('lists without extensions', { extensions: [] }, (server) => {
  beforeAll(() => build(server));
  it.each([
    ['geoloc=true', all],
    ['geoloc_lat=1', all],
    ['geoloc_lat=foo&geoloc_lng=bar', all],
    ['ticketed=false', all],
  ])('%s is passed over', async (query, names) => {
    expect((await server.names('events', query)).join(', ')).toBe(names);
  });
  it('ticketed=true is refused', async () => {
    const failure = await server.ask(400, { path: '/events', query: 'ticketed=true' });
    expect(failure).toEqual(faulty('ticketed'));
    expect(failure.data.details.ticketed.code).toBe('event-tickets-not-active');
  });
});
