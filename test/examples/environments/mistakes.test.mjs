import http from 'node:http';
import library from 'local-calendar';
import { useCalendar } from 'local-calendar/vitest';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

/** Each way in which a test passed, or failed without a reason, although the app was wrong. */
const calendar = useCalendar({ seed: 'minimal' });
beforeAll(async () => void (await calendar.tags.create({ name: 'of beforeAll' })));
afterEach(() => vi.useRealTimers());

/** Sends a request past the document, which allows neither every method nor every header. */
const send = (method, path, headers = {}) =>
  new Promise((resolve, reject) => {
    http
      .request(`${calendar.url}${path}`, { method, headers, agent: false }, (response) => {
        response.resume();
        response.on('end', () => resolve(response));
      })
      .on('error', reject)
      .end();
  });
const jazz = { search: 'jazz' };

test('a held request counts', async () => {
  const held = await calendar.faults.hold({ path: '/events' });
  const response = calendar.fetch('events');
  await held.arrived();
  await expect(calendar.requests.verify({ path: '/events' }, { never: true })).rejects.toThrow('pending');
  await held.release(503);
  expect((await response).status).toBe(503);
});

test('a second POST that is on its way counts', async () => {
  await calendar.faults.add({ match: { method: 'POST' }, delay: '100ms' });
  const posts = ['one', 'two'].map((name) => calendar.fetch('tags', { method: 'POST', body: new URLSearchParams({ name }) }));
  await expect(calendar.requests.verify({ method: 'POST' }, { exactly: 1 })).rejects.toThrow('2 of 2 did');
  await Promise.all(posts);
});

test('an aborted request is not one that was answered', async () => {
  await calendar.faults.hold({ query: jazz });
  const aborted = new AbortController();
  const response = calendar.fetch('events?search=jazz', { signal: aborted.signal }).catch((error) => error.name);
  await calendar.requests.waitFor({ query: jazz });
  aborted.abort();
  expect(await response).toBe('AbortError');
  await calendar.requests.waitFor({ query: jazz, aborted: true });
  expect((await calendar.faults.list())[0].held).toBe(0);
  await calendar.requests.verify({ status: '2xx' }, { never: true });
});

test('calls of records over HTTP are not requests', async () => {
  const remote = await library.connectCalendar(calendar.url);
  await calendar.faults.add({ then: 503, times: 1 });
  expect((await remote.tags.list({ hide_empty: false })).total).toBeGreaterThan(0);
  await calendar.requests.verify({}, { never: true });
  expect((await remote.fetch('tags')).status).toBe(503);
  await calendar.requests.verify({}, { exactly: 1 });
  await remote.close();
});

describe.each([1, 2])('test %d of the same URL', () => {
  test('reads what it made', async () => {
    const total = async () => (await (await fetch(`${calendar.url}/tags?hide_empty=false&search=cached`)).json()).total;
    expect(await total()).toBe(0);
    await calendar.tags.create({ name: 'cached' });
    expect(await total()).toBe(1);
  });

  test('saves a snapshot of the same name', async () => {
    await calendar.snapshots.save('a');
  });

  test('finds what beforeAll made', async () => {
    expect((await calendar.tags.list({ hide_empty: false, search: 'beforeall' })).total).toBe(1);
  });
});

test('a wait names the nearest request before the runner gives up', { timeout: 1000 }, async () => {
  await calendar.fetch('events');
  await expect(calendar.requests.waitFor({ path: '/venues' })).rejects.toThrow(
    /within \d{1,3} ms, and 0 of 1 did: GET \S+\/events 200 \(path is/,
  );
});

test('a hold without requests names what it waited for', { timeout: 1000 }, async () => {
  const held = await calendar.faults.hold({ path: '/venues' }, { times: 1 });
  const response = calendar.fetch('events');
  await expect(held.arrived()).rejects.toThrow(/match \{"path":"\/venues"\}.* 0 arrived: GET \S+\/events/);
  await response;
  await calendar.faults.clear();
});

test('a release after the limit is an error', async () => {
  const held = await calendar.faults.hold({ path: '/events' }, { timeout: '50ms' });
  expect((await calendar.fetch('events')).status).toBe(200);
  await expect(held.release()).rejects.toThrow('the limit of the hold, 0.05 s, ended before the release');
});

test('one kind of time', async () => {
  await calendar.requests.waitFor({}, { timeout: 20 }).catch(() => {});
  await calendar.requests.waitFor({}, { timeout: '20ms' }).catch(() => {});
  for (const delay of [1, '1ms', [1, 2]]) await calendar.faults.add({ delay, probability: 1 });
  await calendar.clock.advance(60_000);
  const world = await calendar.worlds.create({ ttl: 60_000 });
  await world.close();
});

test('wrong arguments are refused', async () => {
  await calendar.fetch('events');
  await expect(calendar.requests.verify({}, 5)).rejects.toThrow();
  await expect(calendar.requests.verify({}, { exactly: undefined })).rejects.toThrow('exactly is undefined');
  expect(await calendar.requests.clear({ path: '/venues' })).toBe(0);
  await calendar.requests.verify({}, { exactly: 1 });
});

test('fake timers stop no wait, and set the Date header', async () => {
  vi.useFakeTimers();
  vi.setSystemTime('2030-05-06T07:08:09Z');
  await expect(calendar.requests.waitFor({}, { timeout: 50 })).rejects.toThrow('within 50 ms');
  expect((await send('GET', '/events')).headers.date).toBe('Mon, 06 May 2030 07:08:09 GMT');
});

test('a preflight is not a request, an overridden method counts, and the last value of a parameter counts', async () => {
  await send('OPTIONS', '/events', { origin: 'http://app.example', 'access-control-request-method': 'POST' });
  await calendar.requests.verify({ path: '/events' }, { never: true });
  await send('POST', '/tags/999', { 'x-http-method-override': 'DELETE' });
  await expect(calendar.requests.verify({ method: 'DELETE' }, { never: true })).rejects.toThrow('1 of 2 did');
  await send('GET', '/events?search=jazz&search=x');
  await calendar.requests.verify({ query: jazz }, { never: true });
});
