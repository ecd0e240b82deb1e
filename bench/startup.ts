/** Whole-process times of the built command line beside `node -e 0`, in turn: `npx tsx bench/startup.ts [ROUNDS]`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import { percentile } from './figures.ts';
import { timeOf } from './programs.ts';

const bundle = resolve('dist/calendar.js');
const rounds = Number(process.argv[2] ?? 15);
const folder = mkdtempSync(join(os.tmpdir(), 'calendar-startup-'));
const file = join(folder, 'calendar.db');

/** Fills a file with 1,000 events. */
async function fill(): Promise<void> {
  const hour = (at: number) => `2027-01-01 10:00 +${at} hours`;
  const events = Array.from({ length: 1000 }, (_, at) => ({ title: `Event ${at}`, start_date: hour(at), end_date: hour(at + 1) }));
  const child = spawn(process.execPath, [bundle, 'events', 'create', '--db', file, '--data', '-', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(JSON.stringify(events));
  await once(child, 'close');
}

await fill();
const copy = join(folder, 'served.db');
await timeOf([process.execPath, bundle, 'db', 'backup', copy, '--db', file]);
const server = spawn(process.execPath, [bundle, 'serve', '--db', copy, '--port', '0', '--json', '--quiet'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [ready] = await once(server.stdout, 'data');
const { url: root } = JSON.parse(String(ready));

const calendar = [process.execPath, bundle];
const local = [...calendar, 'events', 'list', '--db', file];
const commands: Record<string, string[]> = {
  'node -e 0': [process.execPath, '-e', '0'],
  '--version': [...calendar, '--version'],
  '--help': [...calendar, '--help'],
  'events list --help': [...calendar, 'events', 'list', '--help'],
  'events list --limit 10, a file': [...local, '--limit', '10'],
  'events list --limit 10, remote': [...calendar, 'events', 'list', '--limit', '10', '--url', root],
  'events list, all 1,000': local,
  ...(process.platform === 'win32' ? {} : { 'exec -- true': [...calendar, 'exec', '--', 'true'] }),
  'complete -- events get e': [...calendar, 'complete', '--', 'events', '--db', file, 'get', 'e'],
  // A separate terminal, if a program can create one.
  ...(process.platform === 'linux' ? { 'events list, on a terminal': ['script', '-qec', local.join(' '), '/dev/null'] } : {}),
};
const took: Record<string, number[]> = {};
try {
  for (let round = 0; round <= rounds; round++)
    for (const [name, words] of Object.entries(commands)) {
      const time = await timeOf(words);
      took[name] ??= [];
      if (round > 0) took[name].push(time);
    }
} finally {
  server.kill();
  await once(server, 'close');
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${os.cpus()[0]?.model.trim()}, ${os.cpus().length} processors, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}`);
const base = percentile(took['node -e 0']!, 50);
for (const [name, times] of Object.entries(took)) {
  const ms = percentile(times, 50);
  console.log(`${name.padEnd(36)} ${ms.toFixed(0).padStart(5)} ms  ${(ms / base).toFixed(1)} times node -e 0`);
}
