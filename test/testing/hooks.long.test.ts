import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';
import { worldSource } from '../../src/testing/world-source.ts';
import { collectHooks } from '../support/test-hooks.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((each) => each.close()));
});
const open = async (options = {}): Promise<Calendar> => {
  const calendar = await createCalendar(options);
  opened.push(calendar);
  return calendar;
};

/** A server whose responses the test sends. */
async function silentServer() {
  const waiting: ((status: number, body: object) => void)[] = [];
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    waiting.push((status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({ close: () => new Promise((resolve) => server.closeAllConnections() ?? server.close(resolve)) });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, waiting, paths };
}
const made = { id: 'a', name: null, url: '', header: '', cookie: '', created: '2027-01-01T00:00:00Z', idle: 0, requests: 0 };

describe('the calendar of a test file', () => {
  it('fails with the step that exceeded the timeout, and closes calendars that open late', async () => {
    const { url: origin, waiting, paths } = await silentServer();
    const url = `${origin}/calendar/events/v1`;
    const { start, next, end, hookTimeoutMs } = collectHooks({ server: url, timeout: 2000 });
    expect(hookTimeoutMs).toBeGreaterThan(2000);
    const message = `The calendar did not open within 2 s; it was creating a world on ${url}`;
    await expect(start()).rejects.toThrow(message);
    await expect(next()).rejects.toThrow(message);
    waiting.shift()!(200, made);
    await expect.poll(() => paths.at(-1)).toMatch(/^DELETE .*\/_calendar\/worlds\/a$/);
    waiting.shift()!(200, made);
    await end();
  });

  it('closes what opens after the runner gave up', async () => {
    const { url, waiting, paths } = await silentServer();
    const { start, end } = collectHooks({ server: `${url}/calendar/events/v1` });
    const opening = start();
    await expect.poll(() => waiting.length).toBe(1);
    await end();
    waiting.shift()!(200, made);
    await expect.poll(() => paths.at(-1)).toMatch(/^DELETE /);
    waiting.shift()!(200, made);
    await opening;
  });

  it.each([
    [{ seed: 'no-such-seed' }, 'No seed or file has the name'],
    [{ server: 'http://127.0.0.1:1' }, 'Cannot reach'],
    [{ timeout: -1 }, 'Invalid timeout'],
    [{ inFlight: 'error' as never }, 'Invalid inFlight'],
    [{ keep: 'failed' as never, server: 'http://127.0.0.1:1' }, 'Invalid keep'],
  ])('fails each test if it did not open: %j', async (options, message) => {
    const failing = async () => {
      const { start, next } = collectHooks(options);
      const errors = [await start().catch(String), await next().catch(String)];
      expect(errors[0]).toBe(errors[1]);
      throw new Error(errors[0] as string);
    };
    await expect(failing()).rejects.toThrow(message);
  });

  it.each(['warn', 'fail', 'ignore'] as const)('reports requests of the previous test that are in progress: %s', async (inFlight) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { start, next, end, calendar } = collectHooks({ seed: 'minimal', inFlight });
    await start();
    await next();
    await calendar.faults.add({ delay: 60_000, match: { path: '/tags' } });
    const late = ['one', 'two'].map((name) => calendar.fetch('tags', { method: 'POST', body: new URLSearchParams({ name }) }));
    await expect.poll(async () => (await calendar.faults.list())[0]!.hits).toBe(2);
    const message = '2 requests from the previous test were still in flight: POST /tags, POST /tags';
    if (inFlight === 'fail') await expect(next()).rejects.toThrow(message);
    else await next();
    expect(warn.mock.calls).toEqual(inFlight === 'warn' ? [[message]] : []);
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([503, 503]);
    expect((await calendar.tags.list({ hide_empty: false })).tags.map(({ name }) => name)).not.toContain('one');
    await calendar.requests.verify({}, { never: true });
    await next();
    await end();
  });

  it.each(['in this process', 'on a server'])('is not changed by requests that the previous test sent without await, %s', async (where) => {
    const { start, next, end, calendar } = collectHooks(where === 'on a server' ? { server: (await open()).url } : {});
    await start();
    for (let i = 0; i < 20; i++) {
      await next();
      expect((await calendar.tags.list({ hide_empty: false })).total).toBe(0);
      const sent = Array.from({ length: 5 }, (_, n) =>
        fetch(`${calendar.url}/tags`, { method: 'POST', body: new URLSearchParams({ name: `late ${n}` }) }),
      );
      await next();
      for (const response of await Promise.all(sent)) expect([201, 503]).toContain(response.status);
      expect((await calendar.tags.list({ hide_empty: false })).total).toBe(0);
      await calendar.requests.verify({ method: 'POST' }, { never: true });
    }
    await end();
  });

  it('is not changed by calls of the previous test that were not awaited, without a port', async () => {
    const { start, next, end, calendar } = collectHooks({ listen: false });
    await start();
    const calls = {
      create: () => calendar.tags.create({ name: 'late' }),
      fetch: () => calendar.fetch('tags', { method: 'POST', body: new URLSearchParams({ name: 'late' }) }),
      seed: () => calendar.data.seed('minimal'),
    };
    for (const [name, call] of Object.entries(calls)) {
      await next();
      const late = call();
      await next();
      await late;
      expect([name, (await calendar.tags.list({ hide_empty: false })).total]).toEqual([name, 0]);
    }
    await end();
  });

  it('is a world of a running server, which other test files do not share', async () => {
    const server = await open({ seed: 'minimal' });
    const [one, two] = [collectHooks({ server: server.url }), collectHooks({ server: server.url, seed: 'demo' })];
    await Promise.all([one.start(), two.start()]);
    await one.next();
    await one.calendar.tags.create({ name: 'Ours' });
    await two.next();
    expect((await one.calendar.tags.get('ours')).name).toBe('Ours');
    await expect(two.calendar.tags.get('ours')).rejects.toMatchObject({ code: 'not-found' });
    // A test that forgets its world fails.
    expect((await server.fetch('tags')).status).toBe(400);
    await one.next();
    await expect(one.calendar.tags.get('ours')).rejects.toMatchObject({ code: 'not-found' });
    await Promise.all([one.end(), two.end()]);
    expect(await server.worlds.list()).toEqual([]);
    expect((await server.fetch('tags')).status).toBe(400);
  });
});

describe('the calendars of single tests', () => {
  it.each(['in this process', 'on a server'])('are worlds %s, also at the same time', async (where) => {
    const server = where === 'on a server' ? await open({ seed: 'minimal' }) : undefined;
    const source = worldSource(server ? { server: server.url } : { seed: 'minimal' });
    const tests = await Promise.all(['one', 'two', 'three'].map((name) => source.open(name)));
    const ports = new Set(tests.map(({ calendar }) => new URL(calendar.url).port));
    expect(ports.size).toBe(1);
    await Promise.all(tests.map(({ calendar }) => calendar.tags.create({ name: 'Same name' })));
    await Promise.all(tests.map(({ close }) => close()));
    expect(await server?.worlds.list()).toEqual(server && []);
    await source.close();
  });

  it('keep the world of a failed test, and print its URL', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const server = await open();
    const source = worldSource({ server: server.url, keep: 'on-failure' }, (text) => console.warn(text));
    const [passed, failed] = await Promise.all([source.open('passes'), source.open('fails')]);
    await passed.close(false);
    await failed.close(true);
    const kept = await server.worlds.list();
    expect(kept.length).toBe(1);
    const { id } = kept[0]!;
    expect(warn.mock.calls).toEqual([[`The calendar of fails is kept: ${server.root}/_worlds/${id}/`]]);
    await expect(worldSource({ keep: 'on-failure' }).open('x')).rejects.toThrow('keep requires server');
  });
});
