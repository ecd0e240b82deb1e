import { expect, it } from 'vitest';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();
/** The folder with the program and the compiler, installed once. */
let home: Promise<string> | undefined;

it.for([
  { module: 'nodenext', resolution: 'nodenext' },
  { module: 'node16', resolution: 'node16' },
  { module: 'esnext', resolution: 'bundler' },
])('TypeScript 5 types declared fields that a project adds, with $resolution', { timeout: limit(60_000) }, async (given, { skip }) => {
  skip(!(await examples.isOnline()), 'needs a registry of packages');
  home ??= examples.install('test/examples/types');
  const modules = ['--module', given.module, '--moduleResolution', given.resolution, '--target', 'es2022', '--lib', 'es2023,dom'];
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', ...modules];
  expect(await examples.run(await home, 'exec', '--', 'tsc', ...options, 'declared.ts')).not.toContain('error');
});
