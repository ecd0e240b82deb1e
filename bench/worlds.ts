/** Measures worlds: time and memory of creating one, memory after 1,000, and the set-up of a test file with and without a server. `node --expose-gc --import tsx bench/worlds.ts`, after `npm run build` */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const { createCalendar } = createRequire(import.meta.url)('../dist/index.cjs') as typeof import('../bin/library.ts');

const memory = (): number => {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
const median = (values: number[], digits = 1): string => values.sort((a, b) => a - b)[values.length >> 1]!.toFixed(digits);

const rounds = 15;

/** Returns time and processor time of a program in a new process, in ms. Neither includes the start of node. */
async function timesOf(code: string): Promise<{ time: number; processor: number }> {
  const program = `const start = performance.now(), before = process.cpuUsage();
    (async () => { ${code}
      const time = performance.now() - start, { user, system } = process.cpuUsage(before);
      console.log(JSON.stringify({ time, processor: (user + system) / 1000 })); process.exit(); })()`;
  return JSON.parse((await promisify(execFile)(process.execPath, ['-e', program])).stdout);
}

async function main(): Promise<void> {
  const server = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z' });
  await (await server.worlds.create()).close();
  const before = memory();
  const open = await Promise.all(Array.from({ length: 20 }, () => server.worlds.create()));
  console.log(`memory of a world before its first request: ${((memory() - before) / open.length).toFixed(2)} MB`);
  await Promise.all(open.map((world) => world.close()));
  const times: number[] = [];
  const sizes: number[] = [];
  for (let i = 0; i < 1000; i++) {
    let world = server;
    times.push(
      await timed(async () => {
        world = await server.worlds.create();
      }),
    );
    if (i % 100 === 0) await world.fetch('events');
    await world.close();
    if (i % 200 === 199) sizes.push(memory());
  }
  console.log(`time to create a world: ${median(times)} ms`);
  console.log(`memory after each 200 of 1,000 worlds: ${sizes.map((size) => size.toFixed(1)).join(', ')} MB`);
  const library = JSON.stringify(createRequire(import.meta.url).resolve('../dist/index.cjs'));
  const shared = `const { connectCalendar } = require(${library}); const c = await connectCalendar('${server.url}'); const w = await c.worlds.create(); await w.events.list();`;
  const first = `const { createCalendar } = require(${library}); await createCalendar({ seed: 'demo' });`;
  // In turns, so that other work on the machine slows both.
  const runs: { create: { time: number; processor: number }; connect: { time: number; processor: number } }[] = [];
  for (let i = 0; i < rounds; i++) runs.push({ create: await timesOf(first), connect: await timesOf(shared) });
  for (const kind of ['time', 'processor'] as const) {
    const [create, connect] = [median(runs.map((run) => run.create[kind])), median(runs.map((run) => run.connect[kind]))];
    const ratio = median(
      runs.map((run) => run.connect[kind] / run.create[kind]),
      3,
    );
    console.log(
      `first createCalendar of a process: ${create} ms (${kind}); connect, create a world and list: ${connect} ms (ratio ${ratio})`,
    );
  }
  await server.close();
}

await main();
