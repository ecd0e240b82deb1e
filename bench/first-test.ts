/**
 * Time to the first response in a new process, as in the first test of a file: a calendar with the demo seed beside MSW with four handlers, in turn.
 * `npm run build && npm i --no-save --prefix bench/.cache msw && npx tsx bench/first-test.ts [ROUNDS]`
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { shown, spreadOf } from './figures.ts';

const rounds = Number(process.argv[2] ?? 15);
const library = new URL('../dist/index.cjs', import.meta.url);
const folder = new URL('.cache', import.meta.url);

const starts: Record<string, string> = {
  calendar: `const { createCalendar } = await import('${library}');
    const { url } = await createCalendar({ seed: 'demo' });`,
  MSW: `const { http, HttpResponse } = await import('msw');
    const { setupServer } = await import('msw/node');
    const url = 'http://localhost/calendar/events/v1', event = { id: 1, title: 'Concert' };
    setupServer(
      http.get(url + '/events', () => HttpResponse.json({ events: [event], total: 1, total_pages: 1 })),
      http.get(url + '/events/:id', () => HttpResponse.json(event)),
      http.post(url + '/events', () => HttpResponse.json(event, { status: 201 })),
      http.delete(url + '/events/:id', () => HttpResponse.json(event)),
    ).listen();`,
};

/** Returns the time and processor time of a new process until its first response, in ms, with the start of node. */
async function timesOf(start: string): Promise<{ time: number; processor: number }> {
  const program = `${start}
    await (await fetch(url + '/events')).json();
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ time: performance.now(), processor: (user + system) / 1000 }));
    process.exit();`;
  return JSON.parse((await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })).stdout);
}

const runs: Record<string, { time: number; processor: number }[]> = { calendar: [], MSW: [] };
for (let round = 0; round <= rounds; round++)
  for (const [name, start] of Object.entries(starts)) {
    const times = await timesOf(start);
    if (round > 0) runs[name]!.push(times);
  }
for (const kind of ['time', 'processor'] as const) {
  const [ours, theirs] = [runs.calendar!, runs.MSW!].map((all) => spreadOf(all.map((run) => run[kind])));
  console.log(
    `${kind}: calendar ${shown(ours!)} ms, MSW ${shown(theirs!)} ms; medians ${(ours!.median / theirs!.median).toFixed(2)} times, minima ${(ours!.least / theirs!.least).toFixed(2)} times`,
  );
}
