import fc from 'fast-check';
import initSqlJs from 'sql.js';
import { expect, it } from 'vitest';
import conference from '../../fixtures/conference.json' with { type: 'json' };
import demo from '../../fixtures/demo.json' with { type: 'json' };
import edgeCases from '../../fixtures/edge-cases.json' with { type: 'json' };
import type { Store } from '../../src/store/calendar.ts';
import { calendars, calendarWith, exported, imported } from '../support/calendars.ts';
import { cases } from '../support/cases.ts';
import { limit } from '../support/timeouts.ts';
import { wholeServer } from '../support/whole-server.ts';

const omitted = ['folded', 'password'];
const links = ['event_categories', 'event_tags', 'event_venues', 'event_organizers'];
const tables = ['settings', 'users', 'images', 'events', 'venues', 'organizers', 'categories', 'tags', ...links, 'series'];

/** The rows of every table of a calendar, without what dumps leave out. */
const rowsOf = (store: Store) =>
  Object.fromEntries(
    tables.map((table) => [
      table,
      store.db
        .all<Record<string, unknown>>(`select * from ${table}`)
        .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !omitted.includes(name)))),
    ]),
  );

/** The rows of every table after SQLite ran each line of a dump. */
async function rowsIn(dump: string) {
  const { Database } = await initSqlJs();
  const db = new Database();
  for (const line of dump.split('\n').slice(0, -1)) {
    let count = 0;
    for (const statement of db.iterateStatements(line)) {
      statement.step();
      count += 1;
    }
    expect(count, line).toBe(1);
  }
  const present = db.exec("select name from sqlite_schema where type = 'table' order by name")[0]!.values.flat();
  const rows = (table: string) => {
    const [{ columns, values } = { columns: [], values: [] }] = db.exec(`select * from ${table}`);
    return values.map((row) => Object.fromEntries(row.map((value, at) => [columns[at]!, value])));
  };
  const broken = db.exec('pragma foreign_key_check');
  const result = Object.fromEntries(present.map((name) => [name as string, rows(name as string)]));
  db.close();
  return { broken, result };
}

async function checkSame(document: unknown): Promise<void> {
  const store = await calendarWith(document);
  const { broken, result } = await rowsIn(exported(store, 'sql'));
  expect(broken).toEqual([]);
  expect(result).toEqual(rowsOf(store));
  await store.close();
}

it.each([
  ['demo', demo],
  ['conference', conference],
  ['edge-cases', edgeCases],
])('a dump of %s loads in SQLite with the same records', (_, document) => checkSame(document));

it(
  'a dump of any calendar loads in SQLite with the same records',
  () => fc.assert(fc.asyncProperty(calendars, checkSame), { numRuns: cases(4) }),
  limit(60_000),
);

it('keeps line breaks and quotes on one line, for more records than a batch', async () => {
  const title = "It's\na\\10 \\13\r\n'quoted'; --";
  const lines = Array.from({ length: 1100 }, (_, at) => JSON.stringify({ resource: 'tags', name: `${title} ${at}`, description: title }));
  const store = await calendarWith({});
  await imported(store, 'ndjson', lines.join('\n'));
  const { result } = await rowsIn(exported(store, 'sql'));
  expect(result).toEqual(rowsOf(store));
  expect(result.tags).toHaveLength(1100);
  await store.close();
});

it('contains users without their passwords, and selected resources with the links between them', async () => {
  const store = await calendarWith(demo);
  store.db.run("insert into users (id, name, role, password) values (2, 'ann', 'editor', 'scrypt:salt:hash')");
  const text = exported(store, 'sql');
  expect(text).toContain("insert into users values (2, 'ann', 'editor');");
  expect(text).not.toContain('scrypt:');
  const { result } = await rowsIn(exported(store, 'sql', ['events', 'venues']));
  expect(Object.keys(result).sort()).toEqual(['event_venues', 'events', 'images', 'series', 'settings', 'users', 'venues']);
  await store.close();
});

it('only the owner of a server gets it', async () => {
  const served = await wholeServer();
  const path = '/_calendar/export?format=sql';
  expect((await served.call('GET', path)).status).toBe(403);
  expect(await served.json('GET', path)).toMatchObject({ code: 'control-not-allowed' });
  expect(await served.control.export({ format: 'sql' })).toMatch(/^CREATE TABLE events /m);
  await served.close();
});
