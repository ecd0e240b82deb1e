import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar } from '../../bin/library.ts';
import type { FaultInput } from '../../src/model/operation-types.ts';

const fill = <T>(many: number, make: () => Promise<T>): Promise<T>[] => Array.from({ length: many }, make);

describe.each(['in this process', 'over HTTP'])('requests of a calendar %s', (where) => {
  let server: Calendar;
  let calendar: Calendar;
  beforeAll(async () => {
    server = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z' });
    calendar = where === 'over HTTP' ? await connectCalendar(server.url) : server;
  });
  beforeEach(async () => {
    await server.reset();
  });
  afterAll(async () => {
    if (calendar !== server) await calendar.close();
    await server.close();
  });
  /** Sends a request as the code under test does. */
  const send = (path: string, init?: RequestInit) =>
    where === 'over HTTP' ? fetch(`${server.url}/${path}`, init) : calendar.fetch(path, init);
  const read = async (response: Promise<Response>) => JSON.parse(await (await response).text());

  it('are held until the release, and get the true response', async () => {
    const held = await calendar.faults.hold({ path: '/events', query: { search: 'jazz' } });
    const slow = send('events?search=jazz');
    await held.arrived();
    const order: string[] = [];
    const fast = read(send('events?search=market')).then(() => order.push('second search'));
    await fast;
    expect((await calendar.faults.get(held.id)).held).toBe(1);
    await held.release();
    expect((await read(slow)).total).toBe(7);
    expect(order).toEqual(['second search']);
    expect(await calendar.faults.list()).toEqual([]);
    expect((await read(send('events?search=jazz'))).total).toBe(7);
  });

  it('get another response on release, and change nothing then', async () => {
    const held = await calendar.faults.hold({ method: 'POST' }, { times: 2 });
    const posts = ['one', 'two'].map((name) => send('tags', { method: 'POST', body: new URLSearchParams({ name }) }));
    await held.arrived(2);
    await held.release({ status: 503 });
    expect((await Promise.all(posts)).map(({ status }) => status)).toEqual([503, 503]);
    expect((await calendar.tags.list({ hide_empty: false, search: 'one' })).total).toBe(0);
  });

  it.each<[string, (many: number) => Promise<unknown>[]]>([
    ['held', (many) => fill(many, () => send('events'))],
    ['followed', (many) => fill(many, () => calendar.follow()[Symbol.asyncIterator]().next())],
    ['waited for', (many) => fill(many, () => calendar.requests.waitFor({ path: '/never' }))],
    ...['hang', 'slow_body', 'delay'].map((fault): [string, (many: number) => Promise<unknown>[]] => [
      `met by ${fault}`,
      (many) => fill(many, () => send('tags').then((response) => response.text())),
    ]),
  ])('are %s by the dozen without a warning', async (how, start) => {
    const warnings: string[] = [];
    const warned = (warning: Error) => void warnings.push(warning.message);
    process.on('warning', warned);
    const [, fault] = /met by (.+)/.exec(how) ?? [];
    if (how === 'held') await calendar.faults.hold({ path: '/events' }, { times: 40 });
    if (fault !== undefined) await calendar.faults.add((fault === 'hang' ? { then: 'hang' } : { [fault]: 60_000 }) as FaultInput);
    const all = start(40);
    for (const each of all) each.catch(() => {});
    if (fault !== undefined) await expect.poll(async () => (await calendar.faults.list())[0]!.hits).toBe(40);
    await calendar.reset();
    // A warning is an event of the next turn.
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  it('are handled first with at: after', async () => {
    const held = await calendar.faults.hold({ method: 'POST' }, { at: 'after' });
    const post = send('tags', { method: 'POST', body: new URLSearchParams({ name: 'done' }) });
    await held.arrived();
    await expect.poll(async () => (await calendar.tags.list({ hide_empty: false, search: 'done' })).total).toBe(1);
    await held.release({ status: 500 });
    expect((await post).status).toBe(500);
  });

  it('get the true response after the timeout, and the log has the reason', async () => {
    const held = await calendar.faults.hold({ path: '/events' }, { timeout: 'PT0.1S' });
    const response = await send('events');
    expect(response.status).toBe(200);
    const { requests } = await calendar.requests.list({});
    expect(requests[0]!.reason).toContain(`Fault ${held.id} held this request for 0.1 s without a release`);
  });

  it('end with a reset, and a removed fault', async () => {
    const held = await calendar.faults.hold({ path: '/events' });
    const one = send('events');
    await held.arrived();
    await server.reset();
    expect((await one).status).toBe(503);
    const second = await calendar.faults.hold({ path: '/events' });
    const two = send('events');
    await second.arrived();
    await calendar.faults.remove(second.id);
    expect((await two).status).toBe(200);
    await expect(second.release()).rejects.toMatchObject({ code: 'not-found' });
  });

  it('that do not arrive before the world is closed are reported at once', async () => {
    const world = await server.worlds.create();
    const held = await world.faults.hold({ path: '/events' });
    const waits = [held.arrived(), world.requests.waitFor({ path: '/events' })].map((wait) => wait.catch(String));
    await world.faults.get(held.id); // The waits were called before.
    await world.close();
    expect(await Promise.all(waits)).toEqual([
      expect.stringContaining(
        '1 request should match {"path":"/events"} and be held by fault 1 before the calendar was closed, and 0 arrived',
      ),
      expect.stringContaining('at least 1 request should match {"path":"/events"} before the calendar was closed, and 0 of 0 did'),
    ]);
  });

  it('that do not arrive are reported', async () => {
    const held = await calendar.faults.hold({ path: '/events' });
    await expect(held.arrived(1, 'PT0.1S')).rejects.toMatchObject({
      message: '1 request should match {"path":"/events"} and be held by fault 1 within PT0.1S, and 0 arrived',
      stack: expect.stringMatching(/arrived\n.*hold\.test\.ts/),
    });
    await held.release();
    for (const input of [
      { then: 'hold', timeout: 'soon' },
      { delay: 5, timeout: '5s' },
    ])
      await expect(calendar.faults.add(input as never)).rejects.toMatchObject({ code: 'rest_invalid_param' });
    // The control API is never held.
    await calendar.faults.hold({ path: '*' }, { times: 9 });
    expect((await fetch(`${server.root}/_calendar/health`)).status).toBe(200);
  });

  it('are waited for', async () => {
    await send('tags');
    expect((await calendar.requests.waitFor({ path: '/tags' })).map(({ path }) => path)).toEqual(['/calendar/events/v1/tags']);
    const { id } = (await calendar.requests.waitFor({ path: '/tags' }))[0]!;
    const waiting = calendar.requests.waitFor({ path: '/tags' }, { after: id, times: 2 });
    await send('tags');
    await send('venues');
    await send('tags?search=x');
    expect((await waiting).map(({ query }) => query)).toEqual(['', 'search=x']);
    await expect(calendar.requests.waitFor({ method: 'POST', path: '/tags' }, { timeout: 'PT0.1S' })).rejects.toThrow(
      /at least 1 request should match .* within PT0\.1S, and 0 of 4 did: GET .*method is GET, not POST/,
    );
  });

  it('get the true response, changed by a JSON Patch, or 500 if a step does not apply', async () => {
    const patch = [
      { op: 'replace', path: '/events/0/title', value: 'Patched' },
      { op: 'remove', path: '/events/1' },
      { op: 'move', from: '/total', path: '/sum' },
    ] as const;
    await calendar.faults.add({ match: { path: '/events' }, times: 1, then: { patch: [...patch] } });
    const { events, sum, total } = await read(send('events?per_page=2'));
    expect([events.length, events[0].title, sum, total]).toEqual([1, 'Patched', expect.any(Number), undefined]);
    await calendar.faults.add({ then: { patch: [{ op: 'remove', path: '/events/9' }] } });
    const failed = await send('events?per_page=2');
    expect([failed.status, JSON.parse(await failed.text()).message]).toEqual([
      500,
      'Fault 2 cannot patch the response: step 1, remove /events/9, does not apply',
    ]);
    await calendar.faults.clear();
    await calendar.faults.add({ then: { patch: [{ op: 'replace', path: '', value: ['whole'] }] } });
    expect(await read(send('events'))).toEqual(['whole']);
    await expect(calendar.faults.add({ then: { patch: [{ op: 'swap', path: '/' } as never] } })).rejects.toThrow('patch');
    await expect(calendar.faults.add({ then: { patch: [{ op: 'remove', path: 'events' }] } })).rejects.toThrow('patch');
  });

  it('get 500 instead of a body that a patch cannot change', async () => {
    await calendar.faults.add({ match: { path: '/calendar.ics' }, then: { patch: { total: 0 } } });
    const url = `${server.root}/calendar.ics`;
    const response = where === 'over HTTP' ? await fetch(url) : await calendar.fetch(url);
    expect([response.status, JSON.parse(await response.text()).message]).toEqual([
      500,
      'Fault 1 cannot patch the response: its body is text/calendar; charset=utf-8, not JSON',
    ]);
  });

  it('get the true response, changed by a function of this process', async () => {
    const seen: unknown[] = [];
    const patch = (response: { status: number; headers: Record<string, string>; body: unknown }, request: { body: unknown }) => {
      seen.push(request);
      return { status: 206, headers: { ...response.headers, 'X-Test': 'yes' }, body: { ...(response.body as object), total: 99 } };
    };
    const adding = calendar.faults.add({ match: { path: '/tags' }, times: 2, then: { patch } });
    if (where === 'over HTTP') return expect(adding).rejects.toMatchObject({ status: 400 });
    expect(await adding).toMatchObject({ then: { patch: {} }, remaining: 2 });
    const response = await send('tags?per_page=1');
    expect([response.status, response.headers.get('x-test'), JSON.parse(await response.text()).total]).toEqual([206, 'yes', 99]);
    await send('tags', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"x"}' });
    expect(seen).toMatchObject([{ method: 'GET', query: { per_page: '1' } }, { body: { name: 'x' } }]);
    await calendar.faults.add({ then: { patch: () => Promise.reject(new Error('no idea')) } });
    expect((await read(send('tags'))).message).toBe('Fault 2 cannot patch the response: no idea');
  });

  it('get the true response, patched', async () => {
    const plain = await send('events?per_page=1');
    const etag = plain.headers.get('etag')!;
    await calendar.faults.add({ match: { path: '/events' }, then: { patch: { total: 0, events: [], rest_url: null } } });
    const response = await send('events?per_page=1', { headers: { 'If-None-Match': etag } });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ total: 0, events: [], total_pages: expect.any(Number) });
    expect(JSON.parse(text)).not.toHaveProperty('rest_url');
    expect([response.headers.get('content-length'), response.headers.get('etag') === etag]).toEqual([
      String(Buffer.byteLength(text)),
      false,
    ]);
    const head = await send('events?per_page=1', { method: 'HEAD' });
    expect([head.headers.get('etag'), await head.text()]).toEqual([response.headers.get('etag'), '']);
    await calendar.faults.clear();
    expect((await send('events?per_page=1', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });
});

it('a function is a fault of the options of a calendar in this process, after each reset too', async () => {
  await using calendar = await createCalendar({
    listen: false,
    faults: [{ then: { patch: (response) => ({ ...response, status: 206 }) } }],
  });
  expect((await calendar.fetch('events')).status).toBe(206);
  await calendar.faults.clear();
  await calendar.reset();
  expect((await calendar.fetch('events')).status).toBe(206);
});
