import { type Check, expect, Skipped, same } from './check.ts';

const empty = (value: unknown) => value === '' || value === null || value === 0 || value === '0';

/** Returns the check that records omit empty members. */
const sparse = (name: 'venues' | 'organizers', label: string): Check => ({
  name: `${name}.form`,
  about: `A record of ${name} omits empty members`,
  specification: 'Resources and their fields: "Representation of records in responses" is not shown; observed: empty fields are left out',
  async run(server) {
    for (const record of await server.records(name)) {
      expect(Number.isInteger(record.id) && typeof record.author === 'string', 'id is not an integer or author is not a string');
      expect(typeof record[label] === 'string', `${label} of ${record.id} is not a string`);
      for (const [member, value] of Object.entries(record)) expect(!empty(value), `${member} of ${record.id} is empty but not omitted`);
      if (name === 'venues')
        for (const member of ['show_map', 'show_map_link'])
          expect(typeof record[member] === 'boolean', `${member} of ${record.id} is not a boolean`);
    }
  },
});

/** Checks of the index, the documentation, unknown routes, and linked resources. */
export const others: readonly Check[] = [
  {
    name: 'index',
    about: 'The namespace root lists all routes and their methods',
    specification: 'Endpoints, Index and documentation: "the namespace root"; observed: routes with their methods',
    async run(server) {
      const { namespace, routes } = await server.get('');
      expect(typeof namespace === 'string', 'namespace is not a string');
      for (const [path, methods] of [
        ['/events', ['GET', 'POST']],
        ['/events/(?P<id>\\d+)', ['DELETE', 'GET', 'PATCH', 'POST', 'PUT']],
        ['/venues', ['GET', 'POST']],
        ['/organizers', ['GET', 'POST']],
        ['/categories', ['GET', 'POST']],
        ['/tags', ['GET', 'POST']],
      ] as const)
        same([...(routes?.[`/${namespace}${path}`]?.methods ?? [])].sort(), methods, `methods of ${path}`);
    },
  },
  {
    name: 'doc',
    about: '/doc describes the routes',
    specification: 'Endpoints, Index and documentation: "/doc"',
    async run(server) {
      const { paths } = await server.get('/doc');
      for (const path of ['/events', '/events/{id}', '/venues', '/organizers', '/categories', '/tags'])
        expect(paths?.[path]?.get, `/doc does not describe GET ${path}`);
    },
  },
  {
    name: 'no-route',
    about: 'An unknown path returns 404',
    specification:
      'Conventions: "one or more decimal digits"; Endpoints, Tags: "Categories and tags have no by-slug routes"; observed: 404 rest_no_route',
    async run(server) {
      for (const path of ['/events/foo', '/nothing', '/categories/by-slug/x']) await server.rejects(404, 'rest_no_route', 'GET', path);
    },
  },
  sparse('venues', 'venue'),
  sparse('organizers', 'organizer'),
  {
    name: 'venues.list.event',
    about: 'event returns the venues of an event',
    specification: 'Endpoints, Organizers: event, "records related to this event ID"',
    async run(server) {
      const event = (await server.records('events', 1, 'per_page=50')).find(({ venue }) => venue && !Array.isArray(venue));
      if (!event) throw new Skipped('needs an event with a venue');
      const { venues } = await server.get('/venues', `event=${event.id}`);
      same(
        venues.map(({ id }: { id: number }) => id),
        [event.venue.id],
        `venues of event ${event.id}`,
      );
    },
  },
  {
    name: 'categories.hide_empty',
    about: 'Terms without events are hidden by default',
    specification: 'Endpoints, Tags: hide_empty, "hide terms not assigned to any post"',
    async run(server) {
      const list = await server.get('/categories', 'per_page=50');
      for (const { id, count } of list.categories) expect(count > 0, `category ${id} is shown but has ${count} events`);
      const all = await server.get('/categories', 'per_page=50&hide_empty=false');
      expect(all.total >= list.total, 'hide_empty=false returns fewer terms');
    },
  },
  {
    name: 'categories.slug',
    about: 'slug returns the term with this slug',
    specification: 'Endpoints, Tags: slug, "terms with this slug"',
    async run(server) {
      const [{ id, slug }] = (await server.records('categories', 1, 'hide_empty=false')) as [{ id: number; slug: string }];
      const result = await server.get('/categories', `hide_empty=false&slug=${slug}`);
      same(
        result.categories.map((term: { id: number }) => term.id),
        [id],
        `IDs of slug=${slug}`,
      );
    },
  },
  {
    name: 'categories.include',
    about: 'include and exclude filter by ID',
    specification: 'Endpoints, Tags: exclude, "exclude these IDs", and include, "restrict to these IDs"',
    async run(server) {
      const [{ id }] = (await server.records('categories', 1, 'hide_empty=false')) as [{ id: number }];
      const ids = async (query: string) =>
        (await server.get('/categories', `hide_empty=false&per_page=50&${query}`)).categories.map((term: { id: number }) => term.id);
      same(await ids(`include=${id}`), [id], `IDs of include=${id}`);
      expect(!(await ids(`exclude=${id}`)).includes(id), `exclude=${id} returns the record`);
    },
  },
  {
    name: 'categories.orderby',
    about: 'orderby and order sort the list',
    specification: 'Endpoints, Tags: order, "ascending or descending", and orderby, "term attribute to sort by"',
    async run(server) {
      const records = await server.records('categories', 2, 'hide_empty=false&per_page=50&orderby=id&order=desc');
      const ids = records.map(({ id }) => id);
      same(
        ids,
        [...ids].sort((a, b) => b - a),
        'IDs of orderby=id&order=desc',
      );
    },
  },
];
