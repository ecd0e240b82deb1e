import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, connectCalendar, createCalendar, Failure } from '../../bin/library.ts';
import { calendarBetween } from '../../src/testing/test-hooks.ts';
import { calendarSuite } from '../support/calendar-suite.ts';

const now = '2027-03-01T09:00Z';
const concert = { title: 'Concert', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00' };
const folder = mkdtempSync(join(tmpdir(), 'calendar-library-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

calendarSuite('in this process');

describe.each(['without a socket', 'over one'])('faults as fetch sees them %s', (way) => {
  let calendar: Calendar;
  let ask: Calendar['fetch'];
  beforeAll(async () => {
    calendar = await createCalendar({ seed: 'minimal', now });
    ask = way === 'over one' ? (path, init) => fetch(`${calendar.url}/${path}`, init) : calendar.fetch;
  });
  beforeEach(async () => {
    await calendar.reset();
  });
  afterAll(() => calendar.close());

  it('another status, once, and with which requests it was met', async () => {
    const { id } = await calendar.faults.add({ match: { path: '/events' }, times: 1, then: { status: 503, body: { sorry: true } } });
    expect((await ask('venues')).status).toBe(200);
    const answer = await ask('events');
    expect([answer.status, await answer.json()]).toEqual([503, { sorry: true }]);
    expect((await ask('events')).status).toBe(200);
    expect(await calendar.faults.get(id)).toMatchObject({ hits: 1, remaining: 0 });
    expect((await calendar.faults.list()).map((fault) => fault.id)).toEqual([id]);
    await calendar.faults.clear();
    expect(await calendar.faults.list()).toEqual([]);
  });

  it.each(['reset', 'empty', 'garbage'] as const)('%s rejects, and the next request is clean', async (then) => {
    await calendar.faults.add({ times: 1, then });
    const error = await ask('events').catch((reason) => reason);
    expect([error, error.message]).toEqual([expect.any(TypeError), 'fetch failed']);
    // Where another test of this process has loaded undici, failures of its parser have a name but no code.
    expect(['ECONNRESET', 'UND_ERR_SOCKET', 'HPE_INVALID_CONSTANT', 'HTTPParserError']).toContain(error.cause.code ?? error.cause.name);
    expect((await ask('events')).status).toBe(200);
  });

  it.each(['malformed', 'truncate'] as const)('%s breaks off while the body is read', async (then) => {
    await calendar.faults.add({ times: 1, then });
    const answer = await ask('events');
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  it('what hangs waits for the signal', async () => {
    await calendar.faults.add({ times: 1, then: 'hang' });
    await expect(ask('events', { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
  });

  it('delays and slow bodies come whole', async () => {
    const whole = await (await ask('events')).text();
    await calendar.faults.add({ delay: 40, slow_body: 40, times: 1 });
    const begun = performance.now();
    expect(await (await ask('events')).text()).toBe(whole);
    expect(performance.now() - begun).toBeGreaterThan(70);
  });
});

it('answers fetch without a socket as over one', async () => {
  await using calendar = await createCalendar({ seed: 'minimal', now });
  for (const path of ['events', 'events/1', 'doc', 'venues?per_page=0']) {
    const [near, far] = await Promise.all([
      calendar.fetch(path),
      fetch(`${calendar.url}/${path}`, { headers: { 'accept-encoding': 'identity' } }),
    ]);
    const headers = (response: Response) =>
      Object.fromEntries(
        [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'vary', 'x-calendar-request'].includes(name)),
      );
    expect([path, near.status, headers(near), await near.text()]).toEqual([path, far.status, headers(far), await far.text()]);
  }
});

it('takes the options of a server', async () => {
  const calendar = await createCalendar({
    now: new Date('2027-01-01'),
    timezone: 'Europe/Paris',
    settings: { title: 'Mine' },
    users: [{ name: 'ada', role: 'editor', password: 'secret' }],
    basePath: 'wp-json/',
    namespace: '/my/events/v1/',
    headerPrefix: 'X-My',
    seed: { settings: { title: 'Of the seed', timezone: 'Asia/Tokyo' }, tags: { t: { name: 'one' } } },
    faults: [{ match: { path: '/venues' }, then: { status: 502 } }],
    page: false,
  });
  expect((await calendar.fetch('venues')).status).toBe(502);
  expect(calendar.url).toMatch(/\/wp-json\/my\/events\/v1$/);
  expect((await calendar.fetch('tags?hide_empty=false')).headers.get('x-my-total')).toBe('1');
  const settings = Object.fromEntries((await calendar.settings.list()).map(({ name, value }) => [name, value]));
  expect([settings.title, settings.timezone]).toEqual(['Mine', 'Europe/Paris']);
  expect(await calendar.users.list()).toMatchObject([{ name: 'ada', role: 'editor' }]);
  expect((await calendar.fetch('tags', { method: 'POST', body: new URLSearchParams({ name: 'two' }) })).status).toBe(401);
  const ada = await connectCalendar(`${calendar.root}/wp-json`, { user: { name: 'ada', password: 'secret' }, namespace: 'my/events/v1' });
  expect((await ada.tags.create({ name: 'two' })).name).toBe('two');
  expect((await ada.fetch('tags', { method: 'POST', body: new URLSearchParams({ name: 'three' }) })).status).toBe(201);
  await calendar.users.change({ name: 'ada', role: 'subscriber' });
  await expect(ada.tags.create({ name: 'four' })).rejects.toMatchObject({ status: 403 });
  // A reset brings users and settings back.
  await calendar.reset();
  expect(await calendar.users.list()).toMatchObject([{ name: 'ada', role: 'editor' }]);
  await ada.close();
  await calendar.close();
});

it('keeps a file, which others may not reset over HTTP, and its holder may', async () => {
  const file = join(folder, 'kept.db');
  const calendar = await createCalendar({ file, seed: 'minimal', now });
  const other = await connectCalendar(calendar.url);
  await calendar.events.create(concert);
  await expect(other.reset()).rejects.toMatchObject({ code: 'control-not-allowed' });
  await expect(createCalendar({ file })).rejects.toMatchObject({ code: 'store-locked' });
  await calendar.reset();
  expect((await calendar.health()).records.events).toBe(1);
  await calendar.events.create(concert);
  await Promise.all([calendar.close(), other.close()]);
  // A seed goes into an empty calendar alone.
  await using again = await createCalendar({ file, seed: 'demo', control: true });
  expect((await again.health()).records.events).toBe(2);
});

it('shows a file that it may not change; a fork of it may be changed', async () => {
  const file = join(folder, 'shown.db');
  await (await createCalendar({ file, seed: 'minimal', now })).close();
  await using calendar = await createCalendar({ file, now, readOnly: true });
  await expect(calendar.events.create(concert)).rejects.toBeInstanceOf(Failure);
  await expect(calendar.reset()).rejects.toBeInstanceOf(Failure);
  expect((await calendar.fetch('tags', { method: 'POST', body: new URLSearchParams({ name: 'two' }) })).status).toBe(403);
  await using fork = await calendar.fork();
  await fork.events.create(concert);
  expect([(await fork.health()).records.events, (await calendar.health()).records.events]).toEqual([2, 1]);
});

it.each([
  [{ sede: 'demo' }, 'Unknown option "sede" of createCalendar'],
  [{ seed: 'dmeo' }, 'No seed or file has the name "dmeo"'],
  [{ seed: './nowhere.json' }, 'nowhere.json'],
  [{ now: 'soon' }, 'Invalid now "soon"'],
  [{ timezone: 'Mars/Olympus' }, 'Invalid timezone "Mars/Olympus": must be a time zone'],
  [{ settings: { color: 'red' } }, 'Unknown setting "color"'],
  [{ host: '203.0.113.77' }, '203.0.113.77 is not an address of this machine'],
  [{ users: [{ name: 'x', role: 'king', password: 'y' }] }, 'role'],
  // What a compiler would refuse.
  [null, 'Expected an object with named values, not null'],
  ['demo', 'Expected an object with named values, not "demo"'],
  [{ seed: 5 }, 'Invalid seed 5: must be the name of a seed, a fixture, or the path or address of a file'],
  [{ seed: '' }, 'Invalid seed "": must be'],
  [{ now: 1e12 }, 'Invalid now 1000000000000: must be an instant like 2027-03-01T09:00:00Z, or a Date'],
  [{ now: new Date(Number.NaN) }, 'Invalid instant Invalid Date'],
  [{ port: '80' }, 'Invalid port "80": must be a whole number up to 65535'],
  [{ port: 70_000 }, 'Invalid port 70000: must be'],
  [{ file: '' }, 'Invalid file "": must be'],
  [{ settings: { title: true } }, 'Invalid settings {"title":true}: must be an object with strings and numbers'],
  [{ users: 5 }, 'Invalid users 5: must be'],
  [{ users: { ada: null } }, 'Invalid role undefined: must be one of administrator'],
  [{ cors: '*' }, 'Invalid cors "*": must be a list of origins, like [\'https://app.example.org\']'],
  [{ cors: ['app.example.org'] }, 'Invalid origin "app.example.org"'],
  [{ cors: ['https://app.example.org/'] }, 'Invalid origin'],
  [{ without: ['ticket'] }, 'Invalid without ["ticket"]: must be a list of geolocation and tickets'],
  [{ durability: 'most' }, 'Invalid durability "most": must be one of full, os, none'],
  [{ maxBody: -1 }, 'Invalid maxBody -1: must be'],
  [{ readOnly: 'no' }, 'Invalid readOnly "no": must be true or false'],
  [{ faults: { then: 'reset' } }, 'Invalid faults {"then":"reset"}: must be a list of faults'],
  [{ basePath: 'a?b' }, 'Invalid API path "/a?b/calendar/events/v1"'],
  [{ namespace: '/' }, 'Invalid API path "/"'],
  [{ headerPrefix: 'X Mine' }, 'Invalid header prefix "X Mine"'],
  [{ taxonomy: 'My Cat!' }, 'Invalid taxonomy "My Cat!"'],
  [{ taxonomy: '' }, 'Invalid taxonomy ""'],
  [{ allowHosts: ['http://app.example'] }, 'Invalid host "http://app.example"'],
  [{ allowHosts: ['app.example:80'] }, 'Invalid host "app.example:80"'],
])('the options %j are refused', async (options, message) => {
  await expect(createCalendar(options as never)).rejects.toThrow(message);
  await expect(createCalendar(options as never)).rejects.toBeInstanceOf(Failure);
});

it.each([
  [{ token: 'x' }, 'Unknown option "token" of connectCalendar'],
  [{ user: { name: 'ada' } }, 'Invalid user {"name":"ada"}: must be an object with name and password'],
  [{ timeout: '5' }, 'Invalid timeout "5": must be a time with a unit, like 500ms, 10s or 2m, or a number of milliseconds'],
])('of a connection the options %j are refused', async (options, message) => {
  await expect(connectCalendar('http://127.0.0.1:1', options as never)).rejects.toThrow(message);
});

describe('a failure', () => {
  const caught = (work: Promise<unknown>): Promise<Failure> =>
    work.then(
      () => expect.fail('nothing failed'),
      (error) => error,
    );

  it('reports all problems, with hints for TypeScript', async () => {
    const seed = { events: { a: { titel: 'x' } } };
    expect((await caught(createCalendar({ seed: seed as never }))).message).toBe(
      [
        'the seed: 4 problems; nothing was changed',
        '  events.a.titel: unknown field. Did you mean title?',
        ...['title', 'start_date', 'end_date'].map((name) => `  events.a.${name}: is required`),
      ].join('\n'),
    );
    expect((await caught(createCalendar({ sede: 'demo' } as never))).message).toMatch(/\nDid you mean seed\?$/);
    await using calendar = await createCalendar({ seed: 'minimal' });
    expect((await caught(calendar.data.seed('demo'))).message).toMatch(/\nPass append, replace or upsert\.$/);
  });

  it('starts its stack at the caller, without a line of the package', async () => {
    await using calendar = await createCalendar({ seed: 'minimal', now });
    const connection = await connectCalendar(calendar.url);
    for (const error of [
      await caught(createCalendar({ seed: { events: { a: {} } } as never })),
      await caught(calendar.events.create({ ...concert, start_date: 'no date' })),
      await caught(calendar.clock.set('soon')),
      await caught(connection.events.get('nowhere')),
    ]) {
      const [, first] = /\n( +at .*)/.exec(error.stack!)!;
      expect(first).toContain('calendar.test.ts');
      expect(error.stack).not.toMatch(/[/\\]src[/\\]/);
    }
    await connection.close();
  });
});

it.each([
  ['2027-03-01 09:00', '2027-03-01T08:00:00.000Z'],
  ['2027-07-01T09:00', '2027-07-01T07:00:00.000Z'],
  ['2027-03-01', '2027-02-28T23:00:00.000Z'],
  ['2027-03-01T09:00Z', '2027-03-01T09:00:00.000Z'],
  ['2027-03-01 09:00+05:30', '2027-03-01T03:30:00.000Z'],
])('starts at %s in its time zone', async (now, instant) => {
  await using calendar = await createCalendar({ timezone: 'Europe/Amsterdam', now });
  expect((await calendar.clock.get()).now).toBe(instant);
});

it('leaves the signals of the process alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-signals-'));
  const signals = () => process.eventNames().filter((name) => String(name).startsWith('SIG'));
  const before = signals();
  const calendar = await createCalendar({ file: join(folder, 'a.db') });
  expect(signals()).toEqual(before);
  await calendar.close();
  rmSync(folder, { recursive: true });
});

it('takes the same values in this process and over HTTP', async () => {
  await using calendar = await createCalendar({ seed: 'minimal', now });
  const far = await connectCalendar(calendar.url);
  type Ask = (face: typeof calendar) => Promise<unknown>;
  const asks: Record<string, Ask> = {
    'moments as dates': async ({ events }) => {
      const dates = { start_date: new Date('2027-03-02T20:00Z'), end_date: new Date('2027-03-02T23:00Z') };
      const { utc_start_date } = await events.create({ ...concert, ...dates });
      return { utc_start_date, total: (await events.list({ starts_after: dates.start_date })).total };
    },
    'moments of a fixture as dates': async ({ data, events }) => {
      const dates = { start_date: new Date('2027-03-02T20:00Z'), end_date: new Date('2027-03-02T23:00Z') };
      await data.seed({ events: { dated: { title: 'Dated', ...dates } } }, { upsert: true });
      return (await events.get('dated')).utc_start_date;
    },
    'nothing where a value could be': async ({ venues }) => {
      const { city, website } = await venues.create({ venue: 'Hall', city: undefined, website: undefined });
      return { city, website };
    },
    'the link to the next page': async ({ tags }) => {
      for (const name of ['one', 'two']) await tags.create({ name }).catch(() => undefined);
      return (await tags.list({ hide_empty: false, per_page: 1 })).next_rest_url;
    },
    'a number to search': async ({ venues }) => (await venues.list({ search: 5 } as never)).total,
    'a page that is none': ({ venues }) => venues.list({ per_page: 0 }),
    'nothing to search': async ({ venues }) => (await venues.list({ search: null } as never)).total,
    'no record at all': ({ events }) => events.create(null as never),
    'a record that is none': ({ events }) => events.create('Concert' as never),
    'an ID that is none': ({ events }) => events.get(Number.NaN),
    'half an ID': ({ events }) => events.get(1.5),
    'a record without an ID': ({ events }) => events.get({ id: undefined } as never),
    'parameters that are none': ({ events }) => events.list([] as never),
    'a text for an operation': (face) => face.reset('start' as never),
    'no fault': ({ faults }) => faults.add(undefined as never),
    'no seed': (face) => face.data.seed(undefined as never),
    'no way to go': ({ clock }) => clock.advance(undefined as never),
    'no moment': ({ clock }) => clock.set(new Date(Number.NaN)),
  };
  const said = (work: Promise<unknown>) => work.catch((error) => [error.name, error.code, error.message]);
  for (const [what, ask] of Object.entries(asks)) {
    const [near, over] = [await said(ask(calendar)), await said(ask(far))];
    expect([what, near]).toEqual([what, over]);
    if (Array.isArray(near)) expect([what, near[0], near[1]]).toEqual([what, 'Failure', expect.stringMatching(/^(bad-request|rest_)/)]);
  }
  await far.close();
});

it('a port that is taken is refused, and no calendar is left open', async () => {
  await using calendar = await createCalendar();
  await expect(createCalendar({ port: Number(new URL(calendar.root).port) })).rejects.toMatchObject({ code: 'conflict' });
  await expect(connectCalendar('nowhere')).rejects.toThrow('Invalid URL "nowhere"');
});

it('is closed once, however often it is called; later requests fail', async () => {
  const calendar = await createCalendar({ seed: 'minimal' });
  await Promise.all([calendar.close(), calendar.close()]);
  await calendar.close();
  await calendar[Symbol.asyncDispose]();
  for (const ask of [calendar.events.list, calendar.reset, calendar.health, calendar.fork, calendar.data.export])
    await expect(ask()).rejects.toThrow('This calendar is closed');
  for (const ask of [calendar.clock.get, calendar.faults.list, calendar.requests.list, calendar.snapshots.list, calendar.settings.list])
    await expect(ask()).rejects.toBeInstanceOf(Failure);
  await expect(calendar.fetch('events')).rejects.toMatchObject({ name: 'TypeError', message: 'fetch failed', cause: expect.any(Failure) });
  await expect(fetch(calendar.url)).rejects.toThrow();
  const connection = await connectCalendar(calendar.url);
  await expect(connection.health()).rejects.toMatchObject({ code: 'unreachable' });
  await Promise.all([connection.close(), connection.close()]);
  await expect(connection.health()).rejects.toThrow('This calendar is closed');
});

describe('between the tests of a runner', () => {
  const calendar = calendarBetween(
    { beforeAll, beforeEach: (work) => beforeEach(() => work()), afterEach: (work) => afterEach(() => work()), afterAll },
    { seed: 'minimal' },
  );
  const early = (() => {
    try {
      return calendar.url;
    } catch (error) {
      return (error as Failure).message;
    }
  })();

  it('reports that it is not ready', () => expect(early).toBe('The calendar is not open yet; use url in a test or a hook'));
  it.each([1, 2, 3])('is as at its start before test %d', async () => {
    expect((await calendar.tags.list({ hide_empty: false, search: 'left' })).total).toBe(0);
    await calendar.tags.create({ name: 'left behind' });
  });
});

it('types refuse what the API does not know', async () => {
  await using calendar = await createCalendar();
  // @ts-expect-error an event has an end
  await expect(calendar.events.create({ title: 'x', start_date: '2027-01-01' })).rejects.toThrow('end_date');
  // @ts-expect-error a title is text
  await expect(calendar.events.create({ ...concert, title: 5 })).rejects.toThrow('title');
  // @ts-expect-error there is no such parameter
  await expect(calendar.events.list({ per_pages: 5 })).rejects.toThrow('Did you mean per_page?');
  // @ts-expect-error a status is one of a list
  await expect(calendar.events.list({ status: 'gone' })).rejects.toThrow('status');
  const { events } = await calendar.events.list();
  // @ts-expect-error there is no such setting
  await expect(calendar.settings.change({ timezon: 'UTC' })).rejects.toThrow('timezon');
  // @ts-expect-error terms have no trash
  expect(calendar.tags.restore).toBeUndefined();
  // @ts-expect-error a record has only members of the API and declared fields
  expect(events[0]?.headline).toBeUndefined();
});
