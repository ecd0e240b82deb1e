import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { defaultBudgets } from '../../../src/store/sqlite/engine.ts';
import { compiled } from '../../support/program.ts';

it('SQLite can be compiled in the background', () => {
  const rows = execFileSync(process.execPath, [compiled('support/compile-process.ts')], { encoding: 'utf8' });
  expect(JSON.parse(rows)).toEqual([{ 1: 1 }]);
});

it('SQLite is optimized late, and the flag that delays it has the default of this node again', () => {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  const [, budget] = /--wasm-tiering-budget=(\d+)/.exec(options)!;
  const [major, minor] = process.versions.v8.split('.');
  expect(defaultBudgets[`${major}.${minor}`]).toBe(Number(budget));
});
