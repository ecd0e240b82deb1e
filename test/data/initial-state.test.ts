import { describe, expect, it } from 'vitest';
import { fill } from '../../src/data/initial-state.ts';
import { seed } from '../../src/data/seed.ts';
import { seedNamed } from '../../src/data/seeds.ts';
import { type SeedName, seedNames } from '../../src/model/operations/formats.ts';
import type { SettingValues } from '../../src/model/operations/settings.ts';
import { openCalendar, type Store, type StoreOptions } from '../../src/store/calendar.ts';

const open = (now: string, options: Partial<StoreOptions> = {}): Promise<Store> => {
  let last = 0;
  return openCalendar(':memory:', { mode: 'write', now: () => Date.parse(now), newUid: () => `uid-${++last}`, ...options });
};

const rowsOf = ({ db }: Store) =>
  Object.fromEntries(
    db
      .all<{ name: string }>("select name from sqlite_schema where type = 'table'")
      .map(({ name }) => [name, db.all(`select * from ${name}`)]),
  );

/** The rows of a calendar that gets its records one by one. */
async function plainRows(store: Store, name: SeedName, settings: Record<string, string | number>) {
  const put = () => store.change((local) => Object.entries(settings).map(([setting, value]) => local.settings.set(setting, value)));
  await put();
  await seed(store, await seedNamed(name), 'append');
  await put();
  return rowsOf(store);
}

const names = Object.keys(seedNames) as SeedName[];

describe('an unused calendar gets from the image of a seed what the seed creates', () => {
  const instants = ['2027-03-01T09:00:00Z', '2027-03-28T00:59:59.500Z', '2024-02-29T23:30:00Z'];
  const zones = ['UTC', 'America/New_York', 'Pacific/Kiritimati'];
  const cases = names.flatMap((name) => instants.flatMap((now) => zones.map((timezone) => ({ name, now, timezone }))));
  it.each(cases)('$name at $now in $timezone', async ({ name, now, timezone }) => {
    const [plain, filled] = [await open(now), await open(now)];
    const rows = await plainRows(plain, name, { timezone });
    const { counts } = await fill(filled, name, { timezone });
    expect(rowsOf(filled)).toEqual(rows);
    expect(counts.created).toBe(['events', 'venues', 'organizers', 'categories', 'tags'].flatMap((table) => rows[table]!).length);
  });

  const own: Required<SettingValues> & Record<string, string | number> = {
    ...{ timezone: 'Asia/Tokyo', title: 'Mine', per_page: 7, home: 'https://mine.example', radius: 7 },
    ...{ currency: 'kr', currency_position: 'postfix', currency_code: 'SEK' },
    ...{
      events_slug: 'es/eventos',
      event_slug: 'es/evento',
      venue_slug: 'lugar',
      organizer_slug: 'gente',
      category_slug: 'tema',
      tag_slug: 'es/tag',
    },
  };
  const before: Record<string, { settings?: Record<string, string | number>; options?: Partial<StoreOptions> }> = {
    'without settings': {},
    'with every setting': { settings: own },
    'with an overridden time zone': { options: { settings: { timezone: 'Asia/Tokyo' } } },
  };
  it.each(Object.entries(before))('%s', async (_, { settings = {}, options }) => {
    const [plain, filled] = [await open(instants[0]!, options), await open(instants[0]!, options)];
    const rows = await plainRows(plain, 'shapes', settings);
    await fill(filled, 'shapes', settings);
    expect(rowsOf(filled)).toEqual(rows);
  });
});

describe('a used calendar keeps what it has', () => {
  const event = { title: 'Own', start_date: '2027-03-01 10:00', end_date: '2027-03-01 11:00' };
  const uses: Record<string, (store: Store) => unknown> = {
    'a setting': (store) => store.change(({ settings }) => settings.set('per_page', '7')),
    'a declared field': (store) => store.change((local) => local.declare({ events: { age: { type: 'integer' } } })),
    'a user': (store) => store.change(({ users }) => users.add({ name: 'ada', role: 'editor', password: 'lovelace' })),
    'a used ID': (store) => store.change(({ events }) => events.delete({ id: Number(events.create(event).id) })),
    'a record': (store) => store.change(({ events }) => events.create(event)),
  };
  it.each(Object.entries(uses))('%s', async (_, use) => {
    const [plain, filled] = [await open('2027-03-01T09:00:00Z'), await open('2027-03-01T09:00:00Z')];
    await use(plain);
    await use(filled);
    await fill(filled, 'minimal');
    expect(rowsOf(filled)).toEqual(await plainRows(plain, 'minimal', {}));
  });
});

it('gives the records of each calendar UIDs that no other has', async () => {
  const uids = async () => {
    const store = await open('2027-03-01T09:00:00Z', { newUid: undefined });
    await fill(store, 'minimal');
    return store.db.all<{ uid: string }>('select uid from events union select uid from venues union select uid from organizers');
  };
  expect(new Set([...(await uids()), ...(await uids())].map(({ uid }) => uid)).size).toBe(6);
});
