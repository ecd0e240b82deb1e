/*
 * npm run build && CALENDAR_BUNDLE=dist/calendar.js npx tsx bench/durability-http.ts [SECONDS]: time of a synced create over HTTP at
 * 1,000 and 100,000 events, compared with a bare loop that writes and syncs the same number of bytes on the same disk.
 */
import { closeSync, copyFileSync, fdatasyncSync, openSync, statSync, writeSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import '../bin/machine/here.ts';
import { openCalendar } from '../src/store/calendar.ts';
import { Server } from '../test/crash/served.ts';
import { inFolder } from '../test/support/items.ts';
import { fileWith, now } from './data.ts';
import { type Spread, shown, spreadOf } from './figures.ts';
import { Load } from './programs.ts';
import { newEvents } from './scenarios.ts';

const seconds = Number(process.argv[2] ?? 1.5);
const rounds = 7;
const load = new Load();

/** Returns the number of writes with a sync per second. */
function bare(file: string, size: number): number {
  const fd = openSync(file, 'w');
  const bytes = Buffer.alloc(size, 'x');
  const start = performance.now();
  let count = 0;
  for (; performance.now() - start < (seconds * 1000) / 3; count += 1) {
    writeSync(fd, bytes);
    fdatasyncSync(fd);
  }
  closeSync(fd);
  return count / ((performance.now() - start) / 1000);
}

async function creates(events: number, folder: string): Promise<void> {
  const source = await fileWith(fileURLToPath(new URL('.cache', import.meta.url)), events);
  const file = `${folder}/${events}.db`;
  copyFileSync(source, file);
  const store = await openCalendar(source, { mode: 'read', now: () => Date.parse(now) });
  const bodies = newEvents(store);
  await store.close();
  const server = new Server(file, ['--now', now]);
  if (!(await server.ready())) throw new Error(server.complaint);
  const { port, pathname } = new URL(server.url);
  const requests = bodies.map(
    (body) =>
      `POST ${pathname}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const run = (connections: number) => load.run({ port: Number(port), connections, seconds, requests });
  for (let i = 0; i < 20; i += 1) await server.send('POST', '/events', JSON.parse(bodies[0]!));
  const before = statSync(`${file}-log`).size;
  await server.send('POST', '/events', JSON.parse(bodies[0]!));
  const bytes = statSync(`${file}-log`).size - before;
  await run(8);
  const taken: Record<string, number[]> = {};
  const note = (name: string, value: number): void => {
    taken[name] = [...(taken[name] ?? []), value];
  };
  for (let round = 0; round < rounds; round += 1) {
    note('bare loop, a second', bare(`${folder}/bare`, bytes));
    for (const connections of [1, 8, 64]) {
      const { perSecond, median, statuses } = await run(connections);
      if (Object.keys(statuses).join() !== '201') throw new Error(JSON.stringify(statuses));
      note(`${connections} clients, a second`, perSecond);
      if (connections === 1) note('one create, ms', median);
    }
  }
  console.log(`${events} events (${(statSync(file).size / 1e6).toFixed(0)} MB), ${bytes} bytes a create; median and range of ${rounds}:`);
  for (const [name, values] of Object.entries(taken)) console.log(`  ${name.padEnd(22)} ${shown(spreadOf(values) as Spread)}`);
  await server.stop();
}

console.log(`${os.cpus()[0]?.model.trim()}, ${os.cpus().length} processors, Node ${process.version}; load ${os.loadavg()[0]!.toFixed(1)}`);
await inFolder(async (folder) => {
  for (const events of [1000, 100_000]) await creates(events, folder);
});
await load.stop();
