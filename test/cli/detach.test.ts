import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { acquire } from '../../src/store/file/lock.ts';
import { program } from '../support/program.ts';
import { limit } from '../support/timeouts.ts';
import { folder } from '../support/transcript.ts';

const place = folder();
const started: { pid: number; log: string | null }[] = [];
afterEach(() => {
  for (const { pid, log } of started.splice(0)) {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    if (log) rmSync(log, { force: true });
  }
});
afterAll(place.remove);

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Runs a command to its end and that of its pipes, as `$(…)` of a shell does. */
const calendar = (line: string, stderr?: number) => {
  const env = { PATH: process.env.PATH, HOME: place.path };
  const stdio = ['ignore', 'pipe', stderr ?? 'pipe'] as const;
  const done = spawnSync(process.execPath, [...program, ...line.split(' ')], { cwd: place.path, env, stdio: [...stdio], encoding: 'utf8' });
  return { exit: done.status, stdout: done.stdout, stderr: done.stderr };
};

const detach = (options: string, stderr?: number) => {
  const done = calendar(`serve --port 0 --detach --json ${options}`, stderr);
  expect(done).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\{.*\}\n$/) });
  const served = JSON.parse(done.stdout) as { url: string; port: number; pid: number; file: string | null; log: string | null };
  started.push(served);
  return { ...served, stderr: done.stderr };
};

describe('serve --detach', { timeout: limit(60_000) }, () => {
  it('returns when the server is ready, which calendar stop ends', async () => {
    const { url, pid, log, port, stderr } = detach('--memory --seed demo');
    expect(stderr).toContain(`Runs as process ${pid}, and logs to ${log}. Stop it with calendar stop ${url}\n`);
    const { total } = (await (await fetch(`${url}/events`)).json()) as { total: number };
    expect(total).toBeGreaterThan(20);
    expect(calendar(`stop localhost:${port}`)).toEqual({ exit: 0, stdout: '', stderr: `calendar: Stopped ${url} (process ${pid})\n` });
    await expect(fetch(url)).rejects.toThrow();
    expect(readFileSync(log!, 'utf8')).toMatch(/GET \S+\/events 200/);
    expect(calendar(`stop ${url}`)).toMatchObject({ exit: 5, stdout: '', stderr: expect.stringContaining('No server is running') });
  });

  it('prints only the address on stdout, and logs to stderr if that is a file', () => {
    const log = join(place.path, 'server.log');
    const { exit, stdout } = calendar('serve --memory --port 0 --detach', openSync(log, 'w'));
    const [, pid] = /process (\d+)\. /.exec(readFileSync(log, 'utf8'))!;
    started.push({ pid: Number(pid), log: null });
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^http:\S+\/v1\n$/) });
    expect(calendar(`stop ${stdout.trim()}`).exit).toBe(0);
  });

  it('is stopped by its file, which is free then', async () => {
    const { url, file } = detach('--db city.db --seed minimal');
    expect(calendar('stop --db city.db').exit).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
    expect(existsSync(`${file}-owner`)).toBe(false);
    expect(calendar('events list --db city.db --format ids').stdout).not.toBe('');
  });

  it('returns when the first pull is complete', async () => {
    const site = detach('--memory --seed demo');
    const copy = detach(`--db copy.db --pull ${site.url}`);
    const totals = await Promise.all(
      [site, copy].map(async ({ url }) => ((await (await fetch(`${url}/events`)).json()) as { total: number }).total),
    );
    expect(totals[1]).toBe(totals[0]);
    expect(calendar(`serve --detach --port 0 --db empty.db --pull http://127.0.0.1:1`)).toMatchObject({ exit: 5, stdout: '' });
    expect(existsSync(join(place.path, 'empty.db'))).toBe(false);
  });

  it('ends as the server does that cannot start', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    expect(calendar(`serve --memory --detach --port ${port}`)).toEqual({
      exit: 6,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^calendar: .*${port}.*in use.*\n.*\n$`)),
    });
    expect(calendar('serve --detach --prot 80')).toMatchObject({ exit: 2, stdout: '' });
    taken.close();
  });
});

describe('stop', { timeout: limit(60_000) }, () => {
  it('ends no process but a calendar serve of this user', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const lock = await acquire(join(place.path, 'used.db'), 0);
    // The listener has no time to respond to a process that this one waits for.
    expect(calendar('stop --db used.db')).toMatchObject({ exit: 4, stdout: '' });
    await lock.release();
    expect(calendar(`stop :${port}`)).toMatchObject({
      exit: 4,
      stdout: '',
      stderr: expect.stringContaining('is not in use by a calendar serve of yours'),
    });
    other.close();
    expect(calendar('stop https://example.org')).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('is not on this machine'),
    });
    expect(calendar('stop --db none.db')).toMatchObject({ exit: 5, stdout: '' });
  });
});
