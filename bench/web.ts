/**
 * Measures a calendar in a page of Chromium beside MSW with handlers by hand, by turns, each behind MSW's service worker: from the start of the page to its first response, on
 * a first visit and on a second one, and later requests. `npm run build && npx tsx bench/web.ts [RUNS]`
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launched } from '../test/support/browser.ts';

const runs = Number(process.argv[2] ?? 10);
const msw = 'msw@2.15.0';
const project = fileURLToPath(new URL('..', import.meta.url));
const cache = join(project, 'bench/.cache');

/** Handlers by hand with the responses of the calendar, which the page fetched as a file. */
const byHand = `const { list, event } = await (await fetch('/responses.json')).json();
  const handlers = [
    http.get('*/wp-json/calendar/events/v1/events', () => HttpResponse.json(list)),
    http.get('*/wp-json/calendar/events/v1/events/:id', () => HttpResponse.json(event)),
  ];`;
const byCalendar = `const { createCalendar } = await import('/web/index.mjs');
  const calendar = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z', basePath: '/wp-json' });
  const handlers = [http.all('*/wp-json/*', ({ request }) => calendar.handler(request))];`;
const kinds = { MSW: byHand, calendar: byCalendar };

const page = (prepare: string) => `<!doctype html><script type="module">
  import { http, HttpResponse, setupWorker } from '/msw.mjs';
  const api = 'https://example.org/wp-json/calendar/events/v1/events';
  const timed = async (path) => {
    const from = performance.now();
    const response = await fetch(api + path);
    if (response.status !== 200) throw new Error(response.status);
    await response.json();
    return performance.now() - from;
  };
  const least = async (path) => {
    const times = [];
    for (let turn = 0; turn < 30; turn++) times.push(await timed(path));
    return Math.min(...times);
  };
  ${prepare}
  await setupWorker(...handlers).start({ quiet: true });
  const first = await timed('?per_page=50');
  const start = performance.now();
  globalThis.figures = { start, first, list: await least('?per_page=50'), one: await least('/' + (await (await fetch(api)).json()).events[0].id) };
</script>`;

interface Figures {
  start: number;
  first: number;
  list: number;
  one: number;
}

mkdirSync(cache, { recursive: true });
if (!existsSync(join(cache, 'node_modules/msw')))
  execFileSync('npm', ['install', '--no-save', '--silent', '--prefix', cache, msw], { stdio: 'inherit' });
const bundled = await build({
  stdin: { contents: `export { http, HttpResponse } from 'msw'; export { setupWorker } from 'msw/browser';`, resolveDir: cache },
  bundle: true,
  format: 'esm',
  minify: true,
  write: false,
  target: 'es2022',
});
const { createCalendar } = await import(join(project, 'dist/index.cjs'));
const calendar = await createCalendar({ seed: 'demo', now: '2027-03-01T09:00Z', basePath: '/wp-json', listen: false });
const list = await (await calendar.fetch('events?per_page=50')).json();
const event = await (await calendar.fetch(`events/${list.events[0].id}`)).json();
await calendar.close();
const files: Record<string, [type: string, content: string | Uint8Array]> = {
  '/msw.mjs': ['text/javascript', bundled.outputFiles[0]!.contents],
  '/mockServiceWorker.js': ['text/javascript', readFileSync(join(cache, 'node_modules/msw/lib/mockServiceWorker.js'))],
  '/responses.json': ['application/json', JSON.stringify({ list, event })],
};
for (const [kind, prepare] of Object.entries(kinds)) files[`/${kind}`] = ['text/html', page(prepare)];
const server = createServer(({ url = '/' }, response) => {
  const type = url.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
  const [given, content] = files[url] ?? [type, existsSync(join(project, 'dist', url)) ? readFileSync(join(project, 'dist', url)) : ''];
  response.setHeader('Content-Type', given).setHeader('Cache-Control', 'max-age=3600').end(content);
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const browser = await launched();
const figures = new Map<string, Figures[]>();
const note = (name: string, each: Figures) => figures.set(name, [...(figures.get(name) ?? []), each]);
for (let run = 0; run < runs; run++)
  for (const kind of Object.keys(kinds)) {
    const context = await browser.newContext();
    for (const visit of ['first visit', 'second visit']) {
      const tab = await context.newPage();
      await tab.goto(`${origin}/${kind}`);
      await tab.waitForFunction('globalThis.figures', undefined, { timeout: 60_000 });
      note(`${kind}, ${visit}`, await tab.evaluate<Figures>('globalThis.figures'));
      await tab.close();
    }
    await context.close();
  }
console.log(
  `${os.cpus().length} processors, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}, ${msw}, Chromium ${browser.version()}`,
);
for (const visit of ['first visit', 'second visit'])
  for (const what of ['start', 'first', 'list', 'one'] as const) {
    const least = (kind: string) => Math.min(...figures.get(`${kind}, ${visit}`)!.map((each) => each[what]));
    const [hand, own] = [least('MSW'), least('calendar')];
    console.log(`${visit}, ${what}: MSW ${hand.toFixed(1)} ms, calendar ${own.toFixed(1)} ms (${(own / hand).toFixed(2)} ×)`);
  }
await browser.close();
server.close();
