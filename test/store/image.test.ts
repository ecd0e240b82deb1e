import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../src/model/error.ts';
import type { Query } from '../../src/model/fields/list.ts';
import { owner } from '../../src/model/viewer.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import type { StoreImage } from '../../src/store/snapshots.ts';
import { chance } from '../crash/chance.ts';
import { cases } from '../support/cases.ts';
import { dump } from '../support/dump.ts';
import { inFolder } from '../support/items.ts';
import { site, write } from '../support/writes.ts';

const opened: Store[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

/** A calendar in memory. */
async function open(image?: StoreImage): Promise<Store> {
  const store = await openCalendar(':memory:', { mode: 'write', image, now: () => Date.parse('2027-03-01T09:00:00Z') });
  opened.push(store);
  return store;
}

const all = { start_date: '2000-01-01', end_date: '2099-01-01', per_page: '50' };
const queries: Query[] = [
  all,
  { ...all, search: 'concert' },
  { ...all, categories: ['concert', 'walk'] },
  { ...all, starts_after: '2027-03-12' },
];

/** The response of a list, or its failure. */
function answer(list: () => unknown): unknown {
  try {
    return list();
  } catch (error) {
    return (error as Failure).code;
  }
}

/** All rows, and what lists show of them. */
const whole = (store: Store): unknown => ({
  rows: dump(store),
  lists: queries.map((query) => answer(() => JSON.stringify(store.local(owner, site).events.list(query).entries))),
});

const sum = (image: StoreImage) => createHash('sha256').update(image).digest('hex');

describe('a calendar that begins as an image of another', () => {
  it.each([1, 2, 3, 4, 5, 6].slice(0, cases(2)))('is independent of the other (seed %i)', async (seed) => {
    const random = chance(seed);
    const parent = await open();
    for (let i = 0; i < 60; i += 1) await write(parent, random);
    const image = parent.image();
    const [then, before] = [sum(image), whole(parent)];
    const family = [parent, await open(image), await open(image)];
    const images = [image, image, image];
    const states = [before, before, before];
    const starts = [...states];
    expect([whole(family[1]!), whole(family[2]!)]).toEqual([before, before]);
    for (let round = 0; round < 12; round += 1) {
      const at = Math.floor(random() * family.length);
      const store = family[at]!;
      if (random() < 0.25) {
        await store.restore(images[at]!);
        states[at] = starts[at]!;
      } else {
        for (let i = 0; i < random() * 6; i += 1) await write(store, random);
        states[at] = whole(store);
      }
      if (random() < 0.25) {
        images.push(store.image());
        family.push(await open(images.at(-1)));
        states.push(states[at]!);
        starts.push(states[at]!);
      }
      for (const [i, calendar] of family.entries()) expect(whole(calendar)).toEqual(states[i]);
    }
    for (const { db } of family)
      expect([db.get('pragma integrity_check'), db.all('pragma foreign_key_check')]).toEqual([{ integrity_check: 'ok' }, []]);
    expect(sum(image)).toBe(then);
  });

  it('has the same bytes until the next write, also after a restore', async () => {
    const store = await open();
    const first = store.image();
    expect(store.image()).toBe(first);
    const other = await open(first);
    expect(other.image()).toBe(first);
    await other.calendarFor(owner, site).tags.create({ name: 'jazz' });
    const second = other.image();
    expect(second).not.toBe(first);
    await other.restore(first);
    expect(other.image()).toBe(first);
    await expect(other.calendarFor(owner, site).tags.update({ id: 1 }, { name: 'blues' })).rejects.toThrow();
    expect(other.image()).toBe(first);
  });

  it.each([
    ['nothing was written', async () => {}, true],
    [
      'a record was written',
      ({ calendarFor }: Pick<Store, 'calendarFor'>) => calendarFor(owner, site).tags.create({ name: 'jazz' }),
      false,
    ],
  ] as const)('is restored for its followers if %s, without another version only where it is the state', async (_, use, isSame) => {
    const store = await open();
    const [image, messages] = [store.image(), [] as string[]];
    store.follow({ changed: () => {}, reset: (reason) => messages.push(reason), restored: () => messages.push('restored') });
    await use({ calendarFor: store.calendarFor.bind(store) });
    const { version } = store.db;
    await store.restore(image);
    expect([store.db.version === version, store.image() === image]).toEqual([isSame, true]);
    expect(messages).toEqual(['restored', 'replaced']);
    expect((await store.calendarFor(owner, site).tags.list({})).entries).toEqual([]);
  });

  it('leaves its bytes alone, also where they are a Buffer', async () => {
    const store = await open();
    const bytes = Buffer.from(store.image());
    const other = await open(bytes);
    const before = Buffer.from(bytes.toString('latin1'), 'latin1');
    for (let i = 0; i < 40; i += 1) await other.calendarFor(owner, site).venues.create({ venue: `Hall ${i}` });
    expect(bytes.equals(before)).toBe(true);
  });

  it('has the tables of a new file where it begins with nothing', () =>
    inFolder(async (folder) => {
      const tables = ({ db }: Store) => db.all('select type, name, tbl_name, sql from sqlite_schema order by name');
      const store = await open();
      const file = await openCalendar(`${folder}/new.db`, { mode: 'write', now: () => 0 });
      try {
        expect([tables(store), dump(store)]).toEqual([tables(file), dump(file)]);
        for (const pragma of ['application_id', 'user_version'])
          expect(store.db.get(`pragma ${pragma}`)).toEqual(file.db.get(`pragma ${pragma}`));
      } finally {
        await file.close();
      }
    }));

  it('can replace a calendar with other rows and the same number of writes', async () => {
    const [random, calendars] = [chance(7), [await open(), await open()]];
    const [one, other] = calendars as [Store, Store];
    for (const store of calendars) for (let i = 0; i < 20; i += 1) await write(store, random);
    const [image, state] = [one.image(), whole(one)];
    await write(other, random);
    await other.restore(image);
    expect(whole(other)).toEqual(state);
  });
});
