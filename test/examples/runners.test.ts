import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { npm } from '../../build/runtime.ts';
import { chromiumPath } from '../support/browser.ts';
import { pack } from '../support/packed.ts';
import { limit } from '../support/timeouts.ts';

const folder = mkdtempSync(join(tmpdir(), 'calendar-runners-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let tarball: string;
beforeAll(async () => {
  ({ tarball } = await pack(folder));
}, limit(60_000));

/** True if npm can install packages, from its cache or a registry. */
const isOnline = () =>
  npm(folder, ['view', 'typescript', 'version']).then(
    () => true,
    () => false,
  );

/** Runs `npm` with a script; what it wrote, of both streams. Fails with that where it fails. */
async function run(cwd: string, ...args: string[]): Promise<string> {
  // What the tests around set is not for those inside.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_TEST|JEST|TEST$|npm_)/.test(name)),
  );
  const { stdout, stderr } = await promisify(execFile)('npm', args, {
    cwd,
    env: { ...env, NO_COLOR: '1', CI: '1', ...(chromiumPath ? { CHROMIUM: chromiumPath } : {}) },
    maxBuffer: 16 << 20,
  }).catch((error) => {
    throw new Error(`npm ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
  return stdout + stderr;
}

it.for([
  { name: 'node-test', args: [], said: [/pass 10\n/, /fail 0\n/] },
  { name: 'vitest', args: [], said: [/Tests\s+3 passed/] },
  { name: 'jest', args: [], said: [/Tests:\s+4 passed, 4 total/] },
  { name: 'playwright', args: chromiumPath ? [] : ['--', '-g', 'asks over HTTP'], said: [chromiumPath ? /3 passed/ : /2 passed/] },
])(
  'the tests of examples/$name compile strictly and pass with the package as it is installed',
  { timeout: limit(180_000) },
  async (example, { skip }) => {
    skip(!(await isOnline()), 'needs a registry of packages');
    const home = join(folder, example.name);
    const isMade = (path: string) => /node_modules|[/\\]out([/\\]|$)|test-results/.test(path.slice(resolve('examples').length));
    cpSync(resolve('examples', example.name), home, { recursive: true, filter: (path) => !isMade(path) });
    await run(home, 'install', '--no-audit', '--no-fund', '--ignore-scripts', tarball);
    const said = await run(home, 'test', ...example.args);
    for (const each of example.said) expect(said).toMatch(each);
  },
);
