/* Compiles SQLite in a separate process, because it is done once per process and changes settings of node. */
import '../../bin/machine/here.ts';
import { compileSqlite, loadSqlite } from '../../src/store/sqlite/engine.ts';
import { Sqlite } from '../../src/store/sqlite/sqlite.ts';

compileSqlite();
const rows = new Sqlite(await loadSqlite(), undefined, {}).rows('select 1', []);
process.stdout.write(JSON.stringify(rows));
