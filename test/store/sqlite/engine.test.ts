import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { compileSqlite, loadSqlite } from '../../../src/store/sqlite/engine.ts';
import { Sqlite } from '../../../src/store/sqlite/sqlite.ts';

it('other work is done while SQLite is compiled, and not after it', async () => {
  let turns = 0;
  compileSqlite(true, () => {
    turns += 1;
    return true;
  });
  const engine = await loadSqlite();
  expect(new Sqlite(engine, undefined, {}).rows('select 1', [])).toEqual([{ 1: 1 }]);
  const whileCompiling = turns;
  expect(whileCompiling).toBeGreaterThan(0);
  await sleep(50);
  expect(turns).toBe(whileCompiling);
});
