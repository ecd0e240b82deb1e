import { type ResourceName, resourceNames } from '../../model/calendar.ts';
import { type Check, expect, expectForm, Skipped, same } from './check.ts';

const isTerm = (name: ResourceName) => name === 'categories' || name === 'tags';
const all = (name: ResourceName) => (isTerm(name) ? 'hide_empty=false&' : '');
const listSection = (name: ResourceName) => `Endpoints, ${isTerm(name) ? 'Tags' : name === 'events' ? 'Events' : 'Organizers'}`;
const idsOf = (records: { id: number }[]) => records.map(({ id }) => id);

/** Members that a list and a single record show in different forms; numbers and texts only in releases up to 2018. */
const differingForms = ['json_ld', '_links', 'venue', 'organizer', 'id', 'description', 'excerpt', 'image'];

const listChecks = (name: ResourceName): Check[] => [
  {
    name: `${name}.list.envelope`,
    about: `A list contains ${name}, rest_url, total and total_pages`,
    specification: `${listSection(name)}: "Query parameters of"; observed: the members of a page`,
    async run(server) {
      const page = await server.get(`/${name}`);
      expect(Array.isArray(page[name]), `${name} is not a list`);
      expect(typeof page.rest_url === 'string', 'rest_url is not a string');
      // Releases up to 2018 send digits.
      for (const total of ['total', 'total_pages']) expect(/^\d+$/.test(String(page[total])), `${total} is not an integer`);
    },
  },
  {
    name: `${name}.list.headers`,
    about: 'Two headers contain total and total_pages',
    specification: `${listSection(name)}: "Query parameters of"; observed: X-…-Total, X-…-TotalPages`,
    async run(server) {
      const { headers, json } = await server.send('GET', `/${name}`);
      for (const [ending, total] of [
        ['-total', json?.total],
        ['-totalpages', json?.total_pages],
      ]) {
        const pair = Object.entries(headers).find(([header]) => header.startsWith('x-') && header.endsWith(ending));
        expect(pair, `missing header X-…${ending}`);
        same(Number(pair[1]), Number(total), `header ${pair[0]}`);
      }
    },
  },
  {
    name: `${name}.list.content-type`,
    about: 'Responses are JSON in UTF-8',
    specification: 'Event Calendar REST Service: "a JSON HTTP interface"',
    async run(server) {
      const { headers } = await server.send('GET', `/${name}`);
      const type = headers['content-type'] ?? '';
      expect(/^application\/json\b/i.test(type) && !/charset="?(?!utf-8)/i.test(type), `Content-Type is ${type || 'missing'}`);
    },
  },
  {
    name: `${name}.list.per_page`,
    about: 'per_page sets the number of records per page and total_pages',
    specification: `${listSection(name)}: per_page, "${isTerm(name) ? 'terms' : name === 'events' ? 'events' : 'records'} per page"`,
    async run(server) {
      for (const size of [1, 2, 50]) {
        const page = await server.get(`/${name}`, `${all(name)}per_page=${size}`);
        same(page[name].length, Math.min(size, page.total), `number of records with per_page=${size}`);
        same(Number(page.total_pages), Math.ceil(page.total / size), `total_pages with per_page=${size}`);
      }
    },
  },
  {
    name: `${name}.list.page`,
    about: 'Each record is on exactly one page',
    specification: `${listSection(name)}: page, "archive page"`,
    async run(server) {
      const whole = idsOf(await server.records(name, 2, `${all(name)}per_page=4`));
      const pages: number[] = [];
      for (let page = 1; page <= whole.length; page += 1)
        pages.push(...idsOf((await server.get(`/${name}`, `${all(name)}per_page=1&page=${page}`))[name]));
      same(pages, whole, 'IDs of single pages');
    },
  },
  {
    name: `${name}.list.total`,
    about: 'total is the number of records on all pages',
    specification: 'Limits: "(`per_page`) on all list routes"; observed: total',
    async run(server) {
      const first = await server.get(`/${name}`, `${all(name)}per_page=50`);
      if (first.total > 1000) throw new Skipped('there are more than 1000 records');
      let count = first[name].length;
      for (let page = 2; page <= first.total_pages; page += 1)
        count += (await server.get(`/${name}`, `${all(name)}per_page=50&page=${page}`))[name].length;
      same(Number(first.total), count, 'total');
    },
  },
  {
    name: `${name}.list.links`,
    about: 'next_rest_url and previous_rest_url link to existing pages',
    specification: `${listSection(name)}: page, "archive page"; observed: next_rest_url, previous_rest_url`,
    async run(server) {
      const records = idsOf(await server.records(name, 2, `${all(name)}per_page=2`));
      const first = await server.get(`/${name}`, `${all(name)}per_page=1`);
      expect(!('previous_rest_url' in first), 'the first page has a previous_rest_url');
      expect(typeof first.next_rest_url === 'string', 'the first of several pages has no next_rest_url');
      const next = new URL(first.next_rest_url);
      const page = await server.get(`/${name}`, next.search.slice(1));
      same(idsOf(page[name]), [records[1]], 'page of next_rest_url');
      expect(typeof page.previous_rest_url === 'string', 'the second page has no previous_rest_url');
      const last = await server.get(`/${name}`, `${all(name)}per_page=1&page=${first.total_pages}`);
      expect(!('next_rest_url' in last), 'the last page has a next_rest_url');
    },
  },
  {
    name: `${name}.list.beyond`,
    about: isTerm(name) ? 'A page beyond the last is empty' : 'A page beyond the last returns 404',
    specification: `Errors: "not shown"; observed: ${isTerm(name) ? '200, an empty list' : '404 …-archive-page-not-found'}`,
    async run(server) {
      if (!isTerm(name)) await server.rejects(404, /-archive-page-not-found$/, 'GET', `/${name}`, 'page=100000');
      else same((await server.get(`/${name}`, 'page=100000'))[name], [], 'records of the page');
    },
  },
  {
    name: `${name}.list.bad-page`,
    about: 'An invalid page returns 400 and names the parameter',
    specification: 'Errors: "parameter types listed above"; observed: 400 rest_invalid_param',
    async run(server) {
      for (const page of ['0', 'foo']) {
        const { data } = await server.rejects(400, 'rest_invalid_param', 'GET', `/${name}`, `page=${page}`);
        expect(typeof data.params?.page === 'string', `data.params does not name page for page=${page}`);
      }
    },
  },
  {
    name: `${name}.list.search`,
    about: 'search returns records that match by name',
    specification: `${listSection(name)}: search, "${isTerm(name) ? 'terms matching the string' : name === 'events' ? 'events whose title or description contains the string' : 'records containing the string'}"`,
    async run(server) {
      const none = await server.get(`/${name}`, `${all(name)}search=qqxzvqqxzv`);
      same([none[name], none.total], [[], 0], 'result of a search without matches');
      const [record] = await server.records(name, 1, `${all(name)}per_page=1`);
      const label = String(record.title ?? record.venue ?? record.organizer ?? record.name ?? '');
      const word = label.replace(/&[#\w]+;|<[^<>]*>/g, ' ').match(/[A-Za-z]{4,}/)?.[0];
      if (!word) throw new Skipped(`needs a name with a plain word, found ${label}`);
      const result = await server.get(`/${name}`, `${all(name)}search=${word}&per_page=50`);
      expect(idsOf(result[name]).includes(record.id) || result.total_pages > 1, `search=${word} does not return record ${record.id}`);
    },
  },
  {
    name: `${name}.get`,
    about: isTerm(name) ? 'A record can be read by ID' : 'A record can be read by ID and by slug',
    specification: `Endpoints, ${name[0]!.toUpperCase()}${name.slice(1)}: "/${name}/<id>"${isTerm(name) ? '' : `, "/${name}/by-slug/<slug>"`}`,
    async run(server) {
      for (const record of (await server.records(name)).slice(0, 3)) {
        const single = await server.get(`/${name}/${record.id}`);
        same(Number(single.id), Number(record.id), 'ID of the record');
        for (const member of Object.keys(record)) if (!differingForms.includes(member)) same(single[member], record[member], member);
        if (!isTerm(name) && record.slug)
          same((await server.get(`/${name}/by-slug/${record.slug}`)).slug, record.slug, 'slug of the record by slug');
      }
    },
  },
  {
    name: `${name}.get.missing`,
    about: 'An unknown ID returns an error',
    specification: `Errors: "not shown"; observed: ${name === 'events' ? '404 rest-event-not-found' : '400 rest_invalid_param'}`,
    async run(server) {
      // Older releases of the reference return 400 for events, too.
      const { status, json } = await server.send('GET', `/${name}/999999999`);
      const isExpected =
        name === 'events' && status === 404 ? json?.code === 'rest-event-not-found' : status === 400 && json?.code === 'rest_invalid_param';
      expect(isExpected, `GET /${name}/999999999 returned ${status} ${json?.code}`);
      same(json.data?.status, status, 'data.status');
    },
  },
  {
    name: `${name}.methods`,
    about: 'HEAD is like GET without a body, and OPTIONS lists the methods',
    specification: `Endpoints, ${name[0]!.toUpperCase()}${name.slice(1)}: GET and POST, "/${name}"; observed: OPTIONS`,
    async run(server) {
      same((await server.send('HEAD', `/${name}`)).status, 200, 'status of HEAD');
      const { status, json } = await server.send('OPTIONS', `/${name}`);
      same(status, 200, 'status of OPTIONS');
      same([...(json?.methods ?? [])].sort(), ['GET', 'POST'], 'methods');
    },
  },
];

/** Checks of the lists of all resources. */
export const lists: readonly Check[] = resourceNames.flatMap(listChecks);

const empty = (value: unknown) => value === '' || value === null || value === 0 || value === '0';

/** The check that records omit empty members. */
const sparse = (name: 'venues' | 'organizers'): Check => ({
  name: `${name}.form`,
  about: `A record of ${name} omits empty members`,
  specification: 'Resources and their fields: "Representation of records in responses" is not shown; observed: empty fields are left out',
  async run(server) {
    for (const record of await server.records(name)) {
      expectForm(name, record);
      for (const [member, value] of Object.entries(record)) expect(!empty(value), `${member} of ${record.id} is empty but not omitted`);
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
  sparse('venues'),
  sparse('organizers'),
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
