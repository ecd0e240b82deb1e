import { beforeAll, describe, expect, it } from 'vitest';
import { methodsOf, routePath, routes } from '../../src/model/routes.ts';
import { contract, type Json } from '../support/contract-server.ts';

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'] as const;
type Statuses = Record<(typeof methods)[number], number>;

/** The response of every kind of route to every method, on records that exist; writes have a body without fields. */
const expected: Record<'all' | 'id' | 'slug', Statuses> = {
  all: { GET: 200, HEAD: 200, OPTIONS: 200, POST: 400, PUT: 404, PATCH: 404, DELETE: 404, PROPFIND: 404 },
  id: { GET: 200, HEAD: 200, OPTIONS: 200, POST: 200, PUT: 200, PATCH: 200, DELETE: 200, PROPFIND: 404 },
  slug: { GET: 200, HEAD: 200, OPTIONS: 200, POST: 200, PUT: 200, PATCH: 200, DELETE: 200, PROPFIND: 404 },
};

const bodies: Record<string, object> = {
  events: { title: 'Feast', start_date: '2027-03-01 10:00', end_date: '2027-03-01 12:00' },
  venues: { venue: 'Hall' },
  organizers: { organizer: 'Ada' },
  categories: { name: 'Music' },
  tags: { name: 'Free' },
};

contract('routes', {}, (server) => {
  /** A separate record for each call, so that one may delete it. */
  let count = 0;
  const target = async (resource: string) => {
    const label = { events: 'title', venues: 'venue', organizers: 'organizer', categories: 'name', tags: 'name' }[resource]!;
    return server.make(resource, { ...bodies[resource], [label]: `Record ${++count}` });
  };

  describe.each(routes.map((route) => [routePath(route, (name) => `{${name}}`), route] as const))('%s', (_path, route) => {
    it.each(methods.flatMap((method) => ['', '/'].map((slash) => [method, slash] as const)))(
      '%s with %j at its end',
      async (method, slash) => {
        const record = await target(route.resource);
        const path = routePath(route, (name) => String(record[name])) + slash;
        const reply = await server.send({ method, path, as: 'administrator' });
        expect(reply.status, reply.body).toBe(expected[route.by][method]);
        if (method === 'HEAD') expect(reply.body).toBe('');
        else if (reply.status >= 400)
          expect(JSON.parse(reply.body)).toMatchObject({ code: reply.status === 404 ? 'rest_no_route' : 'rest_missing_callback_param' });
        else expect(JSON.parse(reply.body)).toEqual(expect.any(Object));
      },
    );

    it('lists the permitted methods in Allow', async () => {
      const record = await target(route.resource);
      const path = routePath(route, (name) => String(record[name]));
      const allow = async (as?: string) => (await server.send({ path, as })).headers.allow!.split(', ').sort();
      expect(await allow()).toEqual(['GET']);
      expect(await allow('subscriber')).toEqual(['GET']);
      expect(await allow('administrator')).toEqual(route.actions.flatMap((action) => [...methodsOf[action]]).sort());
    });

    it('HEAD has the headers of GET', async () => {
      const record = await target(route.resource);
      const path = routePath(route, (name) => String(record[name]));
      const [head, get] = [await server.send({ method: 'HEAD', path }), await server.send({ path })];
      for (const name of ['content-type', 'allow', 'x-calendar-total', 'x-calendar-totalpages'])
        expect(head.headers[name], name).toBe(get.headers[name]);
    });
  });

  it.each(['', '/', '/doc', '/doc/'])('%j may be read by every caller, and written by none', async (path) => {
    for (const method of methods) {
      const { status } = await server.send({ method, path, as: 'administrator' });
      expect([method, status]).toEqual([method, ['GET', 'HEAD', 'OPTIONS'].includes(method) ? 200 : 404]);
    }
  });

  it.each([
    '/nothing',
    '/Events',
    '//events',
    '/events//',
    '/events/foo',
    '/events/-1',
    '/events/1.0',
    '/events/1/2',
    '/events/0x1',
    '/events/١',
    '/events/by-slug',
    '/events/by-slug/',
    '/events/by-slug/a/b',
    '/categories/by-slug/music',
    '/tags/by-slug/free',
    '/doc/events',
    '/%65vents/foo',
  ])('%j is not found', async (path) => {
    const request = { path: path.replace(/[^\0-\x7f]+/g, encodeURIComponent), as: 'administrator' } as const;
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(await server.ask(404, { method, ...request })).toMatchObject({
        code: 'rest_no_route',
        message: expect.any(String),
        data: { status: 404 },
      });
    expect(await server.ask(200, { method: 'OPTIONS', ...request })).toEqual([]);
  });

  const outside = ['/calendar/events/v2', '/calendar/events/v1x/events', '/calendar/events', '/wp-json/calendar/events/v1/events'];
  // A page has no such address.
  if (server.way !== 'in a browser') outside.push('*');
  it.each(outside)('%j is not found outside the namespace', async (at) => {
    expect(await server.ask(404, { at })).toMatchObject({ code: 'rest_no_route' });
  });

  it.each([
    ['rest_route=/calendar/events/v1/events', 200],
    ['rest_route=/calendar/events/v1/events/&per_page=1', 200],
    ['rest_route=/calendar/events/v1/events/999999', 404],
    ['rest_route=/other', 404],
    ['rest_route=/', 200],
  ])('/?%s is the other form of an address, also below /index.php', async (query, status) => {
    for (const at of ['/', '/index.php']) await server.ask(status, { at, query });
  });
});

contract(
  'a base path, a namespace and a header prefix of one’s own',
  { handler: { basePath: '/wp-json', namespace: 'brand/events/v1', headerPrefix: 'X-Brand', publicUrl: 'https://example.org' } },
  (server) => {
    let page: Json;
    beforeAll(async () => {
      for (const title of ['One', 'Two'])
        await server.ask(201, { method: 'POST', at: '/wp-json/brand/events/v1/events', as: 'editor', json: { ...bodies.events, title } });
      page = await server.ask(200, { at: '/wp-json/brand/events/v1/events', query: 'per_page=1' });
    });
    it('are in addresses', () => {
      expect(page.events[0].rest_url).toMatch(/^https:\/\/example\.org\/wp-json\/brand\/events\/v1\/events\/\d+$/);
      expect(page.next_rest_url).toContain('https://example.org/wp-json/brand/events/v1/events/?');
      expect(page.events[0].url).toBe('https://example.org/event/one/');
      expect(page.events[0].global_id).toBe(`example.org?id=${page.events[0].id}`);
    });
    it('are in headers and documents', async () => {
      const { headers } = await server.send({ at: '/wp-json/brand/events/v1/events' });
      expect(headers).toMatchObject({ 'x-brand-total': '2', 'x-brand-totalpages': '1' });
      const index = await server.ask(200, { at: '/wp-json/brand/events/v1' });
      expect(index.namespace).toBe('brand/events/v1');
      expect(Object.keys(index.routes)).toContain('/brand/events/v1/events');
      expect((await server.ask(200, { at: '/wp-json/brand/events/v1/doc' })).servers).toEqual([
        { url: 'https://example.org/wp-json/brand/events/v1/' },
      ]);
    });
    it.each(['/wp-json', '/wp-json/'])('are found at %s, which every answer names', async (at) => {
      const { status, headers, body } = await server.send({ at });
      expect([status, headers.allow, headers.link]).toEqual([200, 'GET', '<https://example.org/wp-json/>; rel="https://api.w.org/"']);
      const root = JSON.parse(body);
      const index = await server.ask(200, { at: '/wp-json/brand/events/v1' });
      expect(root).toMatchObject({
        home: 'https://example.org',
        gmt_offset: -5,
        timezone_string: 'America/New_York',
        namespaces: ['brand/events/v1'],
      });
      expect([root.routes, index._links.up[0].href]).toEqual([index.routes, root._links.self[0].href]);
      for (const path of ['/events', '/events/999999', '/nothing'])
        expect((await server.send({ at: `/wp-json/brand/events/v1${path}` })).headers.link).toBe(headers.link);
    });
    it('leave nothing at the usual place', () => server.ask(404, { path: '/events' }));
  },
);
