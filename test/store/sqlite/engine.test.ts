import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { compiled } from '../../support/program.ts';

it('SQLite can be compiled in the background', () => {
  const rows = execFileSync(process.execPath, [compiled('support/compile-process.ts')], { encoding: 'utf8' });
  expect(JSON.parse(rows)).toEqual([{ 1: 1 }]);
});
