import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { npm } from './packed.ts';
import { limit } from './timeouts.ts';

/** What runs JavaScript: a package of the registry that brings the program. */
export interface Runtime {
  /** The package and its version, as npm takes it: `node@22`. */
  name: string;
  kind: 'node' | 'bun' | 'deno';
  /** What comes between the program and a script. */
  before: string[];
}

/** All that the package is made for. */
export const runtimes: readonly Runtime[] = [
  ...[20, 22, 24, 26].map((version) => ({ name: `node@${version}`, kind: 'node' as const, before: [] })),
  { name: 'bun@1', kind: 'bun', before: [] },
  { name: 'deno@2', kind: 'deno', before: ['run', '--allow-all'] },
];

/** Where runtimes stay from one run of the tests to the next. */
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'calendar-test-runtimes');

/** The path of a runtime's program, installed where it is not there yet. Says why it cannot be had where it cannot. */
export async function programOf({ name, kind }: Pick<Runtime, 'name' | 'kind'>): Promise<{ program: string } | { missing: string }> {
  const home = join(cache, name);
  const at = (folder: string) => join(folder, 'node_modules', '.bin', process.platform === 'win32' ? `${kind}.cmd` : kind);
  if (!existsSync(home)) {
    mkdirSync(cache, { recursive: true });
    const making = mkdtempSync(join(cache, '.making-'));
    try {
      await Promise.race([npm(making, 'install', '--prefix', making, name), tooLong()]);
      execFileSync(at(making), ['--version']);
      renameSync(making, home);
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      // Somebody else may have been quicker.
      if (!existsSync(home)) return { missing: `${name} cannot be installed: ${(error as Error).message.split('\n')[0]}` };
    }
  }
  return { program: at(home) };
}

const tooLong = () => new Promise<never>((_, fail) => setTimeout(() => fail(new Error('it takes too long')), limit(60_000)).unref());
