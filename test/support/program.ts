import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const built = resolve('dist/calendar.js');
const loader = resolve('node_modules/tsx/dist/loader.mjs');

/** When a file was written, or what was written last in a folder; in milliseconds, 0 where there is nothing. */
function writtenAt(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  return Math.max(...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(path, name)).mtimeMs));
}

const sources = ['src', 'bin', 'build', 'fixtures', 'build.ts', 'package.json'];
const isBuilt = () => writtenAt(built) > Math.max(...sources.map(writtenAt));

const bundle = process.env.CALENDAR_BUNDLE ? resolve(process.env.CALENDAR_BUNDLE) : isBuilt() ? built : undefined;

/**
 * The arguments of node that run the command line in a separate process: the bundle that CALENDAR_BUNDLE names; without it the one in dist, which
 * starts much faster than the sources, unless they were changed since it was built; then the sources.
 */
export const program: readonly string[] = bundle ? [bundle] : ['--import', loader, resolve('bin/calendar.ts')];

/** Compiles a program of the tests, with the sources that it uses, into one file that node runs. Gives its path. */
export function compiled(path: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [resolve('test', path)],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
  });
  // Below the project, where it finds packages.
  const folder = resolve('node_modules/.cache/calendar-tests');
  const file = join(folder, `${basename(path, '.ts')}.mjs`);
  mkdirSync(folder, { recursive: true });
  // As a whole at once: others may compile the same, or run it.
  writeFileSync(`${file}.${process.pid}`, outputFiles[0]!.contents);
  renameSync(`${file}.${process.pid}`, file);
  return file;
}
