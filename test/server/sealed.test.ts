import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seed } from '../../src/data/seed.ts';
import { Failure } from '../../src/model/error.ts';
import { utf8Text } from '../../src/model/formats/bytes.ts';
import { postersPath } from '../../src/model/images/poster-image.ts';
import type { Arrival, Server } from '../../src/server/context.ts';
import { arrive, handle, responseToNone } from '../../src/server/handle.ts';
import { joinPieces, noBody, type ServerRequest, type ServerResponse, sizeOf } from '../../src/server/http.ts';
import { encode } from '../../src/server/listener.ts';
import { routesWith } from '../../src/server/routes.ts';
import { oneOfEach } from '../support/calendars.ts';
import { cases } from '../support/cases.ts';
import { type ServedWhole, servedWhole } from '../support/served.ts';
import { moment } from '../support/transcript.ts';

/** A request, and what is particular about it. */
interface Case {
  method?: string;
  path: string;
  query?: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  arrival?: Partial<Arrival>;
  /** Called once the request is being handled. */
  during?: () => unknown;
  status?: number;
  /** True if its Host is not accepted. */
  isRejected?: true;
}

/** Origins of pages, and whether they may read the API with each list of `--cors`. */
const host = '127.0.0.1:8787';
const named = 'https://page.example';
const lists: Record<string, readonly string[] | undefined> = { 'by default': undefined, 'of one page': [named], 'of every page': ['*'] };
const origins: [origin: string | undefined, allowed: Record<string, boolean>][] = [
  [undefined, { 'by default': false, 'of one page': false, 'of every page': false }],
  [`http://${host}`, { 'by default': true, 'of one page': true, 'of every page': true }],
  ['http://localhost:3000', { 'by default': true, 'of one page': false, 'of every page': true }],
  [named, { 'by default': false, 'of one page': true, 'of every page': true }],
  ['https://evil.example', { 'by default': false, 'of one page': false, 'of every page': true }],
  ['null', { 'by default': false, 'of one page': false, 'of every page': true }],
  ['not an origin', { 'by default': false, 'of one page': false, 'of every page': true }],
];

const root = '/calendar/events/v1';
const options = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' };
const page = async () => ({
  files: [{ name: 'main.js', type: 'text/javascript; charset=utf-8', bytes: Buffer.alloc(9000, 'x') }],
  document: () => '<!doctype html>',
  definitions: () => ({}),
});

/** A fault that a request asks for with its header. */
const fault = { match: { path: '/venues', headers: { 'x-test': 'fault' } }, then: { status: 503, headers: { 'x-own': '1' } } };
const png = readFileSync(new URL('../support/files/images/plain.png', import.meta.url));
/** Path of an uploaded image, and the ID of an event. */
let [image, eventId] = ['', 0];

const servers = new Map<string, ServedWhole>();
const media = mkdtempSync(join(tmpdir(), 'sealed-'));
beforeAll(async () => {
  for (const [name, cors] of Object.entries(lists)) {
    const hooks = {
      functions: {
        request({ headers }: { headers: Record<string, string | undefined> }) {
          if (headers['x-test'] === 'throws') throw new Error('no');
          return headers['x-test'] === 'answers' ? { status: 418 } : undefined;
        },
      },
    };
    const parts = { cors, page, media, hooks, maxBody: 1000, posters: true, faults: [fault] };
    const server = await servedWhole({ ...parts, prepare: async (store) => void (await seed(store, oneOfEach, 'append')) });
    servers.set(name, server);
    const headers = { 'content-disposition': 'attachment; filename="a.png"' };
    const { body } = await sent(server.worlds, { method: 'POST', path: '/wp/v2/media', headers, body: png });
    eventId = JSON.parse(utf8Text(joinPieces((await sent(server.worlds, { path: `${root}/events` })).body))).events[0].id;
    image = new URL(JSON.parse(utf8Text(joinPieces(body))).source_url).pathname;
  }
});
afterAll(() => Promise.all([...servers.values()].map((server) => server.close())));

/** Returns a response as it is sent over a socket. */
function sent(
  server: Server,
  { method = 'GET', path, query = '', headers = {}, body = noBody, arrival = {}, during }: Case,
): Promise<ServerResponse> {
  return new Promise((resolve) => {
    const request: ServerRequest = { method, path, query, headers: { host, ...headers }, body };
    handle(arrive({ server, request, connection: { isLast: () => false, encode }, ...arrival, send: resolve }));
    during?.();
  });
}

/** Every route of the server with a record that exists and with one that doesn't, by every method. */
const paths = () => [
  ...routesWith({ ...options, page, files: { load: async () => undefined, save: async () => {} } }).flatMap(({ path, below }) => {
    const start = below === 'namespace' ? root : '';
    const fill = (id: string, slug: string) => start + path.replace('{id}', id).replace('{slug}', slug).replace('{parents}', '');
    const slug = path.includes('assets') ? 'main.js' : path.includes('page/records') ? 'events' : 'jazz';
    return [fill(String(eventId), slug), fill('99999', 'nothing')];
  }),
  '/nothing',
  '/_calendar/nothing',
  '/_calendar/health',
  '/_calendar/events',
  '/_worlds/nothing/calendar/events/v1/events',
  '/_worlds/nothing/_calendar/health',
  '/_calendar/page/nothing',
];
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'DELETE'];
const tooLarge = async () => {
  throw new Failure('body-too-large', 'too large');
};
const list = `${root}/events`;
const routeCases = (): Case[] => [...new Set(paths())].flatMap((path) => methods.map((method) => ({ method, path })));
const ownCases = (served: ServedWhole): Case[] => [
  ...['/', '/event/nothing', `${root}/events`].map((path) => ({ path, headers: { accept: 'text/html' } })),
  { path: image, status: 200 },
  { path: `${postersPath}/events-${eventId}-full.svg`, status: 200 },
  { path: list, query: 'per_page=0', status: 400 },
  { path: list, query: '_jsonp=f.(', status: 400 },
  { path: list, query: '_envelope=1&_jsonp=f' },
  { path: '/', query: 'rest_route=/calendar/events/v1/events', status: 200 },
  { path: '/', query: 'rest_route=/_calendar/page/text', status: 404 },
  { path: '/index.php', query: 'rest_route=/_calendar', status: 404 },
  { path: list, headers: { 'if-none-match': '*' }, status: 304 },
  { path: list, headers: { 'accept-encoding': 'br' }, status: 200 },
  { path: list, headers: { authorization: 'Basic eDp5' } },
  { method: 'POST', path: `${root}/tags`, arrival: { read: tooLarge }, status: 413 },
  { method: 'POST', path: '/_calendar/reset', arrival: { read: tooLarge }, headers: { 'content-type': 'application/json' } },
  { path: list, headers: { 'x-test': 'throws' }, status: 500 },
  { path: list, headers: { 'x-test': 'answers' }, status: 418 },
  { path: `${root}/venues`, headers: { 'x-test': 'fault' } },
  { path: `${root}/organizers`, during: () => served.world.startEpoch(), status: 503 },
  { path: list, headers: { 'x-calendar-world': 'nothing' }, status: 404 },
  { path: '/_worlds/a/events', headers: { 'x-calendar-world': 'b' }, status: 400 },
  { path: list, headers: { host: 'evil.example' }, arrival: { hosts: {} }, status: 403, isRejected: true },
  { path: list, headers: { host: 'a b' }, status: 403, isRejected: true },
  { path: list, arrival: { hasSeveralHosts: true }, status: 400, isRejected: true },
];

const namesIn = (text: string) => text.split(', ').map((name) => name.toLowerCase());

/** Returns the faults of a response. `isReadable` is true if a page of the origin may read it. */
function faultsIn(response: ServerResponse, { method = 'GET' }: Case, origin: string | undefined, isReadable: boolean | 'never'): string[] {
  const { status, headers, body, stream } = response;
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const value = (name: string) => Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  const hasNoLength = method === 'HEAD' || status === 204 || status === 304 || stream !== undefined;
  const isCompressible = !/^image\/(?!svg)/.test(value('content-type') ?? '') && stream === undefined;
  const mustHave: [name: string, expected: string | undefined][] = [
    ['date', new Date(moment).toUTCString()],
    ['x-content-type-options', 'nosniff'],
    ['content-length', hasNoLength ? undefined : String(sizeOf(body))],
    ['transfer-encoding', undefined],
    ['access-control-allow-origin', isReadable === true ? origin : undefined],
    ['access-control-allow-credentials', isReadable === true ? 'true' : undefined],
    ['access-control-allow-methods', isReadable === true ? 'OPTIONS, GET, POST, PUT, PATCH, DELETE' : undefined],
  ];
  const vary = namesIn(value('vary') ?? '');
  return [
    ...mustHave.flatMap(([name, expected]) => (value(name) === expected ? [] : [`${name}: ${value(name)}, not ${expected}`])),
    ...names.filter((name, at) => names.indexOf(name) < at).map((name) => `${name} twice`),
    ...['origin', 'x-calendar-world', 'cookie'].filter((name) => !vary.includes(name)).map((name) => `Vary lacks ${name}`),
    ...(vary.includes('accept-encoding') === isCompressible ? [] : [`Vary: ${vary}`]),
    ...(new Set(vary).size === vary.length ? [] : [`Vary: ${vary}`]),
    ...(isReadable === 'never' ? names.filter((name) => name.startsWith('access-control-')) : []),
    ...(isReadable === true && !value('access-control-expose-headers')?.includes('X-Calendar-Hint') ? ['exposes no hint'] : []),
    ...((method === 'HEAD' || status === 204 || status === 304) && sizeOf(body) > 0 ? ['a body'] : []),
    ...(sizeOf(body) > 0 && value('content-type') === undefined ? ['no type'] : []),
  ];
}

const isOfControl = ({ path }: Case) => /^(\/_worlds\/[^/]+)?\/_calendar(\/|$)/.test(path);

/** The origins of pages, each with a list. */
const callers = origins.flatMap(([origin, allowed]) => Object.keys(lists).map((name) => ({ origin, name, isAllowed: allowed[name]! })));

/** Sends some cases from some callers; returns what is wrong with their responses. */
async function faultsOf(casesOf: (served: ServedWhole) => Case[], isChosen: (each: number, caller: number) => boolean) {
  const wrong: Record<string, string[]> = {};
  for (const [number, { origin, name, isAllowed }] of callers.entries()) {
    const served = servers.get(name)!;
    for (const [at, each] of casesOf(served).entries()) {
      if (!isChosen(at, number)) continue;
      const response = await sent(served.worlds, { ...each, headers: { ...each.headers, ...(origin !== undefined && { origin }) } });
      response.stream?.stop();
      const faults = faultsIn(response, each, origin, isOfControl(each) || each.isRejected ? 'never' : isAllowed);
      if (each.status !== undefined && each.status !== response.status) faults.push(`status ${response.status}, not ${each.status}`);
      const { method = 'GET', path, query = '', headers = {} } = each;
      if (faults.length) wrong[`${method} ${path}?${query} ${JSON.stringify(headers)} of ${origin} ${name}`] = faults;
    }
  }
  return wrong;
}

it('every status, and every way in which a request fails, has the headers of its area, and no others, for each caller', async () => {
  expect(await faultsOf(ownCases, () => true)).toEqual({});
});

it('so does every response to every route, by every method', async () => {
  // Each request is that of a few callers; CALENDAR_TEST_CASES_FACTOR adds others.
  const share = callers.length / cases(1);
  expect(await faultsOf(routeCases, (each, caller) => (each + caller) % Math.max(1, Math.round(share)) === 0)).toEqual({});
});

it('what is not a request gets a complete response without CORS, with the time of the calendar', () => {
  const { worlds } = servers.get('of every page')!;
  const response = responseToNone(worlds, new Failure('request-timeout', 'late'));
  expect(response.headers.Connection).toBe('close');
  expect(faultsIn(response, { method: '-', path: '-' }, undefined, 'never')).toEqual([]);
});

it('a slow response is not coded: its pieces are those of its body', async () => {
  const served = servers.get('by default')!;
  const { id } = served.world.served.faults.add({ match: { path: '/openapi.json' }, slow_body: 5 });
  const { headers, body } = await sent(served.worlds, { path: '/openapi.json', headers: { 'accept-encoding': 'br' } });
  served.world.served.faults.remove(id);
  expect([headers['Content-Encoding'], headers['Content-Length']]).toEqual([undefined, String(sizeOf(body))]);
});

it('a response to HEAD and one without content depend on what the response to GET depends on', async () => {
  const { worlds } = servers.get('by default')!;
  const varyOf = async (more: Partial<Case>) => (await sent(worlds, { path: list, ...more })).headers.Vary;
  const vary = await varyOf({});
  expect([await varyOf({ method: 'HEAD' }), await varyOf({ headers: { 'if-none-match': '*' } })]).toEqual([vary, vary]);
});
