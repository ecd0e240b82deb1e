import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../src/data/temporary.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'temporary-'));
  vi.stubEnv('TMPDIR', folder);
  vi.stubEnv('TEMP', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

it('a folder is removed with its files', async () => {
  const { path, remove } = await temporaryFolder('test');
  writeFileSync(join(path, 'data'), 'x');
  await remove();
  expect(readdirSync(folder)).toEqual([]);
});

it('a folder that is kept has another name, so that it is never taken for an abandoned one', async () => {
  const { path, keep, remove } = await temporaryFolder('test');
  writeFileSync(join(path, 'data'), 'x');
  const kept = await keep();
  await remove();
  expect(readdirSync(folder)).toEqual([basename(kept)]);
  expect(existsSync(join(kept, 'data'))).toBe(true);
  expect(basename(kept)).toMatch(/^calendar-test-kept-\w+$/);
});

it('folders of processes that were killed are removed, others stay', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['-e', '0']);
  const host = hostname().replaceAll(/[^\w.]/g, '');
  const stay = [
    `calendar-test-${host}-${process.pid}-Xa81bz`,
    `calendar-other-${host}-${dead}-Xa81bz`,
    `calendar-test-elsewhere-${dead}-Xa81bz`,
    'calendar-test-kept-Xa81bz',
  ];
  for (const name of [...stay, `calendar-test-${host}-${dead}-Xa81bz`]) mkdirSync(join(folder, name));
  const { path, remove } = await temporaryFolder('test');
  expect(readdirSync(folder).sort()).toEqual([...stay, basename(path)].sort());
  await remove();
});
