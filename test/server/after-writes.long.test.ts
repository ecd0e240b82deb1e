import { beforeAll, describe, expect, it } from 'vitest';
import type { Entry, Input } from '../../src/model/calendar.ts';
import { owner } from '../../src/model/viewer.ts';
import { type Handle, noBody } from '../../src/server/http.ts';
import { createHandler } from '../../src/server/router.ts';
import type { LocalCalendar, Store } from '../../src/store/calendar.ts';
import { clear } from '../../src/store/records/counts.ts';
import { serviceOf } from '../../src/store/service.ts';
import { bodyText } from '../support/body-text.ts';
import { city, site } from '../support/generated-calendar.ts';
import { cachedHandle } from '../support/server.ts';

let store: Store;
let plain: Handle;
let cached: Handle;
let event: number;
let venue: number;
let organizer: number;
let category: number;
let tag: number;

async function begin(): Promise<void> {
  const { store: made, setting } = await city(30);
  store = made;
  plain = createHandler(serviceOf(store), { basePath: '', namespace: 'calendar/events/v1', headerPrefix: 'X-Calendar' });
  cached = cachedHandle(plain, () => store.stateKey());
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
}

/** Responses to all reads of the event and what it is linked to. */
async function responses(handle: Handle): Promise<object[]> {
  const paths = Object.entries({ events: event, venues: venue, organizers: organizer, categories: category, tags: tag }).flatMap(
    ([name, id]) => [`/${name}/${id}`, `/${name}?per_page=50`, `/${name}?page=1&context=edit&password=x`],
  );
  const results: object[] = [];
  for (const path of paths) {
    const [at, query = ''] = path.split('?');
    const request = { method: 'GET', path: `/calendar/events/v1${at}`, query, headers: { host: 'localhost' }, body: noBody };
    const { status, headers, body } = await handle(request);
    results.push({ path, status, headers, body: bodyText({ body }) });
  }
  return results;
}

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
  ['nothing left', (local) => clear(local.context.db)],
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

describe('cached responses are the same as fresh ones', () => {
  beforeAll(begin);
  it.each(writes)('after %s was written', async (_, write) => {
    // A response is cached when it is requested again.
    for (let time = 1; time <= 2; time += 1) await responses(cached);
    await store.change(write);
    const fresh = await responses(plain);
    for (let time = 1; time <= 3; time += 1) expect(await responses(cached)).toEqual(fresh);
  });
  it('after a change that was undone', async () => {
    for (let time = 1; time <= 2; time += 1) await responses(cached);
    await store
      .change((local) => {
        local.events.create({ title: 'T', start_date: '2027-05-01', end_date: '2027-05-01' });
        throw new Error('no');
      })
      .catch(() => {});
    const fresh = await responses(plain);
    for (let time = 1; time <= 3; time += 1) expect(await responses(cached)).toEqual(fresh);
  });
});
