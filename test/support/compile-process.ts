/* Compiles SQLite in a separate process, because it is done once per process and changes settings of node. Prints the turns of the event loop while it was compiled and 50 ms later. */
import { setTimeout as sleep } from 'node:timers/promises';
import { compileSqlite, loadSqlite } from '../../src/store/sqlite/engine.ts';
import { Sqlite } from '../../src/store/sqlite/sqlite.ts';

let turns = 0;
compileSqlite(() => {
  turns += 1;
  return true;
});
const rows = new Sqlite(await loadSqlite(), undefined, {}).rows('select 1', []);
const whileCompiling = turns;
await sleep(50);
process.stdout.write(JSON.stringify({ rows, whileCompiling, later: turns }));
