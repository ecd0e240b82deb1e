import { expect, it } from 'vitest';
import { limit } from '../support/timeouts.ts';
import { createExamples } from './example.ts';

const examples = createExamples();
/** The folder with the program and the compiler, installed once. */
let home: string | undefined;

it.for([
  { module: 'nodenext', resolution: 'nodenext', skips: [] },
  { module: 'esnext', resolution: 'bundler', skips: ['--skipLibCheck'] },
])('TypeScript 5 types declared fields that a project adds, with $resolution', { timeout: limit(60_000) }, async (given, { skip }) => {
  skip(!examples.hasPackages(), 'needs a registry of packages');
  home ??= examples.copy('test/examples/types');
  const modules = ['--module', given.module, '--moduleResolution', given.resolution, '--target', 'es2022', '--lib', 'es2023,dom'];
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', ...modules, ...given.skips];
  expect(await examples.run(home, 'exec', '--', 'tsc', ...options, 'declared.ts')).not.toContain('error');
});
