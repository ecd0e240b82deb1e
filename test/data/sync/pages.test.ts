import { expect, it } from 'vitest';
import { generate } from '../../../src/data/generate.ts';
import { steadyPages } from '../../../src/data/sync/pages.ts';
import { pull } from '../../../src/data/sync/pull.ts';
import { push } from '../../../src/data/sync/push.ts';
import type { RemoteCalendar } from '../../../src/data/sync/remote.ts';
import { type Calendar, type Collection, type Page, type ResourceName, resourceNames } from '../../../src/model/calendar.ts';
import { Failure } from '../../../src/model/error.ts';
import { owner } from '../../../src/model/viewer.ts';
import type { LocalCalendar, Store } from '../../../src/store/calendar.ts';
import { memory } from '../../support/calendars.ts';

const perPage = 2;
/** A list of records that `change` may alter after each page. */
function lister(ids: number[], change: (page: number, ids: number[]) => void = () => {}, claimed?: number) {
  let reads = 0;
  const list = async (number: number): Promise<Page> => {
    if (++reads > 100) throw new Error('it reads for ever');
    const entries = ids.slice((number - 1) * perPage, number * perPage).map((id) => ({ id }));
    const total_pages = claimed ?? Math.ceil(ids.length / perPage);
    if (!entries.length && number > 1 && claimed === undefined) throw new Failure('event-archive-page-not-found', 'no such page');
    const page = { entries, total: ids.length, total_pages, rest_url: '' };
    change(number, ids);
    return page;
  };
  return { list, reads: () => reads };
}
async function idsOf(pages: AsyncIterable<Page>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { entries } of pages) ids.push(...entries.map(({ id }) => id));
  return ids;
}

it.each<[string, number[], ((page: number, ids: number[]) => void) | undefined, number[]]>([
  ['that holds still', [1, 2, 3, 4, 5], undefined, [1, 2, 3, 4, 5]],
  ['that is empty', [], undefined, []],
  [
    'that loses records while it is read',
    [1, 2, 3, 4, 5, 6],
    (page, ids) => void (page === 1 && ids[0] === 1 && ids.splice(0, 2)),
    [1, 2, 5, 6, 3, 4],
  ],
  ['whose last page goes', [1, 2, 3, 4], (page, ids) => void (page === 1 && ids[0] === 1 && ids.splice(0, 2)), [1, 2, 3, 4]],
  ['that gains records at its beginning', [2, 3, 4], (page, ids) => void (page === 1 && ids[0] === 2 && ids.unshift(1)), [2, 3, 4, 1]],
])('a list %s gives every record that stays, once', async (_, ids, change, expected) => {
  expect(await idsOf(steadyPages(lister(ids, change).list))).toEqual(expected);
});

it('does not believe a number of pages', async () => {
  const { list, reads } = lister([1, 2, 3], undefined, 100_000_000);
  expect(await idsOf(steadyPages(list))).toEqual([1, 2, 3]);
  expect(reads()).toBeLessThan(10);
});

it('ends where every page is the same', async () => {
  const same = async (): Promise<Page> => ({ entries: [{ id: 1 }], total: 9, total_pages: 9, rest_url: '' });
  expect(await idsOf(steadyPages(same))).toEqual([1]);
});

it('fails if the list keeps changing', async () => {
  let id = 100;
  const { list } = lister([1, 2, 3], (_, ids) => void ids.unshift(id++));
  await expect(idsOf(steadyPages(list))).rejects.toMatchObject({ code: 'busy' });
});

it.each([
  ['a total that stays', () => 4],
  ['a total that grows with every page', (number: number) => number * 50],
  ['no total', () => Number.NaN],
])('stops a list without an end, with %s', async (_, total) => {
  let reads = 0;
  const endless = async (number: number): Promise<Page> => {
    reads += 1;
    const entries = Array.from({ length: 20_000 }, (_, at) => ({ id: number * 20_000 + at }));
    return { entries, total: total(number), total_pages: 0, next_rest_url: 'next', rest_url: '' };
  };
  await expect(idsOf(steadyPages(endless))).rejects.toMatchObject({ code: 'not-a-calendar', message: expect.stringContaining('total of') });
  expect(reads).toBeLessThan(60);
});

/** Returns a calendar with 120 events. `onList` is called before each list, with the resource and the page. */
async function siteWith(onList: (list: string) => void): Promise<{ there: Store; remote: RemoteCalendar }> {
  const there = await memory();
  await generate(there, { counts: { events: 120 } });
  const own = there.calendarFor(owner, { home: 'http://site', root: 'http://site' });
  const collection = (name: ResourceName): Collection => ({
    ...own[name],
    list: async (query = {}) => {
      onList(`${name} ${query.page}`);
      return own[name].list(query);
    },
  });
  const calendar = Object.fromEntries(resourceNames.map((name) => [name, collection(name)])) as unknown as Calendar;
  const about = async () => ({ name: '', timezone: '' });
  return { there, remote: { calendar, root: 'http://site', about, isOurs: async () => true, maySeeUnpublished: async () => true } };
}

it('a pull requests the next page before it writes one', async () => {
  const here = await memory();
  const log: string[] = [];
  const { remote } = await siteWith((list) => log.push(list));
  const summary = await pull(here, remote, { onProgress: () => log.at(-1) !== 'written' && log.push('written') });
  expect(summary.counts.created).toBeGreaterThan(120);
  expect(log.slice(log.indexOf('events 1'))).toEqual(['events 1', 'events 2', 'written', 'events 3', 'written']);
});

it('the rest of an interrupted pull is followed by what changed in the lists before', async () => {
  const here = await memory();
  let failing = 'events 3';
  const { there, remote } = await siteWith((list) => {
    if (list === failing) throw new Failure('unreachable', 'interrupted');
  });
  await expect(pull(here, remote)).rejects.toThrow('interrupted');
  failing = '';
  const change = (local: LocalCalendar) => {
    const { venues, tags } = local;
    const venue = venues.list().entries[0]!;
    venues.update({ id: venue.id }, { city: 'Elsewhere' });
    tags.create({ name: 'Between' });
    return { id: venue.id };
  };
  const ref = await there.change(change);
  const { counts } = await pull(here, remote);
  expect(counts).toMatchObject({ created: 21, updated: 1, deleted: 0 });
  const total = await there.change((local) => resourceNames.flatMap((name) => [...local.entries(name)]).length);
  expect(counts.created + counts.updated + counts.unchanged).toBe(total);
  await here.change((local) => expect(local.venues.get(ref)).toMatchObject({ city: 'Elsewhere' }));
});

it('a push sends the other fields of a term whose description it cannot clear', async () => {
  const [here, { there, remote }] = [await memory(), await siteWith(() => {})];
  await there.change((local) => local.tags.create({ name: 'Loud', slug: 'loud', description: 'Very' }));
  await here.change((local) => local.tags.create({ name: 'LOUD!', slug: 'loud' }));
  const { problems } = await push(here, remote, { prefer: 'ours' });
  expect(problems).toEqual([{ at: expect.stringContaining('(LOUD!)'), reason: 'not accepted: description' }]);
  await there.change((local) => expect(local.tags.get({ slug: 'loud' })).toMatchObject({ name: 'LOUD!', description: 'Very' }));
});
