import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { transportOf } from '../../../src/client/transport.ts';
import { openSource } from '../../../src/data/ingest/opened-source.ts';
import { withTimeout } from '../../../src/model/time/duration.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const { signal } = new AbortController();

// Every path returns a body without end, and garbage is collected meanwhile.
const server = http.createServer((_, response) => {
  const timer = setInterval(() => response.write('x'), 5);
  response.on('close', () => clearInterval(timer));
});
let root: string;
let timer: NodeJS.Timeout;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  timer = setInterval(collectGarbage, 10);
});
afterEach(() => clearInterval(timer));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const options = { userAgent: 'test', env: {}, now: Date.now, random: Math.random };

it('a request fails after its timeout while its body arrives', async () => {
  const transport = transportOf({ ...options, timeout: 200, signal });
  const sent = transport.send({ method: 'GET', url: root, headers: {} });
  await expect(sent).rejects.toMatchObject({ code: 'unreachable', message: expect.stringContaining('no response within 0.2 s') });
  await transport.close();
});

it('a download fails after its timeout while its body arrives', async () => {
  const opened = openSource(root, { cwd: '/', stdin: (async function* () {})(), transport: { ...options, signal, timeout: 200 } });
  await expect(opened).rejects.toMatchObject({ message: expect.stringContaining('was not downloaded within 0.2 s') });
});

it('a task gets the reason of the signal that aborts first', async () => {
  const reasonOf = (limited: AbortSignal) => new Promise((resolve) => limited.addEventListener('abort', () => resolve(limited.reason)));
  expect(await withTimeout(10, signal, reasonOf)).toMatchObject({ name: 'TimeoutError' });
  const reason = new Error('interrupted');
  expect(await withTimeout(2 ** 40, AbortSignal.any([AbortSignal.abort(reason)]), async (limited) => limited.reason)).toBe(reason);
});
