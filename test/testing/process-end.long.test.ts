import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { limit } from '../support/timeouts.ts';

const library = JSON.stringify(join(import.meta.dirname, '../../bin/library.ts'));

/** Runs a program that uses the library. Returns what it printed; with `null` for one that is stopped after the time. */
async function run(source: string, timeout: number): Promise<{ stdout: string; isStopped: boolean }> {
  const program = `import { createCalendar, internal } from ${library};\n${source}`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const ended = promisify(execFile)(process.execPath, args, { timeout });
  return ended.then(
    ({ stdout }) => ({ stdout, isStopped: false }),
    (error) => {
      if (!error.killed) throw error;
      return { stdout: error.stdout, isStopped: true };
    },
  );
}

it.each([
  ['a calendar that is not closed', "await (await fetch((await createCalendar({ seed: 'minimal' })).url)).text();"],
  ['a world and a fork', 'const calendar = await createCalendar(); await calendar.worlds.create(); await calendar.fork();'],
  ['a calendar of tests with a port', "await internal.worldSource({ port: 0 }).open('x');"],
])('the process ends: %s', async (_name, source) => {
  const { stdout, isStopped } = await run(`${source}\nconsole.log('finished');`, limit(15_000));
  expect([stdout, isStopped]).toEqual(['finished\n', false]);
});

it('the process runs while it waits for requests or messages', async () => {
  const source = `
    const calendar = await createCalendar();
    await calendar.requests.waitFor({ path: '/tags' }, { timeout: 300 }).catch(() => console.log('waited'));
    for await (const { type } of calendar.follow({ signal: AbortSignal.timeout(100) })) console.log(type);
    setTimeout(() => calendar.tags.create({ name: 'x' }), 300).unref();
    for await (const { type } of calendar.follow({ types: ['change'] })) { console.log(type); break; }`;
  expect(await run(source, limit(15_000))).toEqual({ stdout: 'waited\nchange\n', isStopped: false });
});

it('a calendar with a port serves until it is closed', async () => {
  const source = `const calendar = await createCalendar({ port: 0 });
    setTimeout(() => { console.log('serving'); calendar.close(); }, 300).unref();`;
  expect(await run(source, limit(15_000))).toEqual({ stdout: 'serving\n', isStopped: false });
});
