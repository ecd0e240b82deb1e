import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { owner } from '../../../src/model/viewer.ts';
import { openCalendar, type Store, type StoreOptions } from '../../../src/store/calendar.ts';
import { calendarFile } from '../../../src/store/records/schema.ts';
import { loadSqlite } from '../../../src/store/sqlite/engine.ts';
import { inFolder, reasonOf } from '../../support/items.ts';

const open = (file: string, mode: 'read' | 'write' = 'write', more: Partial<StoreOptions> = {}) =>
  openCalendar(file, { mode, now: () => Date.parse('2026-11-20T16:05:00Z'), ...more });
const site = { home: 'http://x', root: 'http://x/v1' };
const entries = (store: Store) => [...store.local(owner, site).entries('events')];

/** A calendar with one event. */
async function made(file: string): Promise<void> {
  const store = await open(file);
  const event = { title: 'Old', start_date: 'tomorrow', end_date: 'tomorrow', website: 'http://example.org/', venue: { venue: 'Here' } };
  await store.change((local) => local.events.create(event));
  await store.close();
}

/** Changes a file behind the calendar's back. */
async function tampered(file: string, sql: string): Promise<void> {
  const sqlite = await loadSqlite();
  const db = new sqlite.Database(readFileSync(file));
  db.run(sql);
  writeFileSync(file, db.export());
  db.close();
}

describe('a calendar from before a field was defined', () => {
  it.each(['read', 'write'] as const)('opens to %s, with the field empty; only a writer adds it to the file', (mode) =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      await made(file);
      const full = await open(file, 'read');
      const [before] = entries(full);
      await full.close();
      await tampered(file, 'alter table events drop column website; alter table venues drop column zip');
      const older = readFileSync(file);
      const store = await open(file, mode, { notice: () => {} });
      expect(entries(store)).toEqual([{ ...before, website: expect.not.stringContaining('example.org') }]);
      if (mode === 'write')
        await store.change((local) => local.events.update({ id: Number(before!.id) }, { website: 'http://example.com/' }));
      await store.close();
      if (mode === 'read') expect(readFileSync(file).equals(older)).toBe(true);
      else {
        const again = await open(file, 'read');
        expect(entries(again)[0]!.website).toBe('http://example.com/');
        await again.close();
      }
      expect(readdirSync(folder)).toEqual(['a.db']);
    }),
  );

  it('has the added columns after a crash too', () =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      await made(file);
      await tampered(file, 'alter table events drop column website');
      const store = await open(file, 'write', { notice: () => {} });
      const [{ id }] = entries(store) as [{ id: number }];
      await store.change((local) => local.events.update({ id }, { website: 'http://example.com/' }));
      // What a kill would leave now.
      for (const end of ['', '-log']) writeFileSync(`${folder}/b.db${end}`, readFileSync(file + end));
      await store.close();
      const again = await open(`${folder}/b.db`, 'write', { notice: () => {} });
      expect(entries(again)[0]!.website).toBe('http://example.com/');
      await again.close();
    }));
});

describe('a calendar from before an index was defined', () => {
  it.each(['read', 'write'] as const)('opens to %s and answers the same; only a writer makes the index', (mode) =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      await made(file);
      const full = await open(file, 'read');
      const before = full.local(owner, site).events.list({});
      await full.close();
      await tampered(file, 'drop index events_listed; drop index events_scheduled');
      const older = readFileSync(file);
      const store = await open(file, mode, { notice: () => {} });
      expect(store.local(owner, site).events.list({})).toEqual(before);
      const [{ detail }] = store.db.all<{ detail: string }>(
        "explain query plan select count(*) from events where hide_from_listings = 0 and status = 'publish' and start_date > '2027' and end_date < '2028'",
      ) as [{ detail: string }];
      await store.close();
      if (mode === 'read') expect(readFileSync(file).equals(older)).toBe(true);
      else expect(detail).toContain('COVERING INDEX events_listed');
    }),
  );
});

describe('a calendar of a later version', () => {
  it.each(['read', 'write'] as const)('is not opened to %s, and left as it is', (mode) =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      await made(file);
      await tampered(file, `pragma user_version = ${calendarFile.schema + 1}`);
      const before = readFileSync(file);
      expect(await reasonOf(() => open(file, mode))).toBe('newer');
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(readdirSync(folder)).toEqual(['a.db']);
    }),
  );
});

/** Columns by table, and indexes. */
function schemaOf({ db }: Store): Record<string, unknown> {
  const rows = db.all<{ name: string; type: string; sql: string }>('select name, type, sql from sqlite_schema where sql is not null');
  const columns = (table: string) =>
    db.all<{ name: string }>(`pragma table_info(${table})`).map((column) => JSON.stringify({ ...column, cid: 0 }));
  return Object.fromEntries(rows.map(({ name, type, sql }) => [name, type === 'table' ? columns(name).sort() : sql]));
}

describe('a calendar of the first format', () => {
  it('gets the schema of a new one, and keeps its records', () =>
    inFolder(async (folder) => {
      // `seed minimal`, a user and a setting.
      writeFileSync(`${folder}/a.db`, gunzipSync(readFileSync(new URL('../../support/files/first-release.db.gz', import.meta.url))));
      const store = await open(`${folder}/a.db`, 'write', { notice: () => {} });
      const fresh = await open(':memory:');
      expect(schemaOf(store)).toEqual(schemaOf(fresh));
      expect(entries(store).map(({ title }) => title)).toEqual(['Summer Concert']);
      expect(store.users.list().map(({ name }) => name)).toContain('ada');
      expect(store.db.get("select value from settings where name = 'timezone'")).toEqual({ value: 'Europe/Paris' });
      await store.close();
      await fresh.close();
    }));
});

describe('a calendar from before the first release', () => {
  const older = calendarFile.firstSchema! - 1;
  it.each(['read', 'write'] as const)('is not opened to %s, and left as it is', (mode) =>
    inFolder(async (folder) => {
      const file = `${folder}/a.db`;
      await made(file);
      await tampered(file, `pragma user_version = ${older}`);
      const before = readFileSync(file);
      await expect(open(file, mode)).rejects.toMatchObject({
        reason: 'older',
        message: `${file} was written by a version of this program from before its first release (format ${older}; this version supports ${calendarFile.schema})`,
        hint: expect.stringMatching(/`calendar export .*` with that version, then `calendar import .*` with this one/),
      });
      expect(readFileSync(file).equals(before)).toBe(true);
      expect(readdirSync(folder)).toEqual(['a.db']);
    }),
  );
});
