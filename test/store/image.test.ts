import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../src/model/calendar.ts';
import type { Failure } from '../../src/model/error.ts';
import type { Query } from '../../src/model/fields/list.ts';
import type { ReadCache } from '../../src/model/operations/service.ts';
import { owner } from '../../src/model/viewer.ts';
import { serialize } from '../../src/server/response.ts';
import { openCalendar, type Store } from '../../src/store/calendar.ts';
import type { StoreImage } from '../../src/store/snapshots.ts';
import { chance } from '../crash/chance.ts';
import { dump } from '../support/dump.ts';
import { inFolder } from '../support/items.ts';
import { site, write } from '../support/writes.ts';

interface Opened {
  store: Store;
  /** The state after its events were read. */
  start: StoreImage;
  reads: ReadCache;
}

const opened: Store[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const store of opened.splice(0)) await store.close();
});

/** A calendar in memory as a server has it, its events read. */
async function open(image?: StoreImage): Promise<Opened> {
  const store = await openCalendar(':memory:', { mode: 'write', image, now: () => Date.parse('2027-03-01T09:00:00Z') });
  opened.push(store);
  const reads = await store.cached(serialize);
  for (let i = 0; i < 4; i += 1) await pause();
  return { store, reads, start: store.image() };
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

/** Responses of lists, from the cache and from the database. */
function lists({ store, reads }: Opened): { cached: unknown; plain: unknown } {
  const plain: unknown[] = [];
  const cached: unknown[] = [];
  for (const query of queries) {
    const text = (entry: Entry) => Buffer.from(serialize(entry).bytes).toString();
    plain.push(answer(() => store.local(owner, site).events.list(query).entries.map(text)));
    cached.push(
      answer(() =>
        reads
          .reads(owner, site, 'events')!
          .list(query)
          .records.map(({ bytes }) => Buffer.from(bytes).toString()),
      ),
    );
  }
  return { cached, plain };
}

/** Everything that a calendar is, of which memory and database say the same. */
function whole(calendar: Opened): unknown {
  const { cached, plain } = lists(calendar);
  expect(cached).toEqual(plain);
  return { rows: dump(calendar.store), lists: plain };
}

const sum = ({ bytes }: StoreImage) => createHash('sha256').update(bytes).digest('hex');

describe('a calendar that begins as an image of another', () => {
  it.each([1, 2, 3, 4, 5, 6])('is independent of the other (seed %i)', async (seed) => {
    const random = chance(seed);
    const parent = await open();
    for (let i = 0; i < 60; i += 1) await write(parent.store, random);
    if (random() < 0.5) whole(parent);
    const image = parent.store.image();
    const [then, before] = [sum(image), whole(parent)];
    const family = [{ ...parent, start: image }, await open(image), await open(image)];
    const states = [before, before, before];
    const starts = [...states];
    expect([whole(family[1]!), whole(family[2]!)]).toEqual([before, before]);
    for (let round = 0; round < 12; round += 1) {
      const at = Math.floor(random() * family.length);
      const { store, start } = family[at]!;
      if (random() < 0.25) {
        await store.restore(start);
        states[at] = starts[at]!;
      } else {
        for (let i = 0; i < random() * 6; i += 1) await write(store, random);
        states[at] = whole(family[at]!);
      }
      if (random() < 0.25) {
        family.push(await open(store.image()));
        states.push(states[at]!);
        starts.push(states[at]!);
      }
      for (const [i, calendar] of family.entries()) expect(whole(calendar)).toEqual(states[i]);
    }
    for (const { store } of family) expect(store.db.get('pragma integrity_check')).toEqual({ integrity_check: 'ok' });
    expect(sum(image)).toBe(then);
  });

  it('has the same bytes until the next write, also after a restore', async () => {
    const { store } = await open();
    const first = store.image();
    expect(store.image().bytes).toBe(first.bytes);
    const { store: other } = await open(first);
    expect(other.image().bytes).toBe(first.bytes);
    await other.calendarFor(owner, site).tags.create({ name: 'jazz' });
    const second = other.image();
    expect(second.bytes).not.toBe(first.bytes);
    await other.restore(first);
    expect(other.image().bytes).toBe(first.bytes);
    await expect(other.calendarFor(owner, site).tags.update({ id: 1 }, { name: 'blues' })).rejects.toThrow();
    expect(other.image().bytes).toBe(first.bytes);
  });

  it('leaves its bytes alone, also where they are a Buffer', async () => {
    const { store } = await open();
    const bytes = Buffer.from(store.image().bytes);
    const { store: other } = await open({ bytes });
    const before = Buffer.from(bytes.toString('latin1'), 'latin1');
    for (let i = 0; i < 40; i += 1) await other.calendarFor(owner, site).venues.create({ venue: `Hall ${i}` });
    expect(bytes.equals(before)).toBe(true);
  });

  it('has the tables of a new file where it begins with nothing', () =>
    inFolder(async (folder) => {
      const tables = ({ db }: Store) => db.all('select type, name, tbl_name, sql from sqlite_schema order by name');
      const { store } = await open();
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
    const [one, other] = calendars as [Opened, Opened];
    for (const { store } of calendars) for (let i = 0; i < 20; i += 1) await write(store, random);
    const [image, state] = [one.store.image(), whole(one)];
    await write(other.store, random);
    await other.store.restore(image);
    expect(whole(other)).toEqual(state);
  });
});
