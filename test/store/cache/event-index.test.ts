import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../../src/model/fields/filter.ts';
import { generatedEvent, type Setting } from '../../../src/model/generate/generate.ts';
import { between, happens, oneOf, type Random } from '../../../src/model/generate/random.ts';
import { resources } from '../../../src/model/resources/all.ts';
import { addDays } from '../../../src/model/time/datetime.ts';
import { anonymous, owner, type Viewer } from '../../../src/model/viewer.ts';
import { serialize } from '../../../src/server/response.ts';
import { ChangeTracker, triggers } from '../../../src/store/cache/change-tracker.ts';
import { EventIndex } from '../../../src/store/cache/event-index.ts';
import type { Store } from '../../../src/store/calendar.ts';
import { openCalendar } from '../../../src/store/calendar.ts';
import { city, site, viewers } from '../../support/generated-calendar.ts';

let store: Store;
let random: Random;
let setting: Setting;
beforeAll(async () => {
  ({ store, random, setting } = await city(700));
});

const words = [
  'jazz',
  'a',
  'ing',
  'new pieces',
  '"two sets"',
  'evening -open',
  '-jazz',
  'quartet night',
  '&',
  'Ä',
  '"s of"',
  '.',
  'zzz',
  '£',
];

/** Any query that a list of events may be sent. */
function anyQuery(): Query {
  const day = () => addDays('2026-06-01 00:00:00', between(random, 0, 730)).slice(0, 10);
  const some: Record<string, () => unknown> = {
    start_date: day,
    end_date: day,
    starts_after: day,
    starts_before: day,
    ends_after: day,
    ends_before: day,
    categories: () => [oneOf(random, setting.categories).id, oneOf(random, setting.categories).id],
    tags: () => String(oneOf(random, setting.tags)),
    venue: () => [oneOf(random, setting.venues).id],
    organizer: () => [oneOf(random, setting.organizers), oneOf(random, setting.organizers)],
    featured: () => oneOf(random, ['true', 'false']),
    ticketed: () => oneOf(random, ['true', 'false']),
    geoloc: () => oneOf(random, ['true', 'false']),
    search: () => oneOf(random, words),
    include: () => [between(random, 30, 700), between(random, 30, 700), between(random, 30, 700)],
    per_page: () => between(random, 1, 50),
    strict_dates: () => 'true',
  };
  const query: Query = {};
  for (const [name, make] of Object.entries(some)) if (happens(random, 0.13)) query[name] = make();
  return query;
}

/** Dates that sort among others as texts, and not as numbers of fourteen digits. */
const oddDates = ['-0044-03-15 10:00:00', '10000-01-01 00:00:00', '10000-06-01 09:00:00', '20270-01-01 00:00:00'];

const answer = (list: () => unknown): string => {
  try {
    return JSON.stringify(list());
  } catch (error) {
    return String((error as { code?: string }).code);
  }
};
const plain = (viewer: Viewer, query: Query) =>
  answer(() => {
    const { entries, ...rest } = store.local(viewer, site).events.list(query);
    return { ...rest, entries };
  });
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('lists from the index are those of SQL', () => {
  it('for any query and viewer, after any writes', async () => {
    const cache = await store.cached(serialize);
    const quick = (viewer: Viewer, query: Query) =>
      answer(() => {
        const { records, ...rest } = cache.reads(viewer, site, 'events')!.list(query);
        return { ...rest, entries: records.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString())) };
      });
    await pause();
    for (let round = 0; round < 60; round += 1) {
      for (let i = 0; i < 25; i += 1) {
        const viewer = oneOf(random, viewers);
        const query = { ...anyQuery(), ...(happens(random, 0.3) ? { page: between(random, 1, 4) } : {}) };
        expect(quick(viewer, query), `${viewer.role} ${JSON.stringify(query)}`).toBe(plain(viewer, query));
      }
      await store.change((local) => {
        const ids = store.db.all<{ id: number }>("select id from events where status <> 'trash'").map(({ id }) => id);
        for (let i = between(random, 0, 5); i > 0; i -= 1) {
          const id = oneOf(random, ids);
          const kind = between(random, 0, 5);
          if (kind < 2) local.events.create(generatedEvent(random, setting));
          else if (kind < 4) local.events.update({ id }, generatedEvent(random, setting));
          else if (kind === 4)
            local.events.update(
              { id },
              oneOf(random, [{ hide_from_listings: true }, { post_password: 'x' }, { status: 'draft' }, { venue: [0] }]),
            );
          else if (store.db.get("select 1 from events where id = ? and status <> 'trash'", id)) local.events.delete({ id });
        }
        if (happens(random, 0.5)) {
          const [column, date] = [oneOf(random, ['start_date', 'end_date']), oneOf(random, oddDates)];
          store.db.run(`update events set ${column} = ? where id = ?`, date, oneOf(random, ids));
        }
        if (happens(random, 0.1))
          local.venues.delete({ id: setting.venues.splice(between(random, 0, setting.venues.length - 2), 1)[0]!.id });
        if (happens(random, 0.1))
          local.categories.delete({ id: setting.categories.splice(between(random, 0, setting.categories.length - 2), 1)[0]!.id });
      });
      // Sometimes what is read in the background goes on between.
      if (happens(random, 0.3)) await pause();
    }
  });
  it('and it is the index that answers', async () => {
    const changes = new ChangeTracker();
    const index = new EventIndex(store.db, changes);
    const find = (query: Query) => index.find(resources.events.listQuery(query, store.requestContext()));
    expect(find({})).toBeUndefined();
    await index.read();
    expect(find({})).toMatchObject({ total: store.local(anonymous, site).events.list({}).total });
    expect(find({ search: 'jazz' })).toBeUndefined();
    // A stream of searches that leaves no time between does not keep the words from being read.
    while (find({ search: 'jazz' }) === undefined);
    expect(find({ search: 'jazz' })).toMatchObject({ total: store.local(anonymous, site).events.list({ search: 'jazz' }).total });
    changes.allChanged();
    expect(find({})).toBeUndefined();
  });
  it('also beside events with dates that no column can order', async () => {
    const { store } = await city(20);
    const ids = store.db.all<{ id: number }>('select id from events').map(({ id }) => id);
    for (const [i, date] of oddDates.entries()) store.db.run('update events set start_date = ? where id = ?', date, ids[i]!);
    const index = new EventIndex(store.db, new ChangeTracker());
    await index.read();
    const inOrder = store.db.all<{ id: number }>('select id from events order by start_date, date, id').map(({ id }) => id);
    const listQuery = resources.events.listQuery({ per_page: 50 }, store.requestContext());
    expect(index.find({ ...listQuery, where: [] })).toEqual({ ids: inOrder, total: ids.length });
  });
});

describe('triggers', () => {
  it('tell of every row that is written, also by cascades', async () => {
    const other = await openCalendar(':memory:', { mode: 'write', now: () => Date.parse('2027-03-01T10:00:00Z') });
    const cache = await other.cached(serialize);
    const made = await other
      .as(owner, site)
      .events.create({ title: 'A', start_date: '2027-04-01', end_date: '2027-04-01', categories: ['C'] });
    const before = cache.state();
    other.db.run('delete from categories');
    expect(cache.state()).not.toBe(before);
    expect(other.local(owner, site).events.get({ id: made.id }).categories).toEqual([]);
    expect(triggers.length).toBe(3 * other.db.all("select 1 from sqlite_schema where type = 'table'").length);
    await other.close();
  });
});
