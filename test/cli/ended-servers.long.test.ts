import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { detached } from '../support/detached.ts';
import { program } from '../support/program.ts';
import { runMark } from '../support/run-mark.ts';
import { limit } from '../support/timeouts.ts';
import { folder } from '../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const serving = [...program, 'serve', '--memory', '--port', '0', '--json', '--quiet', '--until-stdin-closes'];
const refused = serving.filter((word) => word !== '--json');
const env = { ...process.env, ...runMark };
const firstLine = async ({ stdout }: ChildProcess): Promise<string> => (await once(createInterface(stdout!), 'line'))[0];

describe('serve --until-stdin-closes', { timeout: limit(60_000) }, () => {
  it('ends when its stdin closes', async () => {
    const server = spawn(process.execPath, serving, { stdio: ['pipe', 'pipe', 'inherit'], env });
    const { url } = JSON.parse(await firstLine(server));
    expect((await fetch(`${url}/events`)).status).toBe(200);
    server.stdin!.write('ignored');
    server.stdin!.end();
    expect(await once(server, 'exit')).toEqual([0, null]);
  });

  it('ends with the process that started it, also after SIGKILL', async () => {
    const script = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(serving)}, { stdio: ['pipe', 'inherit', 'inherit'] }); setInterval(() => {}, 1000)`;
    const runner = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'], env });
    const { pid } = JSON.parse(await firstLine(runner));
    expect(process.kill(pid, 0)).toBe(true);
    runner.kill('SIGKILL');
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false);
  });

  it.each<[string, () => { stdio?: [number | 'ignore' | 'pipe', 'pipe', 'pipe']; input?: string }, string]>([
    ['/dev/null', () => ({ stdio: ['ignore', 'pipe', 'pipe'] }), 'a device like /dev/null'],
    ['a file', () => ({ stdio: [openFile(), 'pipe', 'pipe'] }), 'a file'],
    ['a closed pipe', () => ({ input: '' }), 'closed'],
  ])('refuses %s as stdin', (_name, options, kind) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, refused, { env, encoding: 'utf8', ...options() });
    expect([status, stdout, stderr.split('\n')[0]]).toEqual([
      2,
      '',
      `calendar: --until-stdin-closes needs a pipe as stdin, and it is ${kind}`,
    ]);
  });

  it.each(['--detach', '--seed -', '--password-stdin --pull http://127.0.0.1:1 --user ada'])('refuses %s', (options) => {
    const { status, stderr } = spawnSync(process.execPath, [...refused, ...options.split(' ')], { env, encoding: 'utf8', input: '' });
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^calendar: Use either --until-stdin-closes or --[\w-]+( -)?, not both\n/)]);
  });
});

function openFile(): number {
  writeFileSync(join(place.path, 'stdin'), '');
  const fd = openSync(join(place.path, 'stdin'), 'r');
  afterAll(() => closeSync(fd));
  return fd;
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('stop --all', { timeout: limit(60_000) }, () => {
  // Servers of other tests are in the common one.
  const temporary = mkdtempSync(join(tmpdir(), 'calendar-all-'));
  afterAll(() => rmSync(temporary, { recursive: true, force: true }));
  const { path, calendar, detach } = detached({ TMPDIR: temporary });

  it('ends the servers that --detach started in this folder and below, and with --everywhere all', () => {
    mkdirSync(join(path, 'below'));
    const inside = [detach('--memory'), detach('--db below/a.db')];
    const below = spawnSync(process.execPath, [...program, ...'serve --memory --port 0 --detach --json'.split(' ')], {
      cwd: join(path, 'below'),
      env: { ...env, TMPDIR: temporary },
      encoding: 'utf8',
    });
    const outside = spawnSync(process.execPath, [...program, ...'serve --memory --port 0 --detach --json'.split(' ')], {
      cwd: place.path,
      env: { ...env, TMPDIR: temporary },
      encoding: 'utf8',
    });
    const [lower, other] = [JSON.parse(below.stdout), JSON.parse(outside.stdout)];
    const ended = (servers: { url: string; pid: number }[]) =>
      servers.map(({ url, pid }) => `calendar: Stopped ${url} (process ${pid})`).sort();
    const lines = (text: string) => text.trim().split('\n').sort();
    const all = calendar('stop --all');
    expect([all.exit, lines(all.stderr)]).toEqual([0, ended([...inside, lower])]);
    expect(isRunning(other.pid)).toBe(true);
    expect(calendar('stop --all')).toEqual({ exit: 0, stdout: '', stderr: expect.stringContaining('No server runs in the background') });
    const everywhere = calendar('stop --all --everywhere');
    expect([everywhere.exit, lines(everywhere.stderr)]).toEqual([0, ended([other])]);
    expect(calendar('stop --all :8787')).toMatchObject({ exit: 2, stderr: expect.stringContaining('Use either --all or the address') });
  });
});
