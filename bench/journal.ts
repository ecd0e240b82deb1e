/**
 * Processor time of a request to the built program with its journal, as a ratio to a bare node:http server that sends the same bytes from a prepared buffer:
 * npm run build && npx tsx bench/journal.ts [STARTS] [ROUNDS] [CONNECTIONS]. The servers run in turn in separate processes, and the client, which is not measured,
 * keeps them busy: what it costs to wake a client that waits depends on the moment, and is up to half of a request. Two processes of the same program differ by up to a fifth for as
 * long as they run, so both are started several times.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { percentile } from './figures.ts';
import type { Load } from './programs.ts';

const program = new URL('../dist/calendar.js', import.meta.url).pathname;

const get = (url: string, agent: http.Agent) =>
  new Promise<{ headers: http.IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    http
      .get(url, { agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      })
      .on('error', reject);
  });

/** Code that a server runs first: it sends its processor time on request, and exits with its parent. */
const reporting =
  "process.on('message', (asked) => typeof asked === 'object' && process.send(process.cpuUsage())).on('disconnect', () => process.exit())";

/** Serves the responses of the calendar at an address, byte for byte. */
async function bare(root: string): Promise<void> {
  const agent = new http.Agent({ keepAlive: true });
  const responses = new Map<string, { headers: http.OutgoingHttpHeaders; body: Buffer }>();
  const server = http.createServer((incoming, outgoing) => {
    const { headers, body } = responses.get(incoming.url!)!;
    outgoing.writeHead(200, headers);
    outgoing.end(body);
  });
  process.on('message', async (path) => {
    if (typeof path !== 'string') return;
    const { headers, body } = await get(`${root}${path}`, agent);
    const { date: _, connection: _c, 'keep-alive': _k, ...own } = headers;
    responses.set(`${new URL(root).pathname}${path}`, { headers: own, body });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  process.stdout.write(JSON.stringify({ url: `http://127.0.0.1:${port}${new URL(root).pathname}` }));
}

/** Starts a program that prints its address as JSON. */
async function start(path: string, args: readonly string[], ...execArgv: string[]) {
  const process_ = fork(path, args, {
    execArgv: [...execArgv, '--import', `data:text/javascript,${reporting}`],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [line] = await once(process_.stdout!, 'data');
  const { url } = JSON.parse(String(line)) as { url: string };
  const cpu = async (): Promise<number> => {
    process_.send({ cpu: true });
    const [{ user, system }] = await once(process_, 'message');
    return user + system;
  };
  return { url, cpu, process: process_ };
}

type Server = Awaited<ReturnType<typeof start>>;

/** Microseconds of processor time of a request to both servers. */
interface Costs {
  ours: number;
  bare: number;
}

const targets = { event: (ids: readonly number[]) => ids.map((id) => `/events/${id}`), list: () => ['/events?per_page=50'] };
type Target = keyof typeof targets;

/** Starts both servers, and measures them in turn. */
async function measure(rounds: number, connections: number, load: Load): Promise<Record<Target, Costs[]>> {
  const ours = await start(program, ['serve', '--memory', '--port', '0', '--json', '--quiet']);
  const bare = await start(import.meta.filename, [ours.url], '--import', 'tsx');
  execFileSync(process.execPath, [program, 'generate', '--events', '200', '--url', ours.url], { stdio: 'pipe' });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const { events } = JSON.parse((await get(`${ours.url}/events?per_page=50`, agent)).body.toString());
  const paths = Object.entries(targets).map(([name, pathsOf]) => [name, pathsOf(events.map(({ id }: { id: number }) => id))] as const);
  for (const path of paths.flatMap(([, those]) => those)) bare.process.send(path);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  // Ours has sent it, too.
  await get(`${bare.url}${targets.list()[0]}`, agent);
  agent.destroy();
  const cost = async ({ url, cpu }: Server, those: readonly string[]): Promise<number> => {
    const { port, pathname } = new URL(url);
    const texts = those.map((path) => `GET ${pathname}${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: application/json\r\n\r\n`);
    const before = await cpu();
    const { requests, statuses } = await load.run({ port: Number(port), connections, seconds: 0.5, requests: texts });
    if (Object.keys(statuses).join() !== '200') throw new Error(`${url}: statuses ${JSON.stringify(statuses)}`);
    return ((await cpu()) - before) / requests;
  };
  const measured: Record<Target, Costs[]> = { event: [], list: [] };
  for (const [name, those] of paths) {
    for (const server of [ours, bare, ours, bare]) await cost(server, those);
    for (let round = 0; round < rounds; round += 1) {
      const costs = { ours: 0, bare: 0 };
      const order = [['ours', ours] as const, ['bare', bare] as const];
      for (const [key, server] of round % 2 === 0 ? order : order.reverse()) costs[key] = await cost(server, those);
      measured[name as Target].push(costs);
    }
  }
  for (const server of [ours, bare]) server.process.disconnect();
  return measured;
}

const median = (values: readonly number[]): number => percentile(values, 50);

async function main(): Promise<void> {
  const [starts = 5, rounds = 7, connections = 16] = process.argv.slice(2).map(Number);
  const load = new (await import('./programs.ts')).Load();
  const ratios: Record<Target, number[]> = { event: [], list: [] };
  for (let i = 0; i < starts; i += 1)
    for (const [name, costs] of Object.entries(await measure(rounds, connections, load))) {
      const [ours, bare] = [median(costs.map((each) => each.ours)), median(costs.map((each) => each.bare))];
      ratios[name as Target].push(ours / bare);
      process.stdout.write(
        `${name}: ${(ours / bare).toFixed(2)} (${ours.toFixed(0)} µs against ${bare.toFixed(0)} µs, ${rounds} rounds)\n`,
      );
    }
  await load.stop();
  for (const [name, values] of Object.entries(ratios))
    process.stdout.write(
      `${name}: ${median(values).toFixed(2)} times bare node:http (${Math.min(...values).toFixed(2)} to ${Math.max(...values).toFixed(2)} in ${starts} starts)\n`,
    );
}

await (process.send ? bare(process.argv[2]!) : main());
