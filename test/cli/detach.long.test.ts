import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { acquire } from '../../src/store/file/lock.ts';
import { detached } from '../support/detached.ts';
import { programsOf } from '../support/nothing-left.ts';
import { limit } from '../support/timeouts.ts';

const { path, calendar, detach, started } = detached();

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
    const log = join(path, 'server.log');
    const { exit, stdout } = calendar('serve --memory --port 0 --detach', openSync(log, 'w'));
    const [, pid] = /process (\d+)\. /.exec(readFileSync(log, 'utf8'))!;
    started.push({ pid: Number(pid), log: null });
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringMatching(/^http:\S+\/v1\n$/) });
    expect(calendar(`stop ${stdout.trim()}`).exit).toBe(0);
  });

  it.runIf(process.platform === 'linux')('counts as left behind by the run that started it, and by no other', () => {
    const { pid } = detach('--memory');
    const pids = (run: string) => programsOf(run).map((line) => Number.parseInt(line, 10));
    expect(pids(process.env.RUN_OF_CALENDAR_TESTS!)).toContain(pid);
    expect(pids('another')).toEqual([]);
  });

  it('returns when the first pull is complete', async () => {
    const site = detach('--memory --seed demo');
    const copy = detach(`--db copy.db --pull ${site.url}`);
    const totals = await Promise.all(
      [site, copy].map(async ({ url }) => ((await (await fetch(`${url}/events`)).json()) as { total: number }).total),
    );
    expect(totals[1]).toBe(totals[0]);
    expect(calendar(`serve --detach --port 0 --db empty.db --pull http://127.0.0.1:1`)).toMatchObject({ exit: 5, stdout: '' });
    expect(existsSync(join(path, 'empty.db'))).toBe(false);
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
    const lock = await acquire(join(path, 'used.db'), 0);
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
