import { describe, expect, it } from 'vitest';
import { createCalendar } from '../../bin/library.ts';
import type { HandlerOptions } from '../../src/server/http.ts';
import { noBody } from '../../src/server/http.ts';
import { createHandler } from '../../src/server/router.ts';
import { serviceOf } from '../../src/store/service.ts';
import { bodyText } from '../support/body-text.ts';
import { memory } from '../support/calendars.ts';
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
    expect(preflight['x-calendar-hint']?.includes('--cors') ?? false).toBe(status === 403 && 'origin' in headers);
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

describe('JSONP on an address of the network', () => {
  const own = 'http://pi.home:8787';
  const rejected = [403, 'origin-not-allowed'];
  it.each<[string, Record<string, string>, unknown[], HandlerOptions['cors']?]>([
    ['no header', {}, rejected],
    ['its own page', { 'sec-fetch-site': 'same-origin' }, [200]],
    ['a typed address', { 'sec-fetch-site': 'none' }, [200]],
    ['a page of another port', { 'sec-fetch-site': 'same-site' }, rejected],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, rejected],
    ['a referrer on the same host', { referer: `${own}/event/x` }, [200]],
    ['a foreign referrer', { referer: 'http://evil.example/' }, rejected],
    ['a foreign referrer with its name', { referer: 'http://evil.example/pi.home:8787' }, rejected],
    ['an invalid referrer', { referer: 'x' }, rejected],
    ['the same origin', { origin: own }, [200]],
    ['a configured origin', { origin: 'http://app.example' }, [200], ['http://app.example']],
    ['a configured referrer', { referer: 'http://app.example/x' }, [200], ['http://app.example']],
    ['all origins', {}, [200], ['*']],
  ])('%s', async (_, headers, expected, cors) => {
    const store = await memory();
    const handle = createHandler(serviceOf(store), { basePath: '', namespace: 'v1', headerPrefix: 'X', exposed: true, cors });
    const get = (query: string) =>
      handle({ method: 'GET', path: '/v1/tags', query, headers: { host: 'pi.home:8787', ...headers }, body: noBody });
    const response = await get('_jsonp=show');
    const code = response.status === 200 ? [] : [JSON.parse(bodyText(response).replace(/^.*?\(|\)$/g, '')).code];
    expect([response.status, ...code]).toEqual(expected);
    expect((await get('')).status).toBe(200);
    await store.close();
  });
});

contract('what a preflight allows', {}, (server) => {
  it.each(['Authorization', 'Content-Type', 'X-WP-Nonce', 'X-Requested-With', 'If-None-Match', 'If-Modified-Since'])('%s', async (name) => {
    const { headers } = await server.send({ method: 'OPTIONS', path: '/events', headers: { origin: 'http://localhost:3000' } });
    expect(headers['access-control-allow-headers']!.split(', ')).toContain(name);
  });
});

describe('the log names why a browser hides a response', () => {
  it.each<[string, string, Record<string, string>, RegExp | undefined]>([
    [
      'a read',
      'GET',
      { origin: 'https://app.example' },
      /^Pages of https:\/\/app\.example are not allowed to read this. Allow them with --cors https:\/\/app\.example$/,
    ],
    [
      'a preflight',
      'OPTIONS',
      { origin: 'https://app.example', 'access-control-request-method': 'POST' },
      /--cors https:\/\/app\.example$/,
    ],
    [
      'a header that pages may not send',
      'OPTIONS',
      {
        origin: 'http://localhost:3000',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, x-team',
      },
      /^Pages are not allowed to send the header x-team: /,
    ],
    ['a read of an allowed page', 'GET', { origin: 'http://localhost:3000' }, undefined],
    [
      'a preflight of an allowed page',
      'OPTIONS',
      {
        origin: 'http://localhost:3000',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
      undefined,
    ],
    ['no page', 'GET', {}, undefined],
  ])('%s', async (_, method, headers, hint) => {
    await using calendar = await createCalendar();
    await fetch(`${calendar.url}/tags?hide_empty=false`, { method, headers });
    const [logged] = (await calendar.requests.list()).requests;
    if (hint) expect(logged!.reason).toMatch(new RegExp(hint.source.replace(/^\^/, '^\\(').replace(/\$$/, '\\)$')));
    else expect(logged!.reason).toBeNull();
  });
});
