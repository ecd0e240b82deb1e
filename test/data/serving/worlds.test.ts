import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seed } from '../../../src/data/seed.ts';
import { seedNamed } from '../../../src/data/seeds.ts';
import { defaultServing, type ServingOptions } from '../../../src/data/serving/options.ts';
import { type RunningServer, serveCalendar } from '../../../src/data/serving/serve.ts';
import { World } from '../../../src/data/world/world.ts';
import type { WorldInfo } from '../../../src/model/operation-types.ts';
import { webPage } from '../../../src/web/page.ts';
import { unconnected } from '../../support/unconnected.ts';

const serve = (options: Partial<ServingOptions> = {}) =>
  serveCalendar({
    ...defaultServing,
    port: 0,
    timeout: 1000,
    open: true,
    system: () => Date.now(),
    now: Date.parse('2027-03-01T09:00:00Z'),
    node: unconnected,
    prepare: async (store) => {
      await seed(store, await seedNamed('minimal'), 'append');
    },
    ...options,
  });

let served: RunningServer;
let origin: string;
let api: string;
beforeAll(async () => {
  served = await serve({ page: webPage });
  origin = served.listening.url;
  api = served.root;
});
afterAll(() => served.close());

const json = { 'content-type': 'application/json' };
const send = (url: string, method = 'GET', body?: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : json), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
const read = async (response: Promise<Response>) => {
  const each = await response;
  return { status: each.status, body: JSON.parse(await each.text()), headers: each.headers };
};
const create = async (input: object = {}): Promise<WorldInfo> => (await read(send(`${origin}/_calendar/worlds`, 'POST', input))).body;
const tag = (name: string) => ({ name });
const tags = async (url: string, headers: Record<string, string> = {}) =>
  (await read(send(`${url}/tags?hide_empty=false`, 'GET', undefined, headers))).body.tags.map(({ name }: { name: string }) => name);
/** Sends a request with a header that fetch sets itself. */
const sendRaw = (path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const request = httpRequest(`${origin}${path}`, { headers }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, body }));
    });
    request.on('error', reject).end();
  });

describe('a world', () => {
  it('has its own records, selected by path, header or cookie', async () => {
    const world = await create({ name: 'Concert tests › creates one' });
    expect(world.id).toMatch(/^concert-tests-creates-one-[\da-f]{16}$/);
    expect(world).toMatchObject({ url: `${origin}/_worlds/${world.id}/calendar/events/v1`, header: `X-Calendar-World: ${world.id}` });
    const header = { 'X-Calendar-World': world.id };
    const cookie = { Cookie: `other=1; calendar_world=${world.id}` };
    expect((await send(`${world.url}/tags`, 'POST', tag('by path'))).status).toBe(201);
    expect((await send(`${api}/tags`, 'POST', tag('by header'), header)).status).toBe(201);
    expect((await send(`${api}/tags`, 'POST', tag('by cookie'), cookie)).status).toBe(201);
    for (const each of [tags(world.url), tags(api, header), tags(api, cookie)])
      expect(await each).toEqual(expect.arrayContaining(['by path', 'by header', 'by cookie']));
    expect(await tags(api)).not.toEqual(expect.arrayContaining(['by path']));
  });

  it('has its own clock, faults, journal, settings, snapshots and reset', async () => {
    const world = await create();
    const control = `${origin}/_worlds/${world.id}/_calendar`;
    const all = (path: string) => Promise.all([`${origin}/_calendar`, control].map(async (start) => (await read(send(start + path))).body));
    await send(`${control}/faults`, 'POST', { then: { status: 503 } });
    expect((await send(`${world.url}/events`)).status).toBe(503);
    expect((await send(`${api}/events`)).status).toBe(200);
    expect((await all('/faults')).map(({ faults }) => faults.length)).toEqual([0, 1]);
    await send(`${control}/clock`, 'PUT', { now: '2030-01-01T00:00:00Z' });
    expect((await all('/clock')).map(({ now }) => now.slice(0, 4))).toEqual(['2027', '2030']);
    await send(`${control}/snapshots/mine`, 'PUT', {});
    const hasMine = ({ snapshots }: { snapshots: { name: string }[] }) => snapshots.some(({ name }) => name === 'mine');
    expect((await all('/snapshots')).map(hasMine)).toEqual([false, true]);
    const [, journal] = await all('/requests');
    expect(journal.requests.map(({ path, status }: { path: string; status: number }) => [path, status])).toEqual([
      ['/calendar/events/v1/events', 503],
    ]);
    await send(`${api}/tags`, 'POST', tag('of the server'));
    await send(`${control}/reset`, 'POST');
    expect(await tags(api)).toContain('of the server');
    expect((await all('/clock')).map(({ now }) => now.slice(0, 4))).toEqual(['2027', '2027']);
    expect((await all('/faults')).map(({ faults }) => faults.length)).toEqual([0, 0]);
  });

  it('keeps the prefix in links, and not in identities', async () => {
    const world = await create({ from: 'demo' });
    const [{ body, headers }, plain] = await Promise.all([
      read(send(`${world.url}/events?per_page=1`)),
      read(send(`${api}/events?per_page=1`, 'GET', undefined, { 'X-Calendar-World': world.id })),
    ]);
    const prefix = `${origin}/_worlds/${world.id}`;
    const [event] = body.events;
    for (const link of [body.rest_url, body.next_rest_url, event.rest_url, event.url, headers.get('link')!.slice(1)])
      expect(link).toMatch(new RegExp(`^${prefix}/`));
    const [other] = plain.body.events;
    expect([event.global_id, event.global_id_lineage]).toEqual([other.global_id, other.global_id_lineage]);
    expect(event.global_id).not.toContain('_worlds');
    expect(other.rest_url).toMatch(new RegExp(`^${api}/`));
    const feeds = await Promise.all(
      [`${prefix}/calendar.ics`, `${origin}/calendar.ics`].map(async (url) =>
        (await send(url, 'GET', undefined, { 'X-Calendar-World': world.id })).text(),
      ),
    );
    expect(feeds[0]).toContain(`URL:${prefix}/event/`.slice(0, 60));
    const uids = feeds.map((text) => text.match(/^UID:.*$/gm)!.sort());
    expect(uids[0]!.length).toBeGreaterThan(10);
    expect(uids[0]).toEqual(uids[1]);
  });

  it.each([
    ['the start', 'start', 1],
    ['nothing', 'empty', 0],
    ['a seed', 'demo', 61],
    ['a snapshot', 'three', 2],
    ['a fixture', { events: { a: { title: 'A', start_date: 'today', end_date: 'today' } } }, 1],
  ])('starts from %s', async (_name, from, events) => {
    await send(`${origin}/_calendar/snapshots/three`, 'PUT', { replace: true });
    if (from === 'three') {
      const filled = await create();
      await send(`${filled.url}/events`, 'POST', { title: 'Second', start_date: '2027-03-05', end_date: '2027-03-05' });
      await send(`${api}/events`, 'POST', { title: 'Second', start_date: '2027-03-05', end_date: '2027-03-05' });
      await send(`${origin}/_calendar/snapshots/three`, 'PUT', { replace: true });
    }
    const world = await create({ from });
    const control = `${origin}/_worlds/${world.id}/_calendar`;
    expect((await read(send(`${control}/health`))).body.records.events).toBe(events);
    await send(`${control}/reset`, 'POST', { to: 'empty' });
    await send(`${control}/reset`, 'POST');
    expect((await read(send(`${control}/health`))).body.records.events).toBe(events);
    await send(`${origin}/_calendar/reset`, 'POST');
  });

  it.each<[string, (id: string) => [string, Record<string, string>]]>([
    ['its path', (id: string) => [`${origin}/_worlds/${id}/calendar/events/v1/tags?hide_empty=false`, {}]],
    ['a header', (id: string) => [`${api}/tags?hide_empty=false`, { 'X-Calendar-World': id }]],
  ])('logs the address as the client sent it, with the world in %s', async (_name, sent) => {
    const world = await create();
    const [url, headers] = sent(world.id);
    await send(url, 'GET', undefined, headers);
    const { body } = await read(send(`${world.control}/requests?format=har`));
    expect(body.log.entries[0].request.url).toBe(url);
  });

  it('logs what describes the server as it is', async () => {
    const world = await create();
    const paths = ['/calendar/events/v1/doc', '/calendar/events/v1', '/openapi.json'];
    const texts = await Promise.all(paths.map(async (path) => (await send(world.root + path)).text()));
    const { requests } = (await read(send(`${world.control}/requests`))).body;
    for (const [i, path] of paths.entries()) {
      const logged = requests.find((each: { path: string }) => each.path === path);
      expect(texts[i]!.startsWith(logged.response.body)).toBe(true);
    }
    expect(texts[0]).toContain('"password"');
  });

  it('starts from a snapshot of another world', async () => {
    const world = await create();
    await send(`${world.url}/tags`, 'POST', tag('of another'));
    await send(`${world.control}/snapshots/filled`, 'PUT');
    const other = await create({ from: `${world.id}/filled` });
    expect(await tags(other.url)).toContain('of another');
    expect(await tags((await create({ from: `${world.id}/start` })).url)).not.toContain('of another');
    for (const from of [`${world.id}/nothing`, 'nowhere/filled'])
      expect((await send(`${origin}/_calendar/worlds`, 'POST', { from })).status).toBe(404);
  });

  it('takes a clock, settings, users and faults', async () => {
    const input = {
      now: '2031-05-06 12:00',
      settings: { timezone: 'Europe/Paris', title: 'Ours' },
      users: [{ name: 'ada', role: 'editor', password: 'lovelace' }],
      faults: [{ times: 1, then: { status: 500 } }],
    };
    const world = await create(input);
    const control = `${origin}/_worlds/${world.id}/_calendar`;
    expect((await send(`${world.url}/events`)).status).toBe(500);
    expect((await send(`${world.url}/tags`, 'POST', tag('x'))).status).toBe(401);
    const basic = { Authorization: `Basic ${Buffer.from('ada:lovelace').toString('base64')}` };
    expect((await send(`${world.url}/tags`, 'POST', tag('x'), basic)).status).toBe(201);
    expect((await read(send(`${control}/clock`))).body).toMatchObject({ now: '2031-05-06T10:00:00.000Z', frozen: true });
    expect((await send(`${api}/tags`, 'POST', tag('y'))).status).toBe(201);
  });
});

describe('worlds of a seed whose clock runs', () => {
  it('are made of one state within a minute, and of a new one in the next', async () => {
    let at = Date.parse('2027-03-01T09:00:00Z');
    const running = await serve({ now: undefined, system: () => at, prepare: undefined });
    const published = async () => {
      const { url } = (await read(send(`${running.listening.url}/_calendar/worlds`, 'POST', { from: 'minimal' }))).body;
      return (await read(send(`${url}/events`))).body.events[0].date_utc;
    };
    const dates: string[] = [];
    for (const seconds of [0, 30, 50]) {
      at += seconds * 1000;
      dates.push(await published());
    }
    expect(dates).toEqual(['2027-03-01 09:00:00', '2027-03-01 09:00:00', '2027-03-01 09:01:20']);
    await running.close();
  });
});

describe('the selection of a world', () => {
  it('rejects what selects no world, or two', async () => {
    const { id, url } = await create();
    const statuses = async (...given: [string, Record<string, string>][]) =>
      Promise.all(
        given.map(async ([address, headers]) => {
          const { status, body } = await read(send(address, 'GET', undefined, headers));
          return [status, body.code];
        }),
      );
    const gone = [404, 'unknown-world'];
    expect(
      await statuses(
        [`${origin}/_worlds/none/calendar/events/v1/events`, {}],
        [`${api}/events`, { 'X-Calendar-World': 'none' }],
        [`${api}/events`, { 'X-Calendar-World': '' }],
        [`${api}/events`, { Cookie: 'calendar_world=none' }],
        [`${origin}/_calendar/health`, { 'X-Calendar-World': 'none' }],
        [url, { 'X-Calendar-World': 'none' }],
      ),
    ).toEqual([gone, gone, gone, gone, gone, [400, 'bad-request']]);
    // Path and header win over the cookie.
    const cookie = { Cookie: 'calendar_world=none' };
    expect((await send(`${url}/events`, 'GET', undefined, cookie)).status).toBe(200);
    expect((await send(`${api}/events`, 'GET', undefined, { ...cookie, 'X-Calendar-World': id })).status).toBe(200);
    // The list of worlds concerns the server.
    expect((await send(`${origin}/_calendar/worlds`, 'GET', undefined, cookie)).status).toBe(200);
    expect((await send(`${origin}/_worlds/none/_calendar/worlds`)).status).toBe(200);
  });

  it('is visible to caches and allowed for pages', async () => {
    const withoutWorlds = await serve();
    expect((await fetch(`${withoutWorlds.root}/events`)).headers.get('vary')).toMatch(/X-Calendar-World, Cookie, /);
    await withoutWorlds.close();
    const { url, id } = await create();
    const from = { Origin: 'http://localhost:3000' };
    for (const response of [await send(`${url}/events`, 'GET', undefined, from), await send(`${api}/events`)])
      expect(response.headers.get('vary')).toMatch(/X-Calendar-World, Cookie, /);
    const preflight = await send(`${api}/events`, 'OPTIONS', undefined, {
      ...from,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'x-calendar-world',
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Calendar-World');
    const gone = await send(`${api}/events`, 'GET', undefined, { ...from, 'X-Calendar-World': `${id}x` });
    expect([gone.status, gone.headers.get('access-control-allow-origin')]).toEqual([404, 'http://localhost:3000']);
  });

  it('does not mix cached responses of worlds', async () => {
    const [one, two] = await Promise.all([create({ from: 'demo' }), create({ from: 'empty' })]);
    for (let i = 0; i < 4; i++) {
      const [first, second, by] = await Promise.all([
        read(send(`${one.url}/events`)),
        read(send(`${two.url}/events`)),
        read(send(`${api}/events`, 'GET', undefined, { 'X-Calendar-World': one.id })),
      ]);
      expect([first.body.total, second.body.total, by.body.total]).toEqual([by.body.total, 0, first.body.total]);
      expect(first.body.events[0].rest_url).toContain('/_worlds/');
      expect(by.body.events[0].rest_url).not.toContain('/_worlds/');
    }
  });

  it('is required by an option, also within a world', async () => {
    const strict = await serve({ requireWorld: true, page: webPage });
    const { url } = await strict.worlds.create({});
    const statusOf = async (address: string, init?: RequestInit) => (await fetch(address, init)).status;
    expect(
      await Promise.all([
        statusOf(`${strict.root}/events`),
        statusOf(`${url}/events`),
        statusOf(`${strict.listening.url}/_calendar/health`),
      ]),
    ).toEqual([400, 200, 200]);
    expect((await read(fetch(`${strict.root}/events`))).body.code).toBe('world-required');
    for (const path of [
      '/?rest_route=/calendar/events/v1/events',
      '/?rest%5Froute=/calendar/events/v1/events',
      '/_calendar/page/calendar/events/v1/events',
      '/calendar/events/v1/',
      '/calendar.ics',
      '/calendar.ics/',
      '/wp/v2/media',
      '/wp/v2/users/me',
      '/event/any/?ical=1',
    ])
      expect([path, await statusOf(`${strict.listening.url}${path}`)]).toEqual([path, 400]);
    const asJson = { headers: { Accept: 'application/json' } };
    expect(await statusOf(`${strict.listening.url}/event/any/`, asJson)).toBe(400);
    // Checks of the request log, which would pass without the requests of the world, and changes that would affect no request of a test.
    const ofWorld = { 'X-Calendar-World': url.split('/')[4]! };
    for (const [route, input = {}] of [
      ['POST requests/verify'],
      ['POST requests/count'],
      ['POST requests/wait'],
      ['DELETE requests'],
      ['POST reset'],
      ['POST reset/'],
      ['POST undo'],
      ['POST generate', { events: 1 }],
      ['PUT clock', { now: '2030-01-01T00:00Z' }],
      ['POST clock/advance', { by: 'PT1H' }],
      ['POST faults', { match: { path: '/none' }, then: { status: 503 } }],
      ['DELETE faults/1'],
      ['DELETE faults'],
      ['PATCH settings', { timezone: 'Europe/Paris' }],
    ] as [string, object?][]) {
      const [method, path] = route.split(' ') as [string, string];
      const address = `${strict.listening.url}/_calendar/${path}`;
      const without = await read(send(address, method, input));
      expect([route, without.status, without.body.code]).toEqual([route, 400, 'world-required']);
      expect([route, (await read(send(address, method, input, ofWorld))).body.code]).not.toEqual([route, 'world-required']);
    }
    // What is about the server, what only reads, and what a person does on the page.
    for (const [route, header = {}] of [
      ['PUT snapshots/prepared'],
      ['POST worlds'],
      ['GET faults'],
      ['GET clock'],
      ['GET requests'],
      ['GET worlds'],
      ['GET snapshots'],
      ['POST reset', { 'X-Calendar-Page': '1' }],
    ] as [string, Record<string, string>?][]) {
      const [method, path] = route.split(' ') as [string, string];
      const { status } = await send(`${strict.listening.url}/_calendar/${path}`, method, method === 'GET' ? undefined : {}, header);
      expect([route, status < 300]).toEqual([route, true]);
    }
    // The page, and what describes the server.
    for (const path of ['/', '/openapi.json', '/_calendar/traffic', '/_calendar/page/'])
      expect([path, await statusOf(`${strict.listening.url}${path}`)]).toEqual([path, 200]);
    expect(await statusOf(`${strict.listening.url}/`, asJson)).toBe(200);
    const preflight = { method: 'OPTIONS', headers: { Origin: 'http://localhost:1', 'Access-Control-Request-Method': 'GET' } };
    expect(await statusOf(`${strict.root}/events`, preflight)).toBe(200);
    await strict.close();
  });

  it('is required by a world of tests, also after the last one is gone', async () => {
    const own = await serve();
    const plain = await own.worlds.create({});
    expect((await fetch(`${own.root}/events`)).status).toBe(200);
    const { id } = await own.worlds.create({ required: true });
    expect((await fetch(`${own.root}/events`)).status).toBe(400);
    for (const world of [id, plain.id]) await own.worlds.delete(world);
    const { status, body } = await read(fetch(`${own.root}/events`));
    expect([status, body.code, body.hint]).toEqual([400, 'world-required', expect.stringContaining('restart the server')]);
    await own.close();
  });
});

describe('the end of a world', () => {
  it('ends its requests and streams', async () => {
    const { id, url } = await create();
    await send(`${origin}/_worlds/${id}/_calendar/faults`, 'POST', { delay: 60_000 });
    const stream = await send(`${origin}/_worlds/${id}/_calendar/events`);
    const slow = send(`${url}/events`);
    await expect.poll(async () => (await read(send(`${origin}/_worlds/${id}/_calendar/faults`))).body.faults[0].hits).toBe(1);
    expect((await send(`${origin}/_calendar/worlds/${id}`, 'DELETE')).status).toBe(200);
    expect((await slow).status).toBe(503);
    await stream.text();
    expect((await read(send(`${url}/events`))).body.code).toBe('unknown-world');
    expect((await read(send(`${origin}/_calendar/worlds/${id}`))).body.code).toBe('unknown-world');
  });

  it('rejects an operation whose body arrives after it', async () => {
    const { id } = await create();
    const body = JSON.stringify({ by: '1 day' });
    const headers = { ...json, 'content-length': String(body.length) };
    const pending = httpRequest(`${origin}/_worlds/${id}/_calendar/clock/advance`, { method: 'POST', headers });
    const response = once(pending, 'response') as Promise<[IncomingMessage]>;
    pending.write(body.slice(0, 5));
    // The server has the head by then, but the rest of the test holds without it.
    await setTimeout(100);
    expect((await send(`${origin}/_calendar/worlds/${id}`, 'DELETE')).status).toBe(200);
    pending.end(body.slice(5));
    const [incoming] = await response;
    expect([incoming.statusCode, JSON.parse(await text(incoming)).code]).toEqual([404, 'unknown-world']);
  });

  it('follows after its time without use, but not while a stream is open', async () => {
    const idle = await create({ ttl: 'PT0.2S' });
    const end = new AbortController();
    const opened = async () => {
      const world = await create({ ttl: 'PT0.2S' });
      return { ...world, stream: await fetch(`${origin}/_worlds/${world.id}/_calendar/events`, { signal: end.signal }) };
    };
    let open = await opened();
    // On a busy machine, its time may be over before the stream starts.
    while (open.stream.status === 404) open = await opened();
    await expect.poll(async () => (await send(`${origin}/_calendar/worlds/${idle.id}`)).status).toBe(404);
    expect((await send(`${origin}/_calendar/worlds/${open.id}`)).status).toBe(200);
    end.abort();
    await open.stream.text().catch(() => {});
    await expect.poll(async () => (await send(`${origin}/_calendar/worlds/${open.id}`)).status).toBe(404);
  });
});

describe('who may create a world', () => {
  it.each([
    ['a server in memory', { open: true }, 200],
    ['a server of a file without --control', { open: false }, 403],
    ['a read-only server', { open: true, readOnly: true }, 403],
    ['a server that others reach', { host: '0.0.0.0' }, 404],
    ['a server with a token', { controlToken: 'secret' }, 404],
  ])('%s: %o', async (_name, options, status) => {
    const server = await serve({ ...options, prepare: undefined });
    const { port } = server.listening;
    expect((await fetch(`http://127.0.0.1:${port}/_calendar/worlds`, { method: 'POST' })).status).toBe(status);
    const own = { method: 'POST', headers: { Authorization: 'Bearer secret' } };
    if ('controlToken' in options) expect((await fetch(`http://127.0.0.1:${port}/_calendar/worlds`, own)).status).toBe(200);
    await server.close();
  });

  it('limits their number, and rejects invalid input', async () => {
    const server = await serve({ maxWorlds: 1 });
    await server.worlds.create({});
    await expect(server.worlds.create({})).rejects.toMatchObject({ code: 'conflict' });
    await server.close();
    for (const [input, code] of [
      [{ ttl: 'soon' }, 'rest_invalid_param'],
      [{ ttl: 'P1M' }, 'rest_invalid_param'],
      [{ now: 'banana' }, 'bad-request'],
      [{ from: 'nothing-like-it' }, 'not-found'],
      [{ from: '../demo.json' }, 'not-found'],
      [{ color: 'red' }, 'rest_invalid_param'],
    ] as const)
      expect([input, (await read(send(`${origin}/_calendar/worlds`, 'POST', input))).body.code]).toEqual([input, code]);
  });

  it('limits their size', async () => {
    const server = await serve({});
    await server.worlds.create({});
    const size = vi.spyOn(World.prototype, 'bytes', 'get').mockReturnValue(1 << 30);
    await expect(server.worlds.create({})).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('1024 MiB') });
    size.mockRestore();
    await server.worlds.create({});
    await server.close();
  });

  it('rejects other hosts unless they are allowed', async () => {
    expect((await sendRaw('/calendar/events/v1/events', { host: '10.0.2.2:8787' })).status).toBe(403);
    const server = await serve({ allowHosts: ['10.0.2.2'] });
    const status = await new Promise((resolve, reject) => {
      httpRequest(`${server.root}/events`, { headers: { host: '10.0.2.2:8787' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
    await server.close();
  });
});
