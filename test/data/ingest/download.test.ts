import { readdirSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSource } from '../../../src/data/ingest/opened-source.ts';
import { transportHere } from '../../../src/testing/here.ts';

const chunk = Buffer.alloc(1 << 20);
/** Writes the body of each path. */
const bodies: Record<string, (response: http.ServerResponse) => void> = {
  '/endless': (response) => {
    const more = () => {
      while (response.write(chunk));
      response.once('drain', more);
    };
    more();
  },
  '/slow': (response) => {
    const timer = setInterval(() => response.write('x'), 5);
    response.on('close', () => clearInterval(timer));
  },
  '/silent': (response) => response.flushHeaders(),
  '/broken': (response) => {
    response.write('x', () => response.destroy());
  },
  '/whole': (response) => void response.end('{}'),
};
const server = http.createServer(({ url }, response) => bodies[url!]!(response));
let root: string;
beforeAll(
  () =>
    new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        resolve();
      });
    }),
);
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open = (path: string, timeout: number) =>
  openSource(`${root}${path}`, { cwd: '/', stdin: (async function* () {})(), transport: { ...transportHere(timeout), env: {} } });

it.each([
  ['/endless', 50, 'unreachable', 'was not downloaded within 0.05 s'],
  ['/slow', 50, 'unreachable', 'was not downloaded within 0.05 s'],
  ['/silent', 50, 'unreachable', 'was not downloaded within 0.05 s'],
  ['/broken', 60_000, 'unreachable', 'Cannot read'],
])('a download of %s within %i ms fails with %s and leaves no copy', async (path, timeout, code, message) => {
  await expect(open(path, timeout)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  expect(readdirSync(tmpdir())).toEqual([]);
});

it('a download in time is read', async () => {
  const source = await open('/whole', 60_000);
  expect(Buffer.concat([...source.chunks()]).toString()).toBe('{}');
  await source.end();
});
