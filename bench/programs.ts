import { type ChildProcess, fork, spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fetched, type Prepared } from './bare.ts';
import { now } from './data.ts';
import type { Outcome, Task } from './load.ts';

/** A measured server. */
export interface Server {
  port: number;
  pid: number;
  stop(): Promise<void>;
}

const here = (file: string) => new URL(file, import.meta.url).pathname;
const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => (child.exitCode === null ? child.once('exit', () => resolve()) : resolve()));
const withTsx = { execArgv: ['--import', 'tsx'] };

async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await ended(child);
}

/** Starts the bundle with a file and full durability, and logs requests to `log` if given. Resolves when it listens. */
export async function calendar(file: string, log?: string): Promise<Server> {
  const args = [here('../dist/calendar.js'), '--db', file, '--now', now, 'serve', '--port', '0', '--json', ...(log ? [] : ['--quiet'])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', log ? openSync(log, 'w') : 'inherit'] });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`calendar serve ended with ${code}`)));
    child.stdout!.once('data', (line: Buffer) => resolve(JSON.parse(line.toString()).port));
  });
  return { port, pid: child.pid!, stop: () => stopped(child) };
}

/** Starts the bare server. */
export async function bare(prepared: Prepared): Promise<Server> {
  const child = fork(here('bare.ts'), withTsx);
  child.send(prepared);
  const port = await new Promise<number>((resolve) => child.once('message', (port) => resolve(port as number)));
  return { port, pid: child.pid!, stop: () => stopped(child) };
}

const jsonServerBin = here('.cache/node_modules/json-server/lib/cli/bin.js');

/** Starts json-server with the same records; undefined if it isn't installed. */
export async function jsonServer(file: string): Promise<Server | undefined> {
  if (!existsSync(jsonServerBin)) return undefined;
  const port = await freePort();
  const child = spawn(process.execPath, [jsonServerBin, '--quiet', '--port', String(port), file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
    if (await answers(port)) return { port, pid: child.pid!, stop: () => stopped(child) };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stopped(child);
  return undefined;
}

/** The measured version of json-server. */
export const jsonServerVersion = (): string | undefined =>
  existsSync(jsonServerBin)
    ? (JSON.parse(readFileSync(here('.cache/node_modules/json-server/package.json'), 'utf8')) as { version: string }).version
    : undefined;

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
const answers = (port: number) =>
  fetched(port, '/tags').then(
    ({ status }) => status === 200,
    () => false,
  );

/** Starts the load generator. */
export class Load {
  readonly #child = fork(here('load.ts'), withTsx);

  run(task: Task): Promise<Outcome> {
    this.#child.send(task);
    return new Promise((resolve, reject) =>
      this.#child.once('message', (outcome) => {
        const { error } = outcome as { error?: string };
        if (error) reject(new Error(error));
        else resolve(outcome as Outcome);
      }),
    );
  }

  stop(): Promise<void> {
    return stopped(this.#child);
  }
}

/** Returns the resident memory of a process in bytes. */
export const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) * 1024;

/** Returns the run time of a program in ms. Throws if it fails. */
export async function timeOf([command, ...args]: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(command!, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  await ended(child);
  if (child.exitCode !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${child.exitCode}`);
  return performance.now() - start;
}
