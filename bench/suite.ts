/**
 * What a suite costs: whole runs of vitest with 20 files of 5 tests and with 2 files of 100, by turns with an empty server of node:http, MSW, a calendar in
 * each file, one server for all, and one that notes coverage, as in CI. Prints wall and processor time of each, minima, and their ratios to MSW. `npm run build && npx tsx bench/suite.ts [RUNS]`
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const runs = Number(process.argv[2] ?? 3);
const msw = 'msw@2.15.0';
const project = fileURLToPath(new URL('..', import.meta.url));
const cache = join(project, 'bench/.cache');
const folder = join(cache, 'suite');
const shapes = { '20 × 5': { files: 20, tests: 5 }, '2 × 100': { files: 2, tests: 100 } };

const own = `import { useCalendar } from 'local-calendar/vitest';
const calendar = useCalendar({ seed: 'demo', now: '2027-03-01T09:00Z' });
const url = () => calendar.url;`;

/** The head of a test file, which gives the tests a `url()`, by kind. */
const kinds: Record<string, string> = {
  empty: `import { createServer } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
const body = JSON.stringify({ events: [{ id: 1, title: 'Concert' }], total: 1, total_pages: 1 });
const server = createServer((_, response) => response.setHeader('Content-Type', 'application/json').end(body));
beforeAll(() => new Promise((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => server.close());
const url = () => \`http://127.0.0.1:\${server.address().port}\`;`,
  MSW: `import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';
const url = () => 'http://localhost/calendar/events/v1', event = { id: 1, title: 'Concert' };
const server = setupServer(
  http.get(url() + '/events', () => HttpResponse.json({ events: [event], total: 1, total_pages: 1 })),
  http.get(url() + '/events/:id', () => HttpResponse.json(event)),
  http.post(url() + '/events', () => HttpResponse.json(event, { status: 201 })),
);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());`,
  own,
  shared: own,
  'shared in CI': own,
};

const testFile = (head: string, tests: number) => `${head}
import { expect, test } from 'vitest';
test.each(Array.from({ length: ${tests} }, (_, at) => at))('test %i', async () => {
  const { events } = await (await fetch(url() + '/events')).json();
  expect(events.length).toBeGreaterThan(0);
});
`;

interface Cost {
  wall: number;
  processor: number;
}

/** Runs vitest on a folder. Processor time is that of all processes that have ended, in s. */
async function cost(home: string, CI: string): Promise<Cost> {
  const args = [join(project, 'node_modules/vitest/vitest.mjs'), 'run', '--root', home, '--reporter', 'dot'];
  const shell = `"$0" "$@" >/dev/null 2>err.txt || { cat err.txt >&2; exit 1; }; times`;
  const start = performance.now();
  const child = spawn('bash', ['-c', shell, process.execPath, ...args], { cwd: home, env: { ...process.env, CI } });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.pipe(process.stderr);
  const code = await new Promise((done) => child.on('close', done));
  if (code !== 0) throw new Error(`vitest in ${home} failed`);
  const wall = (performance.now() - start) / 1000;
  // The second line of `times` is that of children: user and system time.
  const [, children = ''] = text.trim().split('\n');
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  return { wall, processor: seconds.reduce((sum, each) => sum + each, 0) };
}

mkdirSync(cache, { recursive: true });
if (!existsSync(join(cache, 'node_modules/msw')))
  execFileSync('npm', ['install', '--no-save', '--silent', '--prefix', cache, msw], { stdio: 'inherit' });
rmSync(folder, { recursive: true, force: true });
for (const [shape, { files, tests }] of Object.entries(shapes))
  for (const [kind, head] of Object.entries(kinds)) {
    const home = join(folder, shape, kind);
    const modules = join(home, 'node_modules');
    mkdirSync(modules, { recursive: true });
    const setup = kind.startsWith('shared') ? `{ test: { globalSetup: 'local-calendar/vitest/server' } }` : '{}';
    writeFileSync(join(home, 'vitest.config.mjs'), `export default ${setup};`);
    symlinkSync(project, join(modules, 'local-calendar'));
    symlinkSync(join(project, 'node_modules/vitest'), join(modules, 'vitest'));
    symlinkSync(join(cache, 'node_modules/msw'), join(modules, 'msw'));
    for (let number = 0; number < files; number++) writeFileSync(join(home, `file-${number}.test.mjs`), testFile(head, tests));
  }
console.log(`${os.cpus().length} processors, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}, ${msw}`);
for (const shape of Object.keys(shapes)) {
  const costs = new Map(Object.keys(kinds).map((kind): [string, Cost[]] => [kind, []]));
  for (let run = 0; run < runs; run++)
    for (const [kind, list] of costs) list.push(await cost(join(folder, shape, kind), kind.endsWith('CI') ? '1' : ''));
  const least = (kind: string, what: keyof Cost) => Math.min(...costs.get(kind)!.map((each) => each[what]));
  const shown = (kind: string, what: keyof Cost) =>
    `${least(kind, what).toFixed(1)} s (${(least(kind, what) / least('MSW', what)).toFixed(2)} × MSW)`;
  for (const kind of costs.keys()) console.log(`${shape} ${kind}: wall ${shown(kind, 'wall')}, processor ${shown(kind, 'processor')}`);
}
rmSync(folder, { recursive: true, force: true });
