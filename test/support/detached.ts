import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterAll, afterEach, expect } from 'vitest';
import { program } from './program.ts';
import { runMark } from './run-mark.ts';
import { folder } from './transcript.ts';

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Runs commands in a separate folder, some of which start servers that are ended after each test. */
export function detached(more: Record<string, string> = {}) {
  const place = folder();
  const started: { pid: number; log: string | null }[] = [];
  afterEach(() => {
    for (const { pid, log } of started.splice(0)) {
      if (isRunning(pid)) process.kill(pid, 'SIGKILL');
      if (log) rmSync(log, { force: true });
    }
  });
  afterAll(place.remove);

  /** Runs a command to its end and that of its pipes, as `$(…)` of a shell does. */
  const calendar = (line: string, stderr?: number) => {
    const env = { ...runMark, PATH: process.env.PATH, HOME: place.path, ...more };
    const stdio = ['ignore', 'pipe', stderr ?? 'pipe'] as const;
    const done = spawnSync(process.execPath, [...program, ...line.split(' ')], {
      cwd: place.path,
      env,
      stdio: [...stdio],
      encoding: 'utf8',
    });
    return { exit: done.status, stdout: done.stdout, stderr: done.stderr };
  };

  const detach = (options: string, stderr?: number) => {
    const done = calendar(`serve --port 0 --detach --json ${options}`, stderr);
    expect(done).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^\{.*\}\n$/) });
    const served = JSON.parse(done.stdout) as { url: string; port: number; pid: number; file: string | null; log: string | null };
    started.push(served);
    return { ...served, stderr: done.stderr };
  };
  return { path: place.path, started, calendar, detach };
}
