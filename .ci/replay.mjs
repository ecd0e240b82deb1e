// Replays the recorded exchanges against the built server, and fails when one differs that docs/differences.md does not name.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const [bundle, reference] = process.argv.slice(2).map((path) => resolve(path));
const named = new Set([...readFileSync('docs/differences.md', 'utf8').matchAll(/^\| `([\w.-]+)` +\|/gm)].map(([, name]) => name));
const folder = mkdtempSync(join(tmpdir(), 'replay-'));
let unexpected = 0;
let agreed = 0;
let compared = 0;

/** Runs one file of exchanges against a fresh server. */
async function replay(file) {
  const args = [
    'serve',
    '--memory',
    '--port',
    '0',
    '--cors',
    '*',
    '--timezone',
    'America/New_York',
    '--now',
    '2026-11-20T16:05:00Z',
    '--users',
    join(reference, 'users.json'),
    '--json',
    '--quiet',
  ];
  const server = spawn(process.execPath, [bundle, ...args], { stdio: ['ignore', 'pipe', 'inherit'], cwd: folder });
  const [line] = await Promise.race([
    new Promise((resolve) => createInterface(server.stdout).once('line', (text) => resolve([text]))),
    new Promise((_, reject) => server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))),
  ]);
  const results = join(folder, 'results.json');
  spawnSync(
    process.execPath,
    [
      join(reference, 'replay.mjs'),
      '--url',
      JSON.parse(line).url,
      '--exchanges',
      join(reference, file),
      '--json',
      results,
      '--verbose',
      '40',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  server.kill('SIGTERM');
  for (const { name, ok } of JSON.parse(readFileSync(results, 'utf8'))) {
    compared++;
    if (ok) agreed++;
    else if (!named.has(name)) {
      unexpected++;
      console.error(`differs, but is missing in docs/differences.md: ${name}`);
    }
  }
}

try {
  for (const file of ['exchanges.json', 'random.json']) await replay(file);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${agreed} of ${compared} recorded exchanges agree; ${unexpected} differ unexpectedly`);
process.exit(unexpected || !compared ? 1 : 0);
