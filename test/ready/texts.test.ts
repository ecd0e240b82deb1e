import { beforeAll, describe, expect, it } from 'vitest';
import type { Query } from '../../src/model/filter.ts';
import type { Entry, Input, Ref } from '../../src/model/resource.ts';
import { owner, type Viewer } from '../../src/model/viewer.ts';
import type { Desk, Store } from '../../src/store/open.ts';
import type { Ready } from '../../src/store/ready/texts.ts';
import { city, site, viewers } from './city.ts';

let store: Store;
let ready: Ready;
let event: number;
let venue: number;
let organizer: number;
let category: number;
let tag: number;

async function begin(): Promise<void> {
  const { store: made, setting } = await city(30);
  store = made;
  ready = await store.ready();
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
  event = (await store.as(owner, site).events.create(input)).id;
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

/** What every viewer gets of everything, kept or made anew. */
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
const kept = () =>
  everything(
    (viewer, name, ref, query) => parsed(ready.texts(viewer, site, name)!.get(ref, query).bytes),
    (viewer, name, query) => {
      const { texts, ...page } = ready.texts(viewer, site, name)!.list(query);
      return { ...page, entries: texts.map(({ bytes }) => parsed(bytes)) };
    },
  );
const anew = () =>
  everything(
    (viewer, name, ref, query) => store.desk(viewer, site)[name].get(ref, query) as Entry,
    (viewer, name, query) => store.desk(viewer, site)[name].list(query),
  );

const writes: [string, (desk: Desk) => unknown][] = [
  ['nothing', () => undefined],
  ['a title', (desk) => desk.events.update({ id: event }, { title: 'Two' })],
  ['the name of its venue', (desk) => desk.venues.update({ id: venue }, { venue: 'Elsewhere' })],
  ['a password of its venue', (desk) => desk.venues.update({ id: venue }, { post_password: 'x' })],
  ['no password of its venue', (desk) => desk.venues.update({ id: venue }, { post_password: '' })],
  ['a draft of its venue', (desk) => desk.venues.update({ id: venue }, { status: 'draft' })],
  ['its venue again', (desk) => desk.venues.update({ id: venue }, { status: 'publish' })],
  ['its organizer', (desk) => desk.organizers.update({ id: organizer }, { phone: '1', image: 'http://x.example/a.png' })],
  ['the name of its category', (desk) => desk.categories.update({ id: category }, { name: 'Other' })],
  [
    'the parent of its category',
    (desk) => desk.categories.update({ id: category }, { parent: (desk.categories.create({ name: 'Top' }) as Entry).id }),
  ],
  [
    'another event of its category',
    (desk) => desk.events.create({ title: 'T', start_date: '2027-05-01', end_date: '2027-05-01', categories: [category] }),
  ],
  ['its tag', (desk) => desk.tags.update({ id: tag }, { description: 'Of late' })],
  ['a password', (desk) => desk.events.update({ id: event }, { post_password: 'x' })],
  ['no password', (desk) => desk.events.update({ id: event }, { post_password: '' })],
  ['a private one', (desk) => desk.events.update({ id: event }, { status: 'private', author: 3 })],
  ['a public one', (desk) => desk.events.update({ id: event }, { status: 'publish' })],
  ['its venue in the trash', (desk) => desk.venues.delete({ id: venue })],
  ['its tag deleted', (desk) => desk.tags.delete({ id: tag })],
  ['its category deleted', (desk) => desk.categories.delete({ id: category })],
  ['itself in the trash', (desk) => desk.events.delete({ id: event })],
  ['another zone', (desk) => desk.settings.set('timezone', 'Pacific/Auckland')],
  ['nothing left', (desk) => desk.clear()],
];

/** Makes an event with everything that it can be linked to; the answer must be what is read of it afterwards. */
async function expectMade(more: Input = {}): Promise<void> {
  const input = { title: 'New', start_date: '2027-05-01', end_date: '2027-05-01', venue: [venue], organizer: [organizer] };
  const made = await store.as(owner, site).events.create({ ...input, categories: [category, 'Other'], tags: [tag], ...more });
  expect(store.desk(owner, site).events.list({ include: [made.id], context: 'edit', status: made.status }).entries).toEqual([made]);
}

describe('what a create answers is what is read afterwards', () => {
  beforeAll(begin);
  it('after a change that was undone', async () => {
    await expectMade();
    await store
      .change((desk) => {
        desk.venues.update({ id: venue }, { venue: 'Nowhere' });
        desk.categories.update({ id: category }, { name: 'None' });
        const links = { venue: [venue], organizer: [organizer], categories: [category], tags: [tag] };
        desk.events.create({ title: 'T', start_date: '2027-05-01', end_date: '2027-05-01', ...links });
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

describe('texts kept ready are those made anew', () => {
  beforeAll(begin);
  it.each(writes)('after %s was written', async (_, write) => {
    kept();
    await store.change(write);
    expect(kept()).toEqual(anew());
    expect(kept()).toEqual(anew());
  });
  it('after a change that was undone', async () => {
    kept();
    await store
      .change((desk) => {
        desk.events.create({ title: 'T', start_date: '2027-05-01', end_date: '2027-05-01' });
        throw new Error('no');
      })
      .catch(() => {});
    expect(kept()).toEqual(anew());
  });
  it('keep within their room', async () => {
    const { Room } = await import('../../src/store/ready/kept.ts');
    const { Changes } = await import('../../src/store/ready/changes.ts');
    const [room, changes] = [new Room(100_000), new Changes()];
    const shelf = room.shelf('a');
    for (let id = 1; id <= 1000; id += 1) shelf.put(id, { bytes: Buffer.alloc(1000), tag: 'x', needs: [0, id], right: changes.clock });
    const left = Array.from({ length: 1000 }, (_, i) => shelf.get(i + 1, changes)).filter((text) => text !== undefined).length;
    expect([left > 20, left < 100]).toEqual([true, true]);
  });
  it('stay while they are asked for, and are weighed once', async () => {
    const { Room } = await import('../../src/store/ready/kept.ts');
    const { Changes } = await import('../../src/store/ready/changes.ts');
    const [room, changes] = [new Room(100_000), new Changes()];
    const [often, others] = [room.shelf('often'), room.shelf('others')];
    const text = () => ({ bytes: Buffer.alloc(1000), tag: 'x', needs: [0, 1], right: changes.clock });
    const favourites = Array.from({ length: 30 }, (_, i) => i);
    for (const id of favourites) often.put(id, text());
    for (let id = 0; id < 1000; id += 1) {
      others.put(id % 60, text());
      expect(often.get(favourites[id % 30]!, changes)).toBeDefined();
    }
    changes.touch(0, 1);
    expect(favourites.filter((id) => often.get(id, changes))).toEqual([]);
  });
});
