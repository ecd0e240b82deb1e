/**
 * Builds standalone/calendar from the bundle: an executable for this system and processor that doesn't need Node. `npm run standalone`
 * It contains Node and is as large. Needs Node 25.5 or newer, which is installed from npm if necessary.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runtime } from '../build/runtime.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const windows = process.platform === 'win32';

/**
 * Writes the executable into a folder and returns its path. Requires `npm run build`, and a Node with `--build-sea`.
 */
export async function standalone(folder: string, node: string): Promise<string> {
  const made = resolve(folder, windows ? 'calendar.exe' : 'calendar');
  const work = mkdtempSync(join(tmpdir(), 'calendar-standalone-'));
  try {
    const config = join(work, 'sea.json');
    writeFileSync(config, JSON.stringify({ main: join(root, 'dist/calendar.js'), output: made, disableExperimentalSEAWarning: true }));
    mkdirSync(folder, { recursive: true });
    execFileSync(node, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'], shell: windows });
    // macOS doesn't run a program with an invalid signature.
    if (process.platform === 'darwin') execFileSync('codesign', ['--sign', '-', '--force', made]);
    return made;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** A Node that is new enough: this one, or one from npm. */
export async function nodeThatBuilds(timeout = 600_000): Promise<string> {
  const isNew = execFileSync(process.execPath, ['--help'], { encoding: 'utf8' }).includes('--build-sea');
  return isNew ? process.execPath : runtime('node@26', timeout);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const made = await standalone(join(root, 'standalone'), await nodeThatBuilds());
  console.log(`${made}: ${(statSync(made).size / 1e6).toFixed(0)} MB`);
}
