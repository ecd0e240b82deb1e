/*
 * npx tsx bench/functions.ts [--list]: number of named functions below `src`, and of their files, that run for one request over the socket after three of its kind: a list of records that
 * were not read before, a cached list, and a create. Each is the minimum of three measurements, because timers run between them. `--list` prints the names.
 */
import http from 'node:http';
import inspector from 'node:inspector/promises';
import { createHere } from '../src/testing/here.ts';

const calendar = await createHere({ seed: 'demo', page: false });
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function send(method: string, path: string, body?: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = http.request(`${calendar.url}${path}`, { method, agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

let page = 0;
let created = 0;
const kinds: Record<string, () => Promise<number>> = {
  'list, not read before': () => send('GET', `/events?per_page=2&page=${++page}`),
  'list, cached': () => send('GET', '/events?per_page=5'),
  create: () => send('POST', '/events', { title: `New ${++created}`, start_date: '2027-03-05 20:00', end_date: '2027-03-05 22:00' }),
};

const session = new inspector.Session();
session.connect();
await session.post('Profiler.enable');

/** Returns the functions that run for a request, as `file name`; `__name` is of the compiler. */
async function functionsOf(request: () => Promise<number>): Promise<string[]> {
  for (let i = 0; i < 3; i++) await request();
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  const status = await request();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  if (status >= 300) throw new Error(`The response is ${status}`);
  return result.flatMap(({ url, functions }) => {
    const file = url.split('/src/')[1]?.split('?')[0];
    if (file === undefined || url.includes('/node_modules/')) return [];
    const called = functions.filter(({ functionName, ranges }) => functionName !== '' && functionName !== '__name' && ranges[0]!.count > 0);
    return called.map(({ functionName, ranges }) => `${file} ${functionName} ${ranges[0]!.startOffset}`);
  });
}

for (const [kind, request] of Object.entries(kinds)) {
  const measured: string[][] = [];
  for (let i = 0; i < 3; i++) measured.push(await functionsOf(request));
  const least = measured.sort((a, b) => a.length - b.length)[0]!;
  const files = new Set(least.map((name) => name.split(' ')[0]));
  console.log(`${kind}: ${least.length} functions in ${files.size} files`);
  if (process.argv.includes('--list')) for (const name of least.sort()) console.log(`  ${name.replace(/ \d+$/, '')}`);
}
session.disconnect();
agent.destroy();
await calendar.close();
