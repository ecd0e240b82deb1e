import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServedWhole, servedWhole } from '../support/served.ts';
import { folder } from '../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const token = 'AAAAAAAAAAAAAAAAAAAAAA';
const bearer = { Authorization: `Bearer ${token}` };

/** Sends a request with any headers, also those that fetch refuses. */
const status = (url: string, headers: Record<string, string>, method = 'POST', body = '{}') =>
  new Promise<number>((resolve, reject) => {
    const sent = httpRequest(url, {
      method,
      headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
    });
    sent.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode!)));
    sent.on('error', reject).end(body);
  });

describe('the token of the page of the person who started the server', () => {
  let calendar: ServedWhole;
  beforeAll(async () => {
    calendar = await servedWhole({ file: join(place.path, 'a.db'), open: false, pageToken: token });
  });
  afterAll(() => calendar.close());
  const at = (path: string) => `${calendar.url}/_calendar${path}`;

  it.each([
    ['no other caller', {}, 403],
    ['its holder', bearer, 200],
    ['a holder of an earlier one', { Authorization: `Bearer ${token.replace('A', 'B')}` }, 403],
    ['a page of this server', { ...bearer, Origin: 'SERVER', 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['a page of another server on this machine', { ...bearer, Origin: 'http://127.0.0.1:1' }, 403],
    ['a page of another site', { ...bearer, Origin: 'https://example.org', 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['the token in a cookie', { Cookie: `token=${token}; calendar=${token}` }, 403],
    ...['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP', 'Via', 'CF-Connecting-IP'].map((name) => [
      `a request through a proxy, with ${name}`,
      { ...bearer, [name]: '127.0.0.1' },
      404,
    ]),
  ] as [string, Record<string, string>, number][])('gives full access to %s: %j %i', async (_, { Origin, ...headers }, expected) => {
    const origin: Record<string, string> = Origin ? { Origin: Origin === 'SERVER' ? calendar.url : Origin } : {};
    expect(await status(at('/clock/freeze'), { ...headers, ...origin })).toBe(expected);
  });

  it('is not a query parameter', async () => {
    expect(await status(`${at('/clock/freeze')}?token=${token}`, {})).toBe(403);
  });

  it.each([
    ['what only trusted callers may', '/pull', { url: 'http://127.0.0.1:1' }],
    ['what only the owner may', '/import', { file: '/etc/passwd' }],
  ])('does not give %s', async (_, path, body) => {
    expect(await status(at(path), bearer, 'POST', JSON.stringify(body))).toBe(403);
  });

  it('gives no rights on records', async () => {
    calendar.store.users.add({ name: 'ana', role: 'editor', password: 'secret' });
    expect(await status(`${calendar.root}/tags`, bearer, 'POST', '{"name":"x"}')).toBe(401);
    calendar.store.users.remove('ana');
  });

  it('gives full access to worlds of the server, and a reset to its start', async () => {
    const response = await fetch(at('/worlds'), { method: 'POST', headers: { ...bearer, 'Content-Type': 'application/json' }, body: '{}' });
    const { id } = (await response.json()) as { id: string };
    expect(await status(`${calendar.url}/_worlds/${id}/_calendar/clock/freeze`, bearer)).toBe(200);
    expect(await status(at('/reset'), bearer)).toBe(200);
  });

  it('is accepted beside a control token, without its rights', async () => {
    const other = await servedWhole({ file: join(place.path, 'b.db'), open: false, pageToken: token, controlToken: 'other' });
    const freeze = `${other.url}/_calendar/clock/freeze`;
    expect(await status(freeze, {})).toBe(404);
    expect(await status(freeze, bearer)).toBe(200);
    expect(await status(`${other.url}/_calendar/pull`, bearer, 'POST', '{"url":"http://127.0.0.1:1"}')).toBe(403);
    expect(await status(`${other.url}/_calendar/pull`, { Authorization: 'Bearer other' }, 'POST', '{"url":"http://127.0.0.1:1"}')).not.toBe(
      403,
    );
    await other.close();
  });

  it('gives nothing on a server for other machines', async () => {
    const other = await servedWhole({ file: join(place.path, 'c.db'), open: false, pageToken: token, host: '0.0.0.0' });
    expect(await status(`${other.url.replace('0.0.0.0', '127.0.0.1')}/_calendar/clock/freeze`, bearer)).toBe(404);
    await other.close();
  });

  it('is in no response, log or entry of the request log', async () => {
    await fetch(`${calendar.root}/events?search=x`, { headers: bearer });
    const texts = await Promise.all(
      ['/requests', '/health', '/faults', '/'].map(async (path) => (await fetch(at(path), { headers: bearer })).text()),
    );
    expect(texts.filter((text) => text.includes(token))).toEqual([]);
  });
});
