import { runtime } from '../../build/runtime.ts';
import { isComplete } from './other-programs.ts';
import { limit } from './timeouts.ts';

/** JavaScript runtimes, each a package of the registry. */
export interface Runtime {
  /** The package and its version, as npm takes it: `node@22`. */
  name: string;
  kind: 'node' | 'bun' | 'deno';
  /** Arguments before the script. */
  before: string[];
  /** Arguments before a file of tests. */
  test: string[];
}

/** The supported versions of Node: all of them in a complete run, otherwise the oldest and the newest. */
const versions = isComplete ? [20, 22, 24, 26] : [20, 26];

/** All that the package is made for. */
export const runtimes: readonly Runtime[] = [
  ...versions.map((version) => ({ name: `node@${version}`, kind: 'node' as const, before: [], test: ['--test'] })),
  { name: 'bun@1', kind: 'bun', before: [], test: ['test'] },
  { name: 'deno@2', kind: 'deno', before: ['run', '--allow-all'], test: ['test', '--allow-all', '--no-check'] },
];

/** The path of a runtime's program. Says why it cannot be had where it cannot, so that tests can say why they are skipped. */
export const programOf = (name: string): Promise<{ program: string } | { missing: string }> =>
  runtime(name, limit(60_000)).then(
    (program) => ({ program }),
    (error: Error) => ({
      missing: `${name} cannot be installed: ${error.message.split('\n').find((line) => line.includes('error')) ?? error.message}`,
    }),
  );
