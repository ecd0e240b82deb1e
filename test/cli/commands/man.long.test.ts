import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { commands } from '../../../src/cli/registry.ts';
import { missing } from '../../support/other-programs.ts';
import { folder, run } from '../../support/transcript.ts';

const place = folder();
afterAll(place.remove);
const print = async (...args: string[]) => {
  const { stdout, stderr, exit } = await run(args, { cwd: place.path });
  expect([args, exit, stderr]).toEqual([args, 0, '']);
  return stdout;
};
const shown = commands.filter(({ hidden }) => !hidden);

/** Without what makes letters bold or underlined. */
const plainly = ['-P-c', '-P-b', '-P-u'];
it('writes a page for the program and for each command of the first level, which groff reads without a warning', async ({ skip }) => {
  await print('man', '--output', 'made/man1');
  const made = readdirSync(join(place.path, 'made/man1')).sort();
  expect(made).toEqual(['calendar.1', ...shown.map(({ name }) => `calendar-${name}.1`)].sort());
  skip(missing('groff') !== undefined, missing('groff'));
  for (const file of made) {
    const page = join(place.path, 'made/man1', file);
    const { stdout, stderr, status } = spawnSync('groff', ['-man', '-Tutf8', '-Kutf8', '-ww', ...plainly, page], { encoding: 'utf8' });
    // Lines of examples may be longer than the page.
    expect([file, status, stderr.split('\n').filter((line) => line && !line.includes("can't break line"))]).toEqual([file, 0, []]);
    expect(stdout).toContain('SEE ALSO');
  }
});

it('shows examples as they are written', async ({ skip }) => {
  skip(missing('groff') !== undefined, missing('groff'));
  const roff = await print('man', 'events', 'get');
  const { stdout } = spawnSync('groff', ['-man', '-Tascii', ...plainly], { input: roff, encoding: 'utf8' });
  expect(stdout).toContain("calendar events get 12 13 --template '{{title}}\\t{{start_date}}'");
});

it('is read in man on a terminal, and as help where there is no man', async () => {
  const said = join(place.path, 'said');
  writeFileSync(join(place.path, 'man'), `#!/bin/sh\nhead -n 1 "$1" > '${said}'\n`);
  chmodSync(join(place.path, 'man'), 0o755);
  const paged = await run(['man', 'db'], { cwd: place.path, columns: 80, env: { PATH: `${place.path}:${process.env.PATH}` } });
  expect(paged).toEqual({ stdout: '', stderr: '', exit: 0 });
  expect(readFileSync(said, 'utf8')).toContain('.TH "CALENDAR\\-DB" "1"');
  const without = await run(['man', 'db'], { cwd: place.path, columns: 80, env: { PATH: join(place.path, 'made') } });
  expect(without).toMatchObject({ stderr: '', exit: 0, stdout: expect.stringContaining('calendar db [options] [command]') });
});

it('names an unknown command', async () => {
  expect(await run(['man', 'evnts'], { cwd: place.path })).toMatchObject({
    stdout: '',
    exit: 2,
    stderr: expect.stringContaining('Did you mean events?'),
  });
});
