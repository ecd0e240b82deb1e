import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { npm } from '../../build/runtime.ts';
import { project } from '../support/packed.ts';

/** The packages that any of the examples depends on, with their versions, besides this one. */
const { [project.name]: _, ...dependencies }: Record<string, string> = Object.assign(
  {},
  ...['examples', 'test/examples']
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name, 'package.json')))
    .filter((path) => existsSync(path))
    .map((path) => JSON.parse(readFileSync(path, 'utf8')))
    .flatMap((example) => [example.dependencies, example.devDependencies]),
);
const list = JSON.stringify({ private: true, dependencies });
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'calendar-examples');
const home = join(cache, createHash('sha256').update(list).digest('hex').slice(0, 16));

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Creates a file for as long as the work takes, which others wait for. */
async function alone(lock: string, work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch {
      if (existsSync(lock) && !isRunning(Number(readFileSync(lock, 'utf8')))) rmSync(lock, { force: true });
      await sleep(100);
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock);
  }
}

/** Installs the packages of all examples once per machine. Returns a folder for projects that import them, or undefined without a registry. */
export async function installPackages(): Promise<string | undefined> {
  mkdirSync(cache, { recursive: true });
  await alone(`${home}.lock`, async () => {
    if (existsSync(home)) return;
    const making = mkdtempSync(join(cache, '.making-'));
    try {
      writeFileSync(join(making, 'package.json'), list);
      await npm(making, ['install', '--ignore-scripts']);
      renameSync(making, home);
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      // Without a registry, its packages are not available; with one, they must be.
      await npm(cache, ['view', 'typescript', 'version']).then(
        () => Promise.reject(error),
        () => {},
      );
    }
  });
  return existsSync(home) ? home : undefined;
}
