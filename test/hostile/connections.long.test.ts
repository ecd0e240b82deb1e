import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RequestEvent } from '../../src/server/http.ts';
import { type Handle, textBody } from '../../src/server/http.ts';
import { Journal } from '../../src/server/journal/journal.ts';
import { type Listening, listen } from '../../src/server/listen.ts';
import { serverWith } from '../support/server.ts';
import { limit } from '../support/timeouts.ts';

const errors: RequestEvent[] = [];
let responses = 0;
const handle: Handle = ({ body, path }) => ({
  status: 200,
  headers: {},
  body: path.startsWith('/large/') ? [Buffer.alloc(30_000, ' '), Buffer.from(path)] : textBody(`${body.length} bytes`),
});
const start = (timeouts?: object) => {
  const controlled = { control: () => Promise.reject() as never, access: { loopback: true, open: false } };
  const journal = new Journal({ basePath: '', namespace: 'calendar/events/v1', size: 1, system: Date.now, now: Date.now });
  return listen(
    serverWith(handle, { controlled, journal }, () => (responses += 1)),
    { host: '127.0.0.1', port: 0, timeouts, onConnectionError: (event) => errors.push(event) },
  );
};

let server: Listening;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.close());
afterEach(() => {
  errors.length = 0;
});

/** A raw connection that records what it receives. */
class RawConnection {
  received = '';
  closed = false;
  readonly socket: net.Socket;

  constructor({ port }: Listening) {
    this.socket = net.connect(port, '127.0.0.1');
    this.socket.on('data', (data) => {
      this.received += data.toString('latin1');
    });
    this.socket.on('error', () => {});
    this.socket.on('close', () => {
      this.closed = true;
    });
  }

  async expectStatus(status: number): Promise<void> {
    await expect.poll(() => this.received, { timeout: limit(5000) }).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  }
}

const get = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('connections that are opened before they are needed', () => {
  it('a silent socket sends its request after 13 s and gets a response', { timeout: limit(30_000) }, async () => {
    const connection = new RawConnection(server);
    await wait(13_000);
    expect(connection).toMatchObject({ received: '', closed: false });
    connection.socket.write(get);
    await connection.expectStatus(200);
    connection.socket.destroy();
  });

  it('half a request head gets no response until it is complete', { timeout: limit(30_000) }, async () => {
    const connection = new RawConnection(server);
    connection.socket.write(get.slice(0, 20));
    await wait(13_000);
    expect(connection).toMatchObject({ received: '', closed: false });
    connection.socket.write(get.slice(20));
    await connection.expectStatus(200);
    connection.socket.destroy();
  });
});

describe('timeouts', () => {
  let impatient: Listening;
  beforeAll(async () => {
    impatient = await start({ headersTimeout: 300, connectionsCheckingInterval: 100 });
  });
  afterAll(() => impatient.close());

  it('a socket that never sent a byte is closed without a response', async () => {
    const connection = new RawConnection(impatient);
    await expect.poll(() => connection.closed, { timeout: limit(5000) }).toBe(true);
    expect(connection.received).toBe('');
    expect(errors).toEqual([]);
  });

  it('an incomplete request head gets 408', async () => {
    const connection = new RawConnection(impatient);
    connection.socket.write(get.slice(0, 20));
    await connection.expectStatus(408);
    await expect.poll(() => connection.closed, { timeout: limit(5000) }).toBe(true);
    expect(errors).toMatchObject([{ method: '-', path: '-', status: 408, error: expect.stringMatching(/in time/) }]);
  });
});

describe('invalid requests', () => {
  it.each([
    ['a header of 40 KB', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    ['text that is not HTTP', 'hello\r\n\r\n', 400],
  ])('%s', async (_name, text, status) => {
    const connection = new RawConnection(server);
    connection.socket.write(text);
    await connection.expectStatus(status);
    expect(errors).toMatchObject([{ status }]);
    await expect.poll(() => connection.closed, { timeout: limit(5000) }).toBe(true);
  });
});

describe('requests that are rejected by their head', () => {
  it('get the response before they send a body', async () => {
    const connection = new RawConnection(server);
    connection.socket.write('POST /_calendar/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000000\r\n\r\n');
    await connection.expectStatus(403);
    await expect.poll(() => connection.closed, { timeout: limit(5000) }).toBe(true);
  });
});

describe('pipelined requests', () => {
  /** Memory in use, in MB. */
  function usedMegabytes(): number {
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 1e6;
  }
  const requests = Array.from({ length: 700 }, (_, i) => `GET /large/${i} HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(10)}\r\n\r\n`);

  it('whose responses are not read cost little memory, and get them in order once they are', { timeout: limit(60_000) }, async () => {
    const before = usedMegabytes();
    const connections = Array.from({ length: 20 }, () => new RawConnection(server));
    for (const { socket } of connections) {
      socket.pause();
      socket.write(requests.join(''));
    }
    // Until the responses fill the buffers of the system.
    for (let before = -1; responses === 0 || responses !== before; await wait(300)) before = responses;
    // The buffers of what was sent last are freed a moment later.
    await expect.poll(() => usedMegabytes() - before, { timeout: limit(5000) }).toBeLessThan(50);
    const [first] = connections as [RawConnection];
    first.socket.resume();
    const paths = () => [...first.received.matchAll(/\/large\/(\d+)/g)].map(([, i]) => Number(i));
    await expect.poll(() => paths().length, { timeout: limit(30_000) }).toBe(requests.length);
    expect(paths()).toEqual(requests.map((_, i) => i));
    for (const { socket } of connections) socket.destroy();
  });

  it('wait for the one before and its body', async () => {
    const connection = new RawConnection(server);
    connection.socket.write(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello${get}POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n`,
    );
    await expect.poll(() => connection.received, { timeout: limit(5000) }).toMatch(/5 bytes[\s\S]*0 bytes$/);
    connection.socket.write('x'.repeat(200_000));
    await expect.poll(() => connection.received, { timeout: limit(5000) }).toMatch(/5 bytes[\s\S]*0 bytes[\s\S]*200000 bytes$/);
    connection.socket.destroy();
  });

  it('are not handled after one that closes the connection', async () => {
    const connection = new RawConnection(server);
    connection.socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n${get}`);
    await expect.poll(() => connection.closed, { timeout: limit(5000) }).toBe(true);
    expect(connection.received.match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  });
});
