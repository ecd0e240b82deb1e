/** Measures the time and memory of another calendar with 1,000 events in the process, with the built package: npx tsx --expose-gc bench/calendars.ts */
import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import { shown, spreadOf } from './figures.ts';

const { createCalendar } = createRequire(import.meta.url)('../dist/index.cjs') as typeof import('../bin/library.ts');
const rounds = 30;
const collect = async (): Promise<number> => {
  await new Promise((done) => setTimeout(done, 300));
  for (let time = 0; time < 3; time += 1) globalThis.gc?.();
  return process.memoryUsage().rss;
};

const first = await createCalendar({ now: '2027-01-01T09:00Z' });
await first.data.generate({ events: 1000 });
const [opened, listed, open]: [number[], number[], Awaited<ReturnType<typeof first.fork>>[]] = [[], [], []];
const another = async (): Promise<void> => {
  const begun = performance.now();
  const calendar = await first.fork();
  const between = performance.now();
  await (await calendar.fetch('events')).text();
  opened.push(between - begun);
  listed.push(performance.now() - between);
  open.push(calendar);
  // As between two tests.
  await turn();
};
// Code that runs for the first time is slow, and memory grows by steps.
for (let round = 0; round < rounds; round += 1) await another();
const before = await collect();
opened.length = 0;
listed.length = 0;
const used = process.cpuUsage();
for (let round = 0; round < rounds; round += 1) await another();
const { user, system } = process.cpuUsage(used);
const memory = ((await collect()) - before) / rounds / 2 ** 20;
const both = opened.map((time, at) => time + listed[at]!);
process.stdout.write(
  `one more calendar, 1,000 events: opened in ${shown(spreadOf(opened))} ms, its first list in ${shown(spreadOf(listed))}, together ${shown(spreadOf(both))}; ${((user + system) / 1000 / rounds).toFixed(1)} ms of the processor; ${memory.toFixed(2)} MB (${rounds} rounds)\n`,
);
await Promise.all([...open, first].map((calendar) => calendar.close()));
