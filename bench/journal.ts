/** What keeping requests costs: one event from a server that does, beside one that does not, in one process by turns: npx tsx bench/journal.ts [ROUNDS] */
import http from 'node:http';
import { controlOf } from '../src/data/control/control.ts';
import { createCachedHandler } from '../src/server/cached.ts';
import { Journal } from '../src/server/journal/journal.ts';
import { type AnsweredRequest, listen } from '../src/server/listen.ts';
import { serialize } from '../src/server/response.ts';
import { openCalendar } from '../src/store/calendar.ts';
import { serviceOf } from '../src/store/service.ts';
import { percentile } from './figures.ts';

const rounds = Number(process.argv[2] ?? 21);
const requests = 2000;
const events = 200;

const store = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2027-01-01T09:00:00Z') });
await controlOf(store, { version: '', connectTo: () => Promise.reject(new Error('nobody is asked here')) }).generate({ events });
const server = { basePath: '', namespace: 'calendar/events/v1' };
const handle = createCachedHandler(serviceOf(store), { ...server, headerPrefix: 'X-Calendar' }, await store.cached(serialize));
const ids = store.db.all<{ id: number }>("select id from events where status = 'publish'").map(({ id }) => id);

const journal = new Journal({ ...server, system: Date.now, now: Date.now });
const keeping = (event: AnsweredRequest) => journal.add(event);
const started = (onRequest?: (event: AnsweredRequest) => void) =>
  listen(handle, { host: '127.0.0.1', port: 0, admit: () => 1 << 20, onRequest });
const servers = { without: await started(), with: await started(keeping) };
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

const get = (url: string) =>
  new Promise<void>((resolve, reject) => {
    http
      .get(url, { agent }, (answer) => {
        answer.resume();
        answer.on('end', resolve);
      })
      .on('error', reject);
  });

/** Microseconds of processor time for a request, with the client's, which is the same for both. */
async function cost(origin: string): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < requests; i += 8)
    await Promise.all(Array.from({ length: 8 }, (_, k) => get(`${origin}/calendar/events/v1/events/${ids[(i + k) % ids.length]}`)));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

/** Microseconds of processor time for what is done with one request more. */
async function keepingCost(): Promise<number> {
  const answer = await handle({
    method: 'GET',
    path: `/calendar/events/v1/events/${ids[0]}`,
    query: '',
    headers: { host: 'x.test' },
    body: new Uint8Array(),
  });
  const event = {
    method: 'GET',
    path: `/calendar/events/v1/events/${ids[0]}`,
    headers: {},
    body: new Uint8Array(),
    answer,
    status: 200,
    took: 0.1,
  };
  const before = process.cpuUsage();
  for (let i = 0; i < 200_000; i += 1) keeping(event);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 200_000;
}

for (const { url } of Object.values(servers)) for (let i = 0; i < 3; i += 1) await cost(url);
const ratios: number[] = [];
const plain: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  // Each goes first as often: the heap that one leaves is cleaned up in the other's time.
  const order = round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
  const found: Partial<Record<keyof typeof servers, number>> = {};
  for (const name of order) found[name] = await cost(servers[name].url);
  ratios.push(found.without! / found.with!);
  plain.push(found.without!);
}
const alone = await keepingCost();
process.stdout.write(
  `one event, requests kept against not: ${percentile(ratios, 50).toFixed(3)} of the requests for the same processor time (${percentile(ratios, 25).toFixed(3)} to ${percentile(ratios, 75).toFixed(3)}, ${rounds} rounds); ` +
    `to keep one costs ${alone.toFixed(2)} µs, the whole of it, client too, ${percentile(plain, 50).toFixed(0)} µs\n`,
);
agent.destroy();
await Promise.all(Object.values(servers).map((each) => each.close()));
await store.close();
