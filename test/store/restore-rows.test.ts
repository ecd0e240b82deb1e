import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ResourceName, resourceNames } from '../../src/model/calendar.ts';
import type { ReadCache } from '../../src/model/operations/service.ts';
import { owner } from '../../src/model/viewer.ts';
import { serialize } from '../../src/server/response.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import { Sqlite } from '../../src/store/sqlite/sqlite.ts';
import { chance } from '../crash/chance.ts';
import { dump } from '../support/dump.ts';
import { site, write } from '../support/writes.ts';

const now = () => Date.parse('2027-03-01T09:00:00Z');

/** Responses of lists, from the cache where possible. */
function answers(reads: ReadCache): string[] {
  const texts = (name: ResourceName) => {
    const read = reads.reads(owner, site, name);
    const all = { per_page: '50', start_date: '2000-01-01', end_date: '2099-01-01' };
    return read ? read.list(name === 'events' ? all : {}).records.map(({ bytes }) => Buffer.from(bytes).toString()) : [];
  };
  return resourceNames.flatMap(texts);
}

describe('restoring written rows', () => {
  let store: Store;
  let reads: ReadCache;
  const reopened = vi.spyOn(Sqlite.prototype, 'close');
  const restoreRows = vi.spyOn(Sqlite.prototype, 'restoreRows');
  beforeEach(async () => {
    store = await openCalendar(':memory:', { mode: 'write', now });
    reads = await store.cached(serialize);
    vi.clearAllMocks();
  });
  afterEach(() => store.close());

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('restores every table and every response (seed %i)', async (seed) => {
    const random = chance(seed);
    for (let i = 0; i < 60; i += 1) await write(store, random);
    const start = store.image();
    const [atStart, answered] = [dump(store), answers(reads)];
    for (let round = 0; round < 8; round += 1) {
      for (let i = 0; i < random() * 8; i += 1) await write(store, random);
      const between = store.image();
      const then = dump(store);
      for (let i = 0; i < random() * 8; i += 1) await write(store, random);
      if (random() < 0.5) {
        await store.restore(between);
        expect(dump(store)).toEqual(then);
        for (let i = 0; i < random() * 4; i += 1) await write(store, random);
      }
      await store.restore(start);
      expect(dump(store)).toEqual(atStart);
      expect(answers(reads)).toEqual(answered);
    }
    expect(store.db.all('pragma foreign_key_check')).toEqual([]);
    expect(store.db.get('pragma integrity_check')).toEqual({ integrity_check: 'ok' });
    expect(restoreRows).toHaveBeenCalled();
    expect(reopened).not.toHaveBeenCalled();
  });

  it('tracks every table', async () => {
    await store.calendarFor(owner, site).tags.create({ name: 'jazz' });
    const tables = store.db.all<{ name: string }>("select name from sqlite_schema where type = 'table'").map(({ name }) => name);
    const told = store.db.all<{ name: string }>("select distinct tbl_name as name from sqlite_temp_schema where type = 'trigger'");
    expect(told.map(({ name }) => name).sort()).toEqual(tables.sort());
  });

  it('of too many rows opens the state again, with the same result', async () => {
    const start = store.image();
    const atStart = dump(store);
    await store.change((local) => {
      for (let i = 0; i < 400; i += 1) local.venues.create({ venue: `Hall ${i}` });
    });
    await store.restore(start);
    expect([dump(store), reopened.mock.calls.length]).toEqual([atStart, 1]);
    await store.calendarFor(owner, site).venues.create({ venue: 'Hall' });
    await store.restore(start);
    expect([dump(store), reopened.mock.calls.length, restoreRows.mock.calls.length]).toEqual([atStart, 1, 1]);
  });
});
