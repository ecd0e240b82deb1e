import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { importData } from '../../src/data/import/import.ts';
import { sourceOf } from '../../src/data/import/source.ts';
import { type ResourceName, resourceNames } from '../../src/model/calendar.ts';
import type { ReadCache } from '../../src/model/service.ts';
import { owner } from '../../src/model/viewer.ts';
import { serialize } from '../../src/server/response.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import { Sqlite } from '../../src/store/file/sqlite.ts';
import { chance } from '../crash/chance.ts';
import { dump } from '../support/dump.ts';

const site = { home: 'http://x.test', root: 'http://x.test/calendar' };
const now = () => Date.parse('2027-03-01T09:00:00Z');

const ids = (store: Store, table: string) => store.db.all<{ id: number }>(`select id from ${table} order by id`).map(({ id }) => id);

/** A write of any kind, by chance; what is refused is one too. */
async function write(store: Store, random: () => number): Promise<void> {
  const calendar = store.as(owner, site);
  const below = (most: number) => Math.floor(random() * most);
  const one = <T>(values: readonly T[]) => values[below(values.length)];
  const name = () => one(['Concert', 'Reading', 'Walk', 'Market', 'Talk'])!;
  const day = () => `2027-03-${String(1 + below(28)).padStart(2, '0')} 10:00:00`;
  const id = (table: string) => one(ids(store, table)) ?? 1;
  const eventInput = () => {
    const start_date = day();
    return {
      title: name(),
      start_date,
      end_date: start_date,
      ...(random() < 0.4 ? { venue: random() < 0.5 ? id('venues') : { venue: name() } } : {}),
      ...(random() < 0.4 ? { categories: [name()], tags: [name(), name()] } : {}),
      ...(random() < 0.3 ? { image: `https://x.test/${below(6)}.png` } : {}),
      ...(random() < 0.2 ? { post_parent: id('events') } : {}),
      ...(random() < 0.2 ? { date: '2027-03-02 10:00:00' } : {}),
    };
  };
  const writes: (() => unknown)[] = [
    () => calendar.events.create(eventInput()),
    () => calendar.events.update({ id: id('events') }, random() < 0.5 ? eventInput() : { slug: `slug-${below(9)}`, venue: [] }),
    () => calendar.events.delete({ id: id('events') }),
    () => calendar.venues.create({ venue: name() }),
    () => calendar.venues.update({ id: id('venues') }, { slug: `slug-${below(4)}`, city: name() }),
    () => calendar.venues.delete({ id: id('venues') }),
    () => calendar.organizers.create({ organizer: name() }),
    () => calendar.categories.create({ name: `${name()} ${below(3)}`, parent: id('categories') }),
    () => calendar.categories.update({ id: id('categories') }, { name: name() }),
    () => calendar.categories.delete({ id: id('categories') }),
    () => calendar.tags.delete({ id: id('tags') }),
    () => store.change((local) => local.settings.set(one(['title', 'home'])!, `http://${name()}.test`)),
    () => store.change((local) => local.users.add({ name: name(), role: 'editor', password: 'x' }, `scrypt:${below(100)}`)),
    () => store.change((local) => local.users.remove(name())),
    // Two that exchange the texts that no two may have.
    () =>
      store.change(() => {
        const [a, b] = [id('events'), id('events')];
        const slugs = [a, b].map((each) => store.db.get<{ slug: string }>('select slug from events where id = ?', each)!.slug);
        for (const [each, slug] of [
          [a, 'between'],
          [b, slugs[0]!],
          [a, slugs[1]!],
        ] as const)
          store.db.run('update events set slug = ? where id = ?', slug, each);
      }),
    () => store.change((local) => local.clear(random() < 0.2 ? undefined : 'generated')),
    () =>
      store.change((local) => {
        local.events.create(eventInput());
        throw new Error('not after all');
      }),
    () => importData(store, sourceOf('list.csv', Buffer.from(`title,start_date,end_date\n${name()},${day()},2027-04-01 10:00:00\n`)), {}),
    () =>
      store.db.run(
        "insert into copying (site, state) values ('http://x.test', ?) on conflict do update set state = excluded.state",
        name(),
      ),
  ];
  try {
    await one(writes)!();
  } catch {
    // A write that is refused, like one of a record that is gone.
  }
}

/** What lists answer, from memory where they can. */
function answers(reads: ReadCache): string[] {
  const texts = (name: ResourceName) => {
    const read = reads.reads(owner, site, name);
    const all = { per_page: '50', start_date: '2000-01-01', end_date: '2099-01-01' };
    return read ? read.list(name === 'events' ? all : {}).records.map(({ bytes }) => Buffer.from(bytes).toString()) : [];
  };
  return resourceNames.flatMap(texts);
}

describe('putting back the rows that were written', () => {
  let store: Store;
  let reads: ReadCache;
  const reopened = vi.spyOn(Sqlite.prototype, 'close');
  const putBack = vi.spyOn(Sqlite.prototype, 'putBack');
  beforeEach(async () => {
    store = await openCalendar(':memory:', { mode: 'write', now });
    reads = await store.cached(serialize);
    vi.clearAllMocks();
  });
  afterEach(() => store.close());

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('leaves every table, and every answer, as it was (seed %i)', async (seed) => {
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
    expect(putBack).toHaveBeenCalled();
    expect(reopened).not.toHaveBeenCalled();
  });

  it('knows every table that there is', () => {
    const tables = store.db.all<{ name: string }>("select name from sqlite_schema where type = 'table'").map(({ name }) => name);
    const told = store.db.all<{ name: string }>("select distinct tbl_name as name from sqlite_temp_schema where type = 'trigger'");
    expect(told.map(({ name }) => name).sort()).toEqual(tables.sort());
  });

  it('of too many opens the state anew, with the same outcome, and counts from there', async () => {
    const start = store.image();
    const atStart = dump(store);
    await store.change((local) => {
      for (let i = 0; i < 400; i += 1) local.venues.create({ venue: `Hall ${i}` });
    });
    await store.restore(start);
    expect([dump(store), reopened.mock.calls.length]).toEqual([atStart, 1]);
    await store.as(owner, site).venues.create({ venue: 'Hall' });
    await store.restore(start);
    expect([dump(store), reopened.mock.calls.length, putBack.mock.calls.length]).toEqual([atStart, 1, 1]);
  });
});
