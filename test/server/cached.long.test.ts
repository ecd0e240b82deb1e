import { beforeAll, describe, expect, it } from 'vitest';
import { owner } from '../../src/model/viewer.ts';
import type { Handle, ServerRequest, ServerResponse } from '../../src/server/http.ts';
import { noBody } from '../../src/server/http.ts';
import { createHandler } from '../../src/server/router.ts';
import type { Store } from '../../src/store/calendar.ts';
import { serviceOf } from '../../src/store/service.ts';
import { bodyText } from '../support/body-text.ts';
import { basic } from '../support/contract-server.ts';
import { city, site } from '../support/generated-calendar.ts';
import { cachedHandle } from '../support/server.ts';
import { limit } from '../support/timeouts.ts';

let store: Store;
let plain: Handle;
let cached: Handle;

beforeAll(async () => {
  ({ store } = await city(120));
  for (const role of ['editor', 'contributor'] as const)
    await store.change(() => store.users.add({ name: role, role, password: 'password' }));
  const options = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' };
  plain = createHandler(serviceOf(store), options);
  cached = cachedHandle(plain, () => store.stateKey());
});

const paths = (): string[] => {
  const of = (table: string) => store.db.all<{ id: number; slug: string }>(`select id, slug from ${table} order by id limit 3`);
  const singles = ['events', 'venues', 'organizers'].flatMap((name) =>
    of(name).flatMap(({ id, slug }) => [`/${name}/${id}`, `/${name}/by-slug/${slug}`]),
  );
  return [
    ...['', '/doc', '/nothing', '/events', '/events/', '/venues', '/organizers', '/categories', '/tags', '/events/99999', '/venues/99999'],
    ...['per_page=50', 'page=2', 'page=999', 'search=a', 'featured=true', 'starts_after=2027-03-01', 'status=draft', 'per_page=0'].map(
      (query) => `/events?${query}`,
    ),
    ...['_fields=id', '_envelope=1', '_pretty=1', '_jsonp=f', 'start_date=foo', 'password=x', 'context=edit', 'categories=none'].map(
      (query) => `/events?${query}`,
    ),
    '/venues?has_events=1',
    ...singles,
    ...of('events').map(({ id }) => `/events/${id}?_fields=id,venue.city`),
    ...of('categories').map(({ id }) => `/categories/${id}`),
  ];
};

const asked = (path: string, method: string, headers: ServerRequest['headers']): ServerRequest => {
  const [at = '', query = ''] = path.split('?');
  return { method, path: `/calendar/events/v1${at}`, query, headers: { host: 'localhost', ...headers }, body: noBody };
};
const shown = ({ status, headers, body }: ServerResponse) => ({ status, headers: { ...headers }, body: bodyText({ body }) });

/** Asks for everything in every way, each twice from the cache, and compares with the plain handler. */
async function expectSame(): Promise<void> {
  const callers: ServerRequest['headers'][] = [{}, { authorization: basic('editor') }, { authorization: basic('contributor') }];
  // Each wrong password is hashed, which takes a tenth of a second.
  const stranger = { authorization: basic('stranger') };
  for (const path of paths())
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      for (const headers of [
        ...callers,
        { origin: 'https://page.example' },
        { 'if-none-match': '*' },
        ...(`${method} ${path}` === 'GET /events' ? [stranger] : []),
      ]) {
        const request = asked(path, method, headers);
        const expected = shown(await plain(request));
        for (const time of ['first', 'second', 'third'])
          expect(shown(await cached(request)), `${time} ${method} ${path}`).toEqual(expected);
      }
}

it.each([
  ['?_jsonp=f', { 'sec-fetch-site': 'cross-site' }],
  ['?_json%70=f', { 'sec-fetch-site': 'cross-site' }],
  ['?_jsonp=f', { referer: 'http://page.example/' }],
])('a script %s with %j is rejected after others loaded it', async (query, headers) => {
  const options = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar', exposed: true };
  const exposed = cachedHandle(createHandler(serviceOf(store), options), () => store.stateKey());
  for (const _ of [1, 2, 3]) {
    const { status } = await exposed(asked(`/tags${query}`, 'GET', { 'sec-fetch-site': 'same-origin' }));
    expect(status).toBe(200);
  }
  expect((await exposed(asked(`/tags${query}`, 'GET', headers))).status).toBe(403);
});

describe('with and without the cache every answer is the same', () => {
  const change = (work: (local: ReturnType<Store['local']>) => unknown) => store.change(work, owner);
  const first = (table: string) => ({ id: store.db.get<{ id: number }>(`select id from ${table} order by id limit 1`)!.id });
  it.each<[string, () => unknown]>([
    ['at first', () => undefined],
    ['after an event is renamed', () => change((local) => local.events.update(first('events'), { title: 'Renamed' }))],
    ['after a venue is renamed', () => change((local) => local.venues.update(first('venues'), { venue: 'Renamed' }))],
    ['after an event is deleted', () => change((local) => local.events.delete(first('events')))],
    ['after a category is deleted', () => change((local) => local.categories.delete(first('categories')))],
    [
      'after a write over HTTP',
      () => store.calendarFor(owner, site).events.create({ title: 'New', start_date: '2027-05-01', end_date: '2027-05-02' }),
    ],
    [
      'after a change that was undone',
      () =>
        change(() => {
          throw new Error('no');
        }).catch(() => {}),
    ],
    ['after the zone changed', () => change(({ settings }) => settings.set('timezone', 'Pacific/Auckland'))],
  ])(
    '%s',
    async (_, write) => {
      await write();
      await expectSame();
    },
    limit(60_000),
  );
});
