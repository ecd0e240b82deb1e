import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../src/data/seed.ts';
import { owner } from '../../src/model/viewer.ts';
import type { Server } from '../../src/server/context.ts';
import { arrive, handle, handleDirectly } from '../../src/server/handle.ts';
import { type Handle, noBody, type ServerRequest, type ServerResponse } from '../../src/server/http.ts';
import { encode } from '../../src/server/listener.ts';
import { createResponseCache, passingHeaders } from '../../src/server/response-cache.ts';
import { createHandler } from '../../src/server/router.ts';
import type { Store } from '../../src/store/calendar.ts';
import { serviceOf } from '../../src/store/service.ts';
import { bodyText } from '../support/body-text.ts';
import { memory, oneOfEach } from '../support/calendars.ts';
import { basic } from '../support/contract-server.ts';
import { serverWith } from '../support/server.ts';

const host = '127.0.0.1:8787';
const root = '/calendar/events/v1';
const page = async () => ({ files: [], document: () => '<!doctype html>', definitions: () => ({}) });
const options = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar', page, exposed: true };

/** Values of every request header that a server reads, besides those of a body. The values of one differ in what they mean. */
const values: Record<string, string[]> = {
  host: [host, 'localhost:8787'],
  accept: ['text/html', 'application/json', '*/*'],
  'accept-encoding': ['gzip', 'br'],
  cookie: ['calendar_world=a', 'theme=dark'],
  'x-calendar-world': ['a'],
  'x-calendar-page': ['page', 'api'],
  origin: ['http://localhost:3000', `http://${host}`, 'https://evil.example'],
  referer: [`http://${host}/x`, 'https://evil.example/'],
  'sec-fetch-site': ['same-origin', 'cross-site'],
  authorization: [basic('editor'), basic('contributor')],
  'x-wp-nonce': ['1'],
  'x-http-method-override': ['GET', 'DELETE'],
  'if-none-match': ['*', '"x"'],
  'if-modified-since': ['Thu, 01 Jan 1970 00:00:00 GMT'],
  'access-control-request-method': ['POST'],
  'last-event-id': ['1'],
  'user-agent': ['x'],
};
/** Headers of a request with a body, which is never cached. */
const bodyHeaders = ['content-type', 'content-encoding', 'content-disposition', 'content-length', 'transfer-encoding'];

let store: Store;
let api: Handle;
let plain: Server;
beforeAll(async () => {
  store = await memory();
  await seed(store, oneOfEach, 'append');
  const add = (name: string) => store.change(() => store.users.add({ name, role: name as 'editor', password: 'password' }));
  await Promise.all(['editor', 'contributor'].map(add));
  api = createHandler(serviceOf(store), options);
  plain = serverWith(api, { options });
});
afterAll(() => store.close());

const requestFor = (address: string, headers: ServerRequest['headers'] = {}, method = 'GET'): ServerRequest => {
  const [path = '', query = ''] = address.split('?');
  return { method, path, query, headers: { host, ...headers }, body: noBody };
};

/** Returns a server with a cache, and the number of requests that its API handles. */
function cachedServer(limits?: Parameters<typeof createResponseCache>[1]) {
  const count = { api: 0 };
  const counting: Handle = (request) => {
    count.api += 1;
    return api(request);
  };
  return { server: serverWith(counting, { options, cache: createResponseCache(() => store.stateKey(), limits) }), count };
}

const sent = async (server: Server, request: ServerRequest) => {
  const { status, headers, body } = await handleDirectly({ server, request });
  const { 'X-Calendar-Request': _, ...others } = headers;
  return { status, headers: { ...others, Date: '' }, body: bodyText({ body }) };
};

const addresses = () => [
  ...['', '/events', '/events?per_page=2', '/events/', '/events/999', '/tags', '/events?_jsonp=f', '/events?_envelope=1'].map(
    (at) => root + at,
  ),
  ...['/', '/?ical=1', '/calendar.ics', '/openapi.json', '/nothing', '/_calendar/page/text?text=x', '/events/month'],
  ...['events', 'venues', 'categories'].flatMap((name) => {
    const { id, slug } = store.db.get<{ id: number; slug: string }>(`select id, slug from ${name} order by id limit 1`)!;
    const kind = { events: 'event', venues: 'venue', categories: 'events/category' }[name]!;
    return [`${root}/${name}/${id}`, `/${kind}/${slug}`];
  }),
];

/** Returns the names that are read of the headers of a request. */
async function namesRead(handle: (request: ServerRequest) => unknown, request: ServerRequest): Promise<Set<string>> {
  const names = new Set<string>();
  const get = (target: ServerRequest['headers'], name: string | symbol) => {
    if (typeof name === 'string') names.add(name);
    return Reflect.get(target, name);
  };
  await handle({ ...request, headers: new Proxy(request.headers, { get }) });
  return names;
}

it('every header that a server reads is in the table of this test', async () => {
  const names = new Set<string>();
  for (const address of addresses())
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'])
      for (const headers of [{}, { accept: 'text/html' }, { 'x-calendar-page': 'page' }])
        for (const name of await namesRead((request) => handleDirectly({ server: plain, request }), requestFor(address, headers, method)))
          names.add(name);
  expect([...names].filter((name) => !Object.hasOwn(values, name) && !bodyHeaders.includes(name))).toEqual([]);
});

it('a response that may be cached depends on the host, on what its Vary names, and on headers whose requests are not cached', async () => {
  const wrong: Record<string, string[]> = {};
  for (const address of addresses())
    for (const accept of ['text/html', 'application/json']) {
      let vary = '';
      let mayCache = false;
      const names = await namesRead(
        async (request) => {
          const response = await api(request);
          vary = (response.headers.Vary ?? '').toLowerCase();
          mayCache = response.status === 200 && response.mayCache === true && !/script/.test(response.headers['Content-Type']!);
        },
        requestFor(address, { accept }),
      );
      const others = [...names].filter((name) => name !== 'host' && !passingHeaders.includes(name) && !vary.split(', ').includes(name));
      if (mayCache && others.length) wrong[address] = others;
    }
  expect(wrong).toEqual({});
});

describe('a response with the cache is the one without, for each header that differs from those of the requests before', () => {
  it.each(Object.entries(values))('%s', async (name, list) => {
    const { server } = cachedServer();
    const variants = [undefined, ...list].map((value): ServerRequest['headers'] => (value === undefined ? {} : { [name]: value }));
    const wrong: string[] = [];
    // Each variant follows each other one, and is itself repeated until it is cached.
    const forth = variants.flatMap((headers) => [headers, headers, headers]);
    for (const address of addresses().filter((each) => each !== '/openapi.json')) {
      const expected = new Map<ServerRequest['headers'], string>();
      for (const headers of variants) expected.set(headers, JSON.stringify(await sent(plain, requestFor(address, headers))));
      for (const headers of [...forth, ...variants]) {
        const response = JSON.stringify(await sent(server, requestFor(address, headers)));
        if (response !== expected.get(headers)) wrong.push(`${address} ${JSON.stringify(headers)}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('a repeated list', () => {
  it.each<[string, ServerRequest['headers']]>([
    ['the same', {}],
    ['with a cookie of another program', { cookie: 'theme=dark' }],
    ['from a page', { origin: 'http://localhost:3000' }],
    ['from a page of another origin', { origin: 'https://evil.example' }],
    ['by a client that accepts another coding', { 'accept-encoding': 'br' }],
    ['by a client that accepts another type', { accept: 'application/json' }],
  ])('is a hit, %s', async (_, headers) => {
    const { server, count } = cachedServer();
    for (const each of [{}, {}, headers, { origin: 'http://127.0.0.1:1' }, headers]) await sent(server, requestFor(`${root}/events`, each));
    expect(count.api).toBe(2);
  });

  it('is not a hit after a write', async () => {
    const { server, count } = cachedServer();
    for (let i = 0; i < 3; i++) await sent(server, requestFor(`${root}/tags`));
    await store.change((local) => local.tags.create({ name: 'new' }), owner);
    await sent(server, requestFor(`${root}/tags`));
    expect(count.api).toBe(3);
  });
});

it('past its size a cache is cleared, and a response of more than a quarter of it is not stored', async () => {
  const one = (await sent(plain, requestFor(`${root}/events?per_page=1`))).body.length;
  const times = async (maxBytes: number, ...pages: number[]) => {
    const { server, count } = cachedServer({ maxBytes, maxFirst: 500 });
    for (const number of pages) await sent(server, requestFor(`${root}/events?per_page=1&_=${number}`));
    return count.api;
  };
  const [twice, again] = [
    [1, 1, 2, 2, 3, 3, 4, 4, 5, 5],
    [1, 2, 3, 4, 5],
  ];
  // Sizes differ by the length of a number.
  expect(await times(5 * one + 100, ...twice, ...again)).toBe(10);
  expect(await times(4 * one + 100, ...twice, 5, 5)).toBe(10);
  expect(await times(4 * one + 100, ...twice, ...again)).toBeGreaterThan(10);
  // What is not stored replaces nothing that is.
  expect(await times(4 * one - 100, ...twice, ...again)).toBe(15);
  const { server, count } = cachedServer({ maxBytes: 4 * one - 100, maxFirst: 500 });
  for (const address of ['/tags', '/tags', '/events?per_page=1', '/events?per_page=1', '/events?per_page=1', '/tags'])
    await sent(server, requestFor(root + address));
  expect(count.api).toBe(5);
});

it('requests that were seen once are forgotten past their number', async () => {
  const { server, count } = cachedServer({ maxBytes: 1 << 20, maxFirst: 2 });
  for (const number of [1, 2, 3, 1, 1]) await sent(server, requestFor(`${root}/tags?_=${number}`));
  expect(count.api).toBe(5);
  await sent(server, requestFor(`${root}/tags?_=1`));
  expect(count.api).toBe(5);
});

it('a response that depends on everything is not stored', async () => {
  let calls = 0;
  const cache = createResponseCache(() => 0);
  const respond = () => ({ status: 200, headers: { Vary: '*' }, body: [], mayCache: true, calls: ++calls });
  for (let i = 0; i < 4; i++) await cache(requestFor('/'), respond);
  expect(calls).toBe(4);
});

it('a cached response has the date and the coding of each request', async () => {
  let now = Date.parse('2027-03-01T09:00:00Z');
  const { server } = cachedServer();
  const world = server.worldFor(requestFor('/'), undefined);
  Object.assign(world, { clock: { now: () => now } });
  const over = (address: string, headers: ServerRequest['headers'] = {}): Promise<ServerResponse> => {
    const connection = { isLast: () => false, encode };
    return new Promise((send) => handle(arrive({ server, request: requestFor(address, headers), connection, send })));
  };
  for (let i = 0; i < 3; i++) await over(`${root}/tags`);
  now += 1000;
  expect((await over(`${root}/tags`)).headers.Date).toBe('Mon, 01 Mar 2027 09:00:01 GMT');
  for (let i = 0; i < 3; i++) await over('/openapi.json');
  const codings = [];
  for (const accepted of ['gzip', undefined]) codings.push((await over('/openapi.json', { 'accept-encoding': accepted })).headers);
  expect(codings.map((headers) => headers['Content-Encoding'])).toEqual(['gzip', undefined]);
});

it.each([
  ['on this machine', true, {}, undefined, undefined],
  ['on this machine, with --compress', true, {}, true, 'gzip'],
  ['that is a proxy on this machine', true, { 'x-forwarded-for': '192.0.2.1' }, undefined, 'gzip'],
  ['on another machine', false, {}, undefined, 'gzip'],
] as const)('a response to a client %s is compressed only there', async (_, isLocal, headers, compress, coding) => {
  const { server } = cachedServer();
  Object.assign(server, { options: { ...server.options, compress } });
  const connection = { isLast: () => false, isLocal: () => isLocal, encode };
  for (let i = 0; i < 3; i++) {
    const request = requestFor('/openapi.json', { 'accept-encoding': 'gzip', ...headers });
    const response = await new Promise<ServerResponse>((send) => handle(arrive({ server, request, connection, send })));
    expect(response.headers['Content-Encoding']).toBe(coding);
    expect(response.headers.Vary).toContain('Accept-Encoding');
  }
});

it('equal requests at one time are stored once', async () => {
  const one = (await sent(plain, requestFor(`${root}/events?per_page=1`))).body.length;
  const { server, count } = cachedServer({ maxBytes: 4 * one + 100, maxFirst: 500 });
  const ask = (number: number) => sent(server, requestFor(`${root}/events?per_page=1&_=${number}`));
  await ask(1);
  await Promise.all([1, 1, 1, 1].map(ask));
  for (const number of [2, 2, 3, 3, 4, 4, 1]) await ask(number);
  expect(count.api).toBe(1 + 4 + 6);
});
