import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectTo } from '../../../src/client/remote.ts';
import type { ServingOptions } from '../../../src/data/serving/options.ts';
import { defaultServing } from '../../../src/data/serving/options.ts';
import { type ServedCalendar, serveCalendar } from '../../../src/data/serving/serve.ts';
import type { UpstreamOptions } from '../../../src/data/upstream/options.ts';
import { Failure } from '../../../src/model/error.ts';
import { decodeEntities } from '../../../src/model/html/plain-text.ts';
import type { WebPage } from '../../../src/model/web-page.ts';
import { everyQuirk, type LiveSite, liveSite, namespace } from '../../support/live-site.ts';
import { folder, moment, run, words } from '../../support/transcript.ts';

const now = () => Date.parse(moment);
let site: LiveSite;
const open: ServedCalendar[] = [];
let isOnline = true;

beforeEach(async () => {
  isOnline = true;
  site = await liveSite('demo', { ...everyQuirk(), failsEveryFifth: true });
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
  await site.close();
});

const root = () => `${site.url}/${namespace}`;
const team = { 'x-team': 'blue' };

function upstream(more: Partial<UpstreamOptions> = {}): UpstreamOptions {
  const options = {
    timeout: 2000,
    userAgent: 'test',
    env: {},
    signal: new AbortController().signal,
    now,
    random: () => 0,
    maxWaitMs: 0,
    headers: team,
  };
  const remote = connectTo(root(), undefined, options);
  return {
    root: root(),
    mode: 'live',
    maxAgeMs: 300_000,
    pulls: false,
    connect: async () => {
      if (isOnline) return remote;
      return { ...remote, read: () => Promise.reject(new Failure('unreachable', 'Cannot reach the site: connection refused')) };
    },
    ...more,
  };
}

async function serve(more: Partial<UpstreamOptions> | null = {}, options: Partial<ServingOptions> = {}): Promise<ServedCalendar> {
  const served = await serveCalendar({
    ...defaultServing,
    port: 0,
    timeout: 1000,
    open: false,
    durability: 'none',
    system: now,
    namespace,
    connectTo: () => Promise.reject(new Error('not connected')),
    ...(more ? { upstream: upstream(more) } : {}),
    ...options,
  });
  open.push(served);
  return served;
}

/** A page that consists of the name of its record. */
const namePage: WebPage = { files: [], definitions: () => ({}), document: (_context, _folder, { title = '' }) => title };

interface Shown {
  status: number;
  source: string | null;
  complete: string | null;
  asOf: string | null;
  body: Record<string, unknown>;
  headers: Headers;
}

async function get(served: ServedCalendar, path: string, init: RequestInit = {}): Promise<Shown> {
  const response = await fetch(`${served.root}${path}`, init);
  const header = (name: string) => response.headers.get(`X-Calendar-${name}`);
  return {
    status: response.status,
    source: header('Source'),
    complete: header('Complete'),
    asOf: header('As-Of'),
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

/** Returns a response without addresses of the API, which name the server. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, each) =>
      ['rest_url', 'next_rest_url', 'previous_rest_url', '_links', 'urls'].includes(name) ? undefined : each,
    ),
  );

async function fromSite(path: string): Promise<unknown> {
  for (;;) {
    const response = await fetch(`${root()}${path}`, { headers: { 'user-agent': 'test', ...team } });
    if (response.status === 502 || response.status === 429) continue;
    const text = await response.text();
    return plain(JSON.parse(text.slice(text.indexOf('{'))));
  }
}

/** Five responses, each a complete list. */
const lists = [
  '/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50',
  '/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50&page=2',
  '/venues?per_page=50',
  '/organizers?per_page=50',
  '/categories?per_page=50&hide_empty=false',
  '/tags?per_page=50&hide_empty=false',
];

const queries = [
  ['category', '/events?categories=music&start_date=2026-01-01&end_date=2028-01-01'],
  ['tag', '/events?tags=free&start_date=2026-01-01&end_date=2028-01-01'],
  ['venue', '/events?venue=VENUE'],
  ['organizer', '/events?organizer=ORGANIZER'],
  ['slug', '/events/by-slug/SLUG'],
  ['dates', '/events?start_date=2026-12-01&end_date=2026-12-31'],
  ['featured', '/events?featured=true'],
  ['term order', '/categories?orderby=count&order=desc'],
  ['search', '/events?search=jazz'],
  ['paging', '/events?per_page=4&page=3'],
  ['include', '/events?include=IDS'],
  ['venues', '/venues?search=hall&per_page=3'],
] as const;

/** Fills the IDs of the site into the queries. */
async function table(): Promise<[string, string][]> {
  const { events } = (await fromSite('/events?per_page=20')) as { events: { id: number; slug: string; venue: { id: number } }[] };
  const { organizers } = (await fromSite('/organizers')) as { organizers: { id: number }[] };
  const venue = events.find((event) => event.venue?.id)!.venue.id;
  return queries.map(([name, path]) => [
    name,
    path
      .replace('VENUE', String(venue))
      .replace('ORGANIZER', String(organizers[0]!.id))
      .replace('SLUG', events[3]!.slug)
      .replace('IDS', [events[5]!.id, events[2]!.id].join(',')),
  ]);
}

/** Returns how each query is answered without the site: equal to its response, incomplete or 504. */
async function answers(served: ServedCalendar): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, path] of await table()) {
    const expected = await fromSite(path);
    isOnline = false;
    const { status, complete, body, source } = await get(served, path);
    isOnline = true;
    expect(source).toBe('local');
    const resource = path.split(/[/?]/)[1]!;
    if (status === 504) found[name] = '504';
    else if (complete?.split(',').includes(resource)) {
      expect(plain(body), path).toEqual(expected);
      found[name] = 'equal';
    } else found[name] = 'incomplete';
  }
  return found;
}

describe('twelve queries that were never made', () => {
  it('after complete lists', async () => {
    const served = await serve();
    for (const path of lists) expect(await get(served, path)).toMatchObject({ status: 200, source: 'upstream' });
    const found = await answers(served);
    expect(Object.values(found).filter((each) => each === 'equal').length, JSON.stringify(found)).toBeGreaterThanOrEqual(10);
  });

  it('after the background pull', async () => {
    const served = await serve({ pulls: true });
    await served.background!.running;
    const found = await answers(served);
    expect(Object.values(found), JSON.stringify(found)).toEqual(queries.map(() => 'equal'));
  });
});

const whole = '/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50';

/** Reads all pages of all events. */
async function readEvents(served: ServedCalendar): Promise<void> {
  await get(served, whole);
  await get(served, `${whole}&page=2`);
}

const firstEvent = async () => ((await fromSite('/events')) as { events: { id: number; slug: string; title: string }[] }).events[0]!;

describe('while the site answers', () => {
  it('returns its response with links of this server, and headers that pages may read', async () => {
    const served = await serve();
    const shown = await get(served, '/events?per_page=2', { headers: { origin: 'http://localhost:3000' } });
    expect(plain(shown.body)).toEqual(await fromSite('/events?per_page=2'));
    expect(shown).toMatchObject({ source: 'upstream', complete: 'events', asOf: new Date(now()).toISOString() });
    expect(shown.headers.get('X-Calendar-Total')).toBe(String(shown.body.total));
    expect(shown.body.next_rest_url).toContain(`${served.root}/events/?per_page=2&`);
    expect((shown.body.events as { rest_url: string }[])[0]!.rest_url).toContain(`${served.root}/events/`);
    for (const name of ['Source', 'Complete', 'As-Of'])
      expect(shown.headers.get('access-control-expose-headers')).toContain(`X-Calendar-${name}`);
    const { id } = ((await get(served, '/categories')).body.categories as { id: number }[])[0]!;
    expect((await get(served, `/categories/${id}`)).body._links).toMatchObject({ self: [{ href: `${served.root}/categories/${id}` }] });
  });

  it.each([
    ['/events?_fields=id&per_page=1', '/events?per_page=1', {}],
    ['/events?_envelope=1&per_page=1&_pretty=1', '/events?per_page=1', { status: 200 }],
    ['/events?tags[]=free&tags[]=kids&x[y]=1', '/events?tags%5B%5D=free&tags%5B%5D=kids&x%5By%5D=1', {}],
  ])('%s requests %s without credentials', async (path, requested, expected) => {
    const served = await serve();
    site.log.length = site.headers.length = 0;
    const { body } = await get(served, path, { headers: { authorization: `Basic ${btoa('ada:x')}`, cookie: 'a=b', 'x-secret': 'c' } });
    expect(site.log.at(-1)).toBe(`GET ${requested}`);
    expect(body).toMatchObject(expected);
    for (const sent of site.headers) expect([sent.authorization, sent.cookie, sent['x-secret']]).toEqual([undefined, undefined, undefined]);
  });

  it('forwards passwords, and stores nothing of the response', async () => {
    const { id } = await firstEvent();
    const served = await serve();
    expect(await get(served, `/events/${id}?password=secret`)).toMatchObject({ status: 200, source: 'upstream', complete: null });
    expect(site.log.at(-1)).toContain('password=secret');
    isOnline = false;
    expect((await get(served, `/events/${id}`)).status).toBe(504);
  });

  it('passes errors of the API on, and forgets what is gone', async () => {
    const served = await serve();
    const { id } = await firstEvent();
    await get(served, `/events/${id}`);
    await fetch(`${site.origin.root}/events/${id}`, { method: 'DELETE' });
    expect(await get(served, `/events/${id}`)).toMatchObject({
      status: 403,
      source: 'upstream',
      body: { code: 'event-no-longer-available' },
    });
    isOnline = false;
    expect(await get(served, `/events/${id}`)).toMatchObject({ status: 504, body: { code: 'upstream-unreachable' } });
  });

  it('finds pages of records that were not copied yet, and does not call them missing when it cannot ask', async () => {
    const served = await serve({}, { page: async () => namePage });
    const { slug, title } = await firstEvent();
    const { categories } = (await fromSite('/categories')) as { categories: { slug: string; name: string }[] };
    const { slug: music, name } = categories[0]!;
    const page = async (path: string, accept = 'text/html') => {
      const response = await fetch(new URL(path, served.root), { headers: { accept } });
      return [response.status, await response.text()];
    };
    expect(await page(`/event/${slug}/`)).toEqual([200, title]);
    expect(await page(`/events/category/${music}/`)).toEqual([200, decodeEntities(name)]);
    expect(await page('/event/never-written/')).toEqual([404, 'Not found']);
    isOnline = false;
    expect(await page(`/event/${slug}/`)).toEqual([200, title]);
    expect(await page('/event/never-written/')).toEqual([504, '']);
    expect(await page('/tag/never-used/')).toEqual([504, '']);
    expect(await page('/event/never-written/', 'application/json')).toEqual([504, expect.stringContaining('connection refused')]);
  });

  it('follows deletions and edits in complete lists', async () => {
    const served = await serve();
    await readEvents(served);
    const { id } = await firstEvent();
    await fetch(`${site.origin.root}/events/${id}`, { method: 'DELETE' });
    await readEvents(served);
    const expected = await fromSite('/events?per_page=5');
    isOnline = false;
    const shown = await get(served, '/events?per_page=5');
    expect(shown.complete).toBe('events');
    expect(plain(shown.body)).toEqual(expected);
  });

  it.each([
    ['an HTML page', () => Object.assign(site.quirks, { page: { status: 403, body: '<html>Cloudflare</html>' } })],
    ['429', () => Object.assign(site.quirks, { page: { status: 429, body: 'slow down', headers: { 'Retry-After': '60' } } })],
    [
      'an API without its routes',
      () => Object.assign(site.quirks, { page: { status: 404, body: '{"code":"rest_no_route","message":"No"}' } }),
    ],
  ])('the copy answers in place of %s', async (_, breakIt) => {
    const served = await serve();
    await readEvents(served);
    breakIt();
    expect(await get(served, '/events?per_page=3')).toMatchObject({ status: 200, source: 'local', complete: 'events' });
  });
});

describe('without the site', () => {
  it.each([
    ['/events/99999', 504],
    ['/events/by-slug/never-seen', 504],
    ['/venues/99999', 504],
    ['/categories/99999', 504],
    ['/events?page=2', 504],
    ['/events?categories=unknown', 504],
    ['/events?venue=99999', 504],
    ['/events?per_page=banana', 400],
    ['/nothing', 404],
    ['/events', 200],
  ])('an empty copy returns %s as %i', async (path, status) => {
    isOnline = false;
    const served = await serve();
    const shown = await get(served, path);
    expect(shown.status).toBe(status);
    if (status === 504)
      expect(shown.body).toMatchObject({ code: 'upstream-unreachable', message: expect.stringContaining('connection refused') });
    if (status === 200) expect(shown).toMatchObject({ source: 'local', complete: null });
  });

  it('a complete copy knows what is missing, except single records', async () => {
    const served = await serve({ pulls: true });
    await served.background!.running;
    isOnline = false;
    for (const [path, status, complete = null] of [
      ['/events/99999', 504],
      ['/venues/99999', 504],
      ['/categories/99999', 400, 'categories'],
      ['/events?page=90', 404, 'events'],
      ['/events?page=90&series=3', 504],
      ['/events?categories=unknown', 400, 'events,categories'],
    ] as const)
      expect([path, await get(served, path)]).toMatchObject([path, { status, complete }]);
  });

  it('hides what a password protects, and does not claim to know passwords', async () => {
    const created = await fetch(`${site.origin.root}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        title: 'Private party',
        description: 'Hidden text',
        start_date: '2026-12-01',
        end_date: '2026-12-01',
        post_password: 'x',
      }),
    });
    const { id } = (await created.json()) as { id: number };
    await site.origin.control.addUser({ name: 'ada', role: 'administrator', password: 'x' });
    const served = await serve();
    await readEvents(served);
    isOnline = false;
    expect((await get(served, `/events/${id}?password=x`)).status).toBe(504);
    expect(await get(served, `/events/${id}`)).toMatchObject({ status: 403, body: { code: 'event-password-protected' } });
    const listed = (await get(served, '/events?start_date=2026-12-01&end_date=2026-12-01')).body.events as { title: string }[];
    expect(listed.map(({ title }) => title)).toContain('Private party');
    expect(JSON.stringify(listed)).not.toContain('Hidden text');
  });

  it('never forwards with another clock, and in worlds', async () => {
    const served = await serve({}, { open: true });
    await readEvents(served);
    const { id } = (await served.control.createWorld({})) as { id: string };
    site.log.length = 0;
    const inWorld = (path: string, init?: RequestInit) => fetch(`${served.listening.url}/_worlds/${id}/${namespace}${path}`, init);
    expect((await inWorld('/events?per_page=1')).headers.get('X-Calendar-Source')).toBe('local');
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"New"}' };
    expect((await inWorld('/tags', post)).status).toBe(201);
    await served.control.freezeClock({});
    expect((await get(served, '/events?per_page=1')).source).toBe('local');
    expect(site.log).toEqual([]);
  });
});

describe('writes', () => {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"New"}' };

  it('are refused', async () => {
    const served = await serve();
    site.log.length = 0;
    expect(await get(served, '/tags', post)).toMatchObject({ status: 403, body: { code: 'read-only' } });
    expect(site.log).toEqual([]);
  });

  it.each(['refuse', 'local'] as const)('of images are refused (%s)', async (upstreamWrites) => {
    const { path: media, remove } = folder();
    const served = await serve({ mode: 'offline' }, { upstreamWrites, media, posters: true });
    const sent = { method: 'POST', headers: { 'content-disposition': 'attachment; filename=a.png' }, body: new Uint8Array(100) };
    const response = await fetch(`${served.listening.url}/wp/v2/media`, sent);
    expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ code: 'read-only' })]);
    expect(readdirSync(media)).toEqual([]);
    remove();
  });

  it('change only the copy, with IDs of their own', async () => {
    const served = await serve({ mode: 'offline' }, { upstreamWrites: 'local' });
    site.log.length = 0;
    expect((await get(served, '/tags', post)).body.id).toBe(1_000_000_000);
    expect(site.log).toEqual([]);
  });
});

describe('prefer-local', () => {
  it('requests nothing that the copy has, until it is too old', async () => {
    let ahead = 0;
    const served = await serve({ mode: 'prefer-local' }, { system: () => now() + ahead });
    await readEvents(served);
    site.log.length = 0;
    expect(await get(served, '/events?per_page=3')).toMatchObject({ source: 'local', complete: 'events' });
    expect(site.log).toEqual([]);
    expect((await get(served, '/venues')).source).toBe('upstream');
    ahead = 300_001;
    expect((await get(served, '/events?per_page=3')).source).toBe('upstream');
  });
});

describe('files', () => {
  const { path: cwd, remove } = folder();
  afterAll(remove);

  it('are served offline later, with the namespace of the site', async () => {
    const file = join(cwd, 'site.db');
    const first = await serve({ pulls: true }, { file });
    await first.background!.running;
    await open.pop()!.close();
    site.log.length = 0;
    const later = await serve(null, { file, namespace: defaultServing.namespace, isDefaultNamespace: true });
    expect(later.root).toContain(namespace);
    expect(await get(later, '/events?per_page=1')).toMatchObject({ status: 200, source: 'local', complete: 'events' });
    expect((await get(later, '/events/99999')).status).toBe(504);
    expect(site.log).toEqual([]);
  });

  it('are exported with the members that only the site has, in each form', async () => {
    const file = join(cwd, 'exported.db');
    const served = await serve({ pulls: true }, { file });
    await served.background!.running;
    await open.pop()!.close();
    const { stdout } = await run(words(`export --format ndjson --db ${file}`), { cwd });
    const records = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { resource: string; extra?: Record<string, object> });
    const venue = records.find(({ resource }) => resource === 'venues')!;
    const events = records.filter(({ resource }) => resource === 'events');
    for (const { extra } of events)
      expect([Object.keys(extra!.list!), Object.keys(extra!.single!)]).toEqual([
        ['custom_fields', 'is_virtual', 'virtual_url', 'only_in_list'],
        ['custom_fields', 'is_virtual', 'virtual_url', 'only_in_single'],
      ]);
    expect(venue.extra!.embedded).toEqual({ map_hint: expect.any(String) });
  });

  it('continue an interrupted copy, and stop where the site limits requests', async () => {
    const file = join(cwd, 'interrupted.db');
    const notices: string[] = [];
    site.quirks.beforeList = (resource) => {
      if (resource === 'events') site.quirks.page = { status: 429, body: 'slow down', headers: { 'Retry-After': '9' } };
    };
    const first = await serve({ pulls: true }, { file, notice: (text) => notices.push(text) });
    await first.background!.running;
    expect(notices).toEqual([expect.stringMatching(/^Stopped copying http.*429/)]);
    await open.pop()!.close();
    site.quirks.page = site.quirks.beforeList = undefined;
    site.log.length = 0;
    const second = await serve({ pulls: true }, { file });
    await second.background!.running;
    const lists = site.log.filter((line) => /^GET \/\w+\?/.test(line)).map((line) => line.slice(5).replace(/\?.*/, ''));
    expect([...new Set(lists)]).toEqual(['events']);
  });

  it('with other records, or of another site, are rejected', async () => {
    const file = join(cwd, 'other.db');
    await run(words(`seed minimal --db ${file}`), { cwd });
    await expect(serve({}, { file })).rejects.toThrow('has records that are not from');
    const copy = join(cwd, 'copy.db');
    await serve({}, { file: copy });
    await open.pop()!.close();
    await expect(serve({ root: 'https://example.org/brand/events/v1' }, { file: copy })).rejects.toThrow('is a copy of');
    await expect(serve({}, { file: copy, readOnly: true })).rejects.toThrow('--read-only');
  });

  it('reject a pull with credentials, because visitors would see what it copies', async () => {
    await serve({}, { file: join(cwd, 'signed-in.db') });
    await open.pop()!.close();
    const environment = { CALENDAR_NAMESPACE: namespace, CALENDAR_PASSWORD: 'x' };
    const pulled = await run(words(`pull ${site.url} --db signed-in.db --user ada`), { cwd, env: environment });
    expect(pulled).toMatchObject({ exit: 6, stdout: '', stderr: expect.stringContaining('as its visitors see it') });
    expect(pulled.stderr).toContain('serve --upstream with --user');
  });

  it('that were pulled from the site can be used', async () => {
    await run(words(`pull ${site.url} --db pulled.db --timeout 20`), { cwd, env: { CALENDAR_NAMESPACE: namespace } });
    const served = await serve({}, { file: join(cwd, 'pulled.db') });
    expect((await get(served, '/events')).source).toBe('upstream');
  });
});

it('changes of the copy show in forwarded responses', async () => {
  const served = await serve({ mode: 'prefer-local' }, { upstreamWrites: 'local' });
  const { id } = await firstEvent();
  const [first, second] = (await get(served, '/events?per_page=2')).body.events as { id: number }[];
  await get(served, `/events/${id}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"title":"Edited"}' });
  await get(served, `/events/${second!.id}`, { method: 'DELETE' });
  const shown = await get(served, '/events?per_page=2');
  expect(first!.id).toBe(id);
  expect(shown).toMatchObject({ source: 'upstream', body: { events: [{ id, title: 'Edited' }] } });
  expect(shown.body.events).toHaveLength(1);
  expect((await get(served, `/events/${id}`)).body.title).toBe('Edited');
});

it('the state of the server names the site, its mode, and what is complete', async () => {
  const served = await serve();
  const health = () => fetch(`${served.listening.url}/_calendar/health`).then((response) => response.json());
  expect(await health()).toMatchObject({ upstream: { site: root(), mode: 'live', complete: [], as_of: null } });
  await get(served, '/venues?per_page=50');
  expect(await health()).toMatchObject({ upstream: { complete: ['venues'], as_of: new Date(now()).toISOString() } });
});
