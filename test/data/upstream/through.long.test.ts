import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { basic, connectTo } from '../../../src/client/remote.ts';
import { defaultServing, type ServingOptions } from '../../../src/data/serving/options.ts';
import { type ServedCalendar, serveCalendar } from '../../../src/data/serving/serve.ts';
import type { UpstreamOptions } from '../../../src/data/upstream/options.ts';
import { Failure } from '../../../src/model/error.ts';
import type { Json } from '../../support/contract-server.ts';
import { type LiveSite, liveSite, namespace } from '../../support/live-site.ts';
import { moment } from '../../support/transcript.ts';

const now = () => Date.parse(moment);
const controlToken = 'let-me-write';
let site: LiveSite;
let isOnline = true;
const open: ServedCalendar[] = [];

beforeEach(async () => {
  isOnline = true;
  site = await liveSite('demo', { extras: true, preamble: '\ufeff<br />\n', failsEveryFifth: false });
  await site.origin.control.addUser({ name: 'ada', role: 'administrator', password: 'x' });
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await site.close();
});

const root = () => `${site.url}/${namespace}`;

async function serve(more: Partial<UpstreamOptions> = {}, options: Partial<ServingOptions> = {}): Promise<ServedCalendar> {
  const transport = { timeout: 2000, userAgent: 'test', env: {}, signal: new AbortController().signal, now, random: () => 0, maxWaitMs: 0 };
  const connectAs = (authorization?: string) => async () => {
    const remote = connectTo(root(), authorization, transport);
    const down = () => Promise.reject(new Failure('unreachable', 'Cannot reach the site: connection refused'));
    return isOnline ? remote : { ...remote, read: down, write: down, isOurs: down };
  };
  const served = await serveCalendar({
    ...defaultServing,
    port: 0,
    timeout: 1000,
    open: false,
    durability: 'none',
    system: now,
    namespace,
    controlToken,
    page: async () => ({ files: [], definitions: () => ({}), document: (_, __, name) => JSON.stringify({ name }) }),
    connectTo: () => Promise.reject(new Error('not connected')),
    upstream: {
      root: root(),
      mode: 'live',
      maxAgeMs: 300_000,
      pulls: false,
      connect: connectAs(),
      connectAsUser: connectAs(basic({ name: 'ada', password: 'x' })),
      ...more,
    },
    upstreamWrites: 'through',
    ...options,
  });
  open.push(served);
  return served;
}

const token = { authorization: `Bearer ${controlToken}` };

interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

async function send(served: ServedCalendar, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(path.startsWith('http') ? path : `${served.root}${path}`, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

const write = (served: ServedCalendar, path: string, body: object, headers: Record<string, string> = token, method = 'POST') =>
  send(served, path, { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) });

const onSite = async (path: string, headers: Record<string, string> = { authorization: basic({ name: 'ada', password: 'x' }) }) =>
  (await (await fetch(`${site.origin.root}${path}`, { headers })).json()) as Json;

const writesIn = (log: readonly string[]) => log.filter((line) => !line.startsWith('GET'));
const party = { title: 'Secret party', start_date: '2026-12-24 20:00:00', end_date: '2026-12-24 22:00:00', description: 'Hidden text' };

describe('writes through to the site', () => {
  it('change it with the credentials of the server, and are learned as visitors see them', async () => {
    const served = await serve();
    const created = await write(served, '/events?_fields=id,title,rest_url', { ...party, title: 'Concert' });
    expect(created).toMatchObject({ status: 201, body: { title: 'Concert' } });
    expect(Object.keys(created.body).toSorted()).toEqual(['id', 'rest_url', 'title']);
    expect(created.body.rest_url).toBe(`${served.root}/events/${created.body.id}`);
    expect(created.headers.get('X-Calendar-Source')).toBe('upstream');
    expect((await onSite(`/events/${created.body.id}`)).title).toBe('Concert');
    const at = site.log.indexOf('POST /events');
    expect(site.headers[at]!.authorization).toBe(basic({ name: 'ada', password: 'x' }));
    for (const [i, line] of site.log.entries()) if (line.startsWith('GET /events/')) expect(site.headers[i]!.authorization).toBeUndefined();
    isOnline = false;
    const learned = await send(served, `/events/${created.body.id}`);
    expect(learned).toMatchObject({ status: 200, body: { title: 'Concert', only_in_single: created.body.id } });
    expect(learned.headers.get('X-Calendar-Source')).toBe('local');
  });

  it('of a term return the address of this server', async () => {
    const served = await serve();
    const created = await write(served, '/tags', { name: 'New' });
    expect(created.headers.get('location')).toBe(`${served.root}/tags/${created.body.id}`);
    expect(created.body._links.self).toEqual([{ href: `${served.root}/tags/${created.body.id}` }]);
  });

  it('keep fields that the site resets when an update omits them', async () => {
    const served = await serve();
    const { id } = (await write(served, '/events', { ...party, cost: '$10', website: 'https://example.org/', featured: true })).body;
    const before = await onSite(`/events/${id}`);
    const updated = await write(served, `/events/${id}`, { title: 'Renamed' }, token, 'PUT');
    expect(updated).toMatchObject({ status: 200, body: { title: 'Renamed', cost: '$10', featured: true } });
    const { cost, website, featured, date } = await onSite(`/events/${id}`);
    expect({ cost, website, featured, date }).toEqual({
      cost: before.cost,
      website: before.website,
      featured: before.featured,
      date: before.date,
    });
    isOnline = false;
    expect((await send(served, `/events/${id}`)).body).toMatchObject({ title: 'Renamed', cost: '$10' });
  });

  it('delete records here too', async () => {
    const served = await serve();
    const { id } = (await write(served, '/events', party)).body;
    expect((await send(served, `/events/${id}`, { method: 'DELETE', headers: token })).status).toBe(200);
    expect((await onSite(`/events/${id}`)).code).toBe('event-no-longer-available');
    isOnline = false;
    expect((await send(served, `/events/${id}`)).status).toBe(504);
  });

  it.each([
    ['without a token', {}, 'control-not-allowed'],
    ['with a wrong token', { authorization: 'Bearer wrong' }, 'control-not-allowed'],
    ['with credentials of the site', { authorization: basic({ name: 'ada', password: 'x' }) }, 'control-not-allowed'],
    ['from a page of another port', { ...token, origin: 'http://localhost:3000' }, 'origin-not-allowed'],
    ['from a page of another site', { ...token, 'sec-fetch-site': 'cross-site' }, 'origin-not-allowed'],
  ])('%s are 403', async (_, headers, code) => {
    const served = await serve({}, { cors: ['*'] });
    site.log.length = 0;
    const answer = await write(served, '/tags', { name: 'New' }, headers as Record<string, string>);
    expect(answer).toMatchObject({ status: 403, body: { code } });
    expect(answer.headers.get('X-Calendar-Hint')).toMatch(/\w/);
    expect(answer.headers.get('Allow')).toBe('GET');
    expect(site.log).toEqual([]);
  });

  it.each([
    ['with the control token', {}, token, 'GET, POST'],
    ['of visitors', {}, {}, 'GET'],
    ['that nothing is forwarded for', { upstreamWrites: 'refuse' as const }, token, 'GET'],
    ['with another clock', { now: now() }, token, 'GET'],
  ])('are among the allowed methods of requests %s', async (_, options, headers, allowed) => {
    const served = await serve({}, options);
    expect((await send(served, '/events', { headers: headers as Record<string, string> })).headers.get('Allow')).toBe(allowed);
  });

  it('of another machine are 403', async () => {
    const served = await serve({}, { host: '0.0.0.0' });
    const answer = await write(served, '/tags', { name: 'New' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'control-not-allowed' } });
  });

  it.each([
    ['of the API', () => {}, '/events', { title: 'No dates' }, 400, { code: 'rest_missing_callback_param' }],
    ['of an unknown record', () => {}, '/events/99999', { title: 'x' }, 404, {}],
    [
      'of a firewall',
      () => Object.assign(site.quirks, { page: { status: 403, body: '<html><title>Attention Required! | Cloudflare</title></html>' } }),
      '/tags',
      { name: 'New' },
      403,
      { message: expect.stringContaining('Cloudflare') },
    ],
    ['of a gateway', () => Object.assign(site.quirks, { page: { status: 502, body: '<html></html>' } }), '/tags', { name: 'New' }, 502, {}],
  ])('pass errors %s on', async (_, breakIt, path, body, status, expected) => {
    const served = await serve();
    breakIt();
    expect(await write(served, path, body)).toMatchObject({ status, body: expected });
    isOnline = false;
    expect((await send(served, '/tags')).body.tags).toEqual([]);
  });

  it('pass on when the site takes requests again', async () => {
    const served = await serve();
    site.quirks.page = { status: 429, body: '{"code":"slow_down","message":"No"}', headers: { 'Retry-After': '60' } };
    const answer = await write(served, '/tags', { name: 'New' });
    expect([answer.status, answer.body.code, answer.headers.get('Retry-After')]).toEqual([429, 'slow_down', '60']);
  });

  it('are 504 without the site, and change nothing here', async () => {
    const served = await serve();
    isOnline = false;
    const answer = await write(served, '/tags', { name: 'New' });
    expect(answer).toMatchObject({ status: 504, body: { code: 'upstream-unreachable' } });
    expect((await send(served, '/tags')).body.tags).toEqual([]);
  });

  it('in worlds, with another clock and after a reset change only the calendar here', async () => {
    const served = await serve({}, { open: true });
    const { id } = (await served.control.createWorld({})) as { id: string };
    site.log.length = 0;
    const inWorld = await write(served, `${served.listening.url}/_worlds/${id}/${namespace}/tags`, { name: 'New' });
    expect(inWorld.status).toBe(201);
    await served.control.freezeClock({});
    expect(await write(served, '/tags', { name: 'New' })).toMatchObject({ status: 403, body: { code: 'read-only' } });
    expect(writesIn(site.log)).toEqual([]);
  });
});

/** Returns all that visitors can read of a server: lists, single records, pages and the feed. */
async function visible(served: ServedCalendar, ids: { event: number; venue: number }): Promise<string> {
  const origin = served.listening.url;
  const whole = 'start_date=2000-01-01&end_date=2100-01-01&per_page=50';
  const paths = [
    `/events?${whole}`,
    `/events?${whole}&status=draft,private,publish`,
    `/events?${whole}&search=secret`,
    `/events/${ids.event}`,
    `/events/by-slug/secret-party`,
    '/venues?per_page=50',
    `/venues/${ids.venue}`,
    `/venues/by-slug/secret-hall`,
    `${origin}/calendar.ics?${whole}`,
    `${origin}/event/secret-party/`,
    `${origin}/venue/secret-hall/`,
    `${origin}/_calendar/page/records/events?members=title,venue`,
    `${origin}/_calendar/page/records/events/${ids.event}`,
    `${origin}/_calendar/page/records/venues/${ids.venue}`,
  ];
  const answers = [];
  for (const path of paths) answers.push(await send(served, path, { headers: { accept: 'application/json' } }));
  return JSON.stringify(answers.map(({ body }) => body));
}

describe('what only the user of the site sees', () => {
  let ids: { event: number; venue: number; open: number };

  /** Creates a draft, a venue that only a user sees, and a public event there. */
  beforeEach(async () => {
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json', authorization: basic({ name: 'ada', password: 'x' }) };
      return (await (await fetch(`${site.origin.root}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as {
        id: number;
      };
    };
    const venue = await post('/venues', { venue: 'Secret hall', address: 'Hidden street 1', status: 'private' });
    const event = await post('/events', { ...party, status: 'draft', venue: venue.id });
    const shown = await post('/events', { ...party, title: 'Open party', description: 'Come', venue: venue.id });
    ids = { event: event.id, venue: venue.id, open: shown.id };
  });

  const secrets = /Secret|Hidden/;

  it('is not read by a form, which reads other records as the site has them now', async () => {
    const served = await serve();
    const form = (id: number) => `${served.listening.url}/_calendar/page/records/events/${id}`;
    const { id } = (await send(served, '/events/by-slug/open-party')).body as { id: number };
    expect((await send(served, form(id))).body.title).toBe('Open party');
    const headers = { 'content-type': 'application/json', authorization: basic({ name: 'ada', password: 'x' }) };
    await fetch(`${site.origin.root}/events/${ids.open}`, { method: 'PATCH', headers, body: JSON.stringify({ title: 'Changed there' }) });
    expect((await send(served, form(id))).body.title).toBe('Changed there');
    expect((await send(served, form(ids.event))).status).not.toBe(200);
  });

  it('is pulled in the background, and hidden from visitors', async () => {
    const served = await serve({ pulls: true });
    await served.background!.running;
    const as = async (headers: Record<string, string>, path: string) => (await send(served, path, { headers })).body;
    for (const online of [true, false]) {
      isOnline = online;
      expect(await visible(served, ids)).not.toMatch(secrets);
      expect((await as({}, `/events/${ids.open}`)).title).toBe('Open party');
    }
    // A user of this server.
    await served.control.addUser({ name: 'eve', role: 'editor', password: 'y' });
    const eve = { authorization: basic({ name: 'eve', password: 'y' }) };
    for (const online of [true, false]) {
      isOnline = online;
      expect(await visible(served, ids)).not.toMatch(secrets);
      expect(await as(eve, `/events/${ids.event}`)).toMatchObject({ title: 'Secret party', status: 'draft', only_in_single: ids.event });
      expect(await as(eve, `/venues/${ids.venue}`)).toMatchObject({ venue: 'Secret hall' });
      const drafts = (await as(eve, '/events?status=draft&start_date=2000-01-01&end_date=2100-01-01')).events;
      expect(drafts.map(({ id }: { id: number }) => id)).toContain(ids.event);
    }
  });

  it('becomes public with the site, without what only the user saw', async () => {
    const served = await serve();
    const hidden = (await write(served, '/events', { ...party, status: 'draft' })).body;
    isOnline = false;
    expect(await visible(served, { ...ids, event: hidden.id })).not.toMatch(secrets);
    isOnline = true;
    const published = await write(served, `/events/${hidden.id}`, { status: 'publish', title: 'Open now' });
    expect([published.status, published.headers.get('X-Calendar-Hint')]).toEqual([200, null]);
    isOnline = false;
    expect((await send(served, `/events/${hidden.id}`)).body).toMatchObject({ title: 'Open now', status: 'publish' });
  });

  it('is hidden again when the site hides it', async () => {
    const served = await serve({ pulls: true });
    await served.background!.running;
    expect((await write(served, `/events/${ids.open}`, { title: 'Secret now', status: 'draft' })).status).toBe(200);
    isOnline = false;
    expect(await visible(served, { ...ids, event: ids.open })).not.toMatch(secrets);
    expect((await send(served, `/events/${ids.open}`)).status).toBe(504);
  });

  it('stays hidden where the copy takes writes', async () => {
    const served = await serve({ pulls: true, mode: 'prefer-local' }, { upstreamWrites: 'local' });
    await served.background!.running;
    isOnline = false;
    expect(await visible(served, ids)).not.toMatch(secrets);
    expect((await write(served, '/tags', { name: 'New' }, {})).status).toBe(401);
  });
});
