/**
 * Counts requests that a test sends without waiting, and that arrive in the next test. By kind of client, with the server in this and in another process:
 * `npm run build && npx tsx bench/arrivals.ts [TRIALS]`
 */
import { fork } from 'node:child_process';
import http from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { createCalendar, internal } = createRequire(import.meta.url)('../dist/index.cjs') as typeof import('../bin/library.ts');

if (process.send) {
  const { url } = await createCalendar({ port: 0 });
  process.send(url);
} else {
  const trials = Number(process.argv[2] ?? 1000);
  const other = fork(fileURLToPath(import.meta.url), { execArgv: ['--import', 'tsx'] });
  const server = await new Promise<string>((resolve) => other.once('message', (url) => resolve(String(url))));
  const form = () => new URLSearchParams({ name: 'late' });
  const clients: Record<string, (url: string) => Promise<unknown>> = {
    'fetch, form': (url) => fetch(`${url}/tags`, { method: 'POST', body: form() }),
    'fetch, JSON': (url) =>
      fetch(`${url}/tags`, { method: 'POST', body: '{"name":"late"}', headers: { 'Content-Type': 'application/json' } }),
    'fetch, localhost': (url) => fetch(`${url.replace('127.0.0.1', 'localhost')}/tags`, { method: 'POST', body: form() }),
    'http.request': (url) =>
      new Promise((resolve, reject) => {
        const request = http.request(`${url}/tags`, { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
        request.on('response', (response) => response.resume().on('end', resolve)).on('error', reject);
        request.end(String(form()));
      }),
  };
  for (const [place, options] of Object.entries({ 'this process': {}, 'another process': { server } }))
    for (const [client, send] of Object.entries(clients)) {
      let hooks: Record<string, (test?: object) => Promise<void>> = {};
      const keep = (name: string) => (work: never) => {
        hooks = { ...hooks, [name]: work };
      };
      const collected = { beforeAll: keep('open'), beforeEach: keep('next'), afterEach: keep('end'), afterAll: keep('close') };
      const calendar = internal.calendarBetween(collected as never, { ...options, inFlight: 'ignore' });
      await hooks.open!();
      await hooks.next!({ suite: 1 });
      let late = 0;
      for (let trial = 0; trial < trials; trial++) {
        const sent = send(calendar.url).catch(() => {});
        await hooks.end!({});
        await hooks.next!({ suite: 1 });
        await sent;
        late += (await calendar.tags.list({ hide_empty: false })).total > 0 ? 1 : 0;
      }
      await hooks.close!();
      console.log(`${place}, ${client}: ${late} of ${trials} late`);
    }
  other.kill();
}
