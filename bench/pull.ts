/** Times first pulls of 1,000 and 10,000 events over loopback, beside exports of the same calendar, and counts their requests: `npm run build && npx tsx bench/pull.ts [ROUNDS]`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { shown, spreadOf } from './figures.ts';
import { calendar as served, timeOf } from './programs.ts';

const rounds = Number(process.argv[2] ?? 3);
const folder = mkdtempSync(join(os.tmpdir(), 'calendar-pull-'));
const program = [process.execPath, resolve('dist/calendar.js')];
const at = (name: string) => join(folder, name);

try {
  for (const events of [1000, 10_000]) {
    const source = at(`${events}.db`);
    await timeOf([...program, 'generate', '--events', String(events), '--db', source]);
    const log = at(`${events}.log`);
    const server = await served(source, log);
    const [pulls, ratios]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      const pull = await timeOf([...program, 'pull', `http://127.0.0.1:${server.port}`, '--db', at(`${events}-${round}.db`)]);
      const base = await timeOf([...program, 'export', '--format', 'ndjson', '--db', source, '-o', at('base.ndjson')]);
      pulls.push(pull);
      ratios.push(pull / base);
    }
    await server.stop();
    const requests = readFileSync(log, 'utf8').match(/GET \S*\/events\/v1\//g)?.length ?? 0;
    console.log(
      `${events} events: ${shown(spreadOf(pulls))} ms, ${shown(spreadOf(ratios))} exports, ${Math.round(requests / rounds)} requests`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
