/**
 * Runs many test files in vitest, each with five tests: with one server whose worlds are the calendars of tests, and with a server in each file.
 * Prints failures, and the time of the set-up hooks per test as a ratio. `npm run build && npx tsx bench/files.ts [FILES] [RUNS]`
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { spreadOf } from './figures.ts';

const { createCalendar } = createRequire(import.meta.url)('../dist/index.cjs') as typeof import('../bin/library.ts');
const [files = 200, runs = 10] = process.argv.slice(2).map(Number);
const testsPerFile = 5;
/** A busy machine is not a failure. */
const limits = ['--testTimeout', '60000', '--hookTimeout', '60000'];
const project = fileURLToPath(new URL('..', import.meta.url));
const folder = join(project, 'bench/.cache/files');

/** The tests of a file. `open` is a hook that opens the calendar of each test. */
const testFile = (open: string, number: number) => `
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
const { connectCalendar, createCalendar } = createRequire(import.meta.url)(${JSON.stringify(join(project, 'dist/index.cjs'))});
let calendar;
let took = 0;
const timed = (work) => async () => {
  const start = performance.now();
  await work();
  took += performance.now() - start;
};
${open}
afterAll(() => appendFileSync(process.env.TIMES, took + '\\n'));
test.each([1, 2, 3, 4, ${testsPerFile}])('test %i', async (number) => {
  const tags = async () => (await calendar.tags.list({ hide_empty: false })).total;
  const before = await tags();
  await fetch(calendar.url + '/tags', { method: 'POST', body: new URLSearchParams({ name: 'of file ${number}, test ' + number }) });
  expect(await tags()).toBe(before + 1);
  await calendar.requests.verify({ method: 'POST', path: '/tags' }, { exactly: 1 });
});
`;

const kinds = {
  worlds: `
let server;
beforeAll(timed(async () => { server = await connectCalendar(process.env.SERVER); }));
beforeEach(timed(async () => { calendar = await server.worlds.create({ required: true }); }));
afterEach(() => calendar.close());
afterAll(() => server.close());`,
  servers: `
beforeAll(timed(async () => { calendar = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z' }); }));
beforeEach(timed(() => calendar.reset()));
afterAll(() => calendar.close());`,
};

interface Run {
  failures: number;
  /** Time of the set-up hooks per test, in ms. */
  perTest: number;
}

async function runFiles(kind: keyof typeof kinds, server: string): Promise<Run> {
  const home = join(folder, kind);
  const times = join(home, 'times.txt');
  writeFileSync(times, '');
  const env = { ...process.env, SERVER: server, TIMES: times, CI: '1', NO_COLOR: '1' };
  const args = [
    join(project, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    home,
    '--maxWorkers',
    '4',
    '--reporter',
    'json',
    ...limits,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: home, maxBuffer: 1 << 28 }).catch((error) => error);
  const { numPassedTests } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  const total = readFileSync(times, 'utf8')
    .trim()
    .split('\n')
    .map(Number)
    .reduce((sum, time) => sum + time, 0);
  return { failures: files * testsPerFile - numPassedTests, perTest: total / files / testsPerFile };
}

rmSync(folder, { recursive: true, force: true });
for (const [kind, open] of Object.entries(kinds)) {
  const home = join(folder, kind);
  mkdirSync(home, { recursive: true });
  // Without it, vitest takes the configuration of this project.
  writeFileSync(join(home, 'vitest.config.mjs'), 'export default {};');
  symlinkSync(join(project, 'node_modules'), join(home, 'node_modules'));
  for (let number = 0; number < files; number++) writeFileSync(join(home, `file-${number}.test.mjs`), testFile(open, number));
}
const server = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z' });
console.log(
  `${os.cpus().length} processors, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}; ${files} files with ${testsPerFile} tests, 4 workers`,
);
const figures: Record<keyof typeof kinds, number[]> = { worlds: [], servers: [] };
for (let run = 1; run <= runs; run++) {
  const results = { worlds: await runFiles('worlds', server.url), servers: await runFiles('servers', server.url) };
  figures.worlds.push(results.worlds.perTest);
  figures.servers.push(results.servers.perTest);
  const { worlds, servers } = results;
  console.log(
    `run ${run}: worlds ${worlds.perTest.toFixed(1)} ms per test, ${worlds.failures} failures; a server per file ${servers.perTest.toFixed(1)} ms, ${servers.failures} failures; ratio ${(worlds.perTest / servers.perTest).toFixed(2)}`,
  );
}
const { worlds, servers } = { worlds: spreadOf(figures.worlds), servers: spreadOf(figures.servers) };
console.log(
  `medians: ${worlds.median.toFixed(1)} and ${servers.median.toFixed(1)} ms, ratio ${(worlds.median / servers.median).toFixed(2)}; worlds left: ${(await server.worlds.list()).length}`,
);
await server.close();
rmSync(folder, { recursive: true, force: true });
