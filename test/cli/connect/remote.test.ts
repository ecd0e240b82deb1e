import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rootUrl } from '../../../src/client/site.ts';
import { moment, run, words } from '../../support/transcript.ts';

// Servers that are not ours: each answers from a list, the last answer for ever.
type Answering = (
  request: http.IncomingMessage,
  body: string,
) => { status?: number; headers?: Record<string, string>; body?: unknown; hang?: boolean };

let server: http.Server;
let url: string;
let asked: { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }[];
let answers: Answering[];

beforeEach(async () => {
  asked = [];
  answers = [];
  server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ method: request.method!, path: request.url!, headers: request.headers, body });
    const {
      status = 200,
      headers = { 'Content-Type': 'application/json' },
      body: value,
      hang,
    } = answers[Math.min(asked.length, answers.length) - 1]!(request, body);
    if (hang) return;
    response.writeHead(status, headers);
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (line: string, env: Record<string, string> = {}) => run([...words(line), '--url', url], { env });
const json = (body: unknown, status = 200, headers: Record<string, string> = {}) => [
  () => ({ status, body, headers: { 'Content-Type': 'application/json', ...headers } }),
];
const failure = (status: number, code: string, message = 'No.', data: object = {}) =>
  json({ code, message, data: { status, ...data } }, status);

describe('a server that is not a calendar', () => {
  it.each([
    ['openapi', '<html></html>', 'text/html'],
    ['openapi', 'null', 'application/json'],
    ['export', '<html></html>', 'text/html'],
    ['export', 'null', 'application/json'],
    ['export --format csv', '<html></html>', 'text/html'],
    ['events list', 'null', 'application/json'],
  ])('%s says so of %s', async (line, body, type) => {
    answers = [() => ({ body, headers: { 'Content-Type': type } })];
    const { exit, stdout, stderr } = await ask(line);
    expect([exit, stdout]).toEqual([5, '']);
    expect(stderr).toContain(`returned 200 with ${type}, which is not a response of a calendar`);
  });
});

describe('answers that are incomplete, or have more', () => {
  const event = (id: number | string, more = {}) => ({ id, title: `E${id}`, ...more });
  it.each([
    ['nothing but the list', { events: [event(1), event(2)] }, '1\n2\n'],
    ['IDs as text', { events: [event('7')], total: '1', total_pages: '1' }, '7\n'],
    ['a bare list', [event(1)], '1\n'],
    ['a list with gaps, as a map', { events: { 0: event(1), 2: event(3) }, total: 2 }, '1\n3\n'],
    ['unknown fields', { events: [event(1, { is_virtual: true })], total: 1, total_pages: 1, extra: {} }, '1\n'],
    ['no events', { events: [], total: 0, total_pages: 0 }, ''],
  ])('%s', async (_, body, ids) => {
    answers = json(body);
    expect(await ask('events list --format ids')).toEqual({ stdout: ids, stderr: '', exit: 0 });
  });

  it('keeps fields that it does not know, and drops the links of the wire', async () => {
    answers = json({ id: 3, name: 'Jazz', color: 'blue', _links: { self: [] } });
    expect(JSON.parse((await ask('categories get 3 --json')).stdout)).toEqual({ id: 3, name: 'Jazz', color: 'blue' });
  });

  it.each([
    ['the body', { tags: [], total: 12 }, {}, '12\n'],
    ['the headers', { tags: [{ id: 1 }], next_rest_url: 'x' }, { 'X-Brand-Total': '34' }, '34\n'],
    ['its own page where there is no other', { tags: [{ id: 1 }, { id: 2 }] }, {}, '2\n'],
  ])('counts by %s', async (_, body, headers, count) => {
    answers = json(body, 200, headers);
    expect((await ask('tags list --format count')).stdout).toBe(count);
  });

  it('counts records where the response has no total', async () => {
    const page = (ids: number[], next: boolean) => ({ body: { tags: ids.map((id) => ({ id })), ...(next ? { next_rest_url: 'x' } : {}) } });
    answers = [() => page([1], true), () => page([1, 2], true), () => page([3], false)];
    expect((await ask('tags list --format count')).stdout).toBe('3\n');
  });

  it('follows pages by number and ignores links', async () => {
    answers = [1, 2, 3].map((page) => () => ({
      body: { events: [event(page)], total: 3, total_pages: 3, next_rest_url: 'http://elsewhere/' },
    }));
    expect((await ask('events list --all --featured --format ids')).stdout).toBe('1\n2\n3\n');
    expect(asked.map(({ path }) => path)).toEqual([
      '/calendar/events/v1/events?status=publish%2Cfuture%2Cdraft%2Cpending%2Cprivate%2Cauto-draft%2Cinherit&start_date=0001-01-01&end_date=9999-12-31&featured=true&per_page=50',
      '/calendar/events/v1/events?status=publish%2Cfuture%2Cdraft%2Cpending%2Cprivate%2Cauto-draft%2Cinherit&start_date=0001-01-01&end_date=9999-12-31&featured=true&per_page=50&page=2',
      '/calendar/events/v1/events?status=publish%2Cfuture%2Cdraft%2Cpending%2Cprivate%2Cauto-draft%2Cinherit&start_date=0001-01-01&end_date=9999-12-31&featured=true&per_page=50&page=3',
      // A server on this machine may know its hidden events.
      '/_calendar/hidden',
    ]);
  });
});

describe('sent values', () => {
  it.each([
    [
      "events list --tags 1,2 --tags 3 --search 'x y' --no-strict-dates --page 1 -q",
      'GET',
      '/events?page=1&strict_dates=false&search=x+y&tags=1%2C2%2C3',
      '',
    ],
    ['events get my-event --password p', 'GET', '/events/by-slug/my-event?password=p', ''],
    ['events get 7', 'GET', '/events/7', ''],
    [
      'events create --title T --start-date s --end-date e --venue 4 --organizer 5,6 --all-day',
      'POST',
      '/events',
      '{"title":"T","all_day":true,"start_date":"s","end_date":"e","venue":"4","organizer":["5","6"]}',
    ],
    [
      'events create --data \'{"sticky":1}\' --set cost:=5 --set venue.venue=Hall',
      'POST',
      '/events',
      '{"sticky":1,"cost":5,"venue":{"venue":"Hall"}}',
    ],
    ['events update 7 --no-featured --categories ""', 'POST', '/events/7', '{"featured":false,"categories":[]}'],
    ['venues update 7 --no-show-map', 'POST', '/venues/7', '{"show_map":"false"}'],
    ['tags delete 7 --yes', 'DELETE', '/tags/7', ''],
    ['request PATCH /tags/7?x=1 --data {}', 'PATCH', '/tags/7?x=1', '{}'],
    ['request GET /calendar/events/v1/doc', 'GET', '/doc', ''],
  ])('%s', async (line, method, path, body) => {
    answers = [() => ({ body: { id: 7, name: 'x', events: [], total: 0 } })];
    expect((await ask(line)).stderr).toBe('');
    expect(asked).toMatchObject([{ method, path: `/calendar/events/v1${path}`, body }]);
  });

  it('sends credentials as Basic', async () => {
    answers = json({ tags: [] });
    await ask('tags list --user ada', { CALENDAR_PASSWORD: 'p:ä' });
    expect(asked[0]!.headers.authorization).toBe(`Basic ${Buffer.from('ada:p:ä').toString('base64')}`);
  });
});

describe('failures', () => {
  it.each([
    ['a code that is known', failure(404, 'rest-event-not-found'), 3, 'rest-event-not-found'],
    ['a code that is not, by its status: 400', failure(400, 'could-not-create-venue'), 2, 'could-not-create-venue'],
    ['401', failure(401, 'rest_not_logged_in'), 4, 'rest_not_logged_in'],
    ['403', failure(403, 'could-not-update-event'), 4, 'could-not-update-event'],
    ['404', failure(404, 'rest_term_invalid'), 3, 'rest_term_invalid'],
    ['409', failure(409, 'clash'), 6, 'clash'],
    ['410', failure(410, 'gone-for-good'), 3, 'gone-for-good'],
    ['500', failure(500, 'could-not-delete-event'), 7, 'could-not-delete-event'],
    ['500 without a form', json('boom', 500, { 'Content-Type': 'text/html' }), 7, 'server-failure'],
    ['a page of HTML', json('<html>', 200, { 'Content-Type': 'text/html' }), 5, 'not-a-calendar'],
    ['another page that is not there', json('<html>', 404, { 'Content-Type': 'text/html' }), 5, 'not-a-calendar'],
    ['JSON of something else', json({ hello: 1 }), 5, 'not-a-calendar'],
    ['an empty answer', json(''), 5, 'not-a-calendar'],
    ['a redirect of a write', json('', 301, { Location: 'https://example.org/' }), 5, 'not-a-calendar'],
  ])('%s', async (_, answer, exit, code) => {
    answers = answer;
    const result = await ask('events update 7 --title x --json');
    expect(result).toMatchObject({ stdout: '', exit });
    expect(JSON.parse(result.stderr).code).toBe(code);
  });

  it.each([
    ['a custom failure', failure(500, 'db_error', 'The table is gone.'), 'returned 500: The table is gone.'],
    ['our own unforeseen one', failure(500, 'unexpected-failure', 'x is not a function'), 'returned 500: x is not a function'],
    ['no form at all', json('<h1>boom</h1>', 502, { 'Content-Type': 'text/html' }), 'returned 502'],
  ])('says which server failed, at what, with which status: %s', async (_, answer, says) => {
    answers = answer;
    const { stderr } = await ask('events update 7 --title x');
    expect(stderr).toContain(`calendar: ${url}/calendar/events/v1/events/7 ${says}`);
  });

  it('keeps the faults of each parameter', async () => {
    answers = failure(400, 'rest_invalid_param', 'Invalid parameter(s): title', { params: { title: 'Too short.' } });
    const { stderr } = await ask('events update 7 --title x --json');
    expect(JSON.parse(stderr)).toMatchObject({ data: { status: 400, params: { title: 'Too short.' } } });
  });

  it('lets no server write on the terminal', async () => {
    answers = failure(400, 'odd', 'red \x1b[31mred\n\x07 and more');
    expect((await ask('tags get 7')).stderr).toBe('calendar: red ␛[31mred ␇ and more\n');
  });

  it('waits no longer than its timeout', async () => {
    answers = [() => ({ hang: true })];
    expect(await ask('tags list --timeout 0.3')).toMatchObject({ exit: 5, stderr: expect.stringContaining('no response within 0.3 s') });
  });

  /** A server whose answer never ends: a piece at once, and after every pause. */
  async function endless(piece: Buffer, pause: number): Promise<{ address: string; close(): void }> {
    const other = http.createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      const write = (): void => {
        if (response.destroyed) return;
        if (response.write(piece)) setTimeout(write, pause);
        else response.once('drain', write);
      };
      write();
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const close = (): void => {
      other.closeAllConnections();
      other.close();
    };
    return { address: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, close };
  }
  it.each([
    ['that comes slowly: no longer than it was told', Buffer.from('[1,'), 50, '0.5', 'no response within 0.5 s'],
    ['that comes fast: no more than is reasonable', Buffer.alloc(1 << 20, 0x20), 0, '60', 'larger than 134217728 bytes'],
  ])('takes of an endless answer %s', async (_, piece, pause, timeout, message) => {
    const { address, close } = await endless(piece, pause);
    try {
      const result = await run(['tags', 'list', '--timeout', timeout, '--url', address]);
      expect(result).toMatchObject({ exit: 5, stderr: expect.stringContaining(message) });
    } finally {
      close();
    }
  });

  it('stops when it is interrupted', async () => {
    const interruption = new AbortController();
    answers = [
      () => {
        interruption.abort('SIGINT');
        return { hang: true };
      },
    ];
    const result = await run(['tags', 'list', '--url', url], { interrupted: interruption.signal });
    expect(result).toEqual({ stdout: '', stderr: '', exit: 130 });
  });
});

describe('trying again', () => {
  const busy = (headers: Record<string, string> = {}) => ({ status: 503, body: 'busy', headers });
  const fine = () => ({ body: { id: 7, tags: [{ id: 7 }] } });
  /** 0.3 s later for the clock of commands in this process, and a second for the bundle, which has that of the machine. */
  const soon = process.env.CALENDAR_BUNDLE ? '1' : new Date(Date.parse(moment) + 300).toISOString();

  it('tries reading three times', async () => {
    answers = [() => busy(), () => busy(), fine];
    expect(await ask('tags list --format ids')).toEqual({ stdout: '7\n', stderr: '', exit: 0 });
    expect(asked).toHaveLength(3);
  });

  it('fails after that', async () => {
    answers = [() => busy()];
    expect(await ask('tags list --format ids')).toMatchObject({ stdout: '', exit: 5 });
    expect(asked).toHaveLength(3);
  });

  it.each(['tags create --name x', 'tags update 7 --name x', 'tags delete 7', 'request POST /tags'])(
    'does not try twice: %s',
    async (line) => {
      answers = [() => busy(), fine];
      expect((await ask(line)).exit).toBe(5);
      expect(asked).toHaveLength(1);
    },
  );

  it('waits as long as the server asks for', async () => {
    answers = [() => busy({ 'Retry-After': soon }), fine];
    const start = performance.now();
    expect((await ask('tags list')).exit).toBe(0);
    expect(performance.now() - start).toBeGreaterThan(280);
  });

  it('repeats a write that a server rejected with Retry-After', async () => {
    answers = [() => ({ status: 429, body: 'slow down', headers: { 'Retry-After': soon } }), fine];
    const start = performance.now();
    expect((await ask('tags create --name x')).exit).toBe(0);
    expect(performance.now() - start).toBeGreaterThan(280);
    expect(asked.map(({ method, body }) => [method, body])).toEqual(Array(2).fill(['POST', '{"name":"x"}']));
  });

  it('does not write again when a server does not say when', async () => {
    answers = [() => ({ status: 429, body: 'slow down' }), fine];
    expect((await ask('tags create --name x')).exit).toBe(5);
    expect(asked).toHaveLength(1);
  });

  it('does not wait for ever', async () => {
    answers = [() => busy({ 'Retry-After': '3600' })];
    expect((await ask('tags list')).exit).toBe(5);
    expect(asked).toHaveLength(1);
  });

  it('follows where a page has moved on the same host, with its credentials', async () => {
    answers = [() => ({ status: 308, headers: { Location: `${url}/moved` } }), fine];
    expect((await ask('tags list --format ids --user a', { CALENDAR_PASSWORD: 'b' })).stdout).toBe('7\n');
    expect(asked[1]).toMatchObject({ path: '/moved', headers: { authorization: expect.stringContaining('Basic') } });
  });

  it.each([
    ['another host', 'http://localhost:9/'],
    ['another port', 'http://127.0.0.1:9/'],
    ['TLS on another port', 'https://127.0.0.1:9/'],
  ])('does not follow to %s', async (_, location) => {
    answers = [() => ({ status: 302, headers: { Location: location } })];
    expect(await ask('tags list')).toMatchObject({ exit: 5, stderr: expect.stringContaining(`redirects to ${location}`) });
    expect(asked).toHaveLength(1);
  });

  it.each([429, 503])('waits after %i for as long as there is time, and not longer', async (status) => {
    answers = [() => ({ status, body: 'busy', headers: { 'Retry-After': '2000' } }), fine];
    // Had it waited for either, this test would take longer than it may.
    expect((await ask('tags list --timeout 1000')).exit).toBe(5);
    expect(asked).toHaveLength(1);
  });
});

describe('proxies', () => {
  it('takes the one of the environment, but not for this machine', async () => {
    answers = json({ tags: [{ id: 5 }] });
    const env = { http_proxy: url };
    const far = await run(['tags', 'list', '--format', 'ids', '--url', 'http://calendar.example.org'], { env });
    expect(far.exit).toBe(0);
    expect(asked[0]!.headers.host ?? asked[0]!.path).toContain('calendar.example.org');
    const near = await run(['tags', 'list', '--format', 'ids', '--url', url], { env: { http_proxy: 'http://127.0.0.1:9' } });
    expect(near.stdout).toBe('5\n');
  });
});

it.each([
  ['https://a.org', undefined, 'https://a.org/calendar/events/v1'],
  ['https://a.org/', undefined, 'https://a.org/calendar/events/v1'],
  ['https://a.org/wp-json', undefined, 'https://a.org/wp-json/calendar/events/v1'],
  ['https://a.org/wp-json/brand/events/v1/', undefined, 'https://a.org/wp-json/brand/events/v1'],
  ['https://a.org/wp-json', 'brand/events/v1', 'https://a.org/wp-json/brand/events/v1'],
  ['https://a.org/wp-json', '/brand/events/v1/', 'https://a.org/wp-json/brand/events/v1'],
  ['https://a.org/wp-json/brand/events/v1', 'brand/events/v1', 'https://a.org/wp-json/brand/events/v1'],
  ['https://a.org/x?y=1#z', undefined, 'https://a.org/x/calendar/events/v1'],
  ['https://a.org/wp-json/brand/events/v1/events?per_page=5', undefined, 'https://a.org/wp-json/brand/events/v1'],
  ['https://a.org/wp-json/brand/events/v1', 'own/events/v1', 'https://a.org/wp-json/own/events/v1'],
  ['https://a.org/?rest_route=/', undefined, 'https://a.org/?rest_route=/calendar/events/v1'],
  ['https://a.org/?rest_route=/brand/events/v1/events/5&x=y', undefined, 'https://a.org/?rest_route=/brand/events/v1'],
])('the root of %s with %s', (base, namespace, root) => {
  expect(rootUrl(base, namespace)).toBe(root);
});
