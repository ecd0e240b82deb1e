import { describe, expect, it } from 'vitest';
import type { ControlledCalendar } from '../../../src/testing/calendar.ts';
import { createCalendar } from '../../../src/testing/create.ts';
import type { CalendarOptions } from '../../../src/testing/options.ts';

const options: CalendarOptions = { listen: false, now: '2027-03-01T09:00:00Z', timezone: 'Europe/Berlin' };
const ada = { name: 'ada', role: 'editor', password: 'lovelace' } as const;
const signedIn = { authorization: `Basic ${Buffer.from('ada:lovelace').toString('base64')}` };
const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };

type Headers = Record<string, string>;

/** A client under test. */
const clientOf = (calendar: ControlledCalendar, own: Headers = {}) => {
  const send = (method: string, path: string, json?: object, headers: Headers = {}): Promise<Response> =>
    calendar.fetch(`${calendar.url}${path}`, {
      method,
      body: json === undefined ? null : JSON.stringify(json),
      headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...own, ...headers },
    });
  return send;
};
type Send = ReturnType<typeof clientOf>;

/** Requests of a client to a calendar that has the event `id`. */
type Deed = (send: Send, id: number, calendar: ControlledCalendar) => Promise<unknown>;

/** Runs a client, and returns the rules of the mistakes that are reported. */
async function rulesOf(deed: Deed, more: CalendarOptions = {}, headers: Headers = {}): Promise<string[]> {
  await using calendar = await createCalendar({ ...options, ...more });
  const venue = await calendar.venues.create({ venue: 'Hall' });
  const { id } = await calendar.events.create({ ...concert, venue: venue.id, cost: '10', featured: true, timezone: 'Asia/Tokyo' });
  await deed(clientOf(calendar, headers), id, calendar);
  return (await calendar.requests.hints()).map(({ rule }) => rule);
}

const patch =
  (more: object): Deed =>
  (send, id) =>
    send('PATCH', `/events/${id}`, more);
/** A record without an image, as a form sends it back. */
const whole = async (send: Send, id: number) => {
  const { image: _, ...record } = (await (await send('GET', `/events/${id}`)).json()) as Record<string, unknown>;
  return record;
};
const users = { users: [ada] };

/** Reads that hold what visitors don't see. */
const reads: [string, Deed][] = [
  [
    'a draft',
    async (send, _id, calendar) => {
      const { id } = await calendar.events.create({ ...concert, status: 'draft' });
      return send('GET', `/events/${id}`);
    },
  ],
  [
    'a list of drafts',
    async (send, _id, calendar) => {
      await calendar.events.create({ ...concert, status: 'draft' });
      return send('GET', '/events?status=draft&start_date=2027-01-01');
    },
  ],
  [
    'some members of a private event',
    async (send, _id, calendar) => {
      const { id } = await calendar.events.create({ ...concert, status: 'private' });
      return send('GET', `/events/${id}?_fields=id,title`);
    },
  ],
  [
    'stored texts that visitors do not see',
    async (send, _id, calendar) => {
      const { id } = await calendar.events.create({ ...concert, description: '<!-- wp:paragraph --><p>Words</p><!-- /wp:paragraph -->' });
      return send('GET', `/events/${id}?context=edit`);
    },
  ],
  [
    'an event at a venue that is a draft',
    async (send, _id, calendar) => {
      const venue = await calendar.venues.create({ venue: 'Secret', status: 'draft' });
      const { id } = await calendar.events.create({ ...concert, venue: venue.id });
      return send('GET', `/events/${id}`);
    },
  ],
];
const signedInReads = reads.map(([name, deed]): [string, Deed] => [`${name}, with credentials`, deed]);

describe('no-credentials', () => {
  it.each<[string, Deed]>([
    ['a new event', (send) => send('POST', '/events', concert)],
    ['a new category', (send) => send('POST', '/categories', { name: 'Music' })],
    ['an update', async (send, id) => send('PUT', `/events/${id}`, await whole(send, id))],
    ['a deletion', (send, id) => send('DELETE', `/events/${id}`)],
    ['the current user', (_send, _id, calendar) => calendar.fetch('/wp/v2/users/me')],
    ['a method in a header', (send, id) => send('POST', `/events/${id}`, undefined, { 'x-http-method-override': 'DELETE' })],
    ...reads,
  ])('%s', async (_name, deed) => {
    expect(await rulesOf(deed)).toContain('no-credentials');
    expect(await rulesOf(deed, { anonymous: true })).not.toContain('no-credentials');
    expect(await rulesOf(deed, { hints: false })).toEqual([]);
  });

  it.each<[string, Deed]>([
    [
      'reads of what is published',
      (send, id) => Promise.all([send('GET', '/events'), send('GET', `/events/${id}`), send('OPTIONS', '/events')]),
    ],
    ['a write that failed', (send) => send('POST', '/events', { title: 'x' })],
    ['a list of drafts without any', (send) => send('GET', '/events?status=draft&start_date=2027-01-01')],
    ['a nonce', (send) => send('POST', '/events', concert, { 'x-wp-nonce': 'abc' })],
    ['a nonce in the query', (send) => send('POST', '/events?_wpnonce=abc', concert)],
    ['another scheme', (send) => send('POST', '/events', concert, { authorization: 'Bearer abc' })],
    ['the command line', (send) => send('POST', '/events', concert, { 'user-agent': 'local-calendar/2.0.0' })],
    ['a form of the page', (send) => send('POST', '/events', concert, { 'x-calendar-page': 'form' })],
    ['methods', (_send, _id, calendar) => calendar.events.create(concert)],
    ['the control API', (_send, _id, calendar) => calendar.fetch('/_calendar/shift', { method: 'POST', body: '{"by":"P1D"}' })],
  ])('not %s', async (_name, deed) => expect(await rulesOf(deed)).toEqual([]));

  it.each(signedInReads)('not %s', async (_name, deed) => expect(await rulesOf(deed, users, signedIn)).toEqual([]));

  it('not a contract test of the 401', async () => {
    expect(await rulesOf(async (send) => expect((await send('POST', '/events', concert)).status).toBe(401), users)).toEqual([]);
  });
});

const signed = (deed: Deed, more: CalendarOptions = {}) => rulesOf(deed, { ...users, ...more }, signedIn);

describe('updates', () => {
  it.each<[string, Deed, string[]]>([
    ['a title alone', patch({ title: 'x' }), ['partial-update']],
    ['a start alone', patch({ start_date: '2027-04-02 20:00' }), ['partial-update', 'single-date']],
    ['no venue', async (send, id) => send('PUT', `/events/${id}`, { ...(await whole(send, id)), venue: [] }), ['empty-venue']],
    ['an empty venue', async (send, id) => send('PUT', `/events/${id}`, { ...(await whole(send, id)), venue: '' }), ['empty-venue']],
    ['a venue that is 0', async (send, id) => send('PUT', `/events/${id}`, { ...(await whole(send, id)), venue: 0 }), ['empty-venue']],
  ])('with %s', async (_name, deed, rules) => {
    expect(await signed(deed)).toEqual(rules);
    const isPartial = rules.includes('partial-update');
    expect(await signed(deed, { partialUpdates: true })).toEqual(isPartial ? [] : rules);
    expect(await signed(deed, { hints: false })).toEqual([]);
  });

  it('names what a site resets', async () => {
    await using calendar = await createCalendar({ ...options, ...users });
    const send = clientOf(calendar, signedIn);
    const organizer = await calendar.organizers.create({ organizer: 'Ada' });
    const { id } = await calendar.events.create({
      ...concert,
      ...{ cost: '10', website: 'https://example.org', image: 'https://example.org/a.jpg', organizer: organizer.id, status: 'draft' },
      ...{ featured: true, sticky: true, hide_from_listings: true, show_map: true, show_map_link: true, all_day: true },
      timezone: 'Asia/Tokyo',
    });
    await send('PUT', `/events/${id}`, { title: 'x' });
    const [hint] = await calendar.requests.hints();
    expect(hint?.text).toBe(
      'An update of events leaves out status, timezone, all_day, image, cost, website, show_map, show_map_link, hide_from_listings, sticky, featured, organizer, which a site resets. Send these too, or allow it with --partial-updates',
    );
  });

  it.each<[string, Deed]>([
    ['the whole form', async (send, id) => send('PUT', `/events/${id}`, { ...(await whole(send, id)), title: 'x' })],
    [
      'a title of an event that has nothing else',
      async (send, _id, calendar) => send('PATCH', `/events/${(await calendar.events.create(concert)).id}`, { title: 'x' }),
    ],
    [
      'a title of a venue',
      async (send, _id, calendar) => send('PATCH', `/venues/${(await calendar.venues.create({ venue: 'X' })).id}`, { venue: 'Y' }),
    ],
    [
      'a name of a category',
      async (send, _id, calendar) => send('PATCH', `/categories/${(await calendar.categories.create({ name: 'X' })).id}`, { name: 'Y' }),
    ],
    ['the rest in the query', (send, id) => send('PATCH', `/events/${id}?cost=10&featured=true&timezone=Asia/Tokyo&title=x`, undefined)],
    [
      'no venue of an event without one',
      async (send, _id, calendar) => send('PATCH', `/events/${(await calendar.events.create(concert)).id}`, { venue: [] }),
    ],
    ['a venue that is null', async (send, id) => send('PUT', `/events/${id}`, { ...(await whole(send, id)), venue: null })],
  ])('not with %s', async (_name, deed) => expect(await signed(deed)).toEqual([]));

  it.each<[string, object, string]>([
    ['venues', { venue: 'Hall', show_map: 'false', image: 'https://example.org/a.jpg' }, 'image, show_map'],
    ['organizers', { organizer: 'Ada', status: 'draft', image: 'https://example.org/a.jpg' }, 'image, status'],
  ])('of %s', async (name, record, lost) => {
    await using calendar = await createCalendar({ ...options, ...users });
    const { id } = await calendar[name as 'venues'].create(record as never);
    await clientOf(calendar, signedIn)('PUT', `/${name}/${id}`, { phone: '1' });
    const fields = (await calendar.requests.hints()).map(({ text }) =>
      /leaves out (.*), which/.exec(text)![1]!.split(', ').sort().join(', '),
    );
    expect(fields).toEqual([lost]);
  });
});

const limited = (times: number, seconds = '30') => ({
  match: { path: '/events' },
  times,
  then: { status: 429, headers: { 'Retry-After': seconds } },
});
const list = (send: Send) => send('GET', '/events');

describe('early-retry', () => {
  it.each<[string, Deed]>([
    [
      'four requests in a row',
      async (send, _id, calendar) => {
        await calendar.faults.add(limited(3));
        for (let i = 0; i < 4; i += 1) await list(send);
      },
    ],
  ])('%s', async (_name, deed) => expect(await signed(deed)).toEqual(['early-retry']));

  it.each<[string, Deed]>([
    [
      'one more try',
      async (send, _id, calendar) => {
        await calendar.faults.add(limited(2));
        for (let i = 0; i < 3; i += 1) await list(send);
      },
    ],
    [
      'a client that waits, by the clock of the calendar',
      async (send, _id, calendar) => {
        await calendar.faults.add(limited(3));
        for (let i = 0; i < 4; i += 1) {
          await list(send);
          await calendar.clock.advance('30s');
        }
      },
    ],
    [
      'several clients',
      async (send, _id, calendar) => {
        await calendar.faults.add(limited(3));
        for (const name of ['a', 'b', 'c', 'd']) await send('GET', '/events', undefined, { 'user-agent': name });
      },
    ],
    ['polling', async (send) => Promise.all(Array.from({ length: 10 }, () => list(send)))],
    [
      'a retry of 503 without Retry-After',
      async (send, _id, calendar) => {
        await calendar.faults.add({ match: { path: '/events' }, times: 3, then: 503 });
        for (let i = 0; i < 4; i += 1) await list(send);
      },
    ],
  ])('not %s', async (_name, deed) => expect(await signed(deed)).toEqual([]));
});

/** Sends a request twice, the second while the first is held. */
const twice = async (send: Send, calendar: ControlledCalendar, one: [path: string, json: object], other = one) => {
  const held = await calendar.faults.hold({ method: 'POST' }, { at: 'after' });
  const first = send('POST', ...one);
  await held.arrived();
  await send('POST', ...other);
  await held.release();
  return first;
};

describe('double-create', () => {
  it('two clicks', async () => {
    expect(await signed((send, _id, calendar) => twice(send, calendar, ['/events', concert]))).toEqual(['double-create']);
  });

  it.each<[string, Deed]>([
    ['the same venue', (send, _id, calendar) => twice(send, calendar, ['/venues', { venue: 'New hall' }])],
    ['another body', (send, _id, calendar) => twice(send, calendar, ['/events', concert], ['/events', { ...concert, title: 'Other' }])],
    [
      'a factory',
      async (send) => {
        for (let i = 0; i < 2; i += 1) await send('POST', '/events', concert);
      },
    ],
    ['a load test', async (send) => Promise.all(Array.from({ length: 8 }, () => send('POST', '/events', concert)))],
    [
      'a retry after a lost response',
      async (send, _id, calendar) => {
        await calendar.faults.add({ match: { method: 'POST' }, times: 1, at: 'after', then: 'reset' });
        await send('POST', '/events', concert).catch(() => {});
        await send('POST', '/events', concert);
      },
    ],
    [
      'a retry after a timeout',
      async (send, _id, calendar) => {
        await calendar.faults.add({ match: { method: 'POST' }, times: 1, at: 'after', then: 'hang' });
        const body = JSON.stringify(concert);
        const headers = { ...signedIn, 'content-type': 'application/json' };
        await calendar.fetch(`${calendar.url}/events`, { method: 'POST', body, headers, signal: AbortSignal.timeout(20) }).catch(() => {});
        await send('POST', '/events', concert);
      },
    ],
    [
      'an update that is sent on blur and on submit',
      async (send, id) => {
        const record = await whole(send, id);
        await Promise.all([send('PUT', `/events/${id}`, record), send('PUT', `/events/${id}`, record)]);
      },
    ],
  ])('not %s', async (_name, deed) => expect(await signed(deed)).toEqual([]));
});

it('each rule of conduct is reported once, with its number and its first request, and is not in the header', async () => {
  await using calendar = await createCalendar(options);
  const send = clientOf(calendar);
  const responses = [await send('POST', '/events', concert), await send('POST', '/venues', { venue: 'Hall' })];
  expect(responses.map(({ headers }) => headers.get('x-calendar-hint'))).toEqual([null, null]);
  const [hint, ...others] = await calendar.requests.hints();
  const text = 'A site answers 401 to this without credentials. Add users, or allow it with --anonymous';
  const first = { id: 1, method: 'POST', path: '/calendar/events/v1/events', query: '', time: expect.any(String) };
  expect([hint, others]).toEqual([{ rule: 'no-credentials', kind: 'conduct', text, count: 2, first }, []]);
  const { requests } = await calendar.requests.list({ brief: true });
  expect(requests.map(({ hints }) => hints)).toEqual([[{ rule: 'no-credentials', text }], [{ rule: 'no-credentials', text }]]);
  await calendar.reset();
  expect([await calendar.requests.hints(), (await calendar.requests.hints({ all: true }))[0]?.count]).toEqual([[], 2]);
});

it('hints of worlds are those of the server, also after their end, with the name of the world', async () => {
  await using calendar = await createCalendar(options);
  const world = await calendar.worlds.create({ name: 'adds an event' });
  await clientOf(world)('POST', '/events', concert);
  expect((await world.requests.hints()).map(({ first }) => first.world)).toEqual(['adds an event']);
  await world.close();
  expect(await calendar.requests.hints()).toEqual([]);
  expect((await calendar.requests.hints({ all: true })).map(({ first }) => first.world)).toEqual(['adds an event']);
});

it('a log that lost requests does not know the hints', async () => {
  await using calendar = await createCalendar({ ...options, journal: 2 });
  for (let i = 0; i < 3; i += 1) await clientOf(calendar)('GET', '/events');
  await expect(calendar.requests.hints()).rejects.toMatchObject({ code: 'requests-dropped', status: 409 });
});

describe('verify', () => {
  const run = async (...[match, expected]: Parameters<ControlledCalendar['requests']['verify']>) => {
    await using calendar = await createCalendar({ ...options, anonymous: true });
    const send = clientOf(calendar);
    await calendar.faults.add(limited(1, '5'));
    await list(send);
    await list(send);
    await send('POST', '/events', { ...concert, end_date: '2027-04-01T22:00Z' });
    await send('GET', '/venues', undefined, { 'user-agent': 'local-calendar/2.0.0' });
    return await calendar.requests.verify(match, expected);
  };

  it.each<[Parameters<ControlledCalendar['requests']['verify']>, number]>([
    [[{ hint: 'ignored-zone' }], 1],
    [[{ hint: '*offset*' }], 1],
    [[{ hint: null, path: '/events' }], 2],
    [[{ hint: 'no-credentials' }, { never: true }], 0],
    [[{ path: '/events' }, { exactly: 3, nothingElse: true }], 3],
    [[[{ method: 'GET' }, { method: 'POST' }]], 2],
    [[[{ method: 'GET', status: 429 }, { method: 'GET' }, { method: 'POST' }], { nothingElse: true }], 3],
    [[{ method: 'POST' }, { retryAfter: true }], 1],
  ])('%j', async (sent, count) => expect(await run(...sent)).toBe(count));

  it.each<[Parameters<ControlledCalendar['requests']['verify']>, RegExp]>([
    [[{ hint: '*' }, { never: true }], /no request should match {"hint":"\*"}, and 1 of 4 did/],
    [[{ hint: 'double-create' }], /hint is ignored-zone/],
    [[{ method: 'POST' }, { nothingElse: true }], /no other request was expected, and there are 2: GET /],
    [[[{ method: 'POST' }, { method: 'GET', path: '/events' }]], /a request should match .* after POST .*, and none did/],
    [[[{ method: 'GET' }, { method: 'POST' }], { nothingElse: true }], /there is 1/],
    [[{ path: '/events' }, { retryAfter: true }], /GET .*\/events was repeated after [\d.]+ s, and its response has Retry-After: 5/],
    [[[{ method: 'GET' }], { exactly: 1 }], /omit exactly/],
  ])('%j fails', async (sent, message) => expect(run(...sent)).rejects.toThrow(message));
});
