import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { transportOf } from '../../src/client/transport.ts';

const at = Date.parse('2027-03-01T09:00:00Z');
/** Runs before a response: the time that it took. */
let onRequest = () => {};
let requests = 0;
let retryAfter = new Date(at).toUTCString();
const site = createServer((_, response) => {
  requests += 1;
  onRequest();
  response.writeHead(requests < 3 ? 429 : 200, requests < 3 ? { 'Retry-After': retryAfter } : {}).end('{}');
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(() => site.close());
afterEach(() => {
  vi.restoreAllMocks();
  onRequest = () => {};
  requests = 0;
});

const options = { userAgent: 'test', env: {}, random: () => 0, signal: new AbortController().signal, timeout: 10_000 };

/** Sends a read to a site that limits requests twice; the time of its `Retry-After` is over in 5 ms. */
async function send(parts: { maxWaitMs?: number; attempts?: number } = {}) {
  const transport = transportOf({ ...options, now: () => at - 5, ...parts });
  try {
    return (await transport.send({ method: 'GET', url, headers: {} })).status;
  } finally {
    await transport.close();
  }
}

it.each([
  [{}, 200, 3],
  [{ attempts: 2 }, 429, 2],
  [{ attempts: 1 }, 429, 1],
  [{ maxWaitMs: 4 }, 429, 1],
  [{ maxWaitMs: 5 }, 200, 3],
])('a site that limits requests is waited for: %j', async (parts, status, count) => {
  expect(await send(parts)).toBe(status);
  expect(requests).toBe(count);
});

it('after a time that a site asked for, each attempt has its share of the timeout, although the first ones took all of it', async () => {
  let elapsed = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed);
  onRequest = () => {
    elapsed += options.timeout;
  };
  expect(await send()).toBe(200);
  expect(requests).toBe(3);
});

it.each([
  ['1', 999, 1],
  ['0', 0, 3],
  ['soon', 0, 3],
])('a Retry-After of %s is at most %d ms of waiting: %d requests', async (header, maxWaitMs, count) => {
  retryAfter = header;
  await send({ maxWaitMs });
  expect(requests).toBe(count);
});
