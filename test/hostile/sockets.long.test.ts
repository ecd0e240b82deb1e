import net from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { between, createRandom, happens } from '../../src/model/generate/random.ts';
import type { Handle, ServerResponse } from '../../src/server/http.ts';
import { textBody } from '../../src/server/http.ts';
import { listen } from '../../src/server/listen.ts';
import { namespace, Server } from '../support/contract-server.ts';
import { serverWith } from '../support/server.ts';
import { limit } from '../support/timeouts.ts';
import { expectAlive, expectDecent } from '../support/valid-response.ts';

const server = new Server('over HTTP');
beforeAll(() => server.open());
afterAll(() => server.close());
afterEach(() => expectAlive(server));

const local = 'Host: localhost\r\n';
const path = `/${namespace}/events`;

/** The time limit of a response, and the time in which an unrequested second one would arrive, in ms. */
const untilAnswer = limit(2000);
const afterAnswer = 200;

/** Writes bytes to a connection and gathers what comes back until it is closed, or quiet for a while: usually until what came is answers. */
function exchange(pieces: (string | Uint8Array)[], { quiet, end = false }: { quiet?: number; end?: boolean } = {}): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(server.port, '127.0.0.1');
    let text = '';
    let timer = setTimeout(() => socket.destroy(), limit(Math.max(15_000, quiet ?? 0)));
    const rest = () => {
      clearTimeout(timer);
      timer = setTimeout(() => socket.destroy(), quiet ?? (isWhole(text) ? afterAnswer : untilAnswer));
    };
    socket.on('connect', async () => {
      for (const piece of pieces) {
        if (socket.destroyed) break;
        socket.write(piece);
        await new Promise((next) => setTimeout(next, 5));
      }
      if (end) socket.end();
      rest();
    });
    socket.on('data', (data) => {
      text += data.toString('latin1');
      rest();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}

/** The answers in what came back, each to its end, and what is left of the text. */
function parted(text: string): { answers: { status: number; head: string; body: string }[]; rest: string } {
  const answers = [];
  let rest = text;
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0 && rest.startsWith('HTTP/1.1 '); end = rest.indexOf('\r\n\r\n')) {
    const head = rest.slice(0, end);
    const status = Number(head.slice(9, 12));
    const length = status === 100 ? 0 : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const body = Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1');
    if (body.length < length) break;
    if (status !== 100) answers.push({ status, head, body: body.toString() });
    rest = rest.slice(end + 4 + length);
  }
  return { answers, rest };
}
const answersIn = (text: string) => parted(text).answers;
const isWhole = (text: string) => text !== '' && parted(text).rest === '' && answersIn(text).length > 0;
const decentIn = (text: string, sent: string | Uint8Array) => {
  const answers = answersIn(text);
  for (const answer of answers) expectDecent(answer, String(sent).slice(0, 100));
  return answers[0];
};
const first = async (...pieces: (string | Uint8Array)[]) => decentIn(await exchange(pieces), pieces[0]!);
const request = (line: string, headers = local, body = '') => `${line} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n${body}`;

describe('invalid requests', () => {
  it.each([
    'nonsense\r\n\r\n',
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET ${path} HTTP/1.1\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\nHost localhost\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${local}A: b\0c\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${local} folded\r\n\r\n`,
    `GET ${path}?a b HTTP/1.1\r\n${local}\r\n`,
    `POST ${path} HTTP/1.1\r\n${local}Content-Length: -1\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${local}Content-Length: 1e3\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${local}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    `POST ${path} HTTP/1.1\r\n${local}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${local}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    `POST ${path} HTTP/1.1\r\n${local}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n`,
    `GET ${path} HTTP/1.1\r\n${local}${'A: b\r\n'.repeat(9000)}\r\n`,
    `GET ${path} HTTP/1.1\r\n${local}X: ${'y'.repeat(20_000)}\r\n\r\n`,
    `GET ${path}?${'x'.repeat(20_000)} HTTP/1.1\r\n${local}\r\n`,
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '\r\n\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ])('%j', async (text) => {
    // Nothing else comes: what waits for more waits no longer.
    const answer = decentIn(await exchange([Buffer.from(text, 'latin1')], { end: true }), text);
    if (answer) expect([400, 408, 413, 431]).toContain(answer.status);
  });
  it(
    'random bytes',
    async () => {
      const random = createRandom('sockets');
      for (let count = 0; count < 60; count++) {
        const noise = Uint8Array.from({ length: between(random, 1, 400) }, () => between(random, 0, 255));
        await Promise.all([
          first(noise),
          first(`GET ${path}?`, noise, `\r\n${local}\r\n`),
          first(`GET /${namespace}/`, noise, ` HTTP/1.1\r\n${local}\r\n`),
          first(`GET ${path} HTTP/1.1\r\n${local}X: `, noise, '\r\n\r\n'),
          first(
            `POST ${path} HTTP/1.1\r\n${local}Content-Type: ${happens(random, 0.5) ? 'application/json' : 'multipart/form-data; boundary=x'}\r\nContent-Length: ${noise.length}\r\nConnection: close\r\n\r\n`,
            noise,
          ),
        ]);
      }
    },
    limit(60_000),
  );
});

describe('odd requests', () => {
  it.each([
    [request(`GET ${path}?%`), 200],
    [request(`GET ${path}/by-slug/%`), 400],
    [request(`GET ${path}/by-slug/%ff`), 400],
    [request(`GET ${path}/by-slug/%c0%af`), 400],
    [request(`GET ${path}/by-slug/%00`), 400],
    [request(`GET http://evil.example${path}`), 403],
    [request(`GET http://localhost${path}`), 200],
    [request(`GET //evil.example${path}`), 404],
    [request(`GET /../../..${path}`), 404],
    [request(`GET ${path}/../../../etc/passwd`), 404],
    [request(`GET ${path}#x`), 404],
    [request('OPTIONS *'), 204],
    [request(`TRACE ${path}`), 404],
    [request(`BREW ${path}`), 400],
    [request(`get ${path}`), 400],
    [request(`GET ${path}?a=1?b=2&search=x?y`), 200],
    [request(`GET ${path}`, `${local}Upgrade: h2c\r\n`), 200],
    [request(`GET ${path}`, `${local}Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n`), 200],
    [request(`GET ${path}`, `${local}Origin: \xe9\xff\r\n`), 200],
    [request(`GET ${path}`, `${local}Cookie: ${'a=b; '.repeat(1000)}\r\n`), 200],
    [request(`GET ${path}`, `${local}Range: bytes=0-1\r\n`), 200],
    [request(`GET ${path}`, `${local}Accept-Encoding: x, ;q=9, gzip;q=0\r\n`), 200],
    [`GET ${path} HTTP/1.0\r\n\r\n`, 200],
    [request(`POST ${path}`, `${local}Content-Length: 2\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n`, '{}'), 415],
    [request(`POST ${path}`, `${local}Content-Length: 2\r\nContent-Type: application/json\r\nContent-Encoding: identity\r\n`, '{}'), 400],
    [request(`GET ${path}`, `${local}${local}`), 400],
    [request(`GET ${path}`, `${local}Host: evil.example\r\n`), 400],
    [request(`POST ${path}`, `${local}Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n`, '2\r\n{}\r\n0\r\n\r\n'), 400],
    [request(`GET ${path}`, `${local}Content-Length: 5\r\n`, 'hello'), 200],
    [request(`POST ${path}`, `${local}Content-Length: 2\r\nContent-Type: application/json\r\n`, '{}{}{}{}'), 400],
    [request(`POST ${path}`, `${local}Content-Length: 0\r\nX-HTTP-Method-Override: \t\r\n`), 400],
    [request(`POST ${path}`, `${local}Content-Length: 0\r\nX-HTTP-Method-Override: GET\r\n`), 200],
  ])('%j: %i', async (text, status) => {
    const answer = await first(Buffer.from(text, 'latin1'));
    expect(answer?.status).toBe(status);
  });
  it('CONNECT is hung up on', async () => {
    expect(
      answersIn(await exchange(['CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'])).every(({ status }) => status >= 400),
    ).toBe(true);
  });
});

describe('the Host', () => {
  it.each([
    ['localhost', 200],
    ['LOCALHOST:80', 200],
    ['127.0.0.1', 200],
    ['127.1.2.3:8080', 200],
    ['[::1]', 200],
    ['[::1]:80', 200],
    ['calendar.localhost', 200],
    ['localhost.', 200],
    ['example.org', 403],
    ['localhost.example.org', 403],
    ['127.0.0.1.example.org', 403],
    ['127.0.0.1:80.example.org', 403],
    ['127.0.0.1@example.org', 403],
    ['example.org:80', 403],
    ['0.0.0.0', 403],
    ['192.168.0.1', 403],
    ['[::2]', 403],
    ['127.0.0.1 example.org', 403],
    ['xlocalhost', 403],
    ['<script>.localhost', 403],
    ['a"b.localhost', 403],
    ['', 403],
    ['2130706433', 403],
  ])('%j: %i', async (host, status) => {
    const answer = await first(request(`GET ${path}`, `Host: ${host}\r\n`));
    expect(answer?.status).toBe(status);
    if (status === 403) expect(JSON.parse(answer!.body).code).toBe('host-not-allowed');
  });
});

describe('bodies past the limit', () => {
  const head = (more: string) => `POST ${path} HTTP/1.1\r\n${local}Content-Type: application/json\r\n${more}\r\n`;
  const piece = Buffer.alloc(64 << 10, 0x20);
  const refused = (text: string) => {
    const [answer] = answersIn(text);
    expect([answer?.status, answer && JSON.parse(answer.body).code]).toEqual([413, 'body-too-large']);
    expect(answer!.head).toMatch(/connection: close/i);
  };
  it('that declare it', async () => refused(await exchange([head(`Content-Length: ${(1 << 20) + 1}\r\n`)])));
  it('that declare it, and send it', async () =>
    refused(await exchange([head(`Content-Length: ${64 * piece.length}\r\n`), ...Array(64).fill(piece)])));
  it('that declare it, and wait for 100 Continue', async () =>
    refused(await exchange([head(`Content-Length: ${2 << 20}\r\nExpect: 100-continue\r\n`)])));
  it('that say an enormous length', async () => refused(await exchange([head('Content-Length: 99999999999999\r\n'), piece])));
  it('that come in chunks', async () => {
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]);
    refused(await exchange([head('Transfer-Encoding: chunked\r\n'), ...Array(40).fill(chunk), '0\r\n\r\n']));
  });
  it('and one byte less', async () => {
    const body = Buffer.alloc(1 << 20, 0x20);
    const [answer] = answersIn(await exchange([head(`Content-Length: ${body.length}\r\nConnection: close\r\n`), body]));
    expect(answer?.status).toBe(400);
    expect(JSON.parse(answer!.body).code).toBe('rest_missing_callback_param');
  });
});

describe('connections', () => {
  it('that break off', async () => {
    const head = `POST ${path} HTTP/1.1\r\n${local}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        exchange([index % 2 ? head : `GET ${path} HTTP/1.1\r\nHost: loc`, ...(index % 4 > 1 ? ['{"title":'] : [])], { quiet: 5 + index }),
      ),
    );
  });
  it('that close their half', async () => {
    const answers = answersIn(await exchange([request(`GET ${path}`)], { end: true }));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });
  it('that come byte by byte', async () => {
    const text = request(`GET ${path}`);
    const answers = answersIn(await exchange([...text]));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });
  it('that are closed during a response', async () => {
    await Promise.all(
      Array.from({ length: 50 }, () => exchange([`GET /${namespace}/doc HTTP/1.1\r\n${local}\r\n`.repeat(20)], { quiet: 1 })),
    );
  });
  it('with many requests at once are answered in order', async () => {
    const paths = Array.from({ length: 30 }, (_, index) =>
      index % 3 === 0 ? '/events' : index % 3 === 1 ? '/nothing' : `/events/${1000 + index}`,
    );
    const last = request(`GET ${path}`);
    const all = paths.map((each) => `GET /${namespace}${each} HTTP/1.1\r\n${local}\r\n`).join('') + last;
    const text = await exchange([all], { quiet: limit(15_000) });
    expect(answersIn(text).map(({ status }) => status)).toEqual([...paths, '/events'].map((each) => (each === '/events' ? 200 : 404)));
  });
  it('with a body that contains another request', async () => {
    const smuggled = `GET /${namespace}/doc HTTP/1.1\r\n${local}\r\n`;
    const text = await exchange([`POST /${namespace}/nothing HTTP/1.1\r\n${local}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`], {
      quiet: 2000,
    });
    expect(answersIn(text).map(({ status }) => status)).toEqual([404]);
  });
  it('by the hundred', async () => {
    const texts = await Promise.all(Array.from({ length: 200 }, () => exchange([request(`GET ${path}`)])));
    expect(texts.every((text) => text.startsWith('HTTP/1.1 200 '))).toBe(true);
  });
});

describe('a mistake of ours in one answer', () => {
  const good: ServerResponse = { status: 200, headers: {}, body: textBody('good') };
  const answers: Record<string, () => ServerResponse | Promise<ServerResponse>> = {
    'a header that cannot be sent': () => ({ ...good, headers: { X: '\u0100' } }),
    'one that cannot be sent, later': async () => ({ ...good, headers: { X: 'a\nb' } }),
    'a status that is none': () => ({ ...good, status: 7 }),
    'a failure': () => {
      throw new Error('no');
    },
    'a failure, later': () => Promise.reject(new Error('no')),
  };
  it.each(Object.keys(answers))('%s leaves the others', async (name) => {
    const handle: Handle = ({ path }) => (path === '/good' ? good : answers[name]!());
    const listening = await listen(serverWith(handle, { maxBodyBytes: 10 }), { host: '127.0.0.1', port: 0 });
    try {
      for (const body of [undefined, 'body']) {
        const reply = await fetch(`${listening.url}/bad`, { method: body ? 'POST' : 'GET', body }).catch(() => undefined);
        expect(reply === undefined || reply.status >= 500).toBe(true);
        expect(await (await fetch(`${listening.url}/good`)).text()).toBe('good');
      }
    } finally {
      await listening.close();
    }
  });
});
