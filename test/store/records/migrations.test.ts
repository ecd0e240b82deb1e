import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { resourceNames } from '../../../src/model/calendar.ts';
import { openCalendar, type Store } from '../../../src/store/calendar.ts';
import { openDatabase } from '../../../src/store/file/database.ts';
import { restoreFile } from '../../../src/store/file/restore.ts';
import type { Sql } from '../../../src/store/file/sql.ts';
import { SiteState, StoredConflicts } from '../../../src/store/identity/sites.ts';
import { calendarFile, migrations } from '../../../src/store/records/schema.ts';
import { inFolder } from '../../support/items.ts';

/** A file that the first release with version 1 wrote: events in every state, users, settings, links, images and imported records. */
const version1 = gunzipSync(readFileSync(new URL('../../support/files/version-1.db.gz', import.meta.url)));
const now = () => Date.parse('2027-03-01T09:00:00Z');

const withFile = (work: (file: string, folder: string) => Promise<void>) =>
  inFolder(async (folder) => {
    writeFileSync(`${folder}/a.db`, version1);
    await work(`${folder}/a.db`, folder);
  });

/** Columns by table, and indexes. */
function schemaOf({ db }: Store): Record<string, unknown> {
  const rows = db.all<{ name: string; type: string; sql: string }>('select name, type, sql from sqlite_schema where sql is not null');
  const columns = (table: string) =>
    db.all<{ name: string }>(`pragma table_info(${table})`).map((column) => JSON.stringify({ ...column, cid: 0 }));
  return Object.fromEntries(rows.map(({ name, type, sql }) => [name, type === 'table' ? columns(name).sort() : sql]));
}

const counts = ({ db }: Store) =>
  Object.fromEntries(
    [...resourceNames, 'users', 'settings', 'images', 'import_marks'].map((table) => [
      table,
      db.get<{ n: number }>(`select count(*) as n from ${table}`)!.n,
    ]),
  );

it('a file of version 1 gets the schema of a new one, and keeps its records', () =>
  withFile(async (file) => {
    const store = await openCalendar(file, { mode: 'write', now, notice: () => {} });
    const fresh = await openCalendar(':memory:', { mode: 'write', now });
    expect(schemaOf(store)).toEqual(schemaOf(fresh));
    expect(counts(store)).toEqual({
      events: 8,
      venues: 3,
      organizers: 2,
      categories: 18,
      tags: 17,
      users: 2,
      settings: 2,
      images: 2,
      import_marks: 1,
    });
    expect(store.db.all('select title, status from events order by id limit 5')).toEqual([
      { title: 'Opening night', status: 'publish' },
      { title: 'Café society', status: 'draft' },
      { title: 'Scheduled talk', status: 'future' },
      { title: 'Members only', status: 'publish' },
      { title: 'Cancelled', status: 'trash' },
    ]);
    await store.close();
    await fresh.close();
  }));

it('a reader shows it and leaves it as it is', () =>
  withFile(async (file, folder) => {
    const store = await openCalendar(file, { mode: 'read', now, notice: () => {} });
    expect(counts(store).events).toBe(8);
    await store.close();
    expect(readFileSync(file).equals(version1)).toBe(true);
    expect(readdirSync(folder)).toEqual(['a.db']);
  }));

it('a migration that fails leaves the file as it is', () =>
  withFile(async (file) => {
    const kind = {
      ...calendarFile,
      schema: migrations.length + 1,
      migrate: (db: Parameters<typeof calendarFile.migrate>[0]) => {
        db.run('create table half (id integer primary key)');
        db.run('delete from events');
        throw new Error('no');
      },
    };
    await expect(openDatabase(file, { mode: 'write', kind, notice: () => {} })).rejects.toThrow('no');
    const store = await openCalendar(file, { mode: 'read', now, notice: () => {} });
    expect([counts(store).events, store.db.get("select 1 from sqlite_schema where name = 'half'")]).toEqual([8, undefined]);
    await store.close();
    expect(readFileSync(file).equals(version1)).toBe(true);
  }));

it('released migrations never change', () =>
  expect(migrations.map((statements) => createHash('sha256').update(statements.join('\n')).digest('hex'))).toEqual([
    '5edada698e4cb6a60c376bfca0132e0454f2544c7d270dad69ebc3e56b0e1b87',
    '77127fbfd287023e01e83ab544e626866649f0c37b82d2e10149101c8e66b5bc',
    'a7b8c7f5d7ccbd3077d53e843df66fe62206fa432f44bbe7c5430578da37147d',
    '9e20211d13560ed8358b7b3bae6429adce699dd374dfa1505e5bbef7f17625bf',
    '3953817b4b5cf80b700f900824c3fd4563c987273dc2275612806b8e544147f0',
    'f3ca900909e7505784956c3922cd6ebf06325d822a58d1304a960fe30c3f9e68',
    '38a4bdf503d20c29e89c27087dc86605a63fa6f4679ce700ce6e7648ae9747c8',
    '22a4101e31ddaf74c434ced808cec09581e991ee0b1021fefd62e7e47ec67128',
    'd961f4b6d5cbcb8de367112ab18f11613e47c0250dd42c280a8ed856290c981a',
  ]));

it.each(migrations.slice(1).map((_, at) => at + 1))(
  'a file of version %i gets the schema of a new one, and keeps its import marks',
  (version) =>
    withFile(async (file) => {
      const kind = {
        ...calendarFile,
        schema: version,
        migrate: (db: Sql, from: number) => {
          for (const sql of migrations.slice(from, version).flat()) db.run(sql);
        },
      };
      const before = await openDatabase(file, { mode: 'write', kind, notice: () => {} });
      const marks = before.all<object>('select resource, mark, local from import_marks');
      await before.close();
      const store = await openCalendar(file, { mode: 'write', now, notice: () => {} });
      const fresh = await openCalendar(':memory:', { mode: 'write', now });
      expect(schemaOf(store)).toEqual(schemaOf(fresh));
      expect(store.db.all('select * from import_marks')).toEqual(marks.map((mark) => ({ ...mark, imported: null })));
      await store.close();
      await fresh.close();
    }),
);

/** Opens a file of an earlier version, writes to it, and opens it with the current one. */
async function upgraded(file: string, schema: number, write: (db: Sql) => void): Promise<Store> {
  const kind = {
    ...calendarFile,
    schema,
    migrate: (db: Sql, from: number) => {
      for (const sql of migrations.slice(from, schema).flat()) db.run(sql);
    },
  };
  const before = await openDatabase(file, { mode: 'write', kind, notice: () => {} });
  before.change(() => write(before));
  await before.close();
  // A snapshot and a backup of that version.
  mkdirSync(`${file}-snapshots`);
  for (const copy of [`${file}-snapshots/old.db`, `${file}-backup`]) copyFileSync(file, copy);
  return openCalendar(file, { mode: 'write', now, notice: () => {} });
}

it.each([2, 4, 5, 7])('a file of version %i keeps pairs, conflicts and times of sites; two spellings of one become one', (version) =>
  withFile(async (file) => {
    const pair = (site: string, local: number, title: string) =>
      `insert into copies (site, resource, remote, local, modified, local_base, remote_base) values ('${site}', 'events', 7, ${local}, 'then', '{"title":"${title}"}', '{"title":"B"}')`;
    const store = await upgraded(file, version, (db) => {
      db.run(pair('https://www.a.example/wp-json/x/v1', 9, 'new'));
      db.run(pair('http://a.example/wp-json/x/v1', 10, 'old'));
      db.run(pair('http://127.0.0.1:8080/wp-json/x/v1', 11, 'here'));
      db.run(
        "insert into conflicts (site, resource, remote, local, kind, fields) values ('http://a.example/wp-json/x/v1', 'events', 7, 10, 'edited', '{}')",
      );
      const times =
        "values ('https://www.a.example/wp-json/x/v1', '2027-02', null, 3), ('http://a.example/wp-json/x/v1', '2027-01', '2027-01', 0)";
      db.run(`insert into sites (site, pulled, pushed, remote_changes) ${times}`);
      if (version >= 5) {
        db.run("insert into upstream values ('https://www.a.example/wp-json/x/v1', 'x/v1')");
        db.run("insert into coverage (resource, viewer, statuses, start, until, as_of) values ('events', 'user', '', '', '', '')");
      }
    });
    const key = 'a.example/wp-json/x/v1';
    const state = new SiteState(store.db, key);
    expect(state.ofRemote('events', 7)).toEqual({
      ...{ remote: 7, local: 9, modified: 'then', withheld: '', localBase: { title: 'new' }, remoteBase: { title: 'B' } },
    });
    expect(state.ofLocal('events', 10)).toBeUndefined();
    expect(new SiteState(store.db, 'localhost:8080/wp-json/x/v1').ofRemote('events', 7)?.local).toBe(11);
    expect(new StoredConflicts(store.db).all()).toMatchObject([{ site: state.site, local: 10 }]);
    expect(SiteState.all(store.db)).toEqual([
      {
        site: state.site,
        pulled: '2027-02',
        pushed: '2027-01',
        remote_changes: 3,
        namespace: version >= 5 ? 'x/v1' : null,
        address: null,
        told: null,
        leftovers: null,
        part: null,
        hides: version >= 5 ? 1 : 0,
      },
    ]);
    await store.change(() => state.drop('events', 7));
    await store.snapshots.restore('old');
    expect(new SiteState(store.db, key).localOf('events', 7)).toBe(9);
    await store.close();
    await restoreFile(file, `${file}-backup`, calendarFile);
    const restored = await openCalendar(file, { mode: 'write', now, notice: () => {} });
    expect(new SiteState(restored.db, key).localOf('events', 7)).toBe(9);
    await restored.close();
  }),
);
