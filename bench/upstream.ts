/** Measures the copy of a live site: `npx tsx bench/upstream.ts [EVENTS]`. Prints the duration of a first copy, and reads per second of the site and of an offline copy. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTo } from '../src/client/remote.ts';
import { defaultServing, type ServingOptions } from '../src/data/serving/options.ts';
import { serveCalendar } from '../src/data/serving/serve.ts';

const count = Number(process.argv[2] ?? 1000);
const folder = mkdtempSync(join(tmpdir(), 'calendar-bench-'));
const common: ServingOptions = {
  ...defaultServing,
  ...{ port: 0, timeout: 1000, open: true, system: Date.now },
  connectTo: () => Promise.reject(new Error('not connected')),
};
let requests = 0;
const origin = await serveCalendar({ ...common, onRequest: () => requests++ });
await origin.control.generate({ events: count });

const { root } = origin;
const transport = {
  timeout: 10_000,
  userAgent: 'bench',
  env: {},
  signal: new AbortController().signal,
  now: Date.now,
  random: Math.random,
};
const connect = async () => connectTo(root, undefined, transport);
const upstream = { root, mode: 'live', maxAgeMs: 300_000, pulls: true, connect } as const;
const file = join(folder, 'site.db');

requests = 0;
const start = performance.now();
const live = await serveCalendar({ ...common, open: false, file, upstream });
await live.background!.running;
console.log(`First copy of ${count} events: ${((performance.now() - start) / 1000).toFixed(1)} s, ${requests} requests`);
await live.close();

/** Returns reads per second of a number of different lists, 16 at a time. */
async function readsPerSecond(url: string, lists: number): Promise<number> {
  const total = 4000;
  let next = 0;
  const begin = performance.now();
  const reader = async () => {
    while (next < total) await (await fetch(`${url}/events?per_page=10&page=${(next++ % lists) + 1}`)).arrayBuffer();
  };
  await Promise.all(Array.from({ length: 16 }, reader));
  return Math.round(total / ((performance.now() - begin) / 1000));
}

const offline = await serveCalendar({ ...common, open: false, file });
for (const lists of [1, 50])
  console.log(
    `Reads per second of ${lists} different lists: site ${await readsPerSecond(root, lists)}, copy ${await readsPerSecond(offline.root, lists)}`,
  );
await offline.close();
await origin.close();
rmSync(folder, { recursive: true });
