/**
 * Time to the first response in a new process, as in the first test of a file: calendars without a seed and with two of them, beside MSW with four handlers, in turn.
 * `npm run build && npm i --no-save --prefix bench/.cache msw && npx tsx bench/first-test.ts [ROUNDS]`
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { shown, spreadOf } from './figures.ts';

const rounds = Number(process.argv[2] ?? 15);
const library = new URL('../dist/index.cjs', import.meta.url);
const folder = new URL('.cache', import.meta.url);

const calendarWith = (options: string) => `const { createCalendar } = await import('${library}');
    const { url } = await createCalendar(${options});`;
const starts: Record<string, string> = {
  empty: calendarWith(''),
  minimal: calendarWith("{ seed: 'minimal' }"),
  demo: calendarWith("{ seed: 'demo' }"),
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

const runs: Record<string, { time: number; processor: number }[]> = Object.fromEntries(Object.keys(starts).map((name) => [name, []]));
for (let round = 0; round <= rounds; round++)
  for (const [name, start] of Object.entries(starts)) {
    const times = await timesOf(start);
    if (round > 0) runs[name]!.push(times);
  }
for (const kind of ['time', 'processor'] as const) {
  const spreads = Object.entries(runs).map(([name, all]) => ({ name, ...spreadOf(all.map((run) => run[kind])) }));
  const { median, least } = spreads.at(-1)!;
  for (const { name, ...spread } of spreads)
    console.log(
      `${kind}: ${name} ${shown(spread)} ms; medians ${(spread.median / median).toFixed(2)} × MSW, minima ${(spread.least / least).toFixed(2)} × MSW`,
    );
}
