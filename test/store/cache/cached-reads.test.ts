import { beforeAll, describe, expect, it } from 'vitest';
import type { Entry, Input, Ref } from '../../../src/model/calendar.ts';
import type { Query } from '../../../src/model/fields/list.ts';
import type { ReadCache } from '../../../src/model/operations/service.ts';
import { owner, type Viewer } from '../../../src/model/viewer.ts';
import { serialize } from '../../../src/server/response.ts';
import type { LocalCalendar, Store } from '../../../src/store/calendar.ts';
import { city, site, viewers } from '../../support/generated-calendar.ts';

let store: Store;
let reads: ReadCache;
let event: number;
let venue: number;
let organizer: number;
let category: number;
let tag: number;

async function begin(): Promise<void> {
  const { store: made, setting } = await city(30);
  store = made;
  reads = await store.cached(serialize);
  [venue, organizer, category, tag] = [setting.venues[0]!.id, setting.organizers[0]!, setting.categories[0]!.id, setting.tags[0]!];
  const input = {
    title: 'One',
    start_date: '2027-04-01 10:00',
    end_date: '2027-04-01 12:00',
    venue: [venue],
    organizer: [organizer],
    categories: [category],
    tags: [tag],
  };
  event = (await store.calendarFor(owner, site).events.create(input)).id;
  await new Promise((resolve) => setTimeout(resolve, 50));
}

const names = ['events', 'venues', 'organizers'] as const;
const answer = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return (error as { code?: string }).code;
  }
};
const parsed = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString());
const queries: Query[] = [{}, { password: 'x' }, { context: 'edit' }];

/** All reads of every viewer, cached or fresh. */
function everything(
  get: (viewer: Viewer, name: (typeof names)[number], ref: Ref, query: Query) => unknown,
  list: (viewer: Viewer, name: (typeof names)[number], query: Query) => unknown,
) {
  return viewers.flatMap((viewer) =>
    names.flatMap((name) => {
      const id = { events: event, venues: venue, organizers: organizer }[name];
      return queries.flatMap((query) => [
        answer(() => get(viewer, name, { id }, query)),
        answer(() => list(viewer, name, { ...query, per_page: 50 })),
      ]);
    }),
  );
}
const cached = () =>
  everything(
    (viewer, name, ref, query) => parsed(reads.reads(viewer, site, name)!.get(ref, query).bytes),
    (viewer, name, query) => {
      const { records, ...page } = reads.reads(viewer, site, name)!.list(query);
      return { ...page, entries: records.map(({ bytes }) => parsed(bytes)) };
    },
  );
const fresh = () =>
  everything(
    (viewer, name, ref, query) => store.local(viewer, site)[name].get(ref, query) as Entry,
    (viewer, name, query) => store.local(viewer, site)[name].list(query),
  );

const writes: [string, (local: LocalCalendar) => unknown][] = [
  ['nothing', () => undefined],
  ['a title', (local) => local.events.update({ id: event }, { title: 'Two' })],
  ['the name of its venue', (local) => local.venues.update({ id: venue }, { venue: 'Elsewhere' })],
  ['a password of its venue', (local) => local.venues.update({ id: venue }, { post_password: 'x' })],
  ['no password of its venue', (local) => local.venues.update({ id: venue }, { post_password: '' })],
  ['a draft of its venue', (local) => local.venues.update({ id: venue }, { status: 'draft' })],
  ['its venue again', (local) => local.venues.update({ id: venue }, { status: 'publish' })],
  ['its organizer', (local) => local.organizers.update({ id: organizer }, { phone: '1', image: 'http://x.example/a.png' })],
  ['the name of its category', (local) => local.categories.update({ id: category }, { name: 'Other' })],
  [
    'the parent of its category',
    (local) => local.categories.update({ id: category }, { parent: (local.categories.create({ name: 'Top' }) as Entry).id }),
  ],
  [
    'another event of its category',
    (local) => local.events.create({ title: 'T', start_date: '2027-05-01', end_date: '2027-05-01', categories: [category] }),
  ],
  ['its tag', (local) => local.tags.update({ id: tag }, { description: 'Of late' })],
  ['a password', (local) => local.events.update({ id: event }, { post_password: 'x' })],
  ['no password', (local) => local.events.update({ id: event }, { post_password: '' })],
  ['a private one', (local) => local.events.update({ id: event }, { status: 'private', author: 3 })],
  ['a public one', (local) => local.events.update({ id: event }, { status: 'publish' })],
  ['its venue in the trash', (local) => local.venues.delete({ id: venue })],
  ['its tag deleted', (local) => local.tags.delete({ id: tag })],
  ['its category deleted', (local) => local.categories.delete({ id: category })],
  ['itself in the trash', (local) => local.events.delete({ id: event })],
  ['another zone', (local) => local.settings.set('timezone', 'Pacific/Auckland')],
  ['nothing left', (local) => local.clear()],
];

/** Makes an event with everything that it can be linked to; the answer must be what is read of it afterwards. */
async function expectMade(more: Input = {}): Promise<void> {
  const input = { title: 'New', start_date: '2027-05-01', end_date: '2027-05-01', venue: [venue], organizer: [organizer] };
  const made = await store.calendarFor(owner, site).events.create({ ...input, categories: [category, 'Other'], tags: [tag], ...more });
  expect(store.local(owner, site).events.list({ include: [made.id], context: 'edit', status: made.status }).entries).toEqual([made]);
}

describe('the response of a create equals a later read', () => {
  beforeAll(begin);
  it('after a change that was undone', async () => {
    await expectMade();
    await store
      .change((local) => {
        local.venues.update({ id: venue }, { venue: 'Nowhere' });
        local.categories.update({ id: category }, { name: 'None' });
        const links = { venue: [venue], organizer: [organizer], categories: [category], tags: [tag] };
        local.events.create({ title: 'T', start_date: '2027-05-01', end_date: '2027-05-01', ...links });
        throw new Error('no');
      })
      .catch(() => {});
    await expectMade();
  });
  it.each<Input>([
    { title: 'Half a character \ud83d' },
    { title: 'Nothing\0', excerpt: 'a\nb', website: null, image: 'http://x.example/a.png' },
    { all_day: true, cost: [1, '2'], status: 'draft', slug: 'drafted', post_password: 'x' },
    { featured: '1', sticky: true, date: '2027-01-01 10:00', post_parent: 0, venue: [], tags: [] },
  ])('of %j', (input) => expectMade(input));
  it.each(writes.slice(0, -1))('after %s was written', async (_, write) => {
    await expectMade();
    await store.change(write);
    await expectMade();
  });
});

describe('cached reads are the same as fresh ones', () => {
  beforeAll(begin);
  it.each(writes)('after %s was written', async (_, write) => {
    cached();
    await store.change(write);
    expect(cached()).toEqual(fresh());
    expect(cached()).toEqual(fresh());
  });
  it('after a change that was undone', async () => {
    cached();
    await store
      .change((local) => {
        local.events.create({ title: 'T', start_date: '2027-05-01', end_date: '2027-05-01' });
        throw new Error('no');
      })
      .catch(() => {});
    expect(cached()).toEqual(fresh());
  });
  it('drop everything once they are full', async () => {
    const { RecordCache } = await import('../../../src/store/cache/record-cache.ts');
    const { ChangeTracker } = await import('../../../src/store/cache/change-tracker.ts');
    const cache = new RecordCache(new ChangeTracker());
    const put = (id: number) => cache.put('a', id, { bytes: Buffer.alloc(1 << 20), etag: 'x' }, [0, id]);
    const held = () => Array.from({ length: 100 }, (_, id) => cache.get('a', id)).filter((record) => record !== undefined).length;
    for (let id = 0; id < 40; id += 1) put(id);
    for (let i = 0; i < 100; i += 1) put(0);
    expect(held()).toBe(40);
    for (let id = 40; id < 100; id += 1) put(id);
    expect([held() > 0, held() < 50]).toEqual([true, true]);
  });
});
