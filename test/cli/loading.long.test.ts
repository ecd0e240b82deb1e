import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'calendar-loading-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Writes the address of every module that is loaded to file descriptor 3, which stands for a file here.
writeFileSync(
  join(folder, 'hooks.mjs'),
  `import { appendFileSync } from 'node:fs';
   export async function load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context); }`,
);
writeFileSync(join(folder, 'register.mjs'), `import { register } from 'node:module'; register('./hooks.mjs', import.meta.url);`);

/** The packages that a command loads. */
async function loaded(...args: string[]): Promise<string[]> {
  const list = join(folder, 'loaded');
  writeFileSync(list, '');
  const imports = ['--import', 'tsx', '--import', join(folder, 'register.mjs')];
  try {
    execFileSync(process.execPath, [...imports, resolve('bin/calendar.ts'), ...args], {
      env: { ...process.env, LOADED: list },
      stdio: 'pipe',
    });
  } catch {
    // What the command makes of its arguments does not matter here.
  }
  const { readFileSync } = await import('node:fs');
  const urls = readFileSync(list, 'utf8').split('\n');
  return [...new Set(urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []))].sort();
}

it.each([
  [['--version'], []],
  [['--help'], ['commander', 'entities', 'fastest-levenshtein']],
  [
    ['help', 'exit-codes'],
    ['commander', 'entities', 'fastest-levenshtein'],
  ],
])('%s loads nothing but %s', async (args, packages) => {
  expect(await loaded(...args)).toEqual(packages);
});

it.each([
  [
    ['events', 'list', '--help'],
    ['sql.js', 'undici', 'ink', 'react', 'zod', 'string-width'],
  ],
  [
    ['events', 'list', '--db', join(folder, 'x.db')],
    ['undici', 'ink', 'react', 'zod', 'string-width'],
  ],
  [
    ['events', 'list', '--url', 'http://127.0.0.1:9', '--timeout', '1'],
    ['sql.js', 'ink', 'react'],
  ],
  [
    ['completion', 'bash'],
    ['sql.js', 'undici', 'ink', 'react', 'zod'],
  ],
])('%s does not load %s', async (args, unwanted) => {
  const packages = await loaded(...args);
  expect(packages).toContain('commander');
  expect(packages.filter((name) => unwanted.includes(name))).toEqual([]);
});
