import { connect as connectPlain } from 'node:net';
import { resolve } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar } from '../../bin/library.ts';
import { connectionFaults } from '../../src/model/operations/connection-faults.ts';
import { withAnyCertificate } from '../support/secret-cells.ts';
import { servers } from '../support/serving.ts';
import { folder, run } from '../support/transcript.ts';

const place = folder();
const file = (name: string) => resolve('test/support/files/tls', name);
const [tlsCert, tlsKey] = [file('cert.pem'), file('key.pem')];
const pair = `--tls-cert ${tlsCert} --tls-key ${tlsKey}`;
const serve = servers(place.path);
const at = (...args: string[]) => run(args, { cwd: place.path });

// Node reads NODE_EXTRA_CA_CERTS when it starts; test/server/https.long.test.ts sets it.
withAnyCertificate();
afterAll(place.remove);

/** Sends bytes to a port without TLS, and returns the response. */
const plain = (port: number, text: string) =>
  new Promise<string>((done) => {
    let received = '';
    const socket = connectPlain(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', () => {});
    socket.on('close', () => done(received));
  });

describe('a server of HTTPS', () => {
  it('has links, addresses and checks of its scheme', async () => {
    const server = await serve(`--db one.db --seed minimal --control ${pair}`);
    const { url, port } = server.said;
    expect(url).toBe(`https://127.0.0.1:${port}/calendar/events/v1`);
    const response = await fetch(`${url}/events`);
    const { events, rest_url } = (await response.json()) as { events: { url: string; rest_url: string }[]; rest_url: string };
    expect([rest_url, events[0]!.rest_url, events[0]!.url].map((each) => new URL(each).origin)).toEqual(Array(3).fill(new URL(url).origin));
    const post = (origin: string, to = url) =>
      fetch(`${to}/tags`, { method: 'POST', headers: { origin }, body: new URLSearchParams({ name: 'a' }) });
    expect((await post(new URL(url).origin)).status).toBe(201);
    // Commands find it by the file.
    expect(await at('wait', '--db', 'one.db')).toMatchObject({ stdout: `${url}\n`, exit: 0 });
    const status = await at('status', '--db', 'one.db', '--json');
    expect(JSON.parse(status.stdout)).toMatchObject({ served_at: url, records: { tags: 2 } });
    expect((await at('tags', 'list', '--db', 'one.db', '--json')).stdout).toContain('"name"');
    const world = await at('world', 'create', '--db', 'one.db', '--json');
    expect(JSON.parse(world.stdout)).toMatchObject({
      url: expect.stringMatching(/^https:/),
      cookie: expect.stringMatching(/^calendar_world=[\da-f]+; Secure$/),
    });
  });

  it('rejects pages of the same host without HTTPS', async () => {
    const calendar = await createCalendar({ tlsCert, tlsKey, host: '127.0.0.1', cors: ['https://app.example.org'] });
    const { host } = new URL(calendar.url);
    for (const [origin, status] of [
      [`https://${host}`, 201],
      [`http://${host}`, 403],
    ] as const) {
      const response = await fetch(`${calendar.url}/tags`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ name: origin }),
      });
      expect([origin, response.status]).toEqual([origin, status]);
    }
    expect((await calendar.worlds.create()).url).toMatch(/^https:/);
    await calendar.close();
  });

  it('says in one line that a request was plain HTTP, to the client and in its log', async () => {
    const server = await serve(`--memory ${pair}`);
    const { port } = server.said;
    const response = await plain(port, `GET /calendar/events/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(response).toContain('The request is plain HTTP, but this server uses HTTPS');
    expect(await at('events', 'list', '--url', `http://127.0.0.1:${port}`)).toMatchObject({
      exit: 2,
      stderr: 'calendar: The request is plain HTTP, but this server uses HTTPS\n',
    });
    // Other bytes end their connection only.
    expect(await plain(port, 'garbage\r\n\r\n')).not.toContain('HTTP/1.1 200');
    expect((await fetch(`https://127.0.0.1:${port}/calendar/events/v1`)).status).toBe(200);
    const log = (await server.stop()).stderr.split('\n');
    expect(log.filter((line) => line.startsWith('- - 400'))).toEqual([
      expect.stringContaining('plain HTTP'),
      expect.stringContaining('plain HTTP'),
    ]);
  });

  it.each<[string, string, string, string]>([
    ['a key of another certificate', 'cert.pem', 'other-key.pem', `${file('other-key.pem')} is not the key of ${tlsCert}`],
    ['a key as certificate', 'key.pem', 'key.pem', `${tlsKey} is not a certificate in PEM format`],
    ['a certificate as key', 'cert.pem', 'cert.pem', `${tlsCert} is not an unencrypted private key in PEM format`],
    ['a missing file', 'none.pem', 'key.pem', `${file('none.pem')}: no such file or folder`],
  ])('rejects %s in one line', async (_, cert, key, message) => {
    const { stderr, exit } = await at('serve', '--memory', '--port', '0', '--tls-cert', file(cert), '--tls-key', file(key));
    expect([stderr.split('\n')[0], exit === 0]).toEqual([`calendar: ${message}`, false]);
  });

  it.each(['--tls-cert', '--tls-key'])('rejects %s alone', async (option) => {
    expect(await at('serve', '--memory', '--port', '0', option, tlsCert)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('HTTPS requires a certificate and its key'),
    });
  });

  it('gives exec and its command its address', async () => {
    const script = 'console.error(process.env.CALENDAR_URL, process.argv[1])';
    const words = ['exec', '--tls-cert', tlsCert, '--tls-key', tlsKey, '--', process.execPath, '-e'];
    const check = `process.exit(/^https:\\/\\/127/.test(process.env.CALENDAR_URL) ? 0 : 1); ${script}`;
    expect(await at(...words, check)).toMatchObject({ exit: 0 });
  });

  it('handles pipelined requests one at a time', async () => {
    const calendar = await createCalendar({ tlsCert, tlsKey });
    const { port, host } = new URL(calendar.url);
    const request = `GET /calendar/events/v1/tags HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    const received = await new Promise<string>((done) => {
      let text = '';
      const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false }, () => socket.write(request.repeat(20)));
      socket.on('data', (data) => {
        text += data;
        if (text.split('HTTP/1.1 200').length > 20) socket.destroy();
      });
      socket.on('close', () => done(text));
    });
    expect(received.split('HTTP/1.1 200')).toHaveLength(21);
    await calendar.close();
  });

  it.each(connectionFaults.filter((fault) => fault !== 'hang'))('breaks connections: %s', async (fault) => {
    const calendar = await createCalendar({ tlsCert, tlsKey, faults: [{ then: fault }] });
    await expect(fetch(`${calendar.url}/tags`).then((response) => response.text())).rejects.toThrow();
    expect((await calendar.requests.list()).requests[0]).toMatchObject({ fault });
    await calendar.close();
  });
});

describe.each(['in this process', 'on a server'])('the test API with HTTPS %s', (where) => {
  let server: Calendar;
  let calendar: Calendar;
  beforeAll(async () => {
    server = await createCalendar({ tlsCert, tlsKey, now: '2027-03-01T09:00Z' });
    calendar = where === 'on a server' ? await connectCalendar(server.url) : server;
  });
  afterAll(async () => {
    if (calendar !== server) await calendar.close();
    await server.close();
  });

  it('waits at a reset for requests on their way, which write nothing', async () => {
    for (let round = 0; round < 10; round++) {
      const sent = Array.from({ length: 4 }, (_, i) =>
        fetch(`${server.url}/tags`, { method: 'POST', body: new URLSearchParams({ name: `late ${i}` }) }).then(
          ({ status }) => status,
          () => 0,
        ),
      );
      await calendar.reset();
      const total = (await calendar.tags.list()).total;
      await Promise.all(sent);
      expect([round, total, (await calendar.tags.list()).total]).toEqual([round, 0, 0]);
    }
  });

  it('counts requests that were only sent', async () => {
    await calendar.reset();
    const sent = fetch(`${server.url}/tags`);
    expect(await calendar.requests.count({ path: '/tags' })).toBe(1);
    await sent;
    expect((await calendar.requests.har()).log.entries).toMatchObject([{ request: { url: `${server.url}/tags` } }]);
  });

  it('forks and has worlds', async () => {
    const fork = await calendar.fork();
    const world = await calendar.worlds.create();
    expect((await fetch(`${world.url}/tags`)).status).toBe(200);
    expect((await fork.fetch('tags')).status).toBe(200);
    await fork.close();
    await world.close();
  });
});

it('rejects a certificate for a calendar without a port', async () => {
  await expect(createCalendar({ tlsCert, tlsKey, listen: false })).rejects.toThrow('Use either tlsCert or listen: false, not both');
});
