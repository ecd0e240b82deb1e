import { readdirSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { maxDownloadBytes, openSource } from '../../../src/data/ingest/opened-source.ts';
import { transportHere } from '../../../src/testing/here.ts';

it('a download without an end fails at the limit, and leaves no copy', async () => {
  const chunk = Buffer.alloc(1 << 20);
  const server = http.createServer((_, response) => {
    const more = () => {
      while (response.write(chunk));
      response.once('drain', more);
    };
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const context = { cwd: '/', stdin: (async function* () {})(), transport: { ...transportHere(60_000), env: {} } };
  await expect(openSource(address, context)).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringContaining(`is larger than ${maxDownloadBytes} bytes`),
  });
  expect(readdirSync(tmpdir())).toEqual([]);
  server.closeAllConnections();
  server.close();
});
