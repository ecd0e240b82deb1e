import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limit } from './support/timeouts.ts';

const bundle = resolve('dist/calendar.js');
const blocks = [...readFileSync('README.md', 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block!);
const folder = mkdtempSync(join(tmpdir(), 'readme-'));
let server: ReturnType<typeof spawn>;
let port: number;

/** The demo as the first block starts it, on a free port in place of the usual one, and `calendar` on the path. */
beforeAll(async () => {
  if (!existsSync(bundle)) throw new Error('run npm run build first: the commands of the README run the bundle');
  writeFileSync(join(folder, 'calendar'), `#!/bin/sh\nexec "${process.execPath}" "${bundle}" "$@"\n`);
  chmodSync(join(folder, 'calendar'), 0o755);
  server = spawn(process.execPath, [bundle, 'serve', '--db', 'demo.db', '--seed', 'demo', '--port', '0', '--json', '--quiet'], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const line = await new Promise<string>((resolve) => createInterface(server.stdout!).once('line', resolve));
  port = JSON.parse(line).port;
}, limit(30_000));
afterAll(() => {
  server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

it('starts with the two commands that do all set-up', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(blocks[0]!.split('\n').map((line) => line.split('#')[0]!.trim())).toEqual([
    'npm ci && npm run demo',
    'npm ci && npm run check',
    '',
  ]);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'check']));
});

it(
  'runs every command as written, one after the other',
  async () => {
    // Each must succeed; an answer that is a failure makes curl fail too.
    const script = ['set -e', 'curl() { command curl -sS --fail "$@"; }', ...blocks.slice(1)].join('\n').replaceAll('8787', String(port));
    const env = { ...process.env, HOME: folder, PATH: `${folder}:${process.env.PATH}`, CI: '' };
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder, env, maxBuffer: 64 << 20 });
    expect(stdout).toContain('"openapi":"3.0.0"');
    expect(stdout).toContain('BEGIN:VCALENDAR');
    expect(stdout).toContain('Exit codes');
  },
  limit(120_000),
);
