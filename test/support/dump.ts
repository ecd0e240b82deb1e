import type { Store } from '../../src/store/calendar.ts';

/** Every row of every table, in the order that SQLite has them, each value as SQL says it. */
export function dump({ db }: Store): Record<string, string[]> {
  const tables = db.all<{ name: string }>("select name from sqlite_schema where type = 'table' order by name");
  return Object.fromEntries(
    tables.map(({ name }) => {
      const columns = db.all<{ name: string }>('select name from pragma_table_info(?)', name);
      const values = columns.map((column) => `quote(${column.name})`).join(` || ' ' || `);
      return [name, db.all<{ row: string }>(`select ${values} as row from ${name}`).map(({ row }) => row)];
    }),
  );
}
