import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../../bin/library.ts';
import type { FaultFields, FaultInput } from '../../../src/model/operation-types.ts';
import { operations } from '../../../src/model/operations/all.ts';
import { checkInput } from '../../../src/model/operations/check-input.ts';
import type { SiteFault } from '../../../src/model/operations/connection-faults.ts';
import { formatFaultLine, parseFaultLine } from '../../../src/model/operations/fault-line.ts';
import { FaultList } from '../../../src/server/faults/fault-list.ts';
import { faults as injectFaults } from '../../../src/server/faults/faults.ts';
import type { ServerRequest } from '../../../src/server/http.ts';
import { textBody } from '../../../src/server/http.ts';
import { handlerOf } from '../../support/server.ts';

const place = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' };
const request = (path = '/events', more: Partial<ServerRequest> = {}): ServerRequest => ({
  method: 'GET',
  path: `/calendar/events/v1${path}`,
  query: '',
  headers: {},
  body: new Uint8Array(),
  ...more,
});

/** Which of some requests a fault meets, as a text of ones and zeros. */
const met = (faults: FaultList, count: number) => Array.from({ length: count }, () => faults.meet(request()).length).join('');
const listOf = (...inputs: FaultInput[]) => new FaultList(place, inputs);

describe('which requests a fault meets', () => {
  it.each<[FaultFields, string]>([
    [{}, '111111111111'],
    [{ times: 2 }, '110000000000'],
    [{ after: 3 }, '000111111111'],
    [{ after: 3, times: 2 }, '000110000000'],
    [{ every: 3 }, '001001001001'],
    [{ after: 1, every: 2, times: 2 }, '001010000000'],
    [{ probability: 0 }, '000000000000'],
    [{ probability: 1 }, '111111111111'],
  ])('%j: %s', (input, expected) => expect(met(listOf({ delay: 1, ...input }), 12)).toBe(expected));

  it('counts those alone that match', () => {
    const faults = listOf({ match: { path: '/venues' }, times: 1, after: 1, delay: 1 });
    expect(faults.meet(request('/venues'))).toHaveLength(0);
    expect(faults.meet(request('/events'))).toHaveLength(0);
    expect(faults.meet(request('/venues'))).toHaveLength(1);
    expect(faults.list()).toMatchObject([{ hits: 1, remaining: 0 }]);
  });

  it('without a path apply to the API only; a path can name other routes', () => {
    const faults = listOf({ match: {}, delay: 1 }, { match: { path: '/calendar.ics' }, delay: 1 });
    expect(faults.meet(request('', { path: '/' }))).toHaveLength(0);
    expect(faults.meet(request('', { path: '/event/concert' }))).toHaveLength(0);
    expect(faults.meet(request(''))).toHaveLength(1);
    expect(faults.meet(request('', { path: '/', query: 'rest_route=/calendar/events/v1/events' }))).toHaveLength(1);
    expect(faults.meet(request('', { path: '/calendar.ics' })).map(({ id }) => id)).toEqual([2]);
  });

  it('calls of the page and of the TypeScript API meet none', async () => {
    const faults = listOf({ times: 1, then: { status: 503 } });
    const handle = handlerOf([injectFaults], async () => ({ status: 200, headers: {}, body: [] }), { faults });
    const status = async (more: Partial<ServerRequest>) => (await handle(request('/events', more))).status;
    expect([await status({ ownCall: 'api' }), await status({ ownCall: 'api', method: 'POST' })]).toEqual([200, 200]);
    expect(faults.list()).toMatchObject([{ hits: 0 }]);
    expect([await status({ method: 'POST' }), await status({})]).toEqual([503, 200]);
  });

  it('a browser’s question before a request is met by who names OPTIONS', () => {
    const asking = request('/events', { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } });
    expect(listOf({ delay: 1 }).meet(asking)).toHaveLength(0);
    expect(listOf({ delay: 1, match: { method: 'OPTIONS' } }).meet(asking)).toHaveLength(1);
    expect(listOf({ delay: 1 }).meet({ ...asking, headers: {} })).toHaveLength(1);
  });

  it('is random but reproducible: from its seed, at every start, regardless of other requests', () => {
    const input = { probability: 0.3, then: 'reset' } as const;
    const first = met(listOf(input), 200);
    const share = first.replaceAll('0', '').length / 200;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
    expect(met(listOf(input), 200)).toBe(first);
    expect(met(listOf({ ...input, rng_seed: '7' }), 200)).not.toBe(first);
    const faults = listOf(input, { probability: 0.5, delay: 1 });
    met(faults, 50);
    faults.reset();
    expect(Array.from({ length: 200 }, () => (faults.meet(request()).some(({ then }) => then === 'reset') ? 1 : 0)).join('')).toBe(first);
  });
});

describe('what a fault does', () => {
  const delays = (input: FaultInput, count = 2000) => {
    const faults = listOf(input);
    return Array.from({ length: count }, () => faults.meet(request())[0]!.delay).sort((a, b) => a - b);
  };

  it('delays for a fixed or random time', () => {
    expect(new Set(delays({ delay: 7 }))).toEqual(new Set([7]));
    const even = delays({ delay: [100, 300] });
    expect([even[0]! >= 100, even.at(-1)! < 300]).toEqual([true, true]);
    expect(Math.abs(even[1000]! - 200)).toBeLessThan(15);
    const tailed = delays({ delay: { lognormal: { median: 100, sigma: 0.5 } } });
    expect(Math.abs(tailed[1000]! - 100)).toBeLessThan(8);
    // Of a normal draw 84 in 100 lie below one deviation.
    expect(Math.abs(tailed[1683]! - 100 * Math.exp(0.5))).toBeLessThan(15);
    expect(delays({ delay: { lognormal: { median: 600_000, sigma: 10 } } }).at(-1)).toBe(600_000);
    expect(delays({ delay: [1, 9] })).toEqual(delays({ delay: [1, 9] }));
  });

  it('those that meet one request add up, to the first with another answer', async () => {
    const slept: number[] = [];
    const faults = listOf(
      { delay: 100 },
      { delay: 50, at: 'after' },
      { then: { status: 503 }, times: 1 },
      { then: 'reset', times: 1 },
      { slow_body: 40 },
    );
    const asked: string[] = [];
    const handle = handlerOf(
      [injectFaults],
      ({ path }) => {
        asked.push(path);
        return { status: 200, headers: {}, body: textBody('x') };
      },
      { faults: Object.assign(faults, { sleep: async (ms: number) => void slept.push(ms) }) },
    );
    expect(await handle(request())).toMatchObject({ status: 503 });
    expect(await handle(request())).toMatchObject({ status: 0, fault: 'reset' });
    expect(asked).toEqual([]);
    expect(await handle(request())).toEqual({ status: 200, headers: {}, body: textBody('x'), slowBody: 40 });
    expect(slept).toEqual([100, 50, 100, 50, 100, 50]);
    expect(asked).toHaveLength(1);
    expect(faults.list().map(({ hits, remaining }) => [hits, remaining])).toEqual([
      [3, null],
      [3, null],
      [1, 0],
      [1, 0],
      [1, null],
    ]);
  });

  it('does not affect the control API and its pages', async () => {
    const faults = listOf({ match: { path: '*' }, then: 'reset' });
    const handle = handlerOf([injectFaults], () => ({ status: 200, headers: {}, body: [] }), { faults });
    const statusOf = async (path: string) => (await handle(request('', { path }))).status;
    expect(await Promise.all(['/_calendar', '/_calendar/faults', '/_calendar/assets/x.js', '/', '/_calendars'].map(statusOf))).toEqual([
      200, 200, 200, 0, 0,
    ]);
  });

  it('costs nothing where there is none: the answer is the handler’s own, and at once', () => {
    const answer = { status: 200, headers: {}, body: [] };
    const handle = handlerOf([injectFaults], () => answer, {});
    expect(handle(request())).toBe(answer);
  });
});

describe('a list of faults', () => {
  it('adds, returns, removes, clears and restores those of the start', () => {
    const faults = listOf({ delay: 5, times: 3 });
    expect(faults.add({ then: 'hang', match: { path: '/tags' } })).toEqual({
      id: 2,
      match: { path: '/tags' },
      then: 'hang',
      hits: 0,
      remaining: null,
    });
    met(faults, 2);
    expect(faults.get(1)).toEqual({ id: 1, match: {}, delay: 5, times: 3, hits: 2, remaining: 1 });
    expect(faults.remove(2)).toMatchObject({ id: 2 });
    expect(() => faults.get(2)).toThrow('Fault 2 not found');
    expect(() => faults.remove(2)).toThrow('Fault 2 not found');
    faults.clear();
    expect([faults.list(), faults.isEmpty]).toEqual([[], true]);
    faults.reset();
    expect(faults.list()).toEqual([{ id: 1, match: {}, delay: 5, times: 3, hits: 0, remaining: 3 }]);
    expect(faults.add({ delay: 1 }).id).toBe(2);
  });

  it('has an end', () => {
    const faults = listOf(...Array.from({ length: 1000 }, () => ({ delay: 1 })));
    expect(() => faults.add({ delay: 1 })).toThrow('Too many faults: the maximum is 1000');
  });

  it('there are no more than fit into 16 MB, and room again when some are gone', () => {
    const large: FaultInput = { then: { status: 503, body: 'x'.repeat(6 << 20) } };
    const faults = listOf(large, large);
    expect(() => faults.add(large)).toThrow('The faults would exceed 16 MB in total');
    faults.remove(1);
    expect(faults.add(large).id).toBe(3);
  });
});

it.each<[object, string]>([
  [{ thn: 'reset' }, 'thn: unknown field. Did you mean then?'],
  [{ match: { url: '/x' }, delay: 1 }, 'match.url: unknown field'],
  [{ then: { status: 503, text: 'x' } }, 'then.text: unknown field'],
  [{ then: { delay: 300 } }, '{"query": {…}}; delay and slow_body are beside it'],
  [{ then: 'explode' }, 'then: must be one of reset, empty, malformed, garbage, truncate, hang, site:challenge'],
  [{ then: { status: 99 } }, 'then.status: must be at least 200'],
  [{ delay: -1 }, 'delay: must be a time with a unit, like 200ms or 1.5s, or a number of milliseconds, up to 10m'],
  [{ delay: 'long' }, 'delay: must be a time with a unit, like 200ms or 1.5s, or a number of milliseconds, up to 10m'],
  [{ delay: [1] }, 'delay: must have at least 2'],
  [{ delay: [9, 1] }, 'delay: must be in ascending order'],
  [{ match: { path: 'events' }, delay: 1 }, 'match.path: must be a path like /events/*, not "events"'],
  [{}, 'then: one of then, delay and slow_body is required'],
  [{ times: 2 }, 'then: one of then, delay and slow_body is required'],
  [{ then: 'reset', slow_body: 5 }, 'slow_body: cannot be combined with then: reset, which sends no complete body'],
  [{ then: 'truncate', at: 'before' }, 'at: must be after if then is truncate'],
  [{ then: { status: 204, body: 'x' } }, 'then.body: cannot be combined with status 204'],
  [
    { then: { status: 200, headers: { 'content-length': '5' } } },
    'then.headers: must not contain content-length, which is set by the server',
  ],
  [{ delay: 1, every: 2, probability: 0.5 }, 'probability: cannot be combined with every'],
  [{ delay: 1, times: 0 }, 'times: '],
  [{ delay: 1, probability: 10 }, 'probability: '],
  [{ delay: 1, at: 'during' }, 'at: '],
  [{ then: { status: 200, headers: { 'a b': 'x' } } }, 'then.headers.a b: must be a header name'],
  [{ then: { status: 200, headers: { a: 'x\r\ny: z' } } }, 'then.headers.a: must be a header value'],
])('%j is refused', (input, message) => {
  expect(() => new FaultList(place).add(checkInput(operations.addFault, input) as FaultInput)).toThrow(message);
});

describe('what live sites do', () => {
  let calendar: Calendar;
  beforeAll(async () => {
    calendar = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z', listen: false });
  });
  beforeEach(() => calendar.faults.clear());
  afterAll(() => calendar.close());
  const sent = async (path = 'events', init?: RequestInit) => {
    const { status, headers } = await calendar.fetch(path, init);
    const response = await calendar.fetch(path, init);
    return { status, type: headers.get('content-type'), tag: headers.get('etag'), text: await response.text() };
  };
  const visitor = { headers: {} };
  const signedIn = { headers: { authorization: `Basic ${btoa('ada:x')}` } };

  it.each<[SiteFault, number, RegExp, RegExp]>([
    ['site:challenge', 403, /^text\/html/, /^<!DOCTYPE html>.*Just a moment/],
    ['site:notice', 200, /^application\/json/, /^<br \/>\n<b>Notice<\/b>.*\{"events":\[\{"id":/s],
    ['site:rest-off', 401, /^application\/json/, /"code":"rest_login_required".*"status":401/],
    ['site:maintenance', 503, /^text\/html/, /scheduled maintenance/],
  ])('%s: %i', async (name, status, type, text) => {
    await calendar.faults.add({ then: name });
    expect(await sent()).toMatchObject({ status, type: expect.stringMatching(type), text: expect.stringMatching(text) });
    expect(await calendar.faults.list()).toMatchObject([{ then: name, match: {}, hits: 2 }]);
    expect((await calendar.fetch('/calendar.ics')).status).toBe(200);
  });

  it('site:rest-off lets those in who sign in', async () => {
    await calendar.faults.add({ then: 'site:rest-off', match: { path: '/events' } });
    expect([(await sent('events', visitor)).status, (await sent('tags', visitor)).status, (await sent('events', signedIn)).status]).toEqual(
      [401, 200, 200],
    );
  });

  it('site:html-feed is a page at the addresses of feeds', async () => {
    await calendar.faults.add({ then: 'site:html-feed' });
    for (const path of [
      '/events/?ical',
      '/events/list/?outlook-ical=1',
      '/events/ical/',
      '/events/feed/',
      '/event/jazz-thursday-3/ical/',
      '/?ical=1',
    ])
      expect(await sent(path)).toMatchObject({ status: 200, type: 'text/html; charset=UTF-8' });
    expect(await sent()).toMatchObject({ type: expect.stringMatching(/^application\/json/) });
    expect(await sent('/calendar.ics')).toMatchObject({ type: expect.stringMatching(/^text\/calendar/) });
    await calendar.faults.add({ then: 'site:html-feed', match: { path: '/calendar.ics' } });
    expect(await sent('/calendar.ics')).toMatchObject({ type: 'text/html; charset=UTF-8' });
  });

  it('site:same-page gives the first page for each', async () => {
    await calendar.faults.add({ then: 'site:same-page' });
    const page = async (query: string) => JSON.parse((await sent(`events?per_page=3${query}`)).text);
    const [first, third] = [await page(''), await page('&page=3')];
    expect(third).toEqual(first);
    expect(third.next_rest_url).toContain('page=2');
    expect((await calendar.requests.list()).requests.at(-1)).toMatchObject({ query: 'per_page=3&page=3' });
  });

  it('another query is that of the request', async () => {
    await calendar.faults.add({ then: { query: { per_page: 2, categories: null } } });
    expect(JSON.parse((await sent('events?per_page=9&categories[]=music&categories[]=none')).text).events).toHaveLength(2);
  });

  it('a preamble changes the ETag, and a response to HEAD stays empty', async () => {
    const { tag } = await sent('tags');
    await calendar.faults.add({ then: { preamble: 'x' } });
    const { tag: changed, text } = await sent('tags');
    expect([changed === tag, text[0]]).toEqual([false, 'x']);
    expect((await sent('tags', { method: 'HEAD' })).text).toBe('');
  });

  it.each([
    [{ then: { preamble: 'x' }, at: 'before' }, 'at'],
    [{ then: { query: { page: null } }, at: 'after' }, 'at'],
    [{ then: 'site:notice', at: 'before' }, 'at'],
    [{ then: 'site:nothing' }, 'then'],
  ])('%j is rejected', async (input, member) => {
    await expect(calendar.faults.add(input as FaultInput)).rejects.toMatchObject({
      code: 'rest_invalid_param',
      data: { params: { [member]: expect.anything() } },
    });
  });

  it.each([
    ['site:challenge', { then: 'site:challenge' }],
    ['site:notice:10% --path /events --times 2', { match: { path: '/events' }, then: 'site:notice', times: 2, probability: 0.1 }],
    [`query --body '{"page":null}'`, { then: { query: { page: null } } }],
    [`preamble --body 'Notice: x'`, { then: { preamble: 'Notice: x' } }],
  ])('%s is a line of the page and of the command', (line, fault) => {
    const parsed = parseFaultLine(line);
    expect(JSON.parse(JSON.stringify(parsed))).toEqual(fault);
    expect(JSON.parse(JSON.stringify(parseFaultLine(formatFaultLine(parsed))))).toEqual(fault);
  });
});

describe('an error without a body', () => {
  it.each<[number, string, RegExp, string]>([
    [429, 'text/html', /<h1>429 Too Many Requests<\/h1>/, 'Injected by fault 1'],
    [502, 'text/html', /<h1>502 Bad Gateway<\/h1>/, 'Injected by fault 1'],
    [503, 'text/html', /<h1>503 Service Unavailable<\/h1>/, 'Injected by fault 1'],
    [504, 'text/html', /<h1>504 Gateway Timeout<\/h1>/, 'Injected by fault 1'],
    [500, 'application/json; charset=UTF-8', /"code":"server-failure"/, 'server-failure: Injected by fault 1'],
    [404, 'application/json; charset=UTF-8', /"code":"not-found"/, 'not-found: Injected by fault 1'],
  ])('%i is %s, and the log names the fault', async (status, type, text, reason) => {
    await using calendar = await createCalendar({ listen: false });
    const ways = [
      async () => void (await calendar.faults.add({ times: 1, then: status })),
      async () => {
        const held = await calendar.faults.hold({});
        setImmediate(() => void held.arrived().then(() => held.release(status)));
      },
    ];
    for (const [at, add] of ways.entries()) {
      await add();
      const response = await calendar.fetch('events');
      expect([response.status, response.headers.get('content-type'), response.headers.get('retry-after')]).toEqual([status, type, null]);
      expect(await response.text()).toMatch(text);
      const { requests } = await calendar.requests.list({ brief: true });
      expect(requests.at(-1)?.reason).toBe(reason.replace('fault 1', `fault ${at + 1}`));
    }
  });

  it('with a body has that', async () => {
    await using calendar = await createCalendar({ listen: false });
    await calendar.faults.add({ then: { status: 503, body: { code: 'x', message: 'y' }, headers: { 'Retry-After': '1' } } });
    const response = await calendar.fetch('events');
    expect([await response.json(), response.headers.get('retry-after')]).toEqual([{ code: 'x', message: 'y' }, '1']);
    expect((await calendar.requests.list()).requests[0]?.reason).toBe('x: y Injected by fault 1');
  });
});

describe('site:resets-omitted', () => {
  const event = {
    ...{ title: 'Concert', start_date: '2027-04-01 00:00', end_date: '2027-04-01 23:00', timezone: 'Asia/Tokyo', all_day: true },
    ...{ cost: '10', website: 'https://example.org/', image: 'https://example.org/a.jpg', description: 'Loud', status: 'draft' as const },
    ...{ featured: true, sticky: true, show_map: true, show_map_link: true, hide_from_listings: true, categories: ['Music'], tags: 'jazz' },
  };
  /** Creates an event, sends an update that meets the fault, and returns the event before and after. */
  async function updated(path: (record: { id: number; slug: string }) => string, sent: object, method = 'PUT', headers = {}) {
    await using calendar = await createCalendar({ listen: false, now: '2027-03-01T09:00Z', timezone: 'Europe/Berlin', users });
    const [venue, organizer] = [await calendar.venues.create({ venue: 'Hall' }), await calendar.organizers.create({ organizer: 'Ada' })];
    const before = await calendar.events.create({ ...event, slug: 'concert', venue: venue.id, organizer: organizer.id });
    await calendar.clock.advance('1h');
    await calendar.faults.add({ then: 'site:resets-omitted', times: 1 });
    // Neither a new event nor a read meets it.
    const init = { headers: { ...json, ...signedIn } };
    await calendar.fetch('events', { method: 'POST', body: JSON.stringify({ ...event, title: 'Other' }), ...init });
    await calendar.fetch('events', init);
    const response = await calendar.fetch(path(before), { method, body: JSON.stringify(sent), headers: { ...init.headers, ...headers } });
    expect([response.status, (await calendar.faults.list())[0]?.hits]).toEqual([200, 1]);
    return { before, after: await calendar.events.get(before.id) };
  }
  const users = [{ name: 'ada', role: 'editor', password: 'x' } as const];
  const json = { 'content-type': 'application/json' };
  const signedIn = { authorization: `Basic ${btoa('ada:x')}` };
  const byId = ({ id }: { id: number }) => `events/${id}`;
  const flags = ['featured', 'sticky', 'show_map', 'show_map_link', 'hide_from_listings', 'all_day'];
  const reset = {
    ...{ status: 'publish', date: '2027-03-01 11:00:00', website: '', image: false, cost: '', timezone: 'Europe/Berlin', organizer: [] },
    ...Object.fromEntries(flags.map((name) => [name, false])),
  };

  it.each([
    ['by ID', byId, 'PUT', {}],
    ['by slug', () => 'events/by-slug/concert', 'PATCH', {}],
    ['by POST', byId, 'POST', {}],
    ['by a method in a header', byId, 'POST', { 'x-http-method-override': 'PUT' }],
  ])('%s', async (_name, path, method, headers) => {
    const { before, after } = await updated(path, { title: 'B' }, method, headers);
    expect(after).toMatchObject({ ...reset, title: 'B' });
    const kept = ['description', 'slug', 'author', 'start_date', 'end_date', 'utc_start_date', 'utc_end_date'] as const;
    for (const name of kept) expect(after[name]).toEqual(before[name]);
    expect([after.categories.length, after.tags.length, after.venue]).toEqual([1, 1, expect.objectContaining({ venue: 'Hall' })]);
  });

  it('keeps what the body or the query has', async () => {
    const { after } = await updated(({ id }) => `events/${id}?cost=5&featured=true`, {
      website: 'https://example.com',
      timezone: 'Asia/Tokyo',
    });
    expect(after).toMatchObject({
      ...reset,
      cost: expect.stringContaining('5'),
      featured: true,
      website: 'https://example.com',
      timezone: 'Asia/Tokyo',
    });
  });

  it('resets nothing of a record that is sent back whole', async () => {
    await using calendar = await createCalendar({ listen: false });
    const before = await calendar.events.create(event);
    await calendar.faults.add({ then: 'site:resets-omitted' });
    await calendar.fetch(`events/${before.id}`, { method: 'PUT', body: JSON.stringify(before), headers: json });
    const after = await calendar.events.get(before.id);
    for (const name of Object.keys(reset) as (keyof typeof before)[]) expect(after[name]).toEqual(before[name]);
  });

  it('publishes as a draft what a contributor may not publish, also of venues and organizers', async () => {
    await using calendar = await createCalendar({ listen: false, users: [{ name: 'ada', role: 'contributor', password: 'x' }] });
    await calendar.faults.add({ then: 'site:resets-omitted' });
    const send = async (method: string, path: string, body: object): Promise<{ id?: number }> =>
      (await calendar.fetch(path, { method, body: JSON.stringify(body), headers: { ...json, ...signedIn } })).json() as Promise<{
        id?: number;
      }>;
    for (const [name, label] of [
      ['venues', 'venue'],
      ['organizers', 'organizer'],
    ] as const) {
      const { id } = await send('POST', name, {
        [label]: 'X',
        status: 'pending',
        show_map: 'false',
        state: 'Ohio',
        stateprovince: 'Kept',
        phone: '1',
      });
      const after = await send('PUT', `${name}/${id}`, { [label]: 'Y' });
      expect(after).toMatchObject({
        [label]: 'Y',
        status: 'draft',
        phone: '1',
        ...(name === 'venues' ? { show_map: true, stateprovince: 'Ohio' } : {}),
      });
    }
  });
});

describe('site:redirect', () => {
  it.each<[SiteFault, number]>([
    ['site:redirect', 301],
    ['site:redirect-302', 302],
    ['site:redirect-303', 303],
    ['site:redirect-307', 307],
    ['site:redirect-308', 308],
  ])('%s: %i to the same address, once, also in a world and on a strict server', async (then, status) => {
    await using calendar = await createCalendar({ strict: true });
    await using world = await calendar.worlds.create();
    for (const each of [calendar, world]) {
      await each.faults.add({ then });
      const method = { method: 'POST', body: new URLSearchParams({ name: 'jazz' }) };
      const response = await fetch(`${each.url}/tags?slug=x`, { ...method, redirect: 'manual' });
      const path = `${new URL(each.url).pathname}/tags?slug=x&redirected=1`;
      expect([response.status, response.headers.get('location')]).toEqual([status, path]);
      expect((await fetch(`${each.url}/tags?hide_empty=false`)).status).toBe(200);
      const followed = await fetch(`${each.url}/tags`, method);
      // A POST becomes a GET, except after 307 and 308.
      expect([followed.status, followed.redirected]).toEqual([status >= 307 ? 201 : 200, true]);
      const preflight = { method: 'OPTIONS', headers: { origin: 'http://localhost:1', 'access-control-request-method': 'POST' } };
      expect((await fetch(`${each.url}/tags`, preflight)).status).toBe(200);
    }
  });
});
