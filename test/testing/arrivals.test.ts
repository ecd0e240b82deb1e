import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar } from '../../bin/library.ts';

/** A fault that delays longer than a test takes. */
const late = { delay: 60_000 };

describe.each(['in this process', 'over HTTP'])('requests of a calendar %s', (where) => {
  let server: Calendar;
  let calendar: Calendar;
  beforeAll(async () => {
    server = await createCalendar({ now: '2027-03-01T09:00Z' });
    calendar = where === 'over HTTP' ? await connectCalendar(server.url) : server;
  });
  beforeEach(async () => {
    await server.reset();
  });
  afterAll(async () => {
    if (calendar !== server) await calendar.close();
    await server.close();
  });
  const sent: Promise<unknown>[] = [];
  /** Sends a request as the code under test does. */
  const send = (path: string, init?: RequestInit): Promise<Response> => {
    const response = where === 'over HTTP' ? fetch(`${server.url}/${path}`, init) : calendar.fetch(path, init);
    sent.push(response.catch(() => {}));
    return response;
  };
  const post = (name: string) => send('tags', { method: 'POST', body: new URLSearchParams({ name }) });
  const listed = async () => (await calendar.requests.list()).requests;
  const failed = { code: 'verification-failed' };

  it.each<[string, () => Promise<unknown>]>([
    ['held', () => calendar.faults.hold({ path: '/tags' })],
    ['delayed', () => calendar.faults.add({ match: { path: '/tags' }, ...late })],
    ['stalled', () => calendar.faults.add({ match: { path: '/tags' }, then: 'hang' })],
  ])('are verified, counted and listed while they are %s', async (_, fault) => {
    await fault();
    void send('tags');
    await expect(calendar.requests.verify({ path: '/tags' }, { never: true })).rejects.toMatchObject(failed);
    await expect(calendar.requests.verify({ path: '/tags' }, { atMost: 0 })).rejects.toMatchObject(failed);
    expect(await calendar.requests.verify({ path: '/tags' }, { exactly: 1 })).toBe(1);
    expect(await calendar.requests.count({ path: '/tags' })).toBe(1);
    expect(await listed()).toMatchObject([{ id: 1, status: null, took: null, aborted: false, response: null }]);
  });

  it('that were only sent are waited for', async () => {
    await calendar.faults.add({ match: { method: 'POST' }, ...late });
    void post('one');
    void post('two');
    await expect(calendar.requests.verify({ method: 'POST' }, { exactly: 1 })).rejects.toThrow(
      /exactly 1 .* and 2 of 2 did: POST .* pending/,
    );
    await calendar.requests.clear();
    void post('three');
    expect(await calendar.requests.count({ method: 'POST' })).toBe(1);
    void post('four');
    expect((await calendar.requests.list()).total).toBe(2);
    void post('five');
    expect((await calendar.requests.har()).log.entries).toHaveLength(3);
  });

  it('have IDs in the order of their arrival', async () => {
    const held = await calendar.faults.hold({ path: '/tags' });
    const slow = send('tags');
    await held.arrived();
    await send('venues');
    await held.release();
    await slow;
    expect((await listed()).map(({ id, path, status }) => [id, path.split('/').at(-1), status])).toEqual([
      [1, 'tags', 200],
      [2, 'venues', 200],
    ]);
  });

  it('are waited for until they arrive, or until their status is known', async () => {
    const held = await calendar.faults.hold({ path: '/tags' });
    const [arrived, ended] = [{}, { status: 200 }].map((match) => calendar.requests.waitFor({ path: '/tags', ...match }));
    const response = send('tags');
    expect(await arrived).toMatchObject([{ id: 1, status: null }]);
    let isEnded = false;
    void ended!.then(() => {
      isEnded = true;
    });
    await calendar.requests.count();
    expect(isEnded).toBe(false);
    await held.release();
    await response;
    expect(await ended).toMatchObject([{ id: 1, status: 200, took: expect.any(Number), response: { bytes: expect.any(Number) } }]);
  });

  it('are waited for with their bodies, and by their users', async () => {
    await calendar.faults.add(late);
    const waits = [{ body: { name: 'one' } }, { user: 'ada' }].map((match) => calendar.requests.waitFor(match));
    void send('tags', { method: 'POST', body: new URLSearchParams({ name: 'one' }), headers: { authorization: `Basic ${btoa('ada:x')}` } });
    for (const requests of await Promise.all(waits))
      expect(requests).toMatchObject([{ status: null, user: 'ada', request: { body: 'name=one' } }]);
  });

  it('are announced when they arrive and when they end', async () => {
    const stop = new AbortController();
    const messages = await calendar.follow({ types: ['request'], signal: stop.signal });
    await send('tags');
    const seen: unknown[] = [];
    for await (const { data } of messages) {
      seen.push(data);
      if (seen.length === 2) stop.abort();
    }
    expect(seen).toMatchObject([
      { id: 1, status: null, took: null },
      { id: 1, status: 200, took: expect.any(Number) },
    ]);
  });

  describe('whose client goes away', () => {
    const aborted = async (path: string) => {
      const client = new AbortController();
      const response = send(path, { signal: client.signal });
      await calendar.requests.waitFor({ query: { search: '*' }, path: '/tags' }, { after: (await listed()).length - 1 });
      client.abort();
      await expect(response).rejects.toThrow();
      await expect.poll(async () => (await listed()).at(-1)!.aborted).toBe(true);
    };

    it('are marked', async () => {
      await calendar.faults.add({ match: { path: '/tags' }, delay: 1000, times: 2 });
      await aborted('tags?search=j');
      await aborted('tags?search=ja');
      await send('tags?search=jaz');
      const all = await listed();
      expect(all).toMatchObject([
        { query: 'search=j', aborted: true, status: null, response: null, took: expect.any(Number) },
        { query: 'search=ja', aborted: true, status: null },
        { query: 'search=jaz', aborted: false, status: 200 },
      ]);
      expect(await calendar.requests.verify({ aborted: true }, { exactly: 2 })).toBe(2);
      expect((await calendar.requests.list({ aborted: false })).requests).toMatchObject([{ id: 3 }]);
      await expect(calendar.requests.verify({ aborted: true, query: { search: 'jaz' } })).rejects.toThrow('aborted is false, not true');
    });

    it('are no longer held, are not handled, and are not logged again', async () => {
      const held = await calendar.faults.hold({ path: '/tags' });
      await aborted('tags?search=j');
      expect((await calendar.faults.get(held.id)).held).toBe(0);
      await calendar.requests.clear();
      await held.release();
      await send('venues');
      expect(await listed()).toMatchObject([{ id: 1, path: expect.stringContaining('venues') }]);
    });

    it.each(['hang', 'slow body'])('are marked after a response that does not end: %s', async (name) => {
      await calendar.tags.create({ name: 'jazz' });
      await calendar.requests.clear();
      await calendar.faults.add(name === 'hang' ? { then: 'hang' } : { slow_body: 60_000 });
      const client = new AbortController();
      const response = send('tags?hide_empty=false', { signal: client.signal });
      if (name !== 'hang') await response;
      await expect.poll(listed).toMatchObject([{ status: null, fault: name === 'hang' ? 'hang' : null }]);
      client.abort();
      await response.then((it) => it.text()).catch(() => {});
      await expect.poll(listed).toMatchObject([{ aborted: true }]);
      const { log } = await calendar.requests.har();
      expect(log.entries).toMatchObject([{ response: { status: 0, _aborted: true } }]);
    });
  });

  it('with a slow body end with it', async () => {
    await calendar.tags.create({ name: 'jazz' });
    await calendar.requests.clear();
    await calendar.faults.add({ slow_body: 200 });
    const response = await send('tags?hide_empty=false');
    expect(await listed()).toMatchObject([{ status: null, aborted: false }]);
    await response.text();
    await expect.poll(listed).toMatchObject([{ status: 200, aborted: false, response: { bytes: expect.any(Number) } }]);
  });

  it.each(['clear', 'reset'] as const)('in progress are removed by %s for good', async (remove) => {
    const held = await calendar.faults.hold({ path: '/tags' });
    const response = send('tags');
    await held.arrived();
    if (remove === 'clear') await calendar.requests.clear();
    else await calendar.reset({ keep: ['requests'] });
    if (remove === 'clear') await held.release();
    expect((await response).status).toBe(remove === 'clear' ? 200 : 503);
    expect(await listed()).toEqual([]);
  });

  it('of browsers before others match only by their method', async () => {
    const waiting = calendar.requests.waitFor({ path: '/tags' });
    await send('tags', { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } });
    await send('tags', { method: 'OPTIONS' });
    expect((await waiting).map(({ id }) => id)).toEqual([2]);
    expect(await calendar.requests.verify({ path: '/tags' }, { exactly: 1 })).toBe(1);
    expect(await calendar.requests.count({ method: 'OPTIONS' })).toBe(2);
    expect([(await listed()).length, (await calendar.requests.list({ path: '/tags' })).requests.length]).toEqual([2, 1]);
    await expect(calendar.requests.verify({ path: '/tags' }, { exactly: 2 })).rejects.toThrow('method is OPTIONS of a preflight');
  });

  it('with another method in their headers match it, also for faults', async () => {
    const { id } = await calendar.tags.create({ name: 'jazz' });
    await calendar.faults.add({ match: { method: 'DELETE' }, then: { status: 503 }, times: 1 });
    const remove = () => send(`tags/${id}`, { method: 'POST', headers: { 'X-HTTP-Method-Override': 'DELETE' } });
    expect((await remove()).status).toBe(503);
    expect((await remove()).status).toBe(200);
    await expect(calendar.requests.verify({ method: 'DELETE' }, { never: true })).rejects.toMatchObject(failed);
    await calendar.requests.verify({ method: 'POST' }, { never: true });
  });

  it('are pending in an HTTP Archive', async () => {
    const held = await calendar.faults.hold({ path: '/tags' });
    const response = send('tags');
    expect((await calendar.requests.har()).log.entries).toMatchObject([{ time: 0, response: { status: 0, _pending: true } }]);
    await held.release();
    await response;
  });
});
