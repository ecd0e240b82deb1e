import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seed } from '../../src/data/seed.ts';
import { seedNamed } from '../../src/data/seeds.ts';
import type { RequestList } from '../../src/model/operation-types.ts';
import { hintHeader } from '../../src/server/hints.ts';
import { moment } from '../support/transcript.ts';
import { type WholeServer, wholeServer } from '../support/whole-server.ts';

const options = {
  now: Date.parse(moment),
  prepare: async (store: Parameters<typeof seed>[0]) => void (await seed(store, await seedNamed('demo'), 'append')),
};
let served: WholeServer;
let strict: WholeServer;
beforeAll(async () => {
  [served, strict] = await Promise.all([wholeServer(options), wholeServer({ ...options, strict: true, headerPrefix: 'X-Strict' })]);
});
afterAll(() => Promise.all([served.close(), strict.close()]));

const root = '/calendar/events/v1';
const concert = { title: 'Concert', start_date: '2027-04-01 20:00', end_date: '2027-04-01 22:00' };

interface Sent {
  json?: unknown;
  body?: string;
  type?: string;
}
async function send(server: WholeServer, target: string, { json, body, type }: Sent = {}) {
  const [method = '', path = ''] = target.split(' ');
  const url = path.startsWith('//') ? `${server.listening.url}${path.slice(1)}` : server.root + path;
  const content = json === undefined ? body : JSON.stringify(json);
  return fetch(url, {
    method,
    ...(content === undefined ? {} : { body: new TextEncoder().encode(content) }),
    headers: json === undefined ? (type === undefined ? {} : { 'content-type': type }) : { 'content-type': 'application/json' },
  });
}
const hint = async (target: string, sent?: Sent) => {
  const response = await send(served, target, sent);
  return [response.status, response.headers.get('x-calendar-hint')];
};
const offered = `this server offers ${root.slice(1)} at ${root} and wp/v2/users/me`;
const ignoredBody = (type: string) =>
  `Ignored the body, because its Content-Type is ${type}. Use application/json or application/x-www-form-urlencoded`;

describe('X-Calendar-Hint', () => {
  it.each<[string, Sent, number, string | null]>([
    ['GET /events', {}, 200, null],
    ['GET /events?per_page=3&_embed=1&_locale=user&_=1&context=view', {}, 200, null],
    ['GET /events?category=music', {}, 200, 'Ignored unknown parameter category. Did you mean categories?'],
    [
      'GET /events?start_dat=2027-01-01&zzz=1',
      {},
      200,
      'Ignored unknown parameter start_dat. Did you mean start_date?; Ignored unknown parameter zzz.',
    ],
    ['GET /tags?%C3%A9t%C3%A9=1', {}, 200, 'Ignored unknown parameter %C3%A9t%C3%A9.'],
    ['GET /events/26?pasword=x', {}, 200, 'Ignored unknown parameter pasword.'],
    ['GET //calendar.ics?category=music', {}, 200, 'Ignored unknown parameter category. Did you mean categories?'],
    [
      'POST /events',
      { json: { ...concert, smell: 'sweet', start_dat: 1 } },
      201,
      'Ignored unknown field smell.; Ignored unknown field start_dat. Did you mean start_date?',
    ],
    [
      'POST /events',
      { json: { ...concert, venue: { venue: 'Hall', ciyt: 'Basel' } } },
      201,
      'Ignored unknown field venue.ciyt. Did you mean city?',
    ],
    ['POST /events', { json: { titel: 'x' } }, 400, 'Ignored unknown field titel. Did you mean title?'],
    ['PATCH /events/26', { body: '{"title":"x"}' }, 200, ignoredBody('missing')],
    ['PATCH /events/26', { body: '{"title":"x"}', type: 'text/plain; charset=utf-8' }, 200, ignoredBody('text/plain')],
    [
      'PATCH /events/26',
      { body: '{"title":"x"}', type: 'application/x-www-form-urlencoded' },
      200,
      'The body is read as a form, but looks like JSON. Send it with Content-Type: application/json',
    ],
    ['PATCH /events/26', { body: 'featured=1', type: 'application/x-www-form-urlencoded' }, 200, null],
    [
      'GET /events?_fields=title',
      {},
      200,
      '_fields: the response has no member title. It has events, rest_url, next_rest_url, total, total_pages',
    ],
    ['GET /events?_fields=events.title', {}, 200, "_fields: events is a list, whose members can't be selected"],
    ['GET /events/26?_fields=id,titel', {}, 200, '_fields: the response has no member titel. Did you mean title?'],
    ['GET /events/26?_fields=id,venue.city', {}, 200, null],
    ['GET //wp-json/calendar/events/v1/events/26', {}, 404, `Did you mean ${root}/events/26?`],
    ['GET //events/v1/events', {}, 404, `Did you mean ${root}/events?`],
    ['GET //venues/by-slug/x', {}, 404, `Did you mean ${root}/venues/by-slug/x?`],
    ['GET /event', {}, 404, `Did you mean ${root}/events?`],
    ['GET //wp-json/wp/v2/posts', {}, 404, `wp/v2/posts is not served; ${offered}`],
    ['GET //wp/v2/settings?x=1', {}, 404, `wp/v2/settings is not served; ${offered}`],
    ['GET //brand/v2/events-series/1', {}, 404, `brand/v2/events-series is not served; ${offered}`],
    ['GET //wp-json/wp/v2/users/me', {}, 404, 'Did you mean /wp/v2/users/me?'],
    ['POST //wp/v2/media', {}, 404, `wp/v2/media is not served; ${offered}. Start it with --media DIR to serve wp/v2/media`],
    ['GET //wp-content/uploads/a.png', {}, 404, 'Start the server with --media DIR to serve images'],
    ['GET //nothing', {}, 404, `The API is at ${root}`],
    ['GET /events/nope', {}, 404, `Did you mean ${root}/events/by-slug/nope?`],
    ['GET /categories/nope', {}, 404, `Use ${root}/categories or ${root}/categories/ID`],
    ['GET /events/12/venue', {}, 404, `Use ${root}/events or ${root}/events/ID`],
    ['DELETE /events', {}, 404, 'It takes GET, POST'],
  ])('%s %j', async (target, sent, status, expected) => expect(await hint(target, sent)).toEqual([status, expected]));

  it('names records on other dates when the first page of a list is empty', async () => {
    await served.json('POST', '/events', { title: 'Moonwalk', start_date: '1969-07-20', end_date: '1969-07-21' });
    await served.json('POST', '/events', { title: 'Moonwalk draft', status: 'draft', start_date: '1969-07-20', end_date: '1969-07-21' });
    const text = '1 record matches with other dates. Without dates, a list covers the next two years. Use start_date and end_date';
    expect(await hint('GET /events?search=moonwalk')).toEqual([200, text]);
    expect(await hint('GET /events?search=moonwalk&start_date=2027-01-01')).toEqual([200, null]);
    expect(await hint('GET /events?search=starwalk')).toEqual([200, null]);
  });

  it('is the same from the cache, and exposed to pages', async () => {
    for (let i = 0; i < 3; i += 1)
      expect((await hint('GET /venues?serch=x'))[1]).toBe('Ignored unknown parameter serch. Did you mean search?');
    const response = await fetch(`${served.root}/tags`, { headers: { origin: 'http://localhost:3000' } });
    expect(response.headers.get('access-control-expose-headers')).toContain('X-Calendar-Hint');
  });

  it('does not change a response', async () => {
    const body = async (query: string) => (await send(served, `GET /tags?${query}`)).text();
    expect(await body('hide_empty=false&zzz=1')).toBe(await body('hide_empty=false'));
  });

  it('has at most 500 characters', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `%C3%A9t%C3%A9${at}=1`).join('&');
    const [, text] = await hint(`GET /tags?${names}`);
    expect([String(text).length, String(text).endsWith('...')]).toEqual([expect.any(Number), true]);
    expect(String(text).length).toBeLessThanOrEqual(500);
    expect(() => decodeURIComponent(String(text).slice(0, -3))).not.toThrow();
  });

  it.each([
    [['a', 'b', 'a'], 'a; b'],
    [['line\r\nbreak'], 'line break'],
    [['\ud800 é 🎉'], '%EF%BF%BD %C3%A9 %F0%9F%8E%89'],
  ])('%j is %s', (hints, expected) => expect(hintHeader(hints)).toBe(expected));
});

describe('the request log', () => {
  it('has code, message and hint', async () => {
    await served.call('DELETE', '/_calendar/requests');
    await send(served, 'GET /event?password=secret');
    await send(served, 'GET /events');
    const { requests } = await served.json<RequestList>('GET', '/_calendar/requests?brief=true');
    expect(requests.map(({ reason }) => reason)).toEqual([
      `rest_no_route: No route for GET ${root}/event (Did you mean ${root}/events?)`,
      null,
    ]);
  });
});

describe('a strict server', () => {
  it.each<[string, Sent, number, Record<string, string>?]>([
    ['GET /events?category=music&page=1', {}, 400, { category: 'is unknown. Did you mean categories?' }],
    ['GET /events?order=asc&orderby=title&_embed&_locale=user&_envelope&_uid=1', {}, 200],
    ['GET /events/26?context=edit&password=x', {}, 200],
    ['GET /events/26?zzz=1', {}, 400, { zzz: 'is unknown' }],
    ['GET //calendar.ics?category=music', {}, 400, { category: 'is unknown. Did you mean categories?' }],
    ['POST /events', { json: { ...concert, smell: 'sweet' } }, 400, { smell: 'is unknown' }],
    [
      'POST /events',
      { json: { ...concert, venue: [{ venue: 'Hall', ciyt: 'x' }] } },
      400,
      { 'venue.ciyt': 'is unknown. Did you mean city?' },
    ],
    ['POST /events?titel=x', { json: concert }, 400, { titel: 'is unknown. Did you mean title?' }],
    ['PATCH /events/26', { json: { start_dat: '2027-01-01' } }, 400, { start_dat: 'is unknown. Did you mean start_date?' }],
    ['POST /tags', { json: { name: 'strict' } }, 201],
  ])('%s %j', async (target, sent, status, params) => {
    const response = await send(strict, target, sent);
    const body = (await response.text()) as string;
    expect(response.status).toBe(status);
    if (params) expect(JSON.parse(body)).toMatchObject({ code: 'rest_invalid_param', data: { params } });
  });

  it.each(['events', 'venues', 'organizers', 'categories', 'tags'])(
    'answers one of the %s sent back unchanged as a site does',
    async (name) => {
      const page = await strict.json<Record<string, { id: number }[]>>('GET', `/${name}?_uid=1`);
      const { id } = page[name]![0]!;
      const read = await strict.json('GET', `/${name}/${id}`);
      // A site rejects an image that is not an ID, and reads categories that are objects otherwise.
      const status = name === 'events' ? 400 : 200;
      for (const record of [page[name]![0], read]) expect((await send(strict, `PUT /${name}/${id}`, { json: record })).status).toBe(status);
    },
  );

  it('changes nothing when it rejects', async () => {
    const before = await strict.json<{ total: number }>('GET', '/events');
    await send(strict, 'POST /events', { json: { ...concert, smell: 'sweet' } });
    expect((await strict.json<{ total: number }>('GET', '/events')).total).toBe(before.total);
  });
});
