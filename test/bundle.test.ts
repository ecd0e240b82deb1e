import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

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
