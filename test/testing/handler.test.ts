import http from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, type CalendarOptions, createCalendar } from '../../bin/library.ts';

const start: CalendarOptions = { seed: 'demo', now: '2027-03-01T09:00Z', timezone: 'Europe/Paris' };

/** Sends a request over a socket, with any Host header. */
const send = (url: string, { method = 'GET', headers = {}, body = '' }: Sent) =>
  new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const request = http.request(url, { method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    request.on('error', reject).end(body === '' ? undefined : body);
  });

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

const json = { 'content-type': 'application/json' };
const requests: [path: string, sent?: Sent][] = [
  ['/calendar/events/v1/events?per_page=2'],
  ['/calendar/events/v1/events?per_page=50', { headers: { 'accept-encoding': 'identity' } }],
  ['/calendar/events/v1/events/1', { method: 'HEAD' }],
  ['/calendar/events/v1/events/99999'],
  ['/calendar/events/v1/venues?page=banana'],
  ['/calendar/events/v1/tags', { method: 'POST', headers: json, body: '{"name":"Ünique"}' }],
  [
    '/calendar/events/v1/tags',
    { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=Form+tag&slug=f' },
  ],
  ['/calendar/events/v1/tags', { method: 'POST', headers: json, body: '{"name":' }],
  ['/calendar/events/v1/tags', { method: 'POST', headers: json, body: `{"name":"${'x'.repeat(2000)}"}` }],
  ['/calendar/events/v1/tags', { method: 'POST', headers: { ...json, origin: 'https://evil.example' }, body: '{"name":"x"}' }],
  ['/calendar/events/v1/events', { method: 'OPTIONS', headers: { origin: 'http://localhost:3000' } }],
  ['/calendar/events/v1/events', { headers: { origin: 'http://localhost:3000' } }],
  ['/calendar/events/v1/events', { headers: { host: 'rebound.example' } }],
  ['/calendar/events/v1/events', { headers: { host: 'named.example:81' } }],
  ['/calendar/events/v1/nothing'],
  ['/calendar.ics'],
  ['/', { headers: { accept: 'text/html' } }],
  ['/_calendar/health'],
  ['/_calendar/reset', { method: 'POST' }],
  ['/_calendar/reset', { method: 'POST', headers: { origin: 'http://localhost:3000' } }],
  ['/_worlds/nothing/calendar/events/v1/events'],
];

/** Headers that belong to a connection, or to the server that mounts a handler. */
const ofConnection = ['connection', 'date', 'keep-alive', 'content-length', 'transfer-encoding', 'vary', 'content-encoding'];

describe('handler', () => {
  let server: Calendar;
  let mounted: Calendar;
  const options = { ...start, maxBody: 1000, allowHosts: ['named.example'], control: true };
  beforeAll(async () => {
    server = await createCalendar(options);
    mounted = await createCalendar({ ...options, listen: false });
  });
  afterAll(async () => {
    await server.close();
    await mounted.close();
  });

  it.each(requests)('gives the response of the server to %s %j', async (path, sent = {}) => {
    await server.reset();
    await mounted.reset();
    const expected = await send(server.root + path, sent);
    const address = new URL(path, `http://${sent.headers?.host ?? new URL(server.root).host}`);
    const response = await mounted.handler(new Request(address, { ...sent, body: sent.body }));
    const same = (headers: Iterable<[string, unknown]>) =>
      Object.fromEntries([...headers].filter(([name]) => !ofConnection.includes(name) && (name !== 'etag' || path !== '/calendar.ics')));
    const varying = /"(uptime|pid|ms|took|before)":[^,}]*|"url":"[^"]*","file"|^UID:.*$/gm;
    expect(response.status).toBe(expected.status);
    expect(same(response.headers)).toEqual(same(Object.entries(expected.headers)));
    expect((await response.text()).replace(varying, '')).toBe(expected.text.replace(varying, ''));
  });
});

describe('a calendar without a port', () => {
  let calendar: Calendar;
  const get = (url: string, init?: RequestInit) => calendar.handler(new Request(url, init));
  const read = async (response: Response) => JSON.parse(await response.text());
  beforeAll(async () => {
    calendar = await createCalendar({ ...start, listen: false });
  });
  beforeEach(async () => {
    await calendar.reset();
  });
  afterAll(() => calendar.close());

  it('has fetch and worlds, and links to a name that leads to no other machine', async () => {
    expect(calendar.url).toBe('http://calendar.localhost/calendar/events/v1');
    expect((await read(await calendar.fetch('events?search=jazz'))).total).toBe(7);
    const world = await calendar.worlds.create();
    await world.tags.create({ name: 'of the world' });
    const paths = ['tags?search=of+the+world&hide_empty=false', ''].map((path) => `https://localhost:3000/calendar/events/v1/${path}`);
    expect((await read(await world.handler(new Request(paths[0]!)))).total).toBe(1);
    expect((await read(await get(paths[0]!))).total).toBe(0);
    await world.close();
    await expect(world.handler(new Request(paths[0]!))).rejects.toThrow('closed');
  });

  it('writes links with the origin of each request', async () => {
    const urls = ['https://localhost:3000', 'http://localhost:3000', 'https://localhost:3000'].map(
      (origin) => `${origin}/calendar/events/v1`,
    );
    for (const url of [...urls, ...urls]) expect((await read(await get(`${url}/events?per_page=1`))).rest_url).toMatch(`${url}/events`);
  });

  it('rejects hosts that a page can rebind, also where the address of a request is derived from something else', async () => {
    expect((await get('http://evil.example/calendar/events/v1/events')).status).toBe(403);
    const derived = new Request('http://localhost:3000/calendar/events/v1/events', { headers: { host: 'evil.example' } });
    const response = await calendar.handler(derived);
    expect([response.status, (await read(response)).hint]).toEqual([403, expect.stringContaining('evil.example')]);
    for (const host of ['192.168.1.20:3000', '[::1]:3000', 'app.localhost'])
      expect((await get(`http://${host}/calendar/events/v1/events`)).status).toBe(200);
  });

  it('has no control API and a page that offers none, unless control or a token allows it', async () => {
    const reset = (on: Calendar, headers = {}) =>
      on.handler(new Request('http://localhost:3000/_calendar/reset', { method: 'POST', headers }));
    await calendar.tags.create({ name: 'stays' });
    const refused = await reset(calendar);
    expect([refused.status, (await read(refused)).code]).toEqual([404, 'rest_no_route']);
    expect(await calendar.tags.get('stays')).toMatchObject({ name: 'stays' });
    const page = await (await get('http://localhost:3000/', { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('"control":null');
    await using open = await createCalendar({ listen: false, control: true });
    expect((await reset(open)).status).toBe(200);
    expect((await reset(open, { origin: 'http://localhost:4000' })).status).toBe(403);
    await using guarded = await createCalendar({ listen: false, controlToken: 'secret' });
    expect([(await reset(guarded)).status, (await reset(guarded, { authorization: 'Bearer secret' })).status]).toEqual([404, 200]);
  });

  it.each(['', '/_worlds/ID'])('has the page below another path, for apps with other pages at its addresses%s', async (inWorld) => {
    const world = await calendar.worlds.create({ from: 'demo' });
    const prefix = `/_calendar/page${inWorld.replace('ID', new URL(world.root).pathname.split('/').at(-1)!)}`;
    const at = (path: string, accept = 'application/json') => get(`http://localhost:3000${prefix}${path}`, { headers: { accept } });
    for (const path of ['/', '/event/jazz-thursday-3', '/_calendar/traffic']) {
      const response = await at(path, 'text/html');
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(`"prefix":"${prefix}"`)]);
    }
    const record = async (path: string) =>
      read(await get(`http://localhost:3000${path}/calendar/events/v1/events/by-slug/jazz-thursday-3`));
    const [below, plain] = [await record(prefix), await record('')];
    expect(below.rest_url).toMatch(`http://localhost:3000${prefix}/calendar/`);
    expect([below.global_id, below.global_id_lineage]).toEqual([plain.global_id, plain.global_id_lineage]);
    expect((await at('/_calendar/page/events?start=2027-03-01&end=2027-03-31')).status).toBe(
      (await get('http://localhost:3000/_calendar/page/events?start=2027-03-01&end=2027-03-31')).status,
    );
    expect((await at('/_calendar/health')).status).toBe(404);
    await world.close();
  });

  it.each([
    ['Firefox, whose requests have no stream', (request: Request) => Object.defineProperty(request, 'body', { value: undefined })],
    [
      'Safari, whose streams have no iterator',
      (request: Request) => Object.defineProperty(request.body!, Symbol.asyncIterator, { value: undefined }),
    ],
  ])('reads bodies in %s', async (_, change) => {
    const tag = async (name: string) => {
      const request = new Request('http://localhost:3000/calendar/events/v1/tags', {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ name }),
      });
      change(request);
      return calendar.handler(request);
    };
    expect(await read(await tag('Ünique'))).toMatchObject({ name: 'Ünique' });
    expect((await tag('x'.repeat(2 ** 20))).status).toBe(413);
    const request = new Request('http://localhost:3000/calendar/events/v1/tags');
    expect((await calendar.handler(Object.defineProperty(request, 'body', { value: undefined }))).status).toBe(200);
  });

  it('stops reading a body past the limit', async () => {
    let read = 0;
    const body = new ReadableStream({
      pull(controller) {
        read += 1;
        controller.enqueue(new Uint8Array(100_000));
      },
    });
    const init = { method: 'POST', body, duplex: 'half', headers: json } as RequestInit;
    expect((await get('http://localhost:3000/calendar/events/v1/tags', init)).status).toBe(413);
    expect(read).toBeLessThan(20);
  });

  it.each(['reset', 'empty', 'garbage'] as const)('gives Response.error() for the fault %s', async (then) => {
    await calendar.faults.add({ then });
    const response = await get('http://localhost:3000/calendar/events/v1/events');
    expect([response.type, response.status]).toEqual(['error', 0]);
    expect((await calendar.requests.list({})).requests[0]).toMatchObject({ fault: then });
  });

  it('gives Response.error() for a request that hangs until it is aborted or the calendar is reset', async () => {
    await calendar.faults.add({ then: 'hang' });
    const abort = new AbortController();
    const [aborted, interrupted] = [abort.signal, undefined].map((signal) =>
      get('http://localhost:3000/calendar/events/v1/events', { signal }),
    );
    await calendar.requests.waitFor({ path: '/events' }, { times: 2 });
    abort.abort();
    expect((await aborted!).type).toBe('error');
    await calendar.reset();
    expect((await interrupted!).type).toBe('error');
  });

  it.each(['truncate', 'malformed'] as const)('breaks off the body for the fault %s', async (then) => {
    await calendar.faults.add({ then });
    const response = await get('http://localhost:3000/calendar/events/v1/events');
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it('has no port', async () => {
    await expect(createCalendar({ listen: false, port: 80 })).rejects.toThrow('Use either port or listen: false, not both');
  });
});
