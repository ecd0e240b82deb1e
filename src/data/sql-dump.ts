import type { ResourceName } from '../model/calendar.ts';
import type { Database } from '../store/file/sql.ts';
import { links } from '../store/records/tables.ts';

type Value = string | number | null | Uint8Array;

/** Columns that a dump leaves out, of any table: hashes of passwords, and the text that searches read. */
const omitted = ['password', 'folded'];

const batch = 500;

/** Yields the tables of resources, with their links, series, images, users and settings, as SQL for SQLite: one statement per line. Reads in batches. */
export function* sqlDump(db: Database, names: readonly ResourceName[]): Generator<string> {
  const linked = links.filter(({ owner, target }) => names.includes(owner.name) && names.includes(target.name));
  const series = names.includes('events') ? ['series'] : [];
  yield 'pragma foreign_keys = off;\nbegin;\n';
  for (const table of ['settings', 'users', 'images', ...names, ...linked.map(({ table }) => table), ...series]) yield* dumpOf(db, table);
  yield 'commit;\n';
}

function* dumpOf(db: Database, table: string): Generator<string> {
  const { sql } = db.get<{ sql: string }>('select sql from sqlite_schema where name = ?', table)!;
  yield `${sql.replace(new RegExp(`, (${omitted.join('|')}) [^,)]*`, 'g'), '')};\n`;
  const info = db.all<{ name: string; pk: number }>('select name, pk from pragma_table_info(?)', table);
  const columns = info.map(({ name }) => name).filter((name) => !omitted.includes(name));
  const keys = info.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const key = `(${keys.join(', ')})`;
  const rowsAfter = (last: Value[]) =>
    db.all<Record<string, Value>>(
      `select ${columns.join(', ')} from ${table} ${last.length ? `where ${key} > (${last.map(() => '?').join(', ')})` : ''} order by ${keys.join(', ')} limit ${batch}`,
      ...last,
    );
  for (let rows = rowsAfter([]); rows.length; rows = rowsAfter(keys.map((name) => rows.at(-1)![name]!)))
    for (const row of rows) yield `insert into ${table} values (${columns.map((name) => literal(row[name]!)).join(', ')});\n`;
}

/** Characters that would end a line or a statement, and their codes. */
const codes = { '\n': 10, '\r': 13, '\0': 0 } as const;

/** Returns a value as an SQL literal on one line. */
function literal(value: Value): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `${value < 0 ? '-' : ''}9e999`;
  let text = `'${value.replaceAll("'", "''")}'`;
  for (const [character, code] of Object.entries(codes)) {
    if (!value.includes(character)) continue;
    let mark = `\\${code}`;
    while (value.includes(mark)) mark = `\\${mark}`;
    text = `replace(${text.replaceAll(character, mark)}, '${mark}', char(${code}))`;
  }
  return text;
}
