import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { nodeThatBuilds, standalone } from '../../scripts/standalone.ts';
import { project } from '../support/packed.ts';
import { runMark } from '../support/run-mark.ts';
import { limit } from '../support/timeouts.ts';

const home = mkdtempSync(join(tmpdir(), 'calendar-standalone-test-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const folder = join(home, 'empty');
/** Nothing can be found on this path: no node, no shell. */
const env = { ...runMark, HOME: folder, PATH: join(home, 'nothing'), TZ: 'UTC', NO_COLOR: '1' };
let program: string;
let missing: string | undefined;

beforeAll(async () => {
  const node = await nodeThatBuilds(limit(60_000)).catch((error: Error) => {
    missing = `Node 26 cannot be installed: ${error.message.split('\n')[0]}`;
  });
  mkdirSync(folder);
  if (node) program = await standalone(join(home, 'made'), node);
}, limit(120_000));

describe('the executable, without node on the path', { timeout: limit(60_000) }, () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  const run = async (...args: string[]) => (await promisify(execFile)(program, args, { cwd: folder, env })).stdout;

  it('there is no node', () => {
    expect(() => execFileSync('node', ['--version'], { env })).toThrow('ENOENT');
    expect(readdirSync(join(home, 'made'))).toHaveLength(1);
  });

  it('prints its version and help', async () => {
    expect(await run('--version')).toBe(`${project.version}\n`);
    expect(await run('help', 'events', 'list')).toContain('--starts-after');
  });

  it('accepts its options, even those that node has too', async () => {
    expect(await run('-v', 'events', 'list', '--help')).toContain('calendar events list');
    await expect(run('--eval', '1')).rejects.toThrow('Unknown option --eval');
  });

  it('keeps Database file of the calendar (default calendar.db)', async () => {
    await run('seed', 'demo', '--db', 'demo.db');
    expect(Number(await run('events', 'list', '--db', 'demo.db', '--format', 'count'))).toBeGreaterThan(5);
    expect(await run('db', 'check', '--db', 'demo.db')).toContain('no damage found');
  });

  it('serves API and page, sends requests, and ends at a signal', async () => {
    const server = spawn(program, ['serve', '--memory', '--seed', 'demo', '--port', '0', '--json', '--quiet'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      const died = ended.then(([code]) => {
        throw new Error(`the server ended with ${code}`);
      });
      const [line] = (await Promise.race([once(createInterface(server.stdout), 'line'), died])) as [string];
      const { url } = JSON.parse(line);
      const page = await fetch(new URL('/', url), { headers: { accept: 'text/html' } });
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')]);
      expect(await run('events', 'list', '--url', url, '--limit', '1', '--format', 'ids')).toMatch(/^\d+\n$/);
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });

  it('runs a command with a separate server, such as the program', async () => {
    expect(await run('exec', '--seed', 'minimal', '--', program, 'events', 'list', '--format', 'count')).toMatch(/^1$/m);
  });
});
