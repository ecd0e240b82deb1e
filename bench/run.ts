/*
 * npm run bench [-- --quick] [--only SIZES] [--scenario NAMES]: compares the bundle with a bare node:http server that sends the same bytes, and with
 * json-server. Prints the results and writes them to bench/results.json.
 */
import { copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import '../bin/machine/here.ts';
import { namespace } from '../src/model/routes.ts';
import type { Store } from '../src/store/calendar.ts';
import { openCalendar } from '../src/store/calendar.ts';
import { fileWith, now } from './data.ts';
import { type Spread, shown, spreadOf } from './figures.ts';
import type { Outcome } from './load.ts';
import { bare, calendar, jsonServer, jsonServerVersion, Load, memoryOf, type Server, timeOf } from './programs.ts';
import { newEvents, scenariosOf } from './scenarios.ts';
import { type WrkResult, wrkResults, wrkVersion } from './wrk.ts';

const quick = process.argv.includes('--quick');
/** Returns the comma-separated values of an option. */
const given = (option: string) => (process.argv.includes(option) ? process.argv[process.argv.indexOf(option) + 1]!.split(',') : undefined);
const named = given('--scenario');
const asked = (scenario: string) => named === undefined || named.includes(scenario);
const sizes = given('--only')?.map(Number) ?? (quick ? [1000, 10_000] : [1000, 10_000, 100_000]);
const rounds = quick ? 3 : 7;
const seconds = quick ? 0.5 : 1;
/** Number of events above which json-server takes minutes to start and seconds per request. */
const maxTheirs = 10_000;

const folder = fileURLToPath(new URL('.cache', import.meta.url));
const bundle = fileURLToPath(new URL('../dist/calendar.js', import.meta.url));
const root = `/${namespace}`;
const load = new Load();

/** The result of one server in one scenario. */
interface Figures {
  perSecond: Spread;
  median: Spread;
  p99: Spread;
}
/** The result of a scenario with one size and number of connections. */
interface Result {
  events: number;
  scenario: string;
  connections: number;
  ours: Figures;
  bare: Figures;
  theirs?: Figures;
  /** Ratios of requests per second to the bare server, by round. */
  ratio: Spread;
}
const results: Result[] = [];

const wire = (path: string) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n\r\n`;
const posting = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const figuresOf = (outcomes: readonly Outcome[]): Figures => ({
  perSecond: spreadOf(outcomes.map(({ perSecond }) => perSecond)),
  median: spreadOf(outcomes.map(({ median }) => median)),
  p99: spreadOf(outcomes.map(({ p99 }) => p99)),
});

interface Contender {
  server: Server;
  requests: string[];
  expected: string;
}

/** Measures all servers in turn. The first round is a warm-up. */
async function compete(contenders: readonly Contender[], connections: number): Promise<Outcome[][]> {
  const outcomes: Outcome[][] = contenders.map(() => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [i, { server, requests, expected }] of contenders.entries()) {
      const outcome = await load.run({ port: server.port, connections, seconds: round === 0 ? seconds / 2 : seconds, requests });
      if (Object.keys(outcome.statuses).join() !== expected)
        throw new Error(`${requests[0]}: statuses ${JSON.stringify(outcome.statuses)}`);
      if (round > 0) outcomes[i]!.push(outcome);
    }
  return outcomes;
}

function record(events: number, scenario: string, connections: number, [ours, bareOnes, theirs]: Outcome[][]): void {
  const result: Result = {
    events,
    scenario,
    connections,
    ours: figuresOf(ours!),
    bare: figuresOf(bareOnes!),
    ...(theirs ? { theirs: figuresOf(theirs) } : {}),
    ratio: spreadOf(ours!.map(({ perSecond }, i) => perSecond / bareOnes![i]!.perSecond)),
  };
  results.push(result);
  const them = result.theirs ? `   json-server ${shown(result.theirs.perSecond)}/s` : '';
  console.log(
    `${String(events).padStart(7)} events  ${scenario.padEnd(12)} ${String(connections).padStart(2)} connections  ratio ${shown(result.ratio)}  ${shown(result.ours.perSecond)}/s of ${shown(result.bare.perSecond)}/s  median ${result.ours.median.median.toFixed(3)} ms, p99 ${result.ours.p99.median.toFixed(2)}${them}`,
  );
}

/** Returns the records for json-server: every event as in responses. */
function recordsFor(store: Store, events: number): string {
  const file = `${folder}/${events}.json`;
  const site = { home: 'http://127.0.0.1', root: `http://127.0.0.1${root}` };
  const desk = store.local({ id: 1, name: 'owner', role: 'owner' }, site);
  const ids = store.db.all<{ id: number }>(`select id from events where status = 'publish' order by start_date, date, id`);
  writeFileSync(file, JSON.stringify({ events: ids.map(({ id }) => desk.events.get({ id })), tags: [] }));
  return file;
}

async function reads(events: number): Promise<{ memory: number; fileBytes: number; ready: number }> {
  const source = await fileWith(folder, events);
  const file = `${folder}/run.db`;
  for (const end of ['', '-log', '-owner']) rmSync(file + end, { force: true });
  copyFileSync(source, file);
  const store = await openCalendar(source, { mode: 'read', now: () => Date.parse(now) });
  const scenarios = scenariosOf(store).filter(({ name }) => asked(name));
  const records = events <= maxTheirs && jsonServerVersion() ? recordsFor(store, events) : undefined;
  await store.close();

  const before = performance.now();
  const ours = await calendar(file);
  const ready = performance.now() - before;
  const paths = [...new Set(scenarios.flatMap((scenario) => scenario.paths))].map((path) => root + path);
  const limit = await bare({ from: ours.port, paths });
  const theirs = records ? await jsonServer(records) : undefined;
  for (const { name, paths, theirs: asked } of scenarios)
    for (const connections of [1, 16]) {
      const requests = paths.map((path) => wire(root + path));
      const contenders: Contender[] = [
        { server: ours, requests, expected: '200' },
        { server: limit, requests, expected: '200' },
        ...(theirs && asked ? [{ server: theirs, requests: asked.map(wire), expected: '200' }] : []),
      ];
      record(events, name, connections, await compete(contenders, connections));
    }
  const memory = memoryOf(ours.pid);
  await Promise.all([ours.stop(), limit.stop(), theirs?.stop()]);
  return { memory, fileBytes: statSync(source).size, ready };
}

async function writes(events: number): Promise<void> {
  const source = await fileWith(folder, events);
  const file = `${folder}/run.db`;
  for (const end of ['', '-log', '-owner']) rmSync(file + end, { force: true });
  copyFileSync(source, file);
  const store = await openCalendar(source, { mode: 'read', now: () => Date.parse(now) });
  const bodies = newEvents(store);
  await store.close();
  const ours = await calendar(file);
  const requests = bodies.map((body) => posting(`${root}/events`, body));
  const logged = () => statSync(`${file}-log`, { throwIfNoEntry: false })?.size ?? 0;
  await load.run({ port: ours.port, connections: 1, seconds: 0.1, requests: requests.slice(0, 1) });
  const start = logged();
  const { perSecond } = await load.run({ port: ours.port, connections: 1, seconds: 0.5, requests });
  const bytes = Math.max(1, Math.round((logged() - start) / (perSecond * 0.5)));
  const limit = await bare({ from: ours.port, paths: [`${root}/events`], post: { file: `${folder}/run.append`, bytes, body: bodies[0]! } });
  for (const connections of [1, 16]) {
    const contenders = [ours, limit].map((server) => ({ server, requests, expected: '201' }));
    record(events, 'create', connections, await compete(contenders, connections));
  }
  console.log(`${' '.repeat(15)}a create appends ${bytes} bytes`);
  await Promise.all([ours.stop(), limit.stop()]);
}

/** Measures plain reads with wrk if it is installed. */
async function outside(events: number): Promise<WrkResult[]> {
  const source = await fileWith(folder, events);
  const store = await openCalendar(source, { mode: 'read', now: () => Date.parse(now) });
  const scenarios = scenariosOf(store).filter(({ name }) => name === 'one event' || name.startsWith('list of'));
  await store.close();
  return wrkResults(source, folder, scenarios, rounds);
}

/** Measures whole programs compared with one that does nothing. */
async function programs(): Promise<Record<string, { ratio: Spread; milliseconds: Spread }>> {
  const file = await fileWith(folder, 1000);
  const commands: Record<string, string[]> = {
    'node -e 0': ['-e', '0'],
    'calendar --version': [bundle, '--version'],
    'calendar events list --format json': [bundle, '--db', file, 'events', 'list', '--format', 'json'],
  };
  const took: Record<string, number[]> = {};
  for (let round = 0; round <= (quick ? 5 : 15); round += 1)
    for (const [name, args] of Object.entries(commands)) {
      const time = await timeOf([process.execPath, ...args]);
      if (round > 0) took[name] = [...(took[name] ?? []), time];
    }
  return Object.fromEntries(
    Object.entries(took).map(([name, times]) => {
      const ratio = spreadOf(times.map((time, i) => time / took['node -e 0']![i]!));
      const milliseconds = spreadOf(times);
      console.log(`${name.padEnd(36)} ${shown(milliseconds)} ms, ${shown(ratio)} times node -e 0`);
      return [name, { ratio, milliseconds }];
    }),
  );
}

mkdirSync(folder, { recursive: true });
const machine = {
  processor: os.cpus()[0]?.model.trim(),
  processors: os.cpus().length,
  memory: `${Math.round(os.totalmem() / 2 ** 30)} GB`,
  system: `${os.type()} ${os.release()}`,
  node: process.version,
};
console.log(
  `${machine.processor}, ${machine.processors} processors, ${machine.memory}, ${machine.system}, Node ${machine.node}; load ${os.loadavg()[0]!.toFixed(1)} before`,
);
console.log(`json-server: ${jsonServerVersion() ?? 'not there; npm i --no-save --prefix bench/.cache json-server brings it'}`);
console.log(`${wrkVersion() ?? 'wrk: not installed'}\n`);
const stores: Record<string, { memory: number; fileBytes: number; ready: number }> = {};
for (const events of sizes) {
  if (named?.every((name) => ['create', 'programs', 'wrk'].includes(name))) break;
  const { memory, fileBytes, ready } = await reads(events);
  stores[events] = { memory, fileBytes, ready };
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(
    `${String(events).padStart(7)} events  ready in ${ready.toFixed(0)} ms; file ${megabytes(fileBytes)}, memory afterwards ${megabytes(memory)}\n`,
  );
}
if (asked('create')) for (const events of sizes) await writes(events);
const wrk = asked('wrk') && wrkVersion() ? await outside(10_000) : undefined;
const whole = asked('programs') ? await programs() : undefined;
const bundleBytes = statSync(bundle).size;
console.log(`bundle ${(bundleBytes / 2 ** 20).toFixed(2)} MB`);
await load.stop();
rmSync(`${folder}/run.append`, { force: true });
// A partial run doesn't replace the results of a complete one.
if (!named)
  writeFileSync(
    new URL('results.json', import.meta.url),
    `${JSON.stringify({ machine, jsonServer: jsonServerVersion(), quick, rounds, seconds, results, wrk, stores, programs: whole, bundleBytes }, null, 2)}\n`,
  );
