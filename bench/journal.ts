/**
 * Processor time of a request to the built program with its journal, as a ratio to a bare node:http server that sends the same bytes from a prepared buffer:
 * npm run build && npx tsx bench/journal.ts [ROUNDS] [CONNECTIONS]. The servers run in turn in separate processes, and the client, which is not measured,
 * keeps them busy: what it costs to wake a client that waits depends on the moment, and is up to half of a request.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { percentile } from './figures.ts';

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

async function main(): Promise<void> {
  const rounds = Number(process.argv[2] ?? 11);
  const connections = Number(process.argv[3] ?? 16);
  const ours = await start(program, ['serve', '--memory', '--port', '0', '--json', '--quiet']);
  const theirs = await start(import.meta.filename, [ours.url], '--import', 'tsx');
  execFileSync(process.execPath, [program, 'generate', '--events', '200', '--url', ours.url], { stdio: 'pipe' });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  const { events } = JSON.parse((await get(`${ours.url}/events?per_page=50`, agent)).body.toString());
  const ids: number[] = events.map(({ id }: { id: number }) => id);
  const targets = { event: ids.map((id) => `/events/${id}`), list: ['/events?per_page=50'] };
  for (const path of [...targets.event, ...targets.list]) theirs.process.send(path);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const load = new (await import('./programs.ts')).Load();
  /** Microseconds of processor time per request. */
  const cost = async ({ url, cpu }: typeof ours, paths: readonly string[]): Promise<number> => {
    const { port, pathname } = new URL(url);
    const texts = paths.map((path) => `GET ${pathname}${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: application/json\r\n\r\n`);
    const before = await cpu();
    const { requests, statuses } = await load.run({ port: Number(port), connections, seconds: 1, requests: texts });
    if (Object.keys(statuses).join() !== '200') throw new Error(`${url}: statuses ${JSON.stringify(statuses)}`);
    return ((await cpu()) - before) / requests;
  };
  for (const [name, those] of Object.entries(targets)) {
    for (const server of [ours, theirs, ours, theirs]) await cost(server, those);
    const rows: { ratio: number; ours: number; bare: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
      const [first, second] = [await cost(order[0]!, those), await cost(order[1]!, those)];
      const [mine, bare] = round % 2 === 0 ? [first, second] : [second, first];
      rows.push({ ratio: mine / bare, ours: mine, bare });
    }
    const middle = (key: 'ratio' | 'ours' | 'bare') =>
      percentile(
        rows.map((row) => row[key]),
        50,
      );
    process.stdout.write(
      `${name}: ${middle('ratio').toFixed(2)} times bare node:http (${middle('ours').toFixed(0)} µs against ${middle('bare').toFixed(0)} µs of processor time, ${rounds} rounds)\n`,
    );
  }
  agent.destroy();
  await load.stop();
  for (const server of [ours, theirs]) server.process.disconnect();
}

await (process.send ? bare(process.argv[2]!) : main());
