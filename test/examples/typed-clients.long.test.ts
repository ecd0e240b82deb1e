import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, served } from '../support/served.ts';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();
let server: Served;
let document: string;
beforeAll(async () => {
  server = await served();
  document = await (await fetch(`${server.url}/openapi.json`)).text();
});
afterAll(() => server.close());

/** Runs a program and returns its output. Throws an error with it if the program fails. */
async function run(cwd: string, program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd }).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}

describe.each(['openapi-fetch', 'hey-api'])('the example of %s', { timeout: limit(120_000) }, (name) => {
  it('is generated, compiles strictly, and lists, creates, updates, reads failures and deletes', async ({ skip }) => {
    skip(!examples.hasPackages(), 'needs a registry of packages');
    const home = examples.copy(`examples/${name}`);
    writeFileSync(join(home, 'openapi.json'), document);
    await examples.run(home, 'run', 'generate');
    await examples.run(home, 'run', 'types');
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
