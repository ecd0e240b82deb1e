import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MistakeName, mistakes } from '../../../src/model/mistakes/table.ts';
import type { ControlledCalendar } from '../../../src/testing/calendar.ts';
import { createCalendar } from '../../../src/testing/create.ts';
import type { CalendarOptions } from '../../../src/testing/options.ts';

/** A request: method, path below the API, and JSON. */
type Sent = [method: string, path: string, json?: object, headers?: Record<string, string>];

const options: CalendarOptions = {
  listen: false,
  now: '2027-03-01T09:00:00Z',
  timezone: 'Europe/Berlin',
  anonymous: true,
  partialUpdates: true,
};
let calendar: ControlledCalendar;
let strict: ControlledCalendar;
let event: number;
let term: number;
beforeAll(async () => {
  [calendar, strict] = await Promise.all([createCalendar(options), createCalendar({ ...options, strict: true })]);
  for (const each of [calendar, strict]) {
    const { id } = await each.events.create({ ...concert, slug: 'concert' });
    event = id;
    term = (await each.categories.create({ name: 'Theater' })).id;
  }
});
afterAll(() => Promise.all([calendar.close(), strict.close()]));

const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };
const post = (more: object): Sent => ['POST', '/events', { ...concert, ...more }];
const put = (more: object): Sent => ['PUT', '/events/ID', more];
/** Parameters that are dates. */
const dateParameters = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];

async function send(to: ControlledCalendar, [method, path, json, headers = {}]: Sent): Promise<Response> {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const body = json === undefined ? null : text.replaceAll('"ID"', String(event)).replaceAll('"TERM"', String(term));
  const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
  return to.fetch(`${to.url}${path.replace('ID', String(event))}`, { method, body, headers: { ...type, ...headers } });
}

/** For each rule of form: a request with the mistake and its text, and requests that nearly make it. */
const cases: {
  [Name in MistakeName as (typeof mistakes)[Name]['kind'] extends 'form' ? Name : never]: {
    wrong: [Sent, string | RegExp][];
    right: Sent[];
  };
} = {
  'unknown-name': {
    wrong: [
      [post({ titel: 'x' }), 'Ignored unknown field titel. Did you mean title?'],
      [['GET', '/events?category=music'], 'Ignored unknown parameter category. Did you mean categories?'],
      [post({ venue: { venue: 'Hall', name: 'x' } }), 'Ignored unknown field venue.name. Did you mean venue?'],
      [['POST', '/venues', { venue: 'Hall', name: 'x' }], 'Ignored unknown field name. Did you mean venue?'],
      [post({ name: 'x' }), 'Ignored unknown field name. Did you mean title?'],
      [post({ organizer: { venue: 'x', organizer: 'y' } }), 'Ignored unknown field organizer.venue. Did you mean organizer?'],
    ],
    right: [post({ venue: { venue: 'Hall' } }), ['GET', '/events?_fields=events&_embed&context=view&_locale=user']],
  },
  'repeated-parameter': {
    wrong: [[['GET', '/events?status=publish&status=draft'], /^Only the last value of status is used/]],
    right: [
      ['GET', '/events?status[]=publish&status[]=draft'],
      ['GET', '/events?search=a&page=1'],
    ],
  },
  'ignored-body': {
    wrong: [
      [['PUT', '/events/ID', { title: 'x' }, { 'content-type': 'text/plain' }], /^Ignored the body/],
      [['PUT', '/events/ID', { title: 'x' }, { 'content-type': 'application/x-www-form-urlencoded' }], /^The body is read as a form/],
    ],
    right: [['PUT', '/events/ID', { title: 'x' }, { 'content-type': 'application/json; charset=utf-8' }]],
  },
  'ignored-zone': {
    wrong: [
      [
        post({ start_date: '2027-03-05T20:00:00-05:00', end_date: '2027-03-05 22:00' }),
        'start_date: "2027-03-05T20:00:00-05:00" has an offset or a zone, which is ignored: 2027-03-05 20:00:00 is stored, in Europe/Berlin. Send the local time of that zone, without an offset',
      ],
      [post({ end_date: '2027-04-01T22:00:00Z' }), /^end_date: /],
      [post({ end_date: '2027-04-01T22:00:00.000Z' }), /^end_date: /],
      [post({ end_date: '2027-04-01 22:00 America/New_York' }), /^end_date: /],
      [post({ end_date: '2027-04-01 22:00 EST' }), /^end_date: /],
      [post({ end_date: '1806616800' }), /^end_date: /],
      [post({ date: '2027-02-01T00:00:00Z' }), /^date: /],
      [put({ end_date: '2027-04-01T22:00:00Z', start_date: concert.start_date }), /^end_date: /],
      [post({ end_date: '2027-04-01T22:00:00+02:00', timezone: 'Asia/Tokyo' }), /in Asia\/Tokyo/],
      [
        ['GET', '/events?starts_after=2027-03-05T23:30:00Z'],
        'starts_after: "2027-03-05T23:30:00Z" is on 2027-03-05 in UTC, which is the day that is used, and on 2027-03-06 in Europe/Berlin. Send the local day, without an offset',
      ],
      [['POST', '/events?start_date=2027-04-01T20:00Z', { title: 'x', end_date: '2027-04-01 22:00' }], /^start_date: /],
    ],
    right: [
      post({ date_utc: '2027-02-01T00:00:00Z' }),
      post({ date_utc: '2027-02-01T00:00:00+00:00' }),
      // The offset of the zone of the event.
      post({ start_date: '2027-04-01T20:00:00+02:00', end_date: '2027-04-01T22:00:00+02:00' }),
      post({ end_date: '2027-04-01T22:00:00Z', timezone: 'UTC' }),
      ['GET', '/events?starts_after=2027-03-05T20:30:00-05:00'],
      ['GET', '/events?starts_after=2027-03-05T23:30:00Z&strict_dates=true'],
      ['GET', '/events?starts_after=2027-03-05T23:30:00'],
      ['GET', '/events?include=1&starts_after=2027-03-05T23:30:00Z'],
    ],
  },
  'two-readings': {
    wrong: [
      [
        post({ start_date: '03/05/2027', end_date: '2027-06-01' }),
        'start_date: "03/05/2027" can be 2027-03-05 or 2027-05-03, and 2027-03-05 is used. Send YYYY-MM-DD',
      ],
      [post({ start_date: '03-05-2027', end_date: '2027-06-01' }), /can be 2027-05-03 or 2027-03-05/],
      [post({ start_date: '3.5.2027 20:00', end_date: '2027-06-01' }), /can be 2027-05-03 or 2027-03-05/],
      ...dateParameters.map((name): [Sent, RegExp] => [['GET', `/events?${name}=03/05/2027`], new RegExp(`^${name}: "03/05/2027" can be`)]),
    ],
    right: [
      post({ start_date: '05/05/2027', end_date: '2027-06-01' }),
      post({ start_date: '05/25/2027', end_date: '2027-06-01' }),
      post({ start_date: '25.05.2027', end_date: '2027-06-01' }),
      post({ start_date: '2027/03/05', end_date: '2027-06-01' }),
      post({ start_date: '2027-03-05', end_date: '2027-06-01' }),
    ],
  },
  'missing-day': {
    wrong: [
      [
        post({ start_date: '2027-02-30', end_date: '2027-06-01' }),
        'start_date: "2027-02-30" names the day 2027-02-30, which does not exist: 2027-03-02 is used',
      ],
      [post({ start_date: '31 April 2027', end_date: '2027-06-01' }), /^start_date: .* 2027-05-01 is used/],
      ...dateParameters.map((name): [Sent, RegExp] => [
        ['GET', `/events?${name}=2027-02-30`],
        new RegExp(`^${name}: .* 2027-03-02 is used`),
      ]),
    ],
    right: [
      ...dateParameters.map((name): Sent => ['GET', `/events?${name}=2027-02-28`]),
      post({ start_date: '2027-04-01 24:00', end_date: '2027-06-01' }),
      post({ start_date: '2028-02-29', end_date: '2028-03-01' }),
    ],
  },
  'missing-time': {
    wrong: [
      [
        post({ start_date: '2027-03-28 02:30', end_date: '2027-03-28 06:00' }),
        'start_date: "2027-03-28 02:30" does not exist in Europe/Berlin, where clocks change then: 2027-03-28 03:30:00 is stored',
      ],
    ],
    right: [
      post({ start_date: '2027-03-28 02:30', end_date: '2027-03-28 06:00', timezone: 'Asia/Tokyo' }),
      post({ start_date: '2027-10-31 02:30', end_date: '2027-10-31 06:00' }),
      // A midnight that is skipped, of a whole day.
      post({ start_date: '2027-03-27', end_date: '2027-03-27', all_day: true, timezone: 'Asia/Beirut' }),
    ],
  },
  'early-end': {
    wrong: [
      [
        post({ end_date: '2027-04-01 19:00' }),
        'end_date: "2027-04-01 19:00" is before the start "2027-04-01 20:00", which is stored as the end too',
      ],
      [put({ start_date: '2027-04-01 20:00', end_date: '2027-03-01 20:00' }), /^end_date: /],
      [post({ end_date: '2027-03-01', all_day: true }), /^end_date: /],
      [
        ['GET', '/events?start_date=2027-04-02&end_date=2027-04-01'],
        'end_date: "2027-04-01" is before "2027-04-02" of start_date, so that no event is between them',
      ],
      [['GET', '/events?starts_after=2027-04-02&starts_before=2027-04-01'], /^starts_before: /],
      [['GET', '/events?ends_after=2027-04-02&ends_before=2027-04-01'], /^ends_before: /],
    ],
    right: [
      ['GET', '/events?start_date=2027-04-01 20:00&end_date=2027-04-01 10:00'],
      ['GET', '/events?starts_after=2027-04-02&ends_before=2027-04-01'],
      post({ end_date: '2027-04-01 20:00' }),
      post({ end_date: '2027-04-01', all_day: true }),
      put({ end_date: '2027-04-01 23:00' }),
    ],
  },
  'lost-cost': {
    wrong: [
      [post({ cost: { value: 5 } }), 'cost: {"value":5} is not a text or a number, and is left out'],
      [post({ cost: ['5 €', true] }), /^cost: true is not/],
      [post({ cost: '1.250,00 €' }), 'cost: "1.250,00 €" is read as the amounts .00 and 1.250. Send them without separators of thousands'],
      [put({ cost: '$1,250.50' }), /^cost: /],
      [post({ cost: '1 250 €' }), /^cost: /],
    ],
    right: [
      ...[5, 12.5, '12,50 €', '$1,250', '1250.00 €', 'Free', '', null, ['5', '10 €'], '10 – 20 €', '10 20', 'Table of 8 1250 €'].map(
        (cost) => post({ cost }),
      ),
    ],
  },
  'page-size': {
    wrong: [[['GET', '/events?per_page=1000'], 'per_page: is 1000, but a page has at most 50 records. Read further pages with page']],
    right: [
      ['GET', '/events?per_page=50'],
      ['GET', '/venues?per_page=1'],
    ],
  },
  'no-order': {
    wrong: [
      [['GET', '/events?orderby=title'], 'orderby: has no effect: the order of events is fixed'],
      [['GET', '/venues?order=desc'], 'order: has no effect: the order of venues is fixed'],
    ],
    right: [
      ['GET', '/categories?orderby=name&order=desc'],
      ['GET', '/tags?orderby=count'],
    ],
  },
  'unknown-term': {
    wrong: [
      [post({ categories: [99999] }), 'categories: has 99999, which is not the ID of a category and is left out'],
      [post({ tags: '123' }), 'tags: has "123", which is not the ID of a tag and is left out'],
    ],
    right: [post({ categories: ['Music'] }), post({ categories: [] }), post({ tags: 'jazz, blues' })],
  },
  'whole-record': {
    wrong: [
      [put({ id: 'ID', image: false }), 'image: has false as a response does, which a site rejects or reads otherwise. Send IDs'],
      [put({ id: 'ID', image: false, categories: [], title: 'Concert' }), /^image: /],
      [put({ categories: [{ id: 'TERM', name: 'Music' }] }), /^categories: has an object/],
      [put({ id: 'ID', categories: [{ id: 'TERM' }] }), /^categories: has an object/],
    ],
    right: [post({ venue: { venue: 'Hall' } }), post({ organizer: [{ organizer: 'Ada' }] }), put({ id: 'ID', categories: [] })],
  },
  'other-id': {
    wrong: [
      [put({ id: 99_999, title: 'x' }), /^id: is 99999, but the path names the record \d+/],
      [['PUT', '/events/by-slug/concert', { id: 99_999 }], /^id: /],
    ],
    right: [put({ title: 'x' }), post({ id: 5 })],
  },
  'no-member': {
    wrong: [[['GET', '/events?_fields=title'], /^_fields: the response has no member title/]],
    right: [
      ['GET', '/events/ID?_fields=id,venue.venue,image'],
      ['GET', '/venues?_fields=venues,total'],
      ['GET', '/events/ID?_fields=id,organizer'],
    ],
  },
};

const wrong = Object.entries(cases).flatMap(([rule, { wrong }]) => wrong.map(([sent, text]) => [rule, sent, text] as const));
const right = Object.entries(cases).flatMap(([rule, { right }]) => right.map((sent) => [rule, sent] as const));

describe('a mistake of form', () => {
  it.each(wrong)('%s: %j', async (rule, sent, text) => {
    await calendar.requests.clear();
    const response = await send(calendar, sent);
    expect(response.status).toBeLessThan(300);
    const header = decodeURIComponent(response.headers.get('x-calendar-hint')!);
    const [hint, ...others] = await calendar.requests.hints();
    expect([hint?.rule, hint?.kind, hint?.count, others]).toEqual([rule, 'form', 1, []]);
    if (typeof text === 'string') expect([hint!.text, header]).toEqual([text, text]);
    else expect([hint!.text, header]).toEqual([expect.stringMatching(text), expect.stringMatching(text)]);
  });

  it.each(right)('%s is not in %j', async (_rule, sent) => {
    await calendar.requests.clear();
    const response = await send(calendar, sent);
    expect([response.status < 300, response.headers.get('x-calendar-hint'), await calendar.requests.hints()]).toEqual([true, null, []]);
  });

  it.each(wrong.filter(([rule]) => !('isLate' in mistakes[rule as MistakeName])))(
    '%s is 400 on a strict server: %j',
    async (_rule, sent) => {
      const response = await send(strict, sent);
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'rest_invalid_param' }]);
    },
  );

  it.each(right)('%s: a strict server accepts %j', async (_rule, sent) => expect((await send(strict, sent)).status).toBeLessThan(300));

  it('is not reported for the command line, own calls and the page, and a strict server rejects only names of theirs', async () => {
    await calendar.requests.clear();
    for (const headers of <Record<string, string>[]>[{ 'user-agent': 'local-calendar/1.0.0' }, { 'x-calendar-page': 'form' }]) {
      for (const to of [calendar, strict])
        expect((await send(to, ['POST', '/events', { ...concert, end_date: '2027-04-01T22:00:00Z' }, headers])).status).toBe(201);
      expect((await send(strict, ['POST', '/events', { ...concert, titel: 'x' }, headers])).status).toBe(400);
    }
    expect(await calendar.requests.hints()).toEqual([]);
    expect(await calendar.requests.count({})).toBe(2);
    expect((await strict.events.create({ ...concert, end_date: new Date('2027-04-01T22:00:00Z') as never })).id).toBeGreaterThan(0);
  });

  it('in a request that fails is in the header only', async () => {
    await calendar.requests.clear();
    const response = await send(calendar, ['POST', '/events', { titel: 'x' }]);
    expect([response.status, response.headers.get('x-calendar-hint')]).toEqual([400, 'Ignored unknown field titel. Did you mean title?']);
    expect(await calendar.requests.hints()).toEqual([]);
  });
});

describe('strict', () => {
  const wrongName: Sent = ['GET', '/events?category=music'];
  const wrongValue: Sent = ['GET', '/events?per_page=1000'];
  const statuses = async (to: ControlledCalendar) => [(await send(to, wrongName)).status, (await send(to, wrongValue)).status];

  it('is an option of a server, a world and a test, which a reset restores', async () => {
    await using server = await createCalendar({ ...options, strict: 'names' });
    await using world = await server.worlds.create({ strict: true });
    await using plain = await server.worlds.create({ strict: false });
    await using own = await server.worlds.create();
    expect(await Promise.all([server, world, plain, own].map(statuses))).toEqual([
      [400, 200],
      [400, 400],
      [200, 200],
      [400, 200],
    ]);
    await server.strict(true);
    expect(await statuses(server)).toEqual([400, 400]);
    await server.reset();
    expect(await statuses(server)).toEqual([400, 200]);
    await server.strict(false);
    expect(await statuses(server)).toEqual([200, 200]);
  });
});

it('docs/mistakes.md has a row for each rule', () => {
  const text = readFileSync('docs/mistakes.md', 'utf8');
  const rows = [...text.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, rule]) => rule);
  expect(rows).toEqual(Object.keys(mistakes));
});

it('dates of a query that are not valid are rejected as such', async () => {
  for (const query of ['start_date=x&end_date=2027-04-01', 'start_date=2027-04-01&end_date=x', 'starts_after=&starts_before=1'])
    expect((await send(calendar, ['GET', `/events?${query}`])).status).toBe(400);
});
