import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toHar } from '../../src/model/formats/har.ts';
import type { JournaledRequest, JournalMatch, RequestList, VerifyInput } from '../../src/model/operation-types.ts';
import { Journal, maxTotalBytes } from '../../src/server/journal/journal.ts';
import { journaled } from '../../src/server/journal/journaled.ts';
import { moment as instant } from '../support/transcript.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

const root = '/calendar/events/v1';
const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
const moment = new Date(instant).toISOString();
let served: WholeServer;

beforeEach(async () => {
  served = await wholeServer();
});
afterEach(() => served.close());

const list = (query = '') => served.json<RequestList>('GET', `/_calendar/requests${query}`);
const lines = (requests: readonly JournaledRequest[]) =>
  requests.map(({ method, path, status }) => `${method} ${path.slice(root.length)} ${status}`);

describe('GET /_calendar/requests', () => {
  it('lists requests with their responses', async () => {
    const { id } = await served.json<{ id: number }>('POST', '/events?x=1', concert, { 'x-test': 'a' });
    await served.call('GET', '/_calendar/health');
    const { requests, total } = await list();
    expect(total).toBe(1);
    expect(requests).toEqual([
      {
        id: 1,
        time: expect.any(String),
        now: moment,
        method: 'POST',
        path: `${root}/events`,
        query: 'x=1',
        status: 201,
        fault: null,
        took: expect.any(Number),
        aborted: false,
        user: null,
        reason: '(Ignored unknown parameter x.)',
        client: expect.any(String),
        hints: ['unknown-name', 'no-credentials'].map((rule) => ({ rule, text: expect.any(String) })),
        request: {
          headers: expect.objectContaining({ 'x-test': 'a' }),
          body: JSON.stringify(concert),
          bytes: JSON.stringify(concert).length,
        },
        response: {
          headers: expect.objectContaining({ 'content-type': 'application/json; charset=UTF-8' }),
          body: expect.any(String),
          bytes: expect.any(Number),
        },
      },
    ]);
    expect(JSON.parse(requests[0]!.response!.body)).toMatchObject({ id, title: 'Concert' });
  });

  it('tells the moment by both clocks', async () => {
    await served.call('PUT', '/_calendar/clock', { now: '2040-01-01T00:00:00Z' });
    await served.call('GET', '/tags');
    const [request] = (await list()).requests;
    expect(Date.parse(request!.time)).toBeCloseTo(Date.parse(moment), -1);
    expect(request!.now).toBe('2040-01-01T00:00:00.000Z');
  });

  it('contains bodies before compression, and requests that never reached the calendar', async () => {
    await served.call('POST', '/_calendar/generate', { events: 50 });
    const whole = await (await served.call('GET', '/events?per_page=50')).text();
    expect(whole.length).toBeGreaterThan(64 << 10);
    await served.call('POST', '/events', { title: 'x'.repeat(2 << 20) });
    const [listed, refused] = (await list()).requests;
    expect(listed!.response!.bytes).toBe(Buffer.byteLength(whole));
    expect(Buffer.byteLength(listed!.response!.body)).toBeGreaterThan((64 << 10) - 4);
    expect(whole.startsWith(listed!.response!.body)).toBe(true);
    expect([refused!.status, refused!.request!.bytes]).toEqual([413, 0]);
  });

  it('leaves credentials out', async () => {
    const headers = {
      authorization: `Basic ${btoa('ann:secret-1')}`,
      cookie: 'a=secret-2',
      'x-api-key': 'secret-3',
      'x-wp-nonce': 'secret-4',
    };
    await served.call('GET', '/events?password=secret-5&search=x', undefined, headers);
    await served.call(
      'POST',
      '/events',
      { ...concert, password: 'secret-6', nested: { token: 'secret-7' } },
      { authorization: 'Bearer secret-8' },
    );
    await served.call('POST', '/events?post_password=secret-9', undefined, { 'content-type': 'application/x-www-form-urlencoded' });
    const found = await list();
    expect(JSON.stringify(found)).not.toContain('secret-');
    expect(found.requests[0]).toMatchObject({
      user: 'ann',
      query: 'password=[redacted]&search=x',
      request: { headers: { authorization: 'Basic [redacted]', cookie: '[redacted]' } },
    });
    expect(JSON.parse(found.requests[1]!.request!.body)).toMatchObject({ password: '[redacted]', nested: { token: '[redacted]' } });
    const refused = await served.call('POST', '/_calendar/requests/verify', {
      match: { headers: { authorization: 'x' }, query: { password: 'x' }, body: { password: 'x' } },
    });
    expect(await refused.text()).not.toContain('secret-');
  });

  it.each<[string, string[]]>([
    ['?method=POST,DELETE', ['POST /tags 201', 'DELETE /tags/1 200']],
    ['?path=/tags/*', ['GET /tags/1 200', 'DELETE /tags/1 200', 'GET /tags/1 400']],
    [`?path=${root}/venues`, ['GET /venues 200']],
    ['?status=4xx', ['GET /tags/1 400']],
    ['?status=201,400', ['POST /tags 201', 'GET /tags/1 400']],
    ['?user=ann', []],
    ['?limit=2', ['DELETE /tags/1 200', 'GET /tags/1 400']],
    ['?after=1&limit=2', ['GET /venues 200', 'GET /tags/1 200']],
    ['?after=5', []],
    ['?after=99&limit=1', ['POST /tags 201']],
  ])('with %s lists %j', async (query, expected) => {
    const { id } = await served.json<{ id: number }>('POST', '/tags', { name: 'one' });
    for (const [method, path] of [
      ['GET', '/venues'],
      ['GET', `/tags/${id}`],
      ['DELETE', `/tags/${id}`],
      ['GET', `/tags/${id}`],
    ] as const)
      await served.call(method, path);
    const { requests, total } = await list(query);
    expect(lines(requests).map((line) => line.replace(`/tags/${id}`, '/tags/1'))).toEqual(expected);
    expect(total).toBe(5);
  });

  it('shows connection faults', async () => {
    await served.call('POST', '/_calendar/faults', { match: { path: '/tags' }, times: 1, then: 'empty' });
    await expect(served.call('GET', '/tags')).rejects.toThrow();
    await served.call('GET', '/tags');
    expect((await list()).requests).toMatchObject([
      { status: 0, fault: 'empty' },
      { status: 200, fault: null },
    ]);
  });

  it('is brief on request', async () => {
    await served.call('GET', '/tags');
    expect(Object.keys((await list('?brief=true')).requests[0]!)).not.toContain('request');
  });

  it.each(['?limit=0', '?limit=x', '?after=-1', '?status=600', '?status=x', '?method=', '?path=tags', '?since=1', '?brief=maybe'])(
    'refuses %s',
    async (query) => {
      const answer = await served.call('GET', `/_calendar/requests${query}`);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'rest_invalid_param']);
    },
  );
});

describe('a server that is not open', () => {
  it('lists requests without headers and bodies', async () => {
    const guarded = await wholeServer({ open: false });
    await guarded.call('GET', '/tags');
    const { requests } = await guarded.json<RequestList>('GET', '/_calendar/requests?brief=false');
    expect(requests[0]).toMatchObject({ method: 'GET', status: 200 });
    expect(requests[0]).not.toHaveProperty('response');
    for (const [method, path] of [
      ['DELETE', ''],
      ['POST', '/count'],
      ['POST', '/verify'],
    ] as const)
      expect((await guarded.call(method, `/_calendar/requests${path}`, {})).status).toBe(403);
    expect((await guarded.control.requests({})).requests[0]).toHaveProperty('response');
    await guarded.close();
  });
});

describe('forgetting requests', () => {
  it('by DELETE counts from 1 again', async () => {
    await served.call('GET', '/tags');
    await served.call('GET', '/venues');
    expect(await served.json('DELETE', '/_calendar/requests')).toEqual({ deleted: 2 });
    expect(await list()).toEqual({ requests: [], total: 0, dropped: 0 });
    await served.call('GET', '/tags');
    expect((await list()).requests).toMatchObject([{ id: 1 }]);
  });

  it('by a reset, unless they are to be kept', async () => {
    await served.call('GET', '/tags');
    await served.call('POST', '/_calendar/reset', { dry_run: true });
    await served.call('POST', '/_calendar/reset', { keep: ['requests'] });
    expect((await list()).total).toBe(1);
    await served.call('POST', '/_calendar/reset');
    expect(await list()).toEqual({ requests: [], total: 0, dropped: 0 });
  });
});

describe('POST /_calendar/requests/count and verify', () => {
  const count = async (match: JournalMatch) => (await served.json<{ count: number }>('POST', '/_calendar/requests/count', { match })).count;
  beforeEach(async () => {
    await served.call(
      'POST',
      '/events',
      { ...concert, cost: '5', venue: { venue: 'Hall', city: 'Basel' } },
      { authorization: `Basic ${btoa('ann:x')}` },
    );
    await served.call('POST', '/venues', { venue: 'Barn' });
    await served.call('GET', '/events?per_page=5');
    await fetch(`${served.root}/tags`, { method: 'POST', body: new URLSearchParams({ name: 'jazz' }) });
  });

  it.each<[JournalMatch, number]>([
    [{}, 4],
    [{ method: 'POST' }, 3],
    [{ path: '/events' }, 2],
    [{ path: '/events', query: { per_page: 5 } }, 1],
    [{ status: 201 }, 3],
    [{ status: ['2xx', 404] }, 4],
    [{ status: '4xx' }, 0],
    [{ user: 'ann' }, 1],
    [{ user: null }, 3],
    [{ body: { title: 'Concert' } }, 1],
    [{ body: { title: 'Con*', cost: 5, venue: { city: 'Basel' } } }, 1],
    [{ body: { venue: { city: 'Bern' } } }, 0],
    [{ body: { title: null } }, 3],
    [{ body: { name: 'jazz' } }, 1],
    [{ body: '{"venue":"Barn"}' }, 1],
    [{ body: '*Hall*' }, 1],
    [{ headers: { 'content-type': 'application/json' } }, 2],
  ])('%j: %i', async (match, expected) => expect(await count(match)).toBe(expected));

  it.each<[VerifyInput, number | RegExp]>([
    [{}, 4],
    [{ match: { path: '/events' }, exactly: 2 }, 2],
    [{ match: { path: '/events' }, atLeast: 1, atMost: 3 }, 2],
    [{ match: { status: 500 }, never: true }, 0],
    [{ match: { status: 500 }, atMost: 1 }, 0],
    [
      { match: { status: 500 } },
      /at least 1 request should match \{"status":500\}, and 0 of 4 did: POST .*tags 201 \(status is 201, not 500\)/,
    ],
    [{ match: { method: 'POST' }, exactly: 2 }, /exactly 2 requests should match .* and 3 of 4 did/],
    [{ match: { method: 'POST' }, never: true }, /no request should match/],
    [{ match: { method: 'POST' }, atMost: 1 }, /at most 1 request /],
  ])('verifies %j: %s', async (input, expected) => {
    const answer = await served.call('POST', '/_calendar/requests/verify', input);
    const body = (await answer.json()) as Record<string, unknown>;
    if (typeof expected === 'number') expect([answer.status, body]).toEqual([200, { count: expected }]);
    else
      expect([answer.status, body]).toEqual([
        409,
        expect.objectContaining({ code: 'verification-failed', message: expect.stringMatching(expected) }),
      ]);
  });

  it('waits for a body that is compared', async () => {
    const { hostname, port, pathname } = new URL(served.root);
    const body = JSON.stringify({ name: 'Late' });
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${pathname}/tags HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    await expect.poll(() => count({ path: '/tags' })).toBe(2);
    const never = served.json('POST', '/_calendar/requests/verify', { match: { body: { name: 'Late' } }, never: true });
    setTimeout(() => socket.write(body), 100);
    expect(await never).toMatchObject({ code: 'verification-failed', data: { count: 1 } });
    socket.destroy();
  });

  it('names the nearest, and why each does not match', async () => {
    const answer = await served.call('POST', '/_calendar/requests/verify', {
      match: {
        method: 'PUT',
        path: '/events',
        query: { per_page: 10 },
        headers: { 'X-Test': 'a' },
        body: { title: 'Concert', tags: ['a'] },
      },
    });
    const { data } = (await answer.json()) as { data: unknown };
    expect(data).toMatchObject({
      status: 409,
      count: 0,
      nearest: [
        {
          request: { id: 1, method: 'POST', path: `${root}/events` },
          mismatches: [
            { part: 'method', wanted: 'PUT', found: 'POST' },
            { part: 'headers.x-test', wanted: '"a"', found: 'missing' },
            { part: 'query.per_page', wanted: '"10"', found: 'missing' },
            { part: 'body.tags', wanted: '["a"]', found: 'missing' },
          ],
        },
        {
          request: { id: 3 },
          mismatches: [
            { part: 'method' },
            { part: 'headers.x-test' },
            { part: 'query.per_page', wanted: '"10"', found: '"5"' },
            { part: 'body.title', wanted: '"Concert"', found: 'missing' },
            { part: 'body.tags' },
          ],
        },
        { request: { id: 4 } },
      ],
    });
  });

  it.each<[string, unknown, number]>([
    ['verify', { exactly: 1, never: true }, 400],
    ['verify', { atLeast: 2, atMost: 1 }, 400],
    ['verify', { exactly: -1 }, 400],
    ['verify', { times: 1 }, 400],
    ['verify', { match: { status: 99 } }, 400],
    ['count', { match: { path: 'events' } }, 400],
    ['count', { match: { color: 'red' } }, 400],
    ['count', { path: '/events' }, 400],
  ])('%s refuses %j', async (operation, input, status) => {
    expect((await served.call('POST', `/_calendar/requests/${operation}`, input)).status).toBe(status);
  });

  it.each([
    ['GET', '/count'],
    ['PUT', '/verify'],
    ['POST', ''],
  ])('%s of %s is 405', async (method, path) => {
    expect((await served.call(method, `/_calendar/requests${path}`)).status).toBe(405);
  });
});

describe('after requests were dropped', () => {
  beforeEach(async () => {
    await served.close();
    served = await wholeServer({ journal: 3 });
    for (let i = 0; i < 5; i += 1) await served.call('GET', '/tags');
  });

  it.each<[Omit<VerifyInput, 'match'>, string | number]>([
    [{}, 3],
    [{ atLeast: 3 }, 3],
    [{ atLeast: 4 }, 'requests-dropped'],
    [{ atMost: 2 }, 'verification-failed'],
    [{ atMost: 4 }, 'requests-dropped'],
    [{ atLeast: 1, atMost: 4 }, 'requests-dropped'],
    [{ exactly: 2 }, 'verification-failed'],
    [{ exactly: 3 }, 'requests-dropped'],
    [{ exactly: 5 }, 'requests-dropped'],
    [{ never: true }, 'verification-failed'],
  ])('%j returns %s', async (expected, result) => {
    const { count, code } = await served.json<{ count?: number; code?: string }>('POST', '/_calendar/requests/verify', {
      match: { path: '/tags' },
      ...expected,
    });
    expect(code ?? count).toBe(result);
  });

  it('an unmatched never and every count fail', async () => {
    const never = await served.call('POST', '/_calendar/requests/verify', { match: { path: '/venues' }, never: true });
    expect([never.status, await never.json()]).toMatchObject([
      409,
      { code: 'requests-dropped', data: { count: 0, dropped: 2 }, hint: expect.stringContaining('--journal') },
    ]);
    expect(await served.json('POST', '/_calendar/requests/count', {})).toMatchObject({ code: 'requests-dropped' });
    expect(await list('?limit=1')).toMatchObject({ total: 5, dropped: 2 });
    await served.call('DELETE', '/_calendar/requests');
    expect(await served.json('POST', '/_calendar/requests/count', {})).toEqual({ count: 0 });
  });
});

it('the log has the headers of a response as they were sent, and its body before coding', async () => {
  await served.close();
  served = await wholeServer({ compress: true });
  const response = await served.call('GET', '//openapi.json', undefined, { 'accept-encoding': 'gzip' });
  const text = await response.text();
  const [entry] = served.world.served.journal.exchanges().slice(-1);
  const { headers, body, bytes } = entry!.response!;
  expect(headers).toMatchObject({
    'Content-Encoding': 'gzip',
    'Content-Length': response.headers.get('content-length'),
    Date: response.headers.get('date'),
  });
  expect([bytes, text.startsWith(Buffer.concat(body).toString().slice(0, 60_000))]).toEqual([Buffer.byteLength(text), true]);
});

describe('a journal', () => {
  const journal = (size?: number, maxBytes?: number) =>
    new Journal({ size, maxBytes, system: () => 5000, now: () => 0, basePath: '', namespace: 'v1' });
  const request = (body: string) => ({ method: 'POST', path: '/x', query: '', headers: {}, body: Buffer.from(body) });
  const response = (answer = '') => ({ status: 200, headers: {}, body: [Buffer.from(answer)] });
  const add = (kept: Journal, body: string, answer?: string) => kept.end(kept.arrive('POST', request(body), false), response(answer), 1000);
  const idsIn = (kept: Journal) => kept.exchanges().map(({ id }) => id);

  it.each<[number | undefined, number[]]>([
    [undefined, [5000, 701, 5700, 5700, 700]],
    [3, [3, 5698, 5700, 5700, 5697]],
    [1, [1, 5700, 5700, 5700, 5699]],
    [6000, [5700, 1, 5700, 5700, 0]],
  ])('of size %s keeps the last requests', (size, expected) => {
    const kept = journal(size);
    for (let i = 0; i < 5700; i++) add(kept, `${i}`);
    const exchanges = kept.exchanges();
    expect([exchanges.length, exchanges[0]!.id, exchanges.at(-1)!.id, kept.total, kept.dropped]).toEqual(expected);
    expect(exchanges[0]!.at).toBe(5000);
    kept.reset();
    add(kept, 'again');
    expect([idsIn(kept), kept.dropped]).toEqual([[1], 0]);
  });

  it('keeps no more than its maximum size, which is 64 MB, and of a body no more than 64 KB', () => {
    expect(maxTotalBytes).toBe(64 << 20);
    const kept = journal(undefined, 1 << 20);
    for (let i = 0; i < 20; i++) add(kept, 'x'.repeat(100_000), 'y'.repeat(150_000));
    const exchanges = kept.exchanges();
    const bytes = exchanges
      .flatMap(({ request, response }) => [...request.body, ...response!.body])
      .reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(bytes).toBeLessThan(1 << 20);
    expect(exchanges.length).toBe(7);
    expect(exchanges.at(-1)).toMatchObject({ id: 20, request: { bytes: 100_000 }, response: { bytes: 150_000 } });
    // A piece of a larger buffer would keep all of it.
    expect(exchanges.every(({ response }) => response!.body.every(({ buffer }) => buffer.byteLength <= 70_000))).toBe(true);
  });

  it.each([undefined, 100_000, 200_000])('keeps of each body what journalBody %s says, and marks the others', (bodyBytes) => {
    const kept = new Journal({ bodyBytes, system: () => 5000, now: () => 0, basePath: '', namespace: 'v1' });
    add(kept, 'x'.repeat(150_000), 'y'.repeat(150_000));
    const { request, response } = journaled(kept.exchanges()[0]!, kept.server);
    const length = Math.min(bodyBytes ?? 65_536, 150_000);
    for (const side of [request!, response!])
      expect([side.body.length, side.bytes, side.truncated]).toEqual([length, 150_000, length < 150_000 ? true : undefined]);
    const [entry] = toHar([journaled(kept.exchanges()[0]!, kept.server)], '1').log.entries as unknown as [
      { request: { postData: object }; response: { content: object } },
    ];
    for (const each of [entry.request.postData, entry.response.content])
      expect('_truncated' in each && each._truncated).toBe(length < 150_000);
  });

  it('counts a body that entries share once', () => {
    const kept = journal();
    const body = [Buffer.alloc(10_000)];
    const end = (body: Uint8Array[]) => {
      const entry = kept.arrive('GET', request(''), false);
      kept.end(entry, { status: 200, headers: {}, body }, 1);
    };
    for (let i = 0; i < 100; i++) end(body);
    expect(kept.bytes).toBeLessThan(150_000);
    end([Buffer.alloc(10_000)]);
    expect(kept.bytes).toBeGreaterThan(120_000);
    kept.remove(new Set(Array.from({ length: 99 }, (_, i) => i + 1)));
    const before = kept.bytes;
    kept.remove(new Set([100]));
    expect(before - kept.bytes).toBeGreaterThan(10_000);
    kept.remove(new Set([101]));
    expect(kept.bytes).toBe(0);
  });

  it('counts the texts of a request and of its response', () => {
    const kept = new Journal({ maxBytes: 40_000, system: () => 5000, now: () => 0, basePath: '', namespace: 'v1' });
    const long = 'x'.repeat(9000);
    const grown = (change: () => unknown) => {
      const before = kept.bytes;
      change();
      return kept.bytes - before;
    };
    const entry = kept.arrive('GET', request(''), true);
    for (const more of [{ path: `/${long}` }, { query: long }, { headers: { 'x-long': long } }, { body: Buffer.from(long) }]) {
      expect(grown(() => kept.arrive('GET', { ...request(''), ...more }, false))).toBeGreaterThan(9000);
      kept.remove(new Set([kept.total]));
    }
    expect(grown(() => kept.addBody(entry, Buffer.from(long)))).toBe(9000);
    expect(grown(() => kept.end(entry, { ...response(), headers: { Link: long } }, 1))).toBeGreaterThan(9000);
    kept.remove(new Set([1]));
    expect(kept.bytes).toBe(0);
    for (let i = 0; i < 9; i++) kept.arrive('GET', { ...request(''), headers: { 'x-long': long } }, true);
    expect([kept.bytes <= 40_000, kept.exchanges().length]).toEqual([true, 3]);
  });

  it('drops requests whose responses have not ended last', () => {
    const kept = journal(3);
    const [one, two] = ['one', 'two'].map((body) => kept.arrive('POST', request(body), false));
    for (let i = 0; i < 5; i += 1) add(kept, `${i}`);
    expect([idsIn(kept), kept.total, kept.dropped]).toEqual([[1, 2, 7], 7, 4]);
    expect([kept.end(two!, response(), 1), idsIn(kept)]).toEqual([true, [1, 2, 7]]);
    for (let i = 0; i < 3; i += 1) kept.arrive('GET', request(''), false);
    expect([idsIn(kept), kept.end(one!, response(), 1)]).toEqual([[8, 9, 10], false]);
  });

  it.each(['reset', 'removePending'] as const)('adds no response after %s', (remove) => {
    const kept = journal();
    add(kept, 'ended');
    const pending = kept.arrive('POST', request('pending'), true);
    kept[remove]();
    kept.addBody(pending, Buffer.from('body'));
    expect([kept.end(pending, response(), 1), kept.abort(pending, 1)]).toEqual([false, false]);
    expect(idsIn(kept)).toEqual(remove === 'reset' ? [] : [1]);
  });
});
