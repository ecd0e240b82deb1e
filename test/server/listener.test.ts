import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/server/listen.ts';
import { serverWith } from '../support/server.ts';

let listening: Listening | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listening?.close();
});

/** Sends the head of a request whose body has a length, and the start of the body; returns what comes back. */
async function sendStart(length: number, start: number): Promise<{ text(): string; socket: Socket }> {
  const chunks: Buffer[] = [];
  const socket = connect(listening!.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write(`POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(start)}`);
  // The server has read it when other events have been handled.
  await setTimeout(30);
  return { text: () => Buffer.concat(chunks).toString(), socket };
}

it('bodies that arrive at one time share a limit, also those of clients that go away', async () => {
  listening = await listen(
    serverWith(() => ({ status: 200, headers: {}, body: [] })),
    { host: '127.0.0.1', port: 0, maxBufferedBytes: 1000 },
  );
  const first = await sendStart(600, 500);
  const second = await sendStart(600, 500);
  expect([first.text(), second.text()]).toEqual(['', '']);
  const third = await sendStart(600, 500);
  expect(third.text()).toMatch(/^HTTP\/1\.1 503 .*"code":"busy"/s);
  third.socket.destroy();
  expect((await sendStart(500, 400)).text()).toMatch(/^HTTP\/1\.1 503 /);
  first.socket.destroy();
  await setTimeout(30);
  expect((await sendStart(400, 400)).text()).toMatch(/^HTTP\/1\.1 200 /);
  expect((await sendStart(400, 400)).text()).toMatch(/^HTTP\/1\.1 200 /);
});
