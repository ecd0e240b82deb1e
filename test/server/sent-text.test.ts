import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileNameIn, inlineFile, varyOn } from '../../src/server/headers.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

let server: WholeServer;
beforeAll(async () => {
  server = await wholeServer({ media: mkdtempSync(join(tmpdir(), 'sent-')), allowHosts: ['app.example'] });
});
afterAll(() => server.close());

const root = '/calendar/events/v1';
const latin = (text: string) => Buffer.from(text, 'latin1');

/** Sends bytes over a socket; returns what comes back. */
function exchange(bytes: string | Buffer): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(server.listening.port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      resolve({ status: Number(text.slice(9, 12)), text });
    });
    socket.on('error', reject);
  });
}

const requestTo = (method: string, path: string, headers: Record<string, string> = {}, body: Buffer = latin('')) => {
  const all = { Host: 'localhost', Connection: 'close', 'Content-Length': String(body.length), ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return exchange(Buffer.concat([latin(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`), body]));
};

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = (charset = '') => ({ 'Content-Type': `application/json${charset}` });
const parts = { 'Content-Type': 'multipart/form-data; boundary=b' };
const part = (head: string, value: string) => latin(`--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n--b--\r\n`);
const e = '\xe9';
const utf8 = '\xc3\xa9';

/** Places of a request that contain text: a request with each, once as UTF-8 and once not. */
const places: Record<string, (text: string, escaped: string) => Promise<{ status: number; text: string }>> = {
  'a JSON body': (text) => requestTo('POST', `${root}/tags`, json(), latin(`{"name":"json ${text}"}`)),
  'a JSON body with another charset': (text) =>
    requestTo('POST', `${root}/tags`, json('; charset=iso-8859-1'), latin(`{"name":"iso ${text}"}`)),
  'a form': (text) => requestTo('POST', `${root}/tags`, form, latin(`name=form ${text}`)),
  'a form with escapes': (_, escaped) => requestTo('POST', `${root}/tags`, form, latin(`name=escapes ${escaped}`)),
  'a name in a form': (_, escaped) => requestTo('POST', `${root}/tags`, form, latin(`name=names${escaped.length}&${escaped}=1`)),
  'a field of a multipart form': (text) => requestTo('POST', `${root}/tags`, parts, part('name="name"', `part ${text}`)),
  'a name of a multipart form': (text) => requestTo('POST', `${root}/tags?name=part${text.length}`, parts, part(`name="x${text}"`, '1')),
  'a file name of a form': (text) => requestTo('POST', '/wp/v2/media', parts, part(`name="file"; filename="${text}.png"`, 'no image')),
  'a file name in a header': (text) =>
    requestTo('POST', '/wp/v2/media', { 'Content-Disposition': `attachment; filename="${text}.png"` }, latin('no image')),
  'a coded file name in a header': (_, escaped) =>
    requestTo('POST', '/wp/v2/media', { 'Content-Disposition': `attachment; filename*=UTF-8''${escaped}.png` }, latin('no image')),
  'a query': (_, escaped) => requestTo('GET', `${root}/tags?search=${escaped}`),
  'a path': (_, escaped) => requestTo('GET', `${root}/events/by-slug/${escaped}`),
  'a path of the site': (_, escaped) => requestTo('GET', `/event/${escaped}`),
  'a query of the control API': (_, escaped) => requestTo('GET', `/_calendar/requests?path=${escaped}`),
  'a path of the control API': (_, escaped) => requestTo('DELETE', `/_calendar/snapshots/${escaped}`),
  'a body of the control API': (text) => requestTo('POST', '/_calendar/snapshots', json(), latin(`{"name":"s${text}"}`)),
  'a body of the page': (text) => requestTo('POST', '/_calendar/page/changes', json(), latin(`{"undo":"${text}"}`)),
};

describe('text that is not UTF-8 is rejected with a hint, and not changed', () => {
  it.each(Object.entries(places))('%s', async (_, send) => {
    const { status, text } = await send(e, '%E9');
    expect([status, text]).toEqual([400, expect.stringMatching(/UTF-8/)]);
    expect(text).toMatch(/bad-request|rest_invalid_json/);
    expect((await send(utf8, '%C3%A9')).text).not.toMatch(/UTF-8 (in|characters)/);
  });

  it('text with a character that stands for invalid bytes is valid', async () => {
    const sign = '\xef\xbf\xbd';
    for (const name of ['a JSON body', 'a form', 'a form with escapes', 'a field of a multipart form'])
      expect([name, (await places[name]!(`${sign}${sign}`, '%EF%BF%BD%ef%bf%bd')).status]).toEqual([name, 201]);
  });
});

describe('the target of a request', () => {
  const get = (target: string, headers: Record<string, string> = {}, method = 'GET') => requestTo(method, target, headers);
  it.each([
    ['a whole URL', () => get(`http://localhost:1${root}/tags?per_page=1`), 200, /"tags":\[/],
    ['a whole URL without a path', () => get('http://localhost?rest_route=/calendar/events/v1/tags'), 200, /"tags":\[/],
    [
      'a whole URL whose host counts',
      () => get(`http://app.example${root}/tags`, { Host: 'evil.example' }),
      200,
      /http:\/\/app\.example\/calendar/,
    ],
    [
      'a whole URL with other headers',
      () => get(`http://localhost${root}/tags`, { Origin: 'http://localhost:3000' }),
      200,
      /-Origin: http:\/\/localhost:3000/,
    ],
    ['a whole URL of another host', () => get(`http://evil.example${root}/tags`), 403, /host-not-allowed/],
    ['a whole URL with a user', () => get(`http://localhost:80@evil.example${root}/tags`), 403, /host-not-allowed/],
    ['the server', () => get('*', {}, 'OPTIONS'), 204, /\r\nAllow: GET, HEAD, POST/],
    ['a raw character', () => get(`${root}/tags?search=${utf8}`), 400, /percent-encoding/],
    ['no Host header', () => exchange(`GET ${root} HTTP/1.0\r\n\r\n`), 200, /http:\/\/127\.0\.0\.1:\d+\/calendar/],
  ])('%s', async (_, send, status, text) => {
    const response = await send();
    expect([response.status, response.text]).toEqual([status, expect.stringMatching(text)]);
  });
});

it.each([
  ['Basic YTpi', 401],
  ['Basic   YTpi', 401],
  ['basic YTpi', 401],
])('credentials %j', async (authorization, status) => {
  await server.store.change(() => server.store.users.any || server.store.users.add({ name: 'x', role: 'editor', password: 'password' }));
  const right = authorization.replace('YTpi', Buffer.from('x:password').toString('base64'));
  expect([
    (await requestTo('GET', '/wp/v2/users/me', { Authorization: authorization })).status,
    (await requestTo('GET', '/wp/v2/users/me', { Authorization: right })).status,
  ]).toEqual([status, 200]);
});

describe('an ID that is longer than a number holds is shown as it was sent', () => {
  const digits = ['12345678901234567890', '9'.repeat(400)];
  const paths = ['events', 'venues', 'organizers', 'categories', 'tags'].flatMap((name) =>
    ['GET', 'POST', 'DELETE'].flatMap((method) => digits.map((id) => [method, `${root}/${name}/`, id] as const)),
  );
  it.each([...paths, ...digits.map((id) => ['GET', '/wp/v2/media/', id] as const)])('%s %s%s', async (method, path, id) => {
    const { text } = await requestTo(method, path + id, { Authorization: `Basic ${Buffer.from('x:password').toString('base64')}` });
    expect(text).toContain(`${id} `);
    expect(text).not.toMatch(/Infinity|e\+|12345678901234567000/);
  });
});

describe('headers with lists and names', () => {
  it.each([
    [undefined, 'Origin', 'Origin'],
    ['Accept', 'Origin, Cookie', 'Accept, Origin, Cookie'],
    ['accept,ORIGIN', 'Origin, Cookie', 'accept,ORIGIN, Cookie'],
    ['X-Origin', 'Origin', 'X-Origin, Origin'],
    ['*', 'Origin', '*'],
  ])('Vary %j and %s: %s', (header, names, expected) => expect(varyOn(header, names)).toBe(expected));

  it.each(['calendar.ics', 'café.ics', '日本.ics', 'a "b".ics', '50%.ics', '%41.ics'])('a file name survives: %s', (name) => {
    // Node sends and receives headers as Latin-1; a name in it has another spelling in UTF-8.
    expect(fileNameIn(inlineFile(name))).toBe(name);
  });
  it.each([
    ['attachment; filename=a.png', 'a.png'],
    ['attachment; filename="a b.png"', 'a b.png'],
    ['attachment; filename=a b.png', 'a b.png'],
    ['attachment; filename="caf\xc3\xa9.png"', 'café.png'],
    ['attachment', undefined],
    ['attachment; filename=""', ''],
  ])('the file name in %s is %j', (header, name) => expect(fileNameIn(header)).toBe(name));
});
