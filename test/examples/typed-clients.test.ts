import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from '../support/served.ts';
import { limit } from '../support/timeouts.ts';

const folder = mkdtempSync(join(tmpdir(), 'calendar-clients-'));
let server: Served;
let document: string;
beforeAll(async () => {
  server = await served();
  document = await (await fetch(`${server.url}/openapi.json`)).text();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program; what it wrote. Fails with that where it fails. */
async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env: { ...process.env, NO_COLOR: '1', CI: '1' } }).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

/** True if npm can install packages, from its cache or a registry. */
const isOnline = () =>
  run(folder, 'npm', 'view', 'openapi-fetch', 'version').then(
    () => true,
    () => false,
  );

describe.each(['openapi-fetch', 'hey-api'])('the example of %s', { timeout: limit(120_000) }, (name) => {
  it('is generated, compiles strictly, and lists, creates, updates, reads failures and deletes', async ({ skip }) => {
    skip(!(await isOnline()), 'needs a registry of packages');
    const home = join(folder, name);
    cpSync(resolve('examples', name), home, { recursive: true, filter: (path) => !/node_modules|openapi\.json$/.test(path) });
    writeFileSync(join(home, 'openapi.json'), document);
    await run(home, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts');
    await run(home, 'npm', 'run', 'generate');
    await run(home, 'npm', 'run', 'types');
    const said = await run(
      home,
      resolve('node_modules/.bin/esbuild'),
      'main.ts',
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--outfile=main.mjs',
    ).then(() => run(home, process.execPath, 'main.mjs', `${server.url}/calendar/events/v1`));
    expect(said.trim().split('\n')).toEqual([
      'listed 0 of 0; the header says 0',
      'created Typed concert at Old Station, 8 or 12',
      'updated: featured is true, the title is still Typed concert',
      'sent back: Typed concert II',
      'refused: start_date',
      'deleted: trash',
      'deleted again: event-is-in-trash 410',
      'the clock stands at 2027-03-01T09:00:00.000Z',
    ]);
  });
});
