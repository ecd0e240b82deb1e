import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Calendar, type CalendarWorld, connectCalendar, createCalendar, Failure } from '../../bin/library.ts';
import { calendarBetween } from '../../src/testing/test-hooks.ts';

const now = '2027-03-01T09:00Z';
const concert = { title: 'Concert', start_date: '2027-03-02 20:00', end_date: '2027-03-02 23:00' };
const folder = mkdtempSync(join(tmpdir(), 'calendar-library-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The calendar of this process, and a connection to it over HTTP: one face. */
describe.each(['in this process', 'over HTTP', 'in a world in this process', 'in a world over HTTP'])('a calendar %s', (where) => {
  let server: Calendar;
  let own: Calendar;
  let calendar: Calendar;
  beforeAll(async () => {
    server = await createCalendar({ seed: 'demo', now });
    own = where.includes('world') ? await server.worlds.create() : server;
    calendar = where.includes('over HTTP') ? await connectCalendar(own.root) : own;
  });
  beforeEach(async () => {
    await own.reset();
  });
  afterAll(async () => {
    await calendar.close();
    await own.close();
    await server.close();
  });

  it('has its addresses', () => {
    expect(calendar.url).toBe(own.url);
    expect(calendar.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+(\/_worlds\/[\da-f]{16})?\/calendar\/events\/v1$/);
    expect(calendar.url.startsWith(`${calendar.root}/`)).toBe(true);
  });

  it('creates, reads, changes, lists and deletes events with all that they are linked to', async () => {
    const created = await calendar.events.create({
      ...concert,
      venue: { venue: 'Old Station', city: 'Berlin' },
      organizer: [{ organizer: 'Ada' }],
      categories: ['Jazz', 'Late'],
      cost: [8, 12],
      featured: true,
      excerpt: undefined,
    });
    expect(created).toMatchObject({ title: 'Concert', featured: true, venue: { venue: 'Old Station' }, organizer: [{ organizer: 'Ada' }] });
    expect(created.url).toBe(`${calendar.root}/event/concert/`);
    expect(await calendar.events.get(created.id)).toMatchObject({ id: created.id, start_date: '2027-03-02 20:00:00' });
    expect(await calendar.events.get(created.slug)).toMatchObject({ id: created.id });
    expect(await calendar.events.get(created)).toMatchObject({ id: created.id });
    expect((await calendar.events.update(created, { title: 'Concert II' })).title).toBe('Concert II');
    // What was read may be given back.
    expect((await calendar.events.update(created.id, { ...(await calendar.events.get(created.id)), featured: false })).featured).toBe(
      false,
    );
    const list = await calendar.events.list({ categories: ['jazz'], featured: false, include: [created.id], per_page: 5, page: 1 });
    expect(list).toMatchObject({ total: 1, total_pages: 1, events: [{ title: 'Concert II' }] });
    expect((await calendar.events.delete(created)).status).toBe('trash');
    await expect(calendar.events.get(created.id)).rejects.toMatchObject({ code: 'event-no-longer-available', status: 403 });
  });

  it.each([
    ['numbers', { per_page: 2, page: 2 }],
    ['lists of numbers', { include: [10, 11, 12] }],
    ['switches', { featured: true, geoloc: false }],
    ['a place', { geoloc_lat: 52.3, geoloc_lng: 4.9 }],
    ['texts', { search: 'concert', starts_after: '2027-03-05', status: 'publish' as const }],
    ['lists of texts', { categories: ['music', 'art'], status: ['publish', 'draft'] as ('publish' | 'draft')[] }],
    ['what is undefined', { search: undefined, per_page: 3 }],
  ])('lists take %s as HTTP does', async (_, parameters) => {
    const query = new URLSearchParams(
      Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)] as [string, string]])),
    );
    const answer = await fetch(`${own.url}/events?${query}`);
    const { events, total } = (await answer.json()) as { events: { id: number }[]; total: number };
    const page = await calendar.events.list(parameters);
    expect([answer.status, page.total, page.events.map(({ id }) => id)]).toEqual([200, total, events.map(({ id }) => id)]);
  });

  it('has venues, organizers, categories and tags', async () => {
    const venue = await calendar.venues.create({ venue: 'Hall', geo_lat: 52, geo_lng: 13 });
    expect(await calendar.venues.get(venue.id)).toMatchObject({ venue: 'Hall', geo_lat: 52 });
    expect((await calendar.organizers.create({ organizer: 'Grace' })).organizer).toBe('Grace');
    const above = await calendar.categories.create({ name: 'Above' });
    expect(await calendar.categories.create({ name: 'Below', parent: above.id })).toMatchObject({ parent: above.id, count: 0 });
    expect((await calendar.tags.create({ name: 'new' })).slug).toBe('new');
    expect((await calendar.tags.list({ search: 'new', hide_empty: false })).tags).toHaveLength(1);
  });

  it('takes slugs and records wherever an ID is', async () => {
    const hall = await calendar.venues.create({ venue: 'Slug Hall' });
    await calendar.organizers.create({ organizer: 'Slug Choir' });
    const music = await calendar.categories.create({ name: 'Slug Music' });
    await calendar.categories.create({ name: 'Slug Jazz', parent: 'slug-music' });
    const { id, slug } = await calendar.events.create({ ...concert, title: 'Slugs', venue: 'slug-hall', organizer: ['slug-choir'] });
    const child = await calendar.events.create({ ...concert, title: 'Child', venue: hall, categories: [music], post_parent: slug });
    expect(child.venue).toMatchObject({ id: hall.id });
    const dates = { start_date: '2020-01-01' };
    for (const venue of ['slug-hall', hall, [hall.id, hall], `${hall.id}`])
      expect((await calendar.events.list({ ...dates, venue })).events.map(({ title }) => title)).toEqual(['Slugs', 'Child']);
    expect((await calendar.events.list({ ...dates, organizer: 'slug-choir' })).total).toBe(1);
    expect((await calendar.events.list({ ...dates, post_parent: 'slugs' })).events).toMatchObject([{ id: child.id }]);
    expect((await calendar.events.list({ include: ['slugs', child] })).total).toBe(2);
    expect((await calendar.categories.list({ parent: music, hide_empty: false })).categories).toMatchObject([{ slug: 'slug-jazz' }]);
    expect(await calendar.categories.update('slug-jazz', { parent: 0 })).toMatchObject({ parent: 0 });
    expect(await calendar.categories.get('slug-jazz')).toMatchObject({ name: 'Slug Jazz' });
    expect((await calendar.categories.delete('slug-jazz')).slug).toBe('slug-jazz');
    expect((await calendar.events.delete('slugs')).id).toBe(id);
    expect(await calendar.events.restore('slugs')).toMatchObject({ id, status: 'publish' });
    await calendar.events.delete(id);
    expect(await calendar.events.restore(id, 'draft')).toMatchObject({ id, status: 'draft' });
    await expect(calendar.events.restore(id)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('iterates over the records of all pages', async () => {
    const parameters = { start_date: '2000-01-01', end_date: '2100-01-01' };
    const { total } = await calendar.events.list(parameters);
    const ids = new Set<number>();
    for await (const { id } of calendar.events.listAll({ ...parameters, per_page: 7 })) ids.add(id);
    expect([ids.size, total > 7]).toEqual([total, true]);
    for await (const { id } of calendar.events.listAll({ ...parameters, per_page: 7 })) await calendar.events.delete(id);
    expect((await calendar.events.list(parameters)).total).toBe(0);
    const iterate = async () => {
      for await (const each of calendar.events.listAll({ serch: 'x' } as never)) expect.fail(String(each));
    };
    await expect(iterate()).rejects.toThrow('Invalid serch: is unknown. Did you mean search?');
  });

  it('has data operations under data and under their former names', async () => {
    expect(await calendar.data.export({ format: 'ics' })).toBe(await calendar.data.export({ format: 'ics' }));
    expect(calendar).not.toHaveProperty('data.reset.data');
  });

  it.each(['events', 'venues', 'organizers', 'categories', 'tags'] as const)('has not-found for missing %s', async (name) => {
    const collection = calendar[name];
    for (const ref of [987654, 'no-such-record'])
      for (const work of [() => collection.get(ref), () => collection.update(ref, {} as never), () => collection.delete(ref)])
        await expect(work()).rejects.toMatchObject({ code: 'not-found', status: 404 });
  });

  it.each<[string, () => Promise<unknown>, string, string]>([
    ['a slug', () => calendar.venues.get('harbour-hal'), 'not-found', 'No venue has the slug "harbour-hal"\nDid you mean harbour-hall?'],
    ['a slug of a term', () => calendar.categories.get('musik'), 'not-found', 'No category has the slug "musik"\nDid you mean music?'],
    ['a filter', () => calendar.events.list({ venue: 'harbour-hal' }), 'not-found', 'Did you mean harbour-hall?'],
    ['a link', () => calendar.events.create({ ...concert, venue: 'harbour-hal' }), 'not-found', 'Did you mean harbour-hall?'],
    [
      'a field',
      () => calendar.events.create({ ...concert, titel: 'x' } as never),
      'rest_invalid_param',
      'titel: is unknown. Did you mean title?',
    ],
    [
      'a field of an update',
      () => calendar.venues.update('harbour-hall', { ciyt: 'x' } as never),
      'rest_invalid_param',
      'Did you mean city?',
    ],
    ['a parameter', () => calendar.tags.list({ serch: 'x' } as never), 'rest_invalid_param', 'Did you mean search?'],
    ['a parameter of one record', () => calendar.tags.get(1, { contxt: 'edit' } as never), 'rest_invalid_param', 'contxt: is unknown'],
  ])('suggests a correction of %s', async (_, work, code, message) => {
    const failure = (await work().catch((error: unknown) => error)) as Failure;
    expect([failure.code, failure.message]).toEqual([code, expect.stringContaining(message)]);
  });

  it('fails with the codes of the API', async () => {
    const failure = await calendar.events.create({ title: '', start_date: 'no date', end_date: '2027-03-02' }).catch((error) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect([failure.code, failure.status, Object.keys(failure.data.params)]).toEqual(['rest_invalid_param', 400, ['title', 'start_date']]);
    await expect(calendar.events.get(987654)).rejects.toMatchObject({ code: 'not-found', status: 404 });
    await expect(calendar.tags.get({} as never)).rejects.toThrow('Invalid reference to a record: {}');
    await expect(calendar.reset({ to: 'never' })).rejects.toMatchObject({ code: 'not-found' });
    await expect(calendar.reset({ too: 'start' } as never)).rejects.toThrow('too: unknown field. Did you mean to?');
    await expect(calendar.data.shift('a week')).rejects.toThrow('Invalid duration "a week"');
  });

  it('has no members but those of its type', () => {
    const members: Record<Exclude<keyof Calendar, symbol>, string> = {
      ...{ url: '', control: '', root: '', fetch: '', handler: '', fork: '', close: '', reset: '', data: '' },
      ...{ events: '', venues: '', organizers: '', categories: '', tags: '' },
      ...{ clock: '', faults: '', requests: '', snapshots: '', settings: '', fields: '', users: '', worlds: '', file: '' },
      ...{ health: '', ready: '', follow: '', strict: '' },
    };
    const ofWorld: Record<Exclude<keyof CalendarWorld, keyof Calendar>, string> = { id: '', name: '' };
    const all = { ...members, ...(where === 'in a world in this process' && ofWorld) };
    expect(Object.keys(calendar).sort()).toEqual(Object.keys(all).sort());
  });

  it('goes back to its start', async () => {
    const before = await calendar.data.export();
    await calendar.events.create(concert);
    await calendar.settings.change({ title: 'Other' });
    expect(await calendar.data.export()).not.toBe(before);
    expect(await calendar.reset()).toMatchObject({ dry_run: false, created: expect.any(Number) });
    expect(await calendar.data.export()).toBe(before);
  });

  it('has a clock that can be set and moved', async () => {
    const event = await calendar.events.create({ ...concert, date: '2027-03-02 08:00', status: 'future' });
    expect(await calendar.clock.get()).toMatchObject({ now: '2027-03-01T09:00:00.000Z', frozen: true });
    expect((await calendar.clock.advance('P1DT2H')).now).toBe('2027-03-02T11:00:00.000Z');
    expect((await calendar.events.get(event)).status).toBe('publish');
    expect((await calendar.clock.advance({ to: '2027-04-01T00:00Z' })).now).toBe('2027-04-01T00:00:00.000Z');
    expect((await calendar.clock.set(new Date('2027-05-01'))).now).toBe('2027-05-01T00:00:00.000Z');
    expect((await calendar.clock.resume()).frozen).toBe(false);
    expect((await calendar.clock.freeze()).frozen).toBe(true);
    expect((await calendar.clock.reset()).now).toBe('2027-03-01T09:00:00.000Z');
  });

  it('keeps states by name', async () => {
    await calendar.snapshots.save('before', { replace: true });
    const event = await calendar.events.create(concert);
    expect((await calendar.snapshots.list()).map(({ name }) => name)).toEqual(['before']);
    expect(Buffer.from(await calendar.snapshots.file('before')).toString('latin1', 0, 15)).toBe('SQLite format 3');
    await calendar.snapshots.restore('before');
    await expect(calendar.events.get(event.id)).rejects.toMatchObject({ code: 'not-found' });
    expect((await calendar.snapshots.delete('before')).name).toBe('before');
  });

  it('is filled and emptied', async () => {
    await calendar.reset({ to: 'empty' });
    expect((await calendar.data.generate({ events: 3, rng_seed: 'x' })).created).toBeGreaterThanOrEqual(3);
    await expect(calendar.data.seed('minimal')).rejects.toMatchObject({ code: 'conflict' });
    await calendar.data.seed('minimal', { replace: true });
    expect((await calendar.health()).records.events).toBe(1);
    await calendar.data.seed(
      { events: { opening: { title: 'Opening', start_date: '2027-03-05 10:00', end_date: '2027-03-05 11:00' } } },
      { append: true },
    );
    const file = join(folder, 'fixture.json');
    writeFileSync(file, JSON.stringify({ tags: { t: { name: 'from a file' } } }));
    expect((await calendar.data.seed(file, { append: true })).created).toBe(1);
    const text = await calendar.data.export({ format: 'ics', only: ['events'] });
    expect(text).toContain('SUMMARY:Opening');
    expect((await calendar.data.import({ text, format: 'ics', dry_run: true })).unchanged).toBe(2);
    await calendar.data.shift('P7D');
    expect((await calendar.events.get('opening')).start_date).toBe('2027-03-12 10:00:00');
  });

  it('has settings', async () => {
    expect(await calendar.settings.change({ timezone: 'Europe/Paris' })).toContainEqual(
      expect.objectContaining({ name: 'timezone', value: 'Europe/Paris' }),
    );
    expect((await calendar.settings.list()).map(({ name }) => name)).toContain('per_page');
  });

  it('can be forked: both are independent, and a reset of the fork restores its origin', async () => {
    const event = await calendar.events.create(concert);
    await calendar.clock.advance('P1D');
    const fork = await calendar.fork();
    try {
      expect(fork.url).not.toBe(calendar.url);
      expect(await fork.events.get(event.id)).toMatchObject({ title: 'Concert', url: `${fork.root}/event/concert/` });
      expect((await fork.clock.get()).now).toBe('2027-03-02T09:00:00.000Z');
      await fork.events.update(event, { title: 'Of the fork' });
      await calendar.events.delete(event);
      expect(((await (await fetch(`${fork.url}/events/${event.id}`)).json()) as { title: string }).title).toBe('Of the fork');
      await fork.reset();
      expect((await fork.events.get(event.id)).title).toBe('Concert');
      expect((await fork.clock.get()).now).toBe('2027-03-02T09:00:00.000Z');
    } finally {
      await fork.close();
    }
    expect(await calendar.snapshots.list()).toEqual([]);
  });

  it('fetches what a path, an address or a request names', async () => {
    const list = await calendar.fetch('events?per_page=1');
    expect([list.status, list.headers.get('x-calendar-total'), list.url]).toEqual([200, '54', `${calendar.url}/events?per_page=1`]);
    expect(((await list.json()) as { events: unknown[] }).events).toHaveLength(1);
    expect((await calendar.fetch('/openapi.json')).headers.get('content-type')).toContain('application/json');
    expect((await calendar.fetch(`${calendar.url}/venues`)).ok).toBe(true);
    const { fetch } = calendar;
    const made = await fetch(new Request(`${calendar.url}/tags`, { method: 'POST', body: new URLSearchParams({ name: 'fetched' }) }));
    expect([made.status, made.headers.get('location')]).toEqual([201, expect.stringContaining('/tags/')]);
    expect(
      (await fetch('tags', { method: 'POST', body: JSON.stringify({ name: 'as JSON' }), headers: { 'Content-Type': 'application/json' } }))
        .status,
    ).toBe(201);
    const head = await fetch('events', { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch('nowhere')).status).toBe(404);
    expect((await fetch('/_calendar/health')).status).toBe(200);
    await expect(fetch('https://elsewhere.test/events')).rejects.toThrow('https://elsewhere.test is not the server of this calendar');
    await expect(fetch('events', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });

  it('records requests, and verifies them', async () => {
    await calendar.requests.clear();
    const headers = { 'Content-Type': 'application/json' };
    await calendar.fetch('tags', { method: 'POST', headers, body: JSON.stringify({ name: 'asked for' }) });
    expect(await calendar.requests.verify({ method: 'POST', path: '/tags', body: { name: 'asked for' } }, { exactly: 1 })).toBe(1);
    expect(await calendar.requests.count({ status: 201 })).toBe(1);
    expect((await calendar.requests.list({ path: '/tags' })).requests).toMatchObject([{ method: 'POST', status: 201 }]);
    await expect(calendar.requests.verify({ method: 'DELETE' })).rejects.toMatchObject({ code: 'verification-failed', status: 409 });
    expect(await calendar.requests.verify({ method: 'DELETE' }, { never: true })).toBe(0);
    expect(await calendar.requests.clear()).toBe(1);
    expect(await calendar.requests.count()).toBe(0);
  });

  it('follows what happens with fetch', async () => {
    const stop = new AbortController();
    const answer = await calendar.fetch('/_calendar/events?types=change', { signal: stop.signal });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    await calendar.events.create(concert);
    let said = '';
    while (!said.includes('"created"')) said += (await reader.read()).value ?? '';
    expect(said).toContain('"resource":"events"');
    stop.abort();
    await expect(
      (async () => {
        for (;;) if ((await reader.read()).done) throw new Error('ended');
      })(),
    ).rejects.toThrow();
  });
});

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
      Object.fromEntries([...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive', 'vary'].includes(name)));
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
      expect(first).toContain('calendar.long.test.ts');
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
