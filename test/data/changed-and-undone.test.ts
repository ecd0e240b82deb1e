import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Calendar, createCalendar } from '../../bin/library.ts';
import type { ChangesInput, ChangesProgress } from '../../src/model/record-changes.ts';
import { pageChangesPath } from '../../src/model/web-page.ts';

const now = '2027-03-01T09:00:00.000Z';
let calendar: Calendar;
let fresh: Calendar;
beforeAll(async () => {
  [calendar, fresh] = [await createCalendar({ now }), await createCalendar({ now })];
  const music = await calendar.categories.create({ name: 'Music' });
  await calendar.categories.create({ name: 'Jazz', parent: music.id });
  const when = { start_date: '2027-03-05 20:00', end_date: '2027-03-05 22:00' };
  const venue = await calendar.venues.create({ venue: 'Hall' });
  const organizer = await calendar.organizers.create({ organizer: 'Choir' });
  for (const number of [1, 2, 3, 4, 5])
    await calendar.events.create({
      ...{ title: `Event ${number}`, ...when, venue: venue.id, organizer: [organizer.id], tags: ['free'] },
      ...{ categories: ['jazz', 'music'].slice(number % 2), status: number === 5 ? 'draft' : 'publish' },
    });
  await calendar.snapshots.save('begin');
});
beforeEach(() => calendar.snapshots.restore('begin'));
afterAll(() => Promise.all([calendar.close(), fresh.close()]));

/** Members that differ between two servers, or with the time of a change. */
const address = /^(modified|global_id|url|urls|website|rest_url|_links|json_ld)/;

/** All records as the API shows them. */
async function records(of: Calendar): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {};
  for (const name of ['events', 'venues', 'organizers', 'categories', 'tags'] as const) {
    const input = name === 'events' ? { start_date: '2000-01-01', end_date: '2100-01-01', status: 'publish,draft,trash' } : {};
    const { [name]: page } = (await of[name].list({ ...input, per_page: 50 } as never)) as unknown as Record<string, object[]>;
    found[name] = JSON.parse(JSON.stringify(page, (key, value) => (address.test(key) ? undefined : value)));
  }
  return found;
}

async function send(input: ChangesInput): Promise<string | undefined> {
  const response = await fetch(calendar.root + pageChangesPath, {
    method: 'POST',
    body: JSON.stringify(input),
    headers: { 'Content-Type': 'application/json' },
  });
  const lines = (await response.text()).trim().split('\n');
  expect(response.status, lines[0]).toBe(200);
  const last = JSON.parse(lines.at(-1)!) as ChangesProgress;
  return last.undo;
}

const idsOf = async (name: 'events' | 'venues' | 'organizers' | 'categories' | 'tags') =>
  Object.values(await calendar[name].list({ per_page: 50 } as never))
    .flat()
    .flatMap((record) => (record as { id?: number })?.id ?? []);
const remove = (name: Parameters<typeof idsOf>[0]) => async () => send({ changes: [{ resource: name, ids: await idsOf(name) }] });
const update = (name: Parameters<typeof idsOf>[0], fields: object) => async () =>
  send({ changes: [{ resource: name, ids: await idsOf(name), fields: fields as never }] });
const table = `title,start_date,end_date,categories,tags\nEvent 1,2027-03-05 20:00,2027-03-05 22:00,Folk,"Free,New"\n`;

/** Operations that change many records; those of the page return the ID of their undo. */
const operations: [string, () => Promise<unknown>][] = [
  ...(['events', 'venues', 'organizers', 'categories', 'tags'] as const).map((name): [string, () => Promise<unknown>] => [
    `the deletion of ${name}`,
    remove(name),
  ]),
  ['other categories and tags', update('events', { categories: ['folk'], tags: [] })],
  ['drafts', update('events', { status: 'draft' })],
  ['no venue and no organizer', update('events', { venue: [], organizer: [] })],
  ['a move', async () => send({ changes: [{ resource: 'events', ids: await idsOf('events'), shift: '2 days' }] })],
  ['a shift', () => calendar.data.shift('7 days')],
  ['an import', () => calendar.data.import({ text: table, format: 'csv' })],
  ['a seed', () => calendar.data.seed('minimal', { append: true })],
  ['generated records', () => calendar.data.generate({ events: 5, venues: 2 })],
  ['a reset', () => calendar.data.reset({ to: 'empty' })],
];

/** Counts, order, links and IDs are those of a calendar that was filled with the export. */
async function expectConsistent(): Promise<void> {
  await fresh.reset();
  await fresh.data.import({ text: await calendar.data.export({ format: 'json' } as never), format: 'json' } as never);
  expect(await records(fresh)).toEqual(await records(calendar));
}

it.each(operations)('%s, and its undo, leave what an export and import make', async (_, run) => {
  const before = await records(calendar);
  const undo = await run();
  expect(await records(calendar)).not.toEqual(before);
  await expectConsistent();
  if (typeof undo === 'string') await send({ undo });
  else await calendar.snapshots.restore('begin');
  await expectConsistent();
});

it.each(['categories', 'tags'] as const)('%s that are put back count the events of then, not those of before', async (name) => {
  const undo = await remove(name)();
  await calendar.events.delete({ id: (await idsOf('events'))[0]! } as never);
  await send({ undo: undo! });
  await expectConsistent();
});
