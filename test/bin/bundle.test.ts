import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { emptyCalendar } from '../../src/store/empty-calendar.ts';

const bundle = resolve('dist/calendar.js');
const folder = mkdtempSync(join(tmpdir(), 'calendar-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const version = (file: string) => execFileSync(process.execPath, [file, '--version'], { cwd: folder, encoding: 'utf8' });

it.each(['', '{ "type": "commonjs" }', '{ "type": "module" }'])('runs alone beside the package.json %s', (content) => {
  copyFileSync(bundle, join(folder, 'calendar.js'));
  rmSync(join(folder, 'package.json'), { force: true });
  if (content) writeFileSync(join(folder, 'package.json'), content);
  expect(version('calendar.js')).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(version('./calendar')).toBe(version('calendar.js'));
});

it('runs through a link', () => {
  symlinkSync(bundle, join(folder, 'linked'));
  expect(version(join(folder, 'linked'))).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it.skipIf(process.platform === 'win32')('says it when the folder that it is run in is gone', () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
  const run = (...args: string[]) => spawnSync('sh', ['-c', script, process.execPath, bundle, ...args], { cwd: folder, encoding: 'utf8' });
  expect(run('events', 'list')).toMatchObject({
    status: 3,
    stdout: '',
    stderr: 'calendar: cannot find the folder that this is run in: there is no such file or folder\n',
  });
  expect(run('--version').status).toBe(0);
});

it('holds the empty calendar that the sources make', async () => {
  const { createCalendar } = createRequire(import.meta.url)(resolve('dist/index.cjs')) as typeof import('../../bin/library.ts');
  const calendar = await createCalendar();
  try {
    await calendar.snapshots.save('new');
    expect(Buffer.from(await calendar.snapshots.file('new')).equals(await emptyCalendar())).toBe(true);
  } finally {
    await calendar.close();
  }
});

describe('the stack of a failure', () => {
  /** What `-v` says of a mistake in the program: here a clock that fails. */
  function stackOf(file: string): string {
    const broken = join(folder, 'broken.cjs');
    writeFileSync(broken, "Date.now = () => { throw new TypeError('no clock'); };");
    const db = join(folder, `${basename(file)}.db`);
    execFileSync(process.execPath, [bundle, 'tags', 'create', '--db', db, '--name', 'outdoors', '--quiet']);
    const args = ['--require', broken, file, '-v', 'events', 'list', '--db', db];
    const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status).toBe(1);
    return stderr;
  }

  it('names files and lines of the sources', () => {
    const stack = stackOf(bundle);
    const places = [...stack.matchAll(/^ {4}at (src\/[\w/.-]+\.tsx?):\d+:\d+$/gm)].map(([, file]) => file!);
    expect(stack).toContain('TypeError: no clock\n    at Date.now (');
    expect(places).not.toEqual([]);
    expect(places.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('names parts of the bundle where the file of source maps is missing', () => {
    copyFileSync(bundle, join(folder, 'alone.js'));
    expect(stackOf(join(folder, 'alone.js'))).toMatch(
      /TypeError: no clock\n {4}at Date\.now .*\n(?: {4}at .*\.\/[\w-]+\.js:\d+:\d+\)?\n)+/,
    );
  });
});
