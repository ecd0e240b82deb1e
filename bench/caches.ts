/*
 * npx tsx bench/caches.ts [EVENTS]: milliseconds of the processor per request of the handler without a cache and with cached responses, in turn, in one
 * process, without sockets. The cache stays only while a request that the page or a test suite sends takes three times as long and 1 ms longer
 * without it at 10,000 events.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import '../bin/machine/here.ts';
import { owner } from '../src/model/viewer.ts';
import { type Handle, type HandlerOptions, noBody, type ServerRequest } from '../src/server/http.ts';
import { createHandler } from '../src/server/router.ts';
import { openCalendar } from '../src/store/calendar.ts';
import { serviceOf } from '../src/store/service.ts';
import { cachedHandle } from '../test/support/server.ts';
import { fileWith, now } from './data.ts';
import { percentile } from './figures.ts';
import { newEvents, scenariosOf } from './scenarios.ts';

const rounds = 7;
const events = Number(process.argv[2] ?? 10_000);
const file = await fileWith(fileURLToPath(new URL('.cache', import.meta.url)), events);
const bytes = new Uint8Array(readFileSync(file));
const options: HandlerOptions = { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' };

const root = '/calendar/events/v1';
const get = (path: string): ServerRequest => {
  const [name, query = ''] = path.split('?');
  return { method: 'GET', path: root + name, query, headers: { host: '127.0.0.1' }, body: noBody };
};
const post = (body: string): ServerRequest => ({
  method: 'POST',
  path: `${root}/events`,
  query: '',
  headers: { host: '127.0.0.1', 'content-type': 'application/json' },
  body: Buffer.from(body),
});

async function createHandlers(): Promise<{ store: Awaited<ReturnType<typeof openCalendar>>; handlers: Record<string, Handle> }> {
  const open = () => openCalendar(':memory:', { mode: 'write', now: () => Date.parse(now), image: bytes });
  const [store, other] = [await open(), await open()];
  const cached = cachedHandle(createHandler(serviceOf(other), options), () => other.stateKey());
  return { store, handlers: { plain: createHandler(serviceOf(store), options), responses: cached } };
}

async function timeOf(handle: Handle, requests: readonly ServerRequest[]): Promise<number> {
  const start = process.cpuUsage();
  for (const request of requests) {
    const { status } = await handle(request);
    if (status >= 300) throw new Error(`${request.method} ${request.path}?${request.query}: ${status}`);
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / requests.length;
}

const { store, handlers } = await createHandlers();
const bodies = newEvents(store);
const many = (path: (i: number) => string) => Array.from({ length: 60 }, (_, i) => get(path(i)));
const month = (i: number) => `start_date=2027-0${1 + (i % 9)}-01&end_date=2027-0${1 + (i % 9)}-28&strict_dates=true&per_page=50`;
const pages = Math.ceil(store.local(owner, { home: '', root: '' }).events.list({}).total / 50);
const scenarios: [name: string, requests: (round: number) => ServerRequest[]][] = [
  ...scenariosOf(store).map(({ name, paths }): [string, () => ServerRequest[]] => [name, () => paths.slice(0, 60).map(get)]),
  ['50 events', () => scenariosOf(store)[0]!.paths.slice(0, 50).map(get)],
  ['all pages of 50', () => Array.from({ length: pages }, (_, i) => get(`/events?per_page=50&page=${i + 1}`))],
  ['page: months', (round) => many((i) => `/events?${month(i)}&_=${round}-${i}`)],
  ['page: months of a category', (round) => many((i) => `/events?${month(i)}&categories=music&_=${round}-${i}`)],
  ['page: venues', (round) => many((i) => `/venues?per_page=50&_=${round}-${i}`)],
  [
    'test: create, then list',
    (round) => many(() => `/events?page=${round + 1}`).flatMap((list, i) => [post(bodies[round * 60 + i]!), list]),
  ],
];
if (!store.db.get("select 1 from categories where slug = 'music'")) scenarios.splice(-3, 1);

console.log(
  `${'ms per request'.padEnd(28)} ${Object.keys(handlers)
    .map((name) => name.padStart(10))
    .join('')}   ratio to plain`,
);
for (const [name, requests] of scenarios) {
  const times: number[][] = Object.keys(handlers).map(() => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [i, handle] of Object.values(handlers).entries()) {
      const time = await timeOf(handle, requests(round));
      if (round > 0) times[i]!.push(time);
    }
  const medians = times.map((each) => percentile(each, 50));
  const ratios = medians.slice(1).map((time) => (medians[0]! / time).toFixed(1));
  console.log(`${name.padEnd(28)} ${medians.map((time) => time.toFixed(3).padStart(10)).join('')}   ${ratios.join(', ')}`);
}
