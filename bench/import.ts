/** Times import, generate and list commands on 10,000 events beside bare inserts of the same rows: `npm run build && npx tsx bench/import.ts [ROUNDS]`. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { join, resolve } from 'node:path';
import '../bin/machine/here.ts';
import { emptyCalendar } from '../src/store/empty-calendar.ts';
import { sqlFunctions } from '../src/store/records/where.ts';
import { loadSqlite } from '../src/store/sqlite/engine.ts';
import { type Param, Sqlite } from '../src/store/sqlite/sqlite.ts';
import { shown, spreadOf } from './figures.ts';
import { timeOf } from './programs.ts';

const rounds = Number(process.argv[2] ?? 5);
const events = 10_000;
const folder = mkdtempSync(join(os.tmpdir(), 'calendar-import-'));
const calendar = [process.execPath, resolve('dist/calendar.js')];
const at = (name: string) => join(folder, name);
const engine = await loadSqlite();

/** The rows of every table of a file, by an insert statement. */
function rowsIn(file: string): [sql: string, rows: Param[][]][] {
  const db = new Sqlite(engine, readFileSync(file), sqlFunctions);
  const tables = db.rows("select name from sqlite_schema where type = 'table' and name not in ('sequences', 'settings')", []);
  const found = tables.map(({ name }): [string, Param[][]] => {
    const rows = db.rows(`select * from ${name}`, []);
    const columns = Object.keys(rows[0] ?? { x: 0 });
    return [
      `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
      rows.map((row) => Object.values(row) as Param[]),
    ];
  });
  db.close();
  return found.filter(([, rows]) => rows.length > 0);
}

/** Inserts rows into an empty calendar in memory and exports it. Returns the time in ms. */
function insertBare(tables: [sql: string, rows: Param[][]][], empty: Uint8Array): number {
  const db = new Sqlite(engine, Uint8Array.from(empty), sqlFunctions);
  const start = performance.now();
  db.begin(0);
  db.run('pragma defer_foreign_keys = on');
  for (const [sql, rows] of tables) for (const row of rows) db.run(sql, row);
  db.commit(0);
  db.bytes();
  const took = performance.now() - start;
  db.close();
  return took;
}

try {
  await timeOf([...calendar, 'generate', '--events', String(events), '--db', at('source.db')]);
  for (const format of ['ndjson', 'ics']) await timeOf([...calendar, 'export', '--db', at('source.db'), '-o', at(`events.${format}`)]);
  const bareRows = { ndjson: [] as [string, Param[][]][], ics: [] as [string, Param[][]][] };
  const empty = await emptyCalendar();
  const took: Record<string, number[]> = {};
  const add = (name: string, figure: number) => {
    took[name] = [...(took[name] ?? []), figure];
  };
  const note = (name: string, time: number, base?: number) => {
    add(name, time);
    if (base !== undefined) add(`${name}, ratio`, time / base);
  };
  for (let round = 0; round <= rounds; round++) {
    for (const format of ['ndjson', 'ics'] as const) {
      const file = at(`${format}-${round}.db`);
      const time = await timeOf([...calendar, 'import', at(`events.${format}`), '--db', file]);
      if (round === 0) bareRows[format] = rowsIn(file);
      const base = insertBare(bareRows[format], empty);
      if (round > 0) note(`import ${format}`, time, base);
      if (round > 0) note(`bare inserts of the rows of ${format}`, base);
      rmSync(file);
    }
    const base = insertBare(bareRows.ndjson, empty);
    const time = await timeOf([...calendar, 'generate', '--events', String(events), '--db', at(`generated-${round}.db`)]);
    if (round > 0) note('generate', time, base);
    const list = await timeOf([...calendar, 'events', 'list', '--all', '--json', '--db', at('source.db')]);
    if (round > 0) note('list --all --json', list);
    const exported = await timeOf([...calendar, 'export', '--db', at('source.db')]);
    if (round > 0) note('export as JSON', exported);
  }
  console.log(
    `${os.cpus()[0]?.model.trim()}, ${os.cpus().length} processors, Node ${process.version}, load ${os.loadavg()[0]!.toFixed(1)}, ${rounds} rounds`,
  );
  for (const [name, times] of Object.entries(took))
    console.log(`${name.padEnd(40)} ${shown(spreadOf(times))}${name.endsWith('ratio') ? '×' : ' ms'}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
