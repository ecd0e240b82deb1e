import { describe, expect, it } from 'vitest';
import { contract } from '../support/contract-server.ts';

const host = '127.0.0.1:8787';
const event = 'title=Event&start_date=2027-03-01&end_date=2027-03-02';
const post = (headers: Record<string, string>, more = {}) => ({
  method: 'POST',
  at: '/calendar/events/v1/events',
  query: event,
  headers: { host, 'content-type': 'text/plain', ...headers },
  ...more,
});

contract('pages that may call a server of this machine', { users: false }, (server) => {
  it.each([
    ['no page', {}, 201],
    ['a page of this machine', { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' }, 201],
    ['a page of this machine by address', { origin: 'http://[::1]:3000' }, 201],
    ['its own page', { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }, 201],
    ['a foreign page', { origin: 'https://evil.example' }, 403],
    ['a page that seems of this machine', { origin: 'http://localhost.evil.example' }, 403],
    ['a file, or a page without an origin', { origin: 'null' }, 403],
    ['a foreign page that hides its origin', { 'sec-fetch-site': 'cross-site' }, 403],
    ['an invalid origin', { origin: 'evil' }, 403],
  ])('%s', async (_, headers, status) => {
    await server.ask(status, post(headers));
    const { headers: preflight } = await server.send({ method: 'OPTIONS', path: '/events', headers: { host, ...headers } });
    expect(preflight['access-control-allow-origin']).toBe(status === 201 ? (headers as { origin?: string }).origin : undefined);
  });

  describe('a foreign page, in ways that no browser asks about first', () => {
    const headers = { host, 'sec-fetch-site': 'cross-site' };
    it.each([
      ['another method in the query', { method: 'POST', path: '/events/8', query: '_method=DELETE', headers }],
      ['reading by another method', { method: 'POST', path: '/events/8', query: '_method=GET', headers }],
      ['a script', { path: '/events', query: '_jsonp=take', headers }],
      ['a form', { method: 'POST', path: '/events', form: event, headers }],
    ])('%s', async (_, call) => {
      const { status, body } = await server.send(call);
      expect([status, body]).toEqual([403, expect.stringContaining('origin-not-allowed')]);
    });
    it('a link', () => server.ask(200, { path: '/events', headers }));
  });
});

contract('pages that may call where some are named', { users: false, handler: { cors: ['https://page.example'] } }, (server) => {
  it.each([
    ['https://page.example', 201],
    [`http://${host}`, 201],
    ['https://page.example:444', 403],
    ['http://localhost:3000', 403],
    ['null', 403],
  ])('%s: %i', (origin, status) => server.ask(status, post({ origin })));
});

contract('every page, where all may call', { users: false, handler: { cors: ['*'] } }, (server) => {
  it.each<Record<string, string>>([{ origin: 'https://page.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
    '%j',
    async (headers) => {
      await server.ask(201, post(headers));
      await server.ask(400, { path: '/events', query: '_jsonp=a(1)', headers });
    },
  );
});

contract('what a preflight allows', {}, (server) => {
  it.each(['Authorization', 'Content-Type', 'X-WP-Nonce', 'X-Requested-With', 'If-None-Match', 'If-Modified-Since'])('%s', async (name) => {
    const { headers } = await server.send({ method: 'OPTIONS', path: '/events', headers: { origin: 'http://localhost:3000' } });
    expect(headers['access-control-allow-headers']!.split(', ')).toContain(name);
  });
});
