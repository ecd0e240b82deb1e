import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { compiled } from '../../support/program.ts';

it('other work is done while SQLite is compiled, and not after it', () => {
  const { rows, whileCompiling, later } = JSON.parse(
    execFileSync(process.execPath, [compiled('support/compile-process.ts')], { encoding: 'utf8' }),
  );
  expect(rows).toEqual([{ 1: 1 }]);
  expect(whileCompiling).toBeGreaterThan(0);
  expect(later).toBe(whileCompiling);
});
