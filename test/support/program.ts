import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const built = resolve('dist/calendar.js');

/** When a file was written, or what was written last in a folder; in milliseconds, 0 where there is nothing. */
function writtenAt(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
  return Math.max(...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(path, name)).mtimeMs));
}

const sources = ['src', 'bin', 'build', 'fixtures', 'build.ts', 'package.json'];
const isCurrent = (path: string, ...others: string[]) => writtenAt(path) > Math.max(...[...sources, ...others].map(writtenAt));

const maxAgeMs = 24 * 3_600_000;

/**
 * Compiles a program with the sources that it uses into files that node runs, unless it was compiled since they were changed. Dynamic imports stay, so that it
 * starts quickly. Returns the path of the file to run. `path` is relative to the folder of the tests.
 */
export function compiled(path: string): string {
  // Below the project, where it finds packages.
  const folder = resolve('node_modules/.cache/calendar-tests');
  const file = join(folder, `${basename(path, '.ts')}.mjs`);
  if (isCurrent(file, 'test/crash', 'test/support')) return file;
  const { outputFiles } = buildSync({
    entryPoints: [resolve('test', path)],
    bundle: true,
    splitting: true,
    write: false,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
  });
  mkdirSync(folder, { recursive: true });
  // Parts that an earlier version consisted of; tests that run now may use younger ones.
  for (const name of readdirSync(folder))
    if (Date.now() - writtenAt(join(folder, name)) > maxAgeMs) rmSync(join(folder, name), { force: true });
  // The file to run comes last, and each as a whole at once: others may compile the same, or run it.
  for (const { path, contents } of outputFiles.sort((a, b) => Number(a.path === file) - Number(b.path === file))) {
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
  return file;
}

const bundle = process.env.CALENDAR_BUNDLE ? resolve(process.env.CALENDAR_BUNDLE) : isCurrent(built) ? built : undefined;

/**
 * The arguments of node that run the command line in a separate process: the bundle that CALENDAR_BUNDLE names; without it the one in dist, which
 * starts fastest, unless the sources were changed since it was built; then the compiled sources.
 */
export const program: readonly string[] = [bundle ?? compiled('../bin/calendar.ts')];
