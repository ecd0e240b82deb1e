import fc from 'fast-check';
import { beforeAll, expect } from 'vitest';
import { resourceNames } from '../../src/model/calendar.ts';
import { resources } from '../../src/model/resources/all.ts';
import { type Handle, joinPieces, type ServerRequest, type ServerResponse } from '../../src/server/http.ts';
import { createHandler } from '../../src/server/router.ts';
import type { Store } from '../../src/store/calendar.ts';
import { serviceOf } from '../../src/store/service.ts';
import { basic } from '../support/contract-server.ts';
import { fuzz } from '../support/fuzz.ts';
import { city } from '../support/generated-calendar.ts';
import { cachedHandle } from '../support/server.ts';

let store: Store;
let plain: Handle;
let cached: Handle;
const users = ['editor', 'author', 'contributor', 'subscriber'] as const;

beforeAll(async () => {
  ({ store } = await city(150));
  await store.change(() => {
    for (const role of users) store.users.add({ name: role, role, password: 'password' });
    store.users.add({ name: 'administrator', role: 'administrator', password: 'password' });
  });
  const options = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' };
  plain = createHandler(serviceOf(store), options);
  cached = cachedHandle(plain, () => store.stateKey());
});

const words = ['a', 'jazz', 'evening', '"an evening"', '-piano', 'ings', '%', '&amp;', ''];
const dates = ['2027-03-01', '2026-12-31 23:59:59', 'tomorrow', '9999-12-31', 'foo'];
const values = fc.oneof(
  fc.constantFrom(
    ...words,
    ...dates,
    '0',
    '1',
    'true',
    'false',
    'none',
    'publish',
    'draft,publish',
    'any',
    'asc',
    'desc',
    'title',
    '1,2,3',
  ),
  fc.integer({ min: 1, max: 200 }).map(String),
  fc.string({ maxLength: 6 }),
);
const besides = ['_fields', '_envelope', '_pretty', '_jsonp', 'context', 'password', 'nothing', '_method'];

const query = (names: readonly string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...names, ...besides), values), { maxLength: 3 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&'));

/** Where a request goes, below the namespace: lists, single records, their slugs, and what is not there. */
const target = fc.constantFrom(...resourceNames).chain((name) => {
  const path = fc.oneof(
    { arbitrary: fc.constant(`/${name}`), weight: 3 },
    fc.integer({ min: 0, max: 200 }).map((id) => `/${name}/${id}`),
    fc.constantFrom('a', 'jazz-evening', 'city-hall').map((slug) => `/${name}/by-slug/${slug}`),
    fc.constantFrom('', '/doc', '/nothing', `/${name}/`),
  );
  return fc.record({ path, query: query(resources[name].list.parameters.map((filter) => filter.name)), name: fc.constant(name) });
});

const headers = fc
  .record({
    user: fc.constantFrom(undefined, undefined, 'administrator', ...users, 'unknown'),
    origin: fc.constantFrom(undefined, undefined, 'https://page.example', 'http://127.0.0.1:8787'),
    tag: fc.constantFrom(undefined, undefined, '*', '"x"'),
  })
  .map(({ user, origin, tag }): ServerRequest['headers'] => ({
    host: 'localhost',
    ...(user ? { authorization: basic(user) } : {}),
    ...(origin ? { origin } : {}),
    ...(tag ? { 'if-none-match': tag } : {}),
  }));

const requestTo = (
  method: string,
  { path, query }: { path: string; query: string },
  head: ServerRequest['headers'],
  body = '',
): ServerRequest => ({
  method,
  path: `/calendar/events/v1${path}`,
  query,
  headers: body ? { ...head, 'content-type': 'application/json' } : head,
  body: Buffer.from(body),
});

const read = fc
  .tuple(fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'OPTIONS'), target, headers)
  .map(([method, where, head]) => requestTo(method, where, head));

/** A change of one record, or of all that hangs together with it; most are allowed. */
const write = fc
  .tuple(
    fc.constantFrom('POST', 'PATCH', 'PATCH', 'DELETE'),
    fc.constantFrom(...resourceNames),
    fc.integer({ min: 1, max: 200 }),
    fc.constantFrom('administrator', 'administrator', ...users),
  )
  .chain(([method, name, id, user]) =>
    fc.dictionary(fc.constantFrom(...resources[name].fields.map((field) => field.name)), values, { maxKeys: 3 }).map((some) => {
      const base =
        name === 'events'
          ? { title: 'New', start_date: '2027-03-02 10:00', end_date: '2027-03-02 11:00' }
          : { [resources[name].label]: 'New' };
      const body = method === 'DELETE' ? '' : JSON.stringify(method === 'POST' ? { ...base, ...some } : some);
      const path = method === 'POST' ? `/${name}` : `/${name}/${id}`;
      return requestTo(method, { path, query: '' }, { host: 'localhost', authorization: basic(user) }, body);
    }),
  );

const shown = ({ status, headers, body }: ServerResponse) => ({ status, headers: { ...headers }, body: Buffer.from(joinPieces(body)) });

fuzz(
  'with and without the cache every request is answered alike, after any writes',
  fc.record({ writes: fc.array(write, { maxLength: 2 }), reads: fc.array(read, { minLength: 1, maxLength: 10 }) }),
  async ({ writes, reads }) => {
    for (const request of writes) await cached(request);
    for (const request of reads) {
      const expected = shown(await plain(request));
      expect(expected.status, `${request.path}?${request.query}`).toBeLessThan(500);
      for (const time of ['first', 'second'])
        expect(shown(await cached(request)), `${time} ${request.method} ${request.path}?${request.query}`).toEqual(expected);
      const tag = expected.headers.ETag;
      if (typeof tag !== 'string') continue;
      const again = { ...request, headers: { ...request.headers, 'if-none-match': tag } };
      expect(shown(await cached(again))).toEqual(shown(await plain(again)));
    }
  },
  { inOrder: true },
);
