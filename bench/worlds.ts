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
const median = (values: number[]): string => values.sort((a, b) => a - b)[values.length >> 1]!.toFixed(1);

/** Returns the median time of a program in a new process, in ms. */
async function timeOf(code: string): Promise<number> {
  const program = `const start = performance.now(); (async () => { ${code} console.log(performance.now() - start); process.exit(); })()`;
  const times: number[] = [];
  for (let i = 0; i < 9; i++) times.push(Number((await promisify(execFile)(process.execPath, ['-e', program])).stdout));
  return Number(median(times));
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
  const [create, connect] = [await timeOf(first), await timeOf(shared)];
  console.log(
    `first createCalendar of a process: ${create} ms; connect, create a world and list: ${connect} ms (${(connect / create).toFixed(2)})`,
  );
  await server.close();
}

await main();
