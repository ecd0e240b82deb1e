import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { program } from '../crash/served.ts';

/** What a command said, and its exit code. */
export interface Said {
  stdout: string;
  stderr: string;
  exit: number | null;
}

/** Runs `calendar ARGS` in a process of its own. */
export async function command(...args: string[]): Promise<Said> {
  const child = spawn(process.execPath, [...program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise<number | null>((done) => child.on('close', done));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr, exit: await closed };
}
